//! `history`: the messages that a rung shows of a session.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::Outcome;
use super::exit::{Exit, Failure};
use super::lines::{self, Output, Texts};
use super::options::rungs;
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
    #[arg(long, env = "PARALLAX_RUNG", default_value = "ground", value_parser = rungs(), ignore_case = true, hide_possible_values = true)]
    rung: Rung,
    /// Read the session as if its head were this node
    #[arg(long, value_name = "ID", env = "PARALLAX_HEAD")]
    head: Option<String>,
    #[command(flatten)]
    output: Output,
}

/// Prints the history.
pub(super) fn run(args: &Args) -> Outcome {
    if args.output.json.json && args.output.texts.no_text {
        let what = "history --json prints messages as they are served, text and all: leave out --json or say --no-text=false (it may stand in a variable or a configuration file)";
        return Err(Failure::usage(what.to_owned()).into());
    }
    let mut snapshot = args.session.read()?;
    if let Some(head) = &args.head {
        snapshot = snapshot.with_head(head).ok_or_else(|| {
            let path = args.session.session.display();
            Failure::usage(format!("no node {head:?} in {path}: `parallax explain --json {path}` lists the ids that a head can be"))
        })?;
    }
    let cancel = Cancel::new();
    let history = history_at(&snapshot, args.rung, &cancel)?;
    let faults = history::faults(&snapshot, &cancel)?;
    if args.output.json.json {
        let mut out = io::stdout().lock();
        document(&mut out, &snapshot, &history, &faults)?;
        out.flush()?;
    } else {
        let mut out = terminal::stdout();
        people(&mut out, &snapshot, &history, &faults, &args.output.texts)?;
        out.flush()?;
    }
    check_readable(&snapshot, &faults)?;
    Ok(Exit::Fine)
}

/// Writes the JSON document of `contracts.md`.
fn document(out: &mut impl Write, snapshot: &Snapshot, history: &History, faults: &[Fault]) -> io::Result<()> {
    let word = |value: Value| value.to_string();
    let id = word(json!(snapshot.session_id()));
    let rung = word(json!(history.rung.name()));
    let head = word(json!(history.head.map(|head| snapshot.text(head))));
    write!(out, "{{\"session_id\":{id},\"rung\":{rung},\"head_id\":{head},\"messages\":")?;
    history.write_messages(snapshot, out)?;
    let error = word(json!(history.error.map(|error| json!({"code": error.code(), "detail": error.to_string()}))));
    let faults = word(json::faults(faults));
    writeln!(out, ",\"fallback_used\":{},\"error\":{error},\"faults\":{faults}}}", history.fallback_used)
}

fn people(out: &mut impl Write, snapshot: &Snapshot, history: &History, faults: &[Fault], texts: &Texts) -> io::Result<()> {
    let head = history.head.map_or("none", |head| snapshot.text(head));
    let title = terminal::paint(terminal::STRONG, terminal::harmless(snapshot.session_id()));
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
