//! What bounds an experiment, and who is told when a bound is met.

use std::time::Duration;

/// The bounds of an experiment.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Threads that run rungs beside the served one.
    pub threads: usize,
    /// Runs that may wait for a thread.
    pub queue: usize,
    /// How long one run beside the served one may take.
    pub deadline: Duration,
    /// How long the served rung may take, unless it is the ground.
    pub served_deadline: Duration,
    /// How long a run that was told to stop has for it before its thread is given up.
    pub grace: Duration,
    /// Threads that may be given up, beside the served path and on it, each; after that many, no rung but the ground is begun
    /// there until one of them comes back.
    pub lost: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            threads: 1,
            queue: 256,
            deadline: Duration::from_secs(10),
            served_deadline: Duration::from_secs(5),
            grace: Duration::from_millis(500),
            lost: 4,
        }
    }
}

/// Why runs beside the served one were not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShedReason {
    /// Too many wait already.
    QueueFull,
    /// Too many threads hang.
    Exhausted,
    /// The experiment is being stopped.
    Stopping,
}

impl ShedReason {
    /// Every reason.
    pub const ALL: [ShedReason; 3] = [ShedReason::QueueFull, ShedReason::Exhausted, ShedReason::Stopping];

    /// A short name for metrics.
    pub fn name(self) -> &'static str {
        match self {
            ShedReason::QueueFull => "queue-full",
            ShedReason::Exhausted => "threads-exhausted",
            ShedReason::Stopping => "stopping",
        }
    }
}

/// Is told what an experiment does, to count it. Called on the threads of the experiment, and on the served path where a load's
/// runs are shed: it must be quick.
pub trait Watch: Send + Sync {
    /// `count` runs of one load were not made. `class` is the load's.
    fn shed(&self, reason: ShedReason, class: &'static str, count: usize) {
        let _ = (reason, class, count);
    }

    /// So many threads are given up now.
    fn lost(&self, threads: usize) {
        let _ = threads;
    }

    /// Whoever was handed a trial panicked, at this place in the source.
    fn broken_trial(&self, place: &str) {
        let _ = place;
    }
}

/// Counts nothing.
pub struct Silent;

impl Watch for Silent {}
