//! One load: the served rung at once, the others later.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::isolate::{keep_panics_quiet, observe};
use super::lane::Lane;
use super::limits::{Limits, ShedReason, Silent, Watch};
use super::pool::{Drained, Pool};
use super::rungs::Rungs;
use super::trial::Pending;
use super::{Cancel, Failure, Ladder, Observation, Outcome, Trial};

/// What to run for one load.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The rung to serve, counted from the ground.
    pub serve: usize,
    /// The rungs to run beside it, lowest first. The served one may be among them: that measures the noise.
    pub shadow: Rungs,
    /// The class that what is shed is counted by.
    pub class: &'static str,
}

/// What became of the runs beside the served one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// None was asked for.
    NotAsked,
    /// They will be made, and the trial handed over.
    Queued,
    /// They will not be made.
    Shed(ShedReason),
}

/// The answer to one load.
#[derive(Debug)]
pub struct Served<O> {
    /// The output; `Err` only where the ground itself has none.
    pub output: Result<Arc<O>, Failure>,
    /// The rung that was asked for.
    pub asked: usize,
    /// The rung that answered: the one asked for, or the ground.
    pub rung: usize,
    /// Why the rung asked for did not answer.
    pub rescue: Option<Failure>,
    /// How long the rung that answered took.
    pub wall: Duration,
    /// What became of the other runs.
    pub fate: Fate,
}

/// A ladder with the threads that climb it.
pub struct Experiment<I, O> {
    ladder: Arc<Ladder<I, O>>,
    lane: Lane<I, O>,
    pool: Pool<I, O>,
    loads: AtomicU64,
}

/// The CPU time of one served run in so many is asked for: the question is a call into the system, at which the scheduler may put
/// another thread in the load's place. Runs beside the served one all tell theirs.
const CPU_EVERY: u64 = 256;

impl<I: Send + Sync + 'static, O: Send + Sync + 'static> Experiment<I, O> {
    /// An experiment that nobody watches.
    pub fn new(ladder: Ladder<I, O>, limits: Limits) -> Self {
        Experiment::watched(ladder, limits, Arc::new(Silent))
    }

    /// An experiment that tells somebody what it sheds and loses.
    pub fn watched(ladder: Ladder<I, O>, limits: Limits, watch: Arc<dyn Watch>) -> Self {
        keep_panics_quiet();
        let ladder = Arc::new(ladder);
        let lane = Lane::new(ladder.clone(), limits.served_deadline, limits.lost);
        Experiment { pool: Pool::new(ladder.clone(), limits, watch), ladder, lane, loads: AtomicU64::new(0) }
    }

    /// Serves one load. `on_trial` gets all runs once they are made, on a thread beside the served path; where they are shed it
    /// is never called.
    pub fn run(&self, input: Arc<I>, choice: &Choice, on_trial: impl FnOnce(Trial<O>) + Send + 'static) -> Served<O> {
        let beside = !choice.shadow.is_empty();
        let with_cpu = beside && self.loads.fetch_add(1, Ordering::Relaxed).is_multiple_of(CPU_EVERY);
        let asked = self.serve(choice.serve, &input, with_cpu);
        let (answer, rescue) = match asked.failure().filter(|_| choice.serve != 0).cloned() {
            Some(failure) => (self.serve(0, &input, with_cpu), Some(failure)),
            None => (asked, None),
        };
        let output = match &answer.outcome {
            Outcome::Done(output) => Ok(output.clone()),
            Outcome::Failed(failure) => Err(failure.clone()),
        };
        let (rung, wall) = (answer.rung, answer.wall);
        let fate = if beside {
            let pending = Pending::new(input, choice.shadow, choice.class, answer, Box::new(on_trial));
            self.pool.submit(pending).map_or_else(Fate::Shed, |()| Fate::Queued)
        } else {
            Fate::NotAsked
        };
        Served { output, asked: choice.serve, rung, rescue, wall, fate }
    }

    /// The ground runs here and now, with nothing in its way; another rung where it can not hold the load.
    fn serve(&self, rung: usize, input: &Arc<I>, with_cpu: bool) -> Observation<O> {
        if rung == 0 { observe(&self.ladder, 0, input, &Cancel::new(), with_cpu) } else { self.lane.serve(rung, input) }
    }

    /// Threads that are given up now: beside the served path, and on it.
    pub fn lost(&self) -> (usize, usize) {
        (self.pool.lost(), self.lane.hung())
    }

    /// Runs beside the served path that wait for a thread.
    pub fn waiting(&self) -> usize {
        self.pool.waiting()
    }

    /// Runs nothing more beside the served path, and waits for what is under way, for `patience` at most.
    pub fn drain(&self, patience: Duration) -> Drained {
        self.pool.drain(patience)
    }
}
