//! How a run ends: the exit codes, and the one place where errors are shown.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use super::Outcome;
use super::options::Refusal;
use crate::dag::ReadError;
use crate::history::Cancelled;

/// The exit codes, as an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// The command did what it was asked.
    Fine = 0,
    /// The answer is "no": a divergence was found where `--fail-on` asked.
    No = 1,
    /// The command line or the configuration is wrong.
    Usage = 2,
    /// The input can not be read.
    Input = 3,
    /// A needed service can not be reached, or says no.
    Service = 4,
    /// A fault of Parallax itself.
    Bug = 70,
}

/// The table at the end of `--help`.
pub(super) const HELP: &str = "Exit codes:
  0   fine
  1   the answer is \"no\": a divergence was found where --fail-on asked
  2   usage or configuration
  3   the input can not be read
  4   a needed service can not be reached
  70  a bug in parallax

With --json one JSON document goes to standard output and nothing else; messages go to standard error.
Colours are used on a terminal only, and never where NO_COLOR is set.";

/// An error with its exit code.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct Failure {
    pub(super) exit: Exit,
    pub(super) message: String,
}

impl Failure {
    pub(super) fn usage(message: String) -> Self {
        Failure { exit: Exit::Usage, message }
    }

    pub(super) fn service(message: String) -> Self {
        Failure { exit: Exit::Service, message }
    }

    pub(super) fn input(message: String) -> Self {
        Failure { exit: Exit::Input, message }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Options that can not be used, or that ask for help.
pub(super) fn refuse(refusal: &Refusal) -> ExitCode {
    match refusal {
        Refusal::Usage(error) => usage(error),
        Refusal::Config(error) => {
            show(error);
            Exit::Usage.into()
        }
        Refusal::Set(error, path) => {
            let code = usage(error);
            super::session::note(&format!("the command line is fine; the options of {} are not", path.display()));
            code
        }
    }
}

fn usage(error: &clap::Error) -> ExitCode {
    let exit = if error.use_stderr() { Exit::Usage } else { Exit::Fine };
    match error.print() {
        Ok(()) | Err(_) => exit.into(),
    }
}

/// Where standard error is closed or full, the exit code has to say it.
fn show(error: impl std::fmt::Display) {
    let text = super::terminal::harmless(&error.to_string());
    let _closed = writeln!(anstream::stderr(), "{} {text}", super::terminal::paint(super::terminal::BAD, "error:"));
}

/// An error with its causes, each said once.
fn with_causes(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Runs a command and shows its error. Of a panic only the place is shown: what it says may quote a conversation.
pub(super) fn run(command: impl FnOnce() -> Outcome) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        show(format!("panicked at {}", panic.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string)));
    }));
    match catch_unwind(AssertUnwindSafe(command)) {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(error)) if is_closed_pipe(&error) => Exit::Fine.into(),
        Ok(Err(error)) => {
            show(with_causes(&error));
            exit_of(&error).into()
        }
        Err(_) => {
            show("this is a bug in parallax: please report the command and the place above");
            Exit::Bug.into()
        }
    }
}

/// Who reads us has seen enough, as in `parallax … | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe))
}

fn exit_of(error: &anyhow::Error) -> Exit {
    for cause in error.chain() {
        if let Some(failure) = cause.downcast_ref::<Failure>() {
            return failure.exit;
        }
        if cause.is::<ReadError>() || cause.is::<io::Error>() {
            return Exit::Input;
        }
        if cause.is::<Cancelled>() {
            return Exit::Bug;
        }
    }
    Exit::Bug
}
