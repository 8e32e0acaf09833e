//! The session that a command is about, and what is to be said when there is nothing in it.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::exit::Failure;
use crate::dag::{Fault, FaultCode, ReadOptions, Snapshot, read_session};

/// Which session.
#[derive(clap::Args)]
pub(super) struct SessionArgs {
    /// A session's directory: the one that holds meta.json and history/
    #[arg(value_name = "SESSION_DIR")]
    pub(super) session: PathBuf,
}

impl SessionArgs {
    /// Reads the session, and refuses a directory that is none.
    pub(super) fn read(&self) -> anyhow::Result<Snapshot> {
        read(&self.session)
    }
}

/// Reads the session in a directory.
pub(super) fn read(directory: &Path) -> anyhow::Result<Snapshot> {
    let snapshot = read_session(directory, &ReadOptions::default())?;
    let is_session = ["meta.json", "history", "context", ".git"].iter().any(|entry| directory.join(entry).exists());
    if !is_session {
        return Err(Failure::input(format!(
            "{} is no session: it holds neither meta.json nor history/. Give one session's directory, not the root above them",
            directory.display()
        ))
        .into());
    }
    Ok(snapshot)
}

/// Says on standard error why there is nothing to see. Fails where there are files and none can be read.
pub(super) fn check_readable(snapshot: &Snapshot, faults: &[Fault]) -> anyhow::Result<()> {
    if !snapshot.nodes().is_empty() {
        return Ok(());
    }
    let corrupt = faults.iter().filter(|fault| fault.code == FaultCode::BadJson).count();
    if corrupt > 0 {
        return Err(Failure::input(format!(
            "none of the {corrupt} node files in {} can be read: see the faults, and restore history/ from the session's .git or a backup",
            snapshot.directory().join("history").display()
        ))
        .into());
    }
    note(&format!(
        "the history of {} is empty: history/ holds no node files (nothing was written yet, or the path is another one)",
        snapshot.directory().display()
    ));
    Ok(())
}

/// A line for people beside the answer.
pub(super) fn note(text: &str) {
    // Nobody is left to tell where standard error is closed.
    let text = super::terminal::harmless(text);
    let _closed = writeln!(anstream::stderr(), "{} {text}", super::terminal::paint(super::terminal::WARN, "note:"));
}

/// Faults in short lines for people; of many of one kind, the first few.
pub(super) fn write_faults(out: &mut impl Write, faults: &[Fault]) -> std::io::Result<()> {
    const SHOWN: usize = 5;
    let mut counts: HashMap<FaultCode, usize> = HashMap::new();
    faults.iter().for_each(|fault| *counts.entry(fault.code).or_default() += 1);
    let mut shown: HashMap<FaultCode, usize> = HashMap::new();
    for fault in faults {
        let nth = shown.entry(fault.code).or_default();
        *nth += 1;
        if *nth == SHOWN + 1 {
            writeln!(out, "  {} … {} more", fault.code, counts[&fault.code] - SHOWN)?;
        }
        if *nth > SHOWN {
            continue;
        }
        let place = super::terminal::harmless(fault.file.as_deref().unwrap_or("the session"));
        let node = fault
            .node
            .as_deref()
            .filter(|node| !node.is_empty())
            .map_or(String::new(), |node| format!(" (node {})", super::terminal::first_words(node, 40)));
        writeln!(out, "  {} in {place}{node}", super::terminal::paint(super::terminal::WARN, fault.code))?;
    }
    Ok(())
}
