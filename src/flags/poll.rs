//! An Unleash server as the source of the flags: fetched in turns, with what was asked of them reported back.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use super::saved::Saved;
use super::source::Feed;
use super::state::{Current, State};
use super::toggles::Origin;
use super::unleash::{Connection, Fetched, Link, LinkError, Usage};

/// The first pause after a failure; it doubles up to the interval.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// So many reports wait for a server that does not take them, at most.
const MOST_PENDING: usize = 240;

/// Fetches the set and reports usage.
pub(super) struct Poller {
    link: Link,
    saved: Option<Saved>,
    interval: Duration,
    registered: bool,
    failures: u32,
    pending: VecDeque<Usage>,
    /// The set before this one: a load that was under way may still have counted there.
    retired: Option<Arc<Current>>,
}

impl Poller {
    pub(super) fn new(connection: &Connection, saved: Option<Saved>) -> Result<Self, LinkError> {
        let (link, interval) = (Link::new(connection)?, connection.interval);
        Ok(Poller { link, saved, interval, registered: false, failures: 0, pending: VecDeque::new(), retired: None })
    }

    /// The first turn of a process that the server does not answer takes up what it said last.
    fn take_saved(&self, state: &State) {
        let Some(saved) = self.saved.as_ref().filter(|_| state.current().is_none()) else { return };
        match saved.read() {
            Ok(None) => {}
            Ok(Some(found)) => {
                if let Err(error) = state.take(found.document.get().as_bytes(), Origin::Saved, found.age) {
                    state.fail(error.name(), &format!("the saved set: {error}"));
                }
            }
            Err(what) => state.fail("saved", &what),
        }
    }

    fn fetch(&mut self, state: &State) -> Result<(), LinkError> {
        match self.link.fetch()? {
            Fetched::Unchanged if state.current().is_some_and(|current| current.set.origin == Origin::Unleash) => {
                state.confirm(Origin::Unleash);
            }
            Fetched::Unchanged => self.link.forget(),
            Fetched::New(document) => {
                // What is no good has to come again as a whole: a "not modified" would hide that it still is.
                let old = state.take(document.get().as_bytes(), Origin::Unleash, Duration::ZERO).inspect_err(|_| self.link.forget())?;
                self.retired = old.filter(|old| old.set.origin == Origin::Unleash);
                if let Some(Err(error)) = self.saved.as_ref().map(|saved| saved.write(&document)) {
                    tracing::warn!(%error, "the set of flags can not be kept for the next start");
                }
            }
        }
        Ok(())
    }

    /// Reports what was asked since the last time. What the server does not take now is offered again.
    fn report(&mut self, state: &State) {
        let current = state.current().filter(|current| current.set.origin == Origin::Unleash);
        let counted = self.retired.take().into_iter().chain(current).filter_map(|current| current.evaluator.usage());
        self.pending.extend(counted);
        while let Some(usage) = self.pending.pop_front() {
            if let Err(error) = self.link.report(&usage) {
                tracing::debug!(%error, "usage counts wait for the next turn");
                self.pending.push_front(usage);
                break;
            }
        }
        while self.pending.len() > MOST_PENDING {
            self.pending.pop_front();
        }
    }
}

impl Feed for Poller {
    fn finish(&mut self, state: &State) {
        self.report(state);
    }

    fn turn(&mut self, state: &State) -> Duration {
        match self.fetch(state) {
            Ok(()) => {
                self.failures = 0;
                self.registered = self.registered || self.link.register().is_ok();
                self.report(state);
                jittered(self.interval)
            }
            Err(error) => {
                self.take_saved(state);
                state.fail(error.name(), &error.to_string());
                self.failures += 1;
                let pause = FIRST_PAUSE.saturating_mul(1 << self.failures.min(16).saturating_sub(1));
                jittered(pause.min(self.interval))
            }
        }
    }
}

/// A time that is up to a tenth longer or shorter, so that replicas do not ask all at once.
fn jittered(time: Duration) -> Duration {
    let draw = RandomState::new().hash_one(0_u8) % 1000;
    time.mul_f64(0.9 + 0.2 * f64::from(u32::try_from(draw).unwrap_or(0)) / 1000.0)
}
