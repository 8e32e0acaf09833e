//! `demo`: the comparison over sample sessions that ship with Parallax.

mod samples;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;

use super::Outcome;
use super::compare::Report;
use super::exit::Exit;
use super::lines::Texts;
use super::session;
use super::terminal::{self, DIM, STRONG, paint};
use samples::SAMPLES;

/// Arguments of `demo`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Where to put the sample sessions [default: a new directory among the temporary files]
    #[arg(long, value_name = "DIR", env = "PARALLAX_DIR")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    texts: Texts,
}

/// Writes the samples and compares each.
pub(super) fn run(args: &Args) -> Outcome {
    let root = match &args.dir {
        Some(root) => std::fs::create_dir_all(root).map(|()| root.clone()),
        None => fresh_directory(),
    };
    let root = root.context("can not make a directory for the sample sessions: give a place with --dir")?;
    let mut out = terminal::stdout();
    writeln!(out, "Each load runs the legacy path (ground) and the target path (steps A to D) over one snapshot.")?;
    writeln!(out, "The sample sessions are in {}.", root.display())?;
    for sample in SAMPLES {
        let directory = sample
            .write(&root)
            .with_context(|| format!("can not write the sample sessions to {}: give another place with --dir", root.display()))?;
        let snapshot = session::read(&directory)?;
        writeln!(out, "\n{}\n{}\n", paint(STRONG, format!("── {} ──", sample.name)), sample.about()?)?;
        Report::new(&snapshot, None)?.write(&mut out, &args.texts)?;
    }
    let example = root.join("leak-at-d");
    writeln!(out, "\n{}", paint(STRONG, "Go on with"))?;
    for command in ["explain", "compare --control c --candidate d", "history --rung b --json"] {
        writeln!(out, "  parallax {command} {}", example.display())?;
    }
    writeln!(out, "{}", paint(DIM, "or with a session of your own: parallax compare <SESSION_DIR>"))?;
    out.flush()?;
    Ok(Exit::Fine)
}

/// A directory that nobody else made or linked somewhere: `parallax-demo`, or with a number behind it.
fn fresh_directory() -> std::io::Result<PathBuf> {
    let names = std::iter::once("parallax-demo".to_owned()).chain((2..1000).map(|number| format!("parallax-demo-{number}")));
    let mut last = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
    for name in names {
        let path = std::env::temp_dir().join(name);
        match std::fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}
