//! The set of flags that holds now, and how its source fares.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;

use super::document::{BadSet, Document};
use super::toggles::{FlagSet, Origin, Toggles};
use super::unleash::{Evaluator, Prepared};
use crate::metrics::Metrics;

/// The set that holds now.
pub(super) struct Current {
    pub(super) evaluator: Arc<Evaluator>,
    pub(super) set: Arc<FlagSet>,
}

/// What everybody who asks or feeds the flags shares.
pub(super) struct State {
    current: ArcSwapOption<Current>,
    trouble: Mutex<Option<String>>,
    metrics: Arc<Metrics>,
    app: String,
    instance: String,
}

impl State {
    pub(super) fn new(metrics: Arc<Metrics>, app: &str, instance: &str) -> Self {
        let state = State {
            current: ArcSwapOption::empty(),
            trouble: Mutex::new(None),
            metrics,
            app: app.to_owned(),
            instance: instance.to_owned(),
        };
        state.metrics.set_flag_set("", Origin::Nothing.name());
        state
    }

    /// The answers for one load: all of them of one set, whatever is taken up meanwhile.
    pub(super) fn toggles(&self, context: &Prepared) -> Toggles {
        self.current.load().as_ref().map_or(Toggles::OFF, |current| current.evaluator.toggles(context, current.set.clone()))
    }

    /// The set that holds now.
    pub(super) fn current(&self) -> Option<Arc<Current>> {
        self.current.load_full()
    }

    /// Takes up a document that was read `age` ago. The one before it is given back, for its usage counts.
    pub(super) fn take(&self, text: &[u8], origin: Origin, age: Duration) -> Result<Option<Arc<Current>>, BadSet> {
        let document = Arc::new(Document::parse(text)?);
        let evaluator = Arc::new(Evaluator::new(&self.app, &self.instance, document.clone())?);
        for (name, what) in &document.dropped {
            tracing::warn!(flag = name, problem = what, "a flag of the set is unsound and left out");
        }
        let set = FlagSet { hash: document.hash.clone(), origin, taken_at_age: age, confirmed: Instant::now() };
        tracing::info!(hash = set.hash, origin = origin.name(), "took up a set of flags");
        self.metrics.set_flag_set(&set.hash, origin.name());
        Ok(self.publish(Current { evaluator, set: Arc::new(set) }))
    }

    /// The source says the same as before.
    pub(super) fn confirm(&self, origin: Origin) {
        let Some(current) = self.current() else { return };
        let set = FlagSet { origin, taken_at_age: Duration::ZERO, confirmed: Instant::now(), ..FlagSet::clone(&current.set) };
        self.metrics.set_flag_set(&set.hash, origin.name());
        self.publish(Current { evaluator: current.evaluator.clone(), set: Arc::new(set) });
    }

    fn publish(&self, current: Current) -> Option<Arc<Current>> {
        // A set that stands in for what the source does not give ends no trouble.
        let from_source = matches!(current.set.origin, Origin::Unleash | Origin::File);
        let old = self.current.swap(Some(Arc::new(current)));
        if from_source && self.trouble().take().is_some() {
            tracing::info!("the source of the flags is well again");
        }
        old
    }

    /// The source gave nothing that can be used: what holds, holds on. Logged once, until it is another trouble or none.
    pub(super) fn fail(&self, reason: &'static str, what: &str) {
        self.metrics.record_flag_failure(reason);
        let mut trouble = self.trouble();
        if trouble.as_deref() != Some(what) {
            tracing::warn!(reason, "the flags stay as they are: {what}");
            *trouble = Some(what.to_owned());
        }
    }

    /// What is wrong with the source, if anything is.
    pub(super) fn trouble(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
