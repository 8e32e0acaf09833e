//! A history load from a snapshot to what is served.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::breakers::Breakers;
use super::trials::Judge;
use super::verdicts::Verdicts;
use crate::dag::Snapshot;
use crate::experiment::{BreakerPolicy, Choice, Drained, Experiment, Failure, Fate, Ladder, Limits, ShedReason, Watch};
use crate::flags::{Context, FlagSet, Flags, Prepared, Size};
use crate::history::{History, history_at};
use crate::metrics::Metrics;
use crate::plan::{Plan, plan};
use crate::step::Rung;

/// What was served.
pub struct Load {
    /// The history.
    pub history: Arc<History>,
    /// The rung that it is of: the plan's, or Ground where that did not answer.
    pub rung: Rung,
    /// What was decided.
    pub plan: Plan,
    /// Why the plan's rung did not answer.
    pub rescue: Option<Failure>,
    /// The set of flags that decided; `None` if there was none.
    pub flags: Option<Arc<FlagSet>>,
    /// What became of the other rungs.
    pub fate: Fate,
}

/// Ground itself has no answer.
#[derive(Debug, thiserror::Error)]
#[error("session {session}: the legacy path {failure}; this is a bug, please report it with the session's digest {digest:032x}")]
pub struct LoadError {
    session: String,
    digest: u128,
    /// What happened.
    pub failure: Failure,
}

/// The rungs of the history as a ladder.
pub fn rungs() -> Ladder<Snapshot, Arc<History>> {
    let way = |rung: Rung| {
        move |snapshot: &Snapshot, cancel: &crate::history::Cancel| history_at(snapshot, rung, cancel).map_err(|_| "cancelled")
    };
    let [ground, above @ ..] = Rung::ALL;
    above.into_iter().fold(Ladder::new(ground.name(), way(ground)), |ladder, rung| ladder.rung(rung.name(), way(rung)))
}

/// Serves loads, with everything else beside them.
pub struct Lab {
    flags: Arc<Flags>,
    experiment: Experiment<Snapshot, Arc<History>>,
    judge: Arc<Judge>,
}

impl Lab {
    /// A lab that climbs [`rungs`].
    pub fn new(flags: Arc<Flags>, limits: Limits, breakers: &BreakerPolicy, metrics: Arc<Metrics>) -> Self {
        Lab::with_ladder(rungs(), flags, limits, breakers, metrics)
    }

    /// A lab over another ladder of five rungs, as for trying faults.
    pub fn with_ladder(
        ladder: Ladder<Snapshot, Arc<History>>,
        flags: Arc<Flags>,
        limits: Limits,
        breakers: &BreakerPolicy,
        metrics: Arc<Metrics>,
    ) -> Self {
        let experiment = Experiment::watched(ladder, limits, Arc::new(Counter(metrics.clone())));
        let breakers = Arc::new(Breakers::new(breakers, metrics.clone()));
        let judge = Arc::new(Judge { metrics, breakers, verdicts: Arc::new(Verdicts::default()) });
        Lab { flags, experiment, judge }
    }

    /// Serves one load. The plan is made once, from one set of flags; nothing after it sees a flag.
    pub fn load(&self, snapshot: &Arc<Snapshot>) -> Result<Load, LoadError> {
        let start = Instant::now();
        let same_at_d = self.judge.verdicts.same_at_d(snapshot.digest());
        let toggles = self.flags.toggles(&Prepared::new(&Context::of(snapshot, same_at_d)));
        let plan = plan(&toggles, &self.judge.breakers.admit(&toggles, start));
        if plan.violation.is_some() {
            self.judge.metrics.record_order_violation();
        }
        let shadow = plan.shadow().map(Rung::index).collect();
        let choice = Choice { serve: plan.serve.index(), shadow, class: Size::of(snapshot.nodes().len()).name() };
        let (judge, input) = (self.judge.clone(), snapshot.clone());
        let served = self.experiment.run(snapshot.clone(), &choice, move |trial| judge.judge(&input, &trial));
        self.note_served(plan.serve, served.rescue.as_ref(), start.elapsed());
        let rung = Rung::ALL[served.rung];
        let metrics = &self.judge.metrics;
        metrics.record_path(rung.name(), served.wall);
        let fail = |failure| LoadError { session: snapshot.session_id().to_owned(), digest: snapshot.digest(), failure };
        let history = Arc::clone(&*served.output.map_err(fail)?);
        metrics.record_load(rung, start.elapsed());
        if rung < Rung::C {
            metrics.record_fallback(rung, history.fallback_used);
        }
        snapshot.faults().iter().for_each(|fault| metrics.record_fault(fault.code.name()));
        Ok(Load { history, rung, plan, rescue: served.rescue, flags: toggles.set, fate: served.fate })
    }

    fn note_served(&self, asked: Rung, rescue: Option<&Failure>, took: Duration) {
        let why = rescue.map_or("", Failure::name);
        self.judge.breakers.record(asked, rescue.is_none(), why, Instant::now());
        if let Some(failure) = rescue {
            self.judge.metrics.record_rescue(asked.name(), failure.name());
            tracing::error!(rung = %asked, %failure, ?took, "a rung did not answer a load: Ground did");
        }
    }

    /// The breakers.
    pub fn breakers(&self) -> &Breakers {
        &self.judge.breakers
    }

    /// Brings the gauges up to date: to be called before metrics are read.
    pub fn measure(&self) {
        let metrics = &self.judge.metrics;
        metrics.set_shadow_queue(self.experiment.waiting());
        if let Some(age) = self.flags.status().age(Instant::now()) {
            metrics.set_flag_age(age);
        }
    }

    /// Runs nothing more beside loads, and waits for what is under way, for `patience` at most.
    pub fn drain(&self, patience: Duration) -> Drained {
        self.experiment.drain(patience)
    }
}

/// Counts what the engine does not do.
struct Counter(Arc<Metrics>);

impl Watch for Counter {
    fn shed(&self, reason: ShedReason, class: &'static str, count: usize) {
        self.0.record_shed(reason.name(), class, count);
    }

    fn lost(&self, threads: usize) {
        self.0.set_shadow_lost(threads);
        tracing::error!(threads, "threads beside the served path hang and are given up");
    }

    fn broken_trial(&self, place: &str) {
        tracing::error!(place, "a comparison panicked");
    }
}
