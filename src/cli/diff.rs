//! Two lists of messages side by side in one column, aligned by id: the only file that names similar.

use std::io::{self, Write};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::lines::{self, Texts};
use super::terminal::{BAD, DIM, GOOD, STRONG, paint};
use crate::dag::Snapshot;
use crate::history::History;

/// Unchanged messages around a change that are shown.
const CONTEXT: usize = 2;

/// Writes where the two lists part; nothing where they show the same.
pub(super) fn write(out: &mut impl Write, snapshot: &Snapshot, control: &History, candidate: &History, texts: &Texts) -> io::Result<()> {
    let ids = |history: &History| -> Vec<_> { history.messages.iter().map(|message| snapshot.node(message.node).id).collect() };
    let (old, new) = (ids(control), ids(candidate));
    if old == new {
        return Ok(());
    }
    let (from, to) = (control.rung, candidate.rung);
    writeln!(out, "\n{}", paint(STRONG, format!("{from} → {to}: {} messages → {}", old.len(), new.len())))?;
    let removed =
        |out: &mut dyn Write, at: usize| writeln!(out, "{}", paint(BAD, format!("- {}", lines::message(snapshot, control, at, texts))));
    let added =
        |out: &mut dyn Write, at: usize| writeln!(out, "{}", paint(GOOD, format!("+ {}", lines::message(snapshot, candidate, at, texts))));
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        match op {
            DiffOp::Equal { new_index, len, .. } => write_equal(out, snapshot, candidate, (new_index, len), texts)?,
            DiffOp::Delete { old_index, old_len, .. } => (old_index..old_index + old_len).try_for_each(|at| removed(out, at))?,
            DiffOp::Insert { new_index, new_len, .. } => (new_index..new_index + new_len).try_for_each(|at| added(out, at))?,
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                (old_index..old_index + old_len).try_for_each(|at| removed(out, at))?;
                (new_index..new_index + new_len).try_for_each(|at| added(out, at))?;
            }
        }
    }
    Ok(())
}

/// A run that both show: its ends, and how much lies between.
fn write_equal(
    out: &mut impl Write,
    snapshot: &Snapshot,
    history: &History,
    (start, length): (usize, usize),
    texts: &Texts,
) -> io::Result<()> {
    let end = start + length;
    let first = if start == 0 { start } else { (start + CONTEXT).min(end) };
    let last = if end == history.messages.len() { end } else { end.saturating_sub(CONTEXT).max(first) };
    let line = |at: usize| format!("  {}", lines::message(snapshot, history, at, texts));
    for at in start..first {
        writeln!(out, "{}", line(at))?;
    }
    if last > first {
        writeln!(out, "{}", paint(DIM, format!("  … {} the same", last - first)))?;
    }
    for at in last..end {
        writeln!(out, "{}", line(at))?;
    }
    Ok(())
}
