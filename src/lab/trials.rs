//! A load's runs, compared step by step and counted.

use std::sync::Arc;
use std::time::Instant;

use super::breakers::Breakers;
use super::verdicts::Verdicts;
use crate::compare::{Code, Comparison, Outcome};
use crate::dag::Snapshot;
use crate::experiment::{Failure, Observation, Trial};
use crate::history::{Cancel, History};
use crate::metrics::Metrics;
use crate::step::{Rung, Step};

/// Who judges trials.
pub(super) struct Judge {
    pub(super) metrics: Arc<Metrics>,
    pub(super) breakers: Arc<Breakers>,
    pub(super) verdicts: Arc<Verdicts>,
}

/// The run of a rung; of several the one beside the served one.
fn run_of(trial: &Trial<Arc<History>>, rung: Rung) -> Option<&Observation<Arc<History>>> {
    let runs = trial.shadow.iter().rev().chain([&trial.control]);
    runs.into_iter().find(|run| run.rung == rung.index())
}

impl Judge {
    /// Counts the runs of a load and compares each step whose two rungs ran.
    pub(super) fn judge(&self, snapshot: &Snapshot, trial: &Trial<Arc<History>>) {
        for run in &trial.shadow {
            self.metrics.record_path(run.name, run.wall);
            let why = run.failure().map_or("", Failure::name);
            self.breakers.record(Rung::ALL[run.rung], run.failure().is_none(), why, Instant::now());
        }
        let mut same = true;
        for step in Step::ALL {
            let Some(outcome) = self.compare(snapshot, trial, step) else {
                same = false;
                continue;
            };
            same &= outcome == Outcome::Match.name();
            self.metrics.record_trial(step, outcome);
        }
        let all_ran = Rung::ALL.into_iter().all(|rung| run_of(trial, rung).is_some_and(|run| run.failure().is_none()));
        if all_ran {
            self.verdicts.note(snapshot.digest(), same);
        }
    }

    /// The outcome of a step by name; `None` where one of its rungs was not to run, or the lower one failed: that is told of the
    /// step below.
    fn compare(&self, snapshot: &Snapshot, trial: &Trial<Arc<History>>, step: Step) -> Option<&'static str> {
        let (control, candidate) = (run_of(trial, step.before())?, run_of(trial, step.after())?);
        if let Some(failure) = candidate.failure() {
            let (outcome, code) = match failure {
                Failure::Panic(_) | Failure::Error(_) => ("panic", Code::CandidatePanic),
                Failure::Timeout | Failure::Lost | Failure::NoThread => ("timeout", Code::CandidateTimeout),
            };
            self.metrics.record_divergence(step, code.name(), code.severity().name());
            return Some(outcome);
        }
        let comparison = Comparison::of(snapshot, step, control.output()?, candidate.output()?, &Cancel::new()).ok()?;
        for divergence in &comparison.divergences {
            self.metrics.record_divergence(step, divergence.code.name(), divergence.code.severity().name());
        }
        Some(comparison.outcome.name())
    }
}
