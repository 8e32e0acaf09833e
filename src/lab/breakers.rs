//! One breaker a step: local to this process, so that no poll is awaited.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::experiment::{Breaker, BreakerPolicy, BreakerState};
use crate::flags::Toggles;
use crate::metrics::Metrics;
use crate::plan;
use crate::step::{Rung, Step};

/// The breakers of all steps.
pub struct Breakers {
    steps: Mutex<[Breaker; 4]>,
    metrics: Arc<Metrics>,
}

impl Breakers {
    /// Closed ones.
    pub fn new(policy: &BreakerPolicy, metrics: Arc<Metrics>) -> Self {
        let breakers = Breakers { steps: Mutex::new([(); 4].map(|()| Breaker::new(policy.clone()))), metrics };
        Step::ALL.into_iter().for_each(|step| breakers.show(step, BreakerState::Closed));
        breakers
    }

    /// How they stand for a load with these toggles. Only a load that would run a step is let through to try it.
    pub(super) fn admit(&self, toggles: &Toggles, now: Instant) -> [plan::Breaker; 4] {
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        let runs = |step: Step| !toggles.kill && (toggles.shadow || toggles.steps[..=step.index()].iter().all(|on| *on));
        Step::ALL.map(|step| {
            let breaker = &mut steps[step.index()];
            let before = breaker.peek();
            let state = if runs(step) { breaker.admit(now) } else { before };
            if breaker.peek() != before {
                self.show(step, breaker.peek());
            }
            match state {
                BreakerState::Closed => plan::Breaker::Closed,
                BreakerState::HalfOpen => plan::Breaker::HalfOpen,
                BreakerState::Open => plan::Breaker::Open,
            }
        })
    }

    /// A rung ran, served or beside: its step fares well or not.
    pub(super) fn record(&self, rung: Rung, well: bool, why: &str, now: Instant) {
        let Some(step) = Step::ALL.into_iter().find(|step| step.after() == rung) else { return };
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        let breaker = &mut steps[step.index()];
        if breaker.record(now, well) {
            self.show(step, breaker.peek());
            match breaker.peek() {
                BreakerState::Closed => tracing::info!(%step, "the breaker closes: the step runs again"),
                BreakerState::HalfOpen | BreakerState::Open => {
                    tracing::error!(%step, last = why, "the breaker opens: the rung below the step is served for now");
                }
            }
        }
    }

    /// How the breaker of a step stands.
    pub fn state(&self, step: Step) -> BreakerState {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner)[step.index()].peek()
    }

    fn show(&self, step: Step, state: BreakerState) {
        let openness = match state {
            BreakerState::Closed => 0.0,
            BreakerState::HalfOpen => 0.5,
            BreakerState::Open => 1.0,
        };
        self.metrics.set_breaker(step, openness);
    }
}
