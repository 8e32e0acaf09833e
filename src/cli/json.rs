//! JSON pieces that more than one command prints.

use std::io::Write;

use serde_json::{Value, json};

use crate::compare::{Comparison, Divergence};
use crate::dag::Fault;

/// Prints a document for programs, to the byte.
pub(super) fn print(document: &Value) -> std::io::Result<()> {
    let mut out = super::terminal::raw_stdout();
    writeln!(out, "{document}")?;
    out.flush()
}

/// Faults as `contracts.md` has them.
pub(super) fn faults(faults: &[Fault]) -> Value {
    faults.iter().map(|fault| json!({"code": fault.code.name(), "file": fault.file, "node": fault.node})).collect()
}

/// A comparison as `contracts.md` has it.
pub(super) fn comparison(comparison: &Comparison) -> Value {
    let divergences: Vec<Value> = comparison.divergences.iter().map(divergence).collect();
    json!({"outcome": comparison.outcome.name(), "divergences": divergences})
}

fn divergence(divergence: &Divergence) -> Value {
    json!({
        "code": divergence.code.name(),
        "view": divergence.code.view().name(),
        "severity": divergence.code.severity().name(),
        "signature": divergence.signature,
        "count": divergence.count,
        "ambiguous": divergence.ambiguous,
        "control": divergence.control,
        "candidate": divergence.candidate,
    })
}
