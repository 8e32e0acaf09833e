//! What happened when one rung ran once. Immutable.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Why a run has no output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It says so by a code.
    Error(&'static str),
    /// It panicked, at this place in the source. What the panic said is not kept: it may quote the input.
    Panic(String),
    /// It was told to stop at its deadline.
    Timeout,
    /// It did not even stop when told to: its thread was given up.
    Lost,
    /// It was never begun, for there is no thread that could be risked.
    NoThread,
}

impl Failure {
    /// A short name for metrics.
    pub fn name(&self) -> &'static str {
        match self {
            Failure::Error(_) => "error",
            Failure::Panic(_) => "panic",
            Failure::Timeout => "timeout",
            Failure::Lost => "lost",
            Failure::NoThread => "no-thread",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Error(code) => write!(f, "failed: {code}"),
            Failure::Panic(place) => write!(f, "panicked at {place}"),
            Failure::Timeout => f.write_str("passed its deadline"),
            Failure::Lost => f.write_str("passed its deadline and does not stop"),
            Failure::NoThread => f.write_str("was not begun: too many threads hang"),
        }
    }
}

/// What a run came to.
#[derive(Debug)]
pub enum Outcome<O> {
    /// It has an output.
    Done(Arc<O>),
    /// It has none.
    Failed(Failure),
}

impl<O> Clone for Outcome<O> {
    fn clone(&self) -> Self {
        match self {
            Outcome::Done(output) => Outcome::Done(output.clone()),
            Outcome::Failed(failure) => Outcome::Failed(failure.clone()),
        }
    }
}

/// One run of one rung.
#[derive(Debug)]
pub struct Observation<O> {
    /// The rung, counted from the ground.
    pub rung: usize,
    /// Its name.
    pub name: &'static str,
    /// What it came to.
    pub outcome: Outcome<O>,
    /// How long it took.
    pub wall: Duration,
    /// The CPU time that it took; `None` for a run that was given up, and for most served ones: to ask the system for it is most of
    /// what an experiment costs a load.
    pub cpu: Option<Duration>,
}

impl<O> Clone for Observation<O> {
    fn clone(&self) -> Self {
        Observation { rung: self.rung, name: self.name, outcome: self.outcome.clone(), wall: self.wall, cpu: self.cpu }
    }
}

impl<O> Observation<O> {
    /// The output, if there is one.
    pub fn output(&self) -> Option<&Arc<O>> {
        match &self.outcome {
            Outcome::Done(output) => Some(output),
            Outcome::Failed(_) => None,
        }
    }

    /// Why there is none.
    pub fn failure(&self) -> Option<&Failure> {
        match &self.outcome {
            Outcome::Done(_) => None,
            Outcome::Failed(failure) => Some(failure),
        }
    }
}
