//! `history`: the messages that a rung shows of a session.

use std::io::Write;

use serde_json::{Value, json};

use super::Outcome;
use super::exit::{Exit, Failure};
use super::lines::{self, Texts};
use super::session::{SessionArgs, check_readable, write_faults};
use super::{json, terminal};
use crate::dag::{Fault, Snapshot};
use crate::history::{self, Cancel, History, history_at};
use crate::step::Rung;

/// Arguments of `history`.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    session: SessionArgs,
    /// Where on the ladder to stand: ground, a, b, c or d
    #[arg(long, env = "PARALLAX_RUNG", default_value = "ground")]
    rung: Rung,
    /// Read the session as if its head were this node
    #[arg(long, value_name = "ID")]
    head: Option<String>,
    /// Print one JSON document instead of lines for people
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    texts: Texts,
}

/// Prints the history.
pub(super) fn run(args: &Args) -> Outcome {
    let mut snapshot = args.session.read()?;
    if let Some(head) = &args.head {
        snapshot = snapshot.with_head(head).ok_or_else(|| {
            let path = args.session.session.display();
            Failure::usage(format!("no node {head:?} in {path}: `parallax explain {path}` lists the ids that a head can be"))
        })?;
    }
    let cancel = Cancel::new();
    let history = history_at(&snapshot, args.rung, &cancel)?;
    let faults = history::faults(&snapshot, &cancel)?;
    if args.json {
        let mut out = std::io::stdout().lock();
        out.write_all(&document(&snapshot, &history, &faults))?;
        out.flush()?;
    } else {
        let mut out = terminal::stdout();
        people(&mut out, &snapshot, &history, &faults, &args.texts)?;
        out.flush()?;
    }
    check_readable(&snapshot, &faults)?;
    Ok(Exit::Fine)
}

/// The JSON document of `contracts.md`, a line feed at its end.
fn document(snapshot: &Snapshot, history: &History, faults: &[Fault]) -> Vec<u8> {
    let word = |value: Value| value.to_string();
    let head = history.head.map(|head| snapshot.text(head));
    let mut out = format!(
        "{{\"session_id\":{},\"rung\":{},\"head_id\":{},\"messages\":",
        word(json!(snapshot.session_id())),
        word(json!(history.rung.name())),
        word(json!(head))
    )
    .into_bytes();
    history.write_messages(snapshot, &mut out);
    let error = history.error.map(|error| json!({"code": error.code(), "detail": error.to_string()}));
    let tail = format!(
        ",\"fallback_used\":{},\"error\":{},\"faults\":{}}}\n",
        history.fallback_used,
        word(json!(error)),
        word(json::faults(faults))
    );
    out.extend_from_slice(tail.as_bytes());
    out
}

fn people(out: &mut impl Write, snapshot: &Snapshot, history: &History, faults: &[Fault], texts: &Texts) -> std::io::Result<()> {
    let head = history.head.map_or("none", |head| snapshot.text(head));
    let title = terminal::paint(terminal::STRONG, snapshot.session_id());
    writeln!(out, "{title} at rung {}: {} messages, head {}", history.rung, history.messages.len(), terminal::first_words(head, 40))?;
    if let Some(error) = history.error {
        writeln!(out, "{} {error}", terminal::paint(terminal::BAD, error.code()))?;
    }
    if history.fallback_used {
        writeln!(out, "{}", terminal::paint(terminal::WARN, "the get_branch fallback chose this list"))?;
    }
    for index in 0..history.messages.len() {
        writeln!(out, "  {}", lines::message(snapshot, history, index, texts))?;
    }
    write_faults(out, faults)
}
