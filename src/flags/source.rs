//! Where the flags come from: Unleash, else what it said last, else the built-in set, else Ground.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::document::{BadSet, FlagState};
use super::file::Watcher;
use super::poll::Poller;
use super::saved::Saved;
use super::state::State;
use super::toggles::{FlagSet, Origin, Toggles};
use super::unleash::{Connection, Prepared};
use crate::metrics::Metrics;

/// The set that is built into the program: everything off.
pub const BOOTSTRAP: &str = include_str!("../../flags/local.json");

/// What the flags are read from.
#[derive(Clone)]
pub enum Source {
    /// An Unleash server. What it said last is kept in the directory, if one is given.
    Unleash(Connection, Option<PathBuf>),
    /// A local file in the form in which Unleash serves sets to clients.
    File(PathBuf),
    /// The set that is built in.
    Bootstrap,
}

/// How the flags fare.
#[derive(Clone, Debug)]
pub struct Status {
    /// The set that holds; `None` where every flag is off for want of one.
    pub set: Option<Arc<FlagSet>>,
    /// What is wrong with the source, if anything is.
    pub trouble: Option<String>,
}

impl Status {
    /// Whether loads can be planned by what the operators set, even if by what they set some time ago.
    pub fn is_ready(&self) -> bool {
        self.set.is_some()
    }

    /// How old the set is.
    pub fn age(&self, now: Instant) -> Option<Duration> {
        self.set.as_ref().map(|set| set.age(now))
    }
}

/// Brings sets of flags.
pub(super) trait Feed: Send {
    /// Looks once and says how long to wait for the next time.
    fn turn(&mut self, state: &State) -> Duration;

    /// Nobody will look again.
    fn finish(&mut self, state: &State);
}

/// Looks again and again until the sender is dropped. Without a thread the set of the start holds, and the status says so.
fn feed_on(state: Arc<State>, mut feed: Box<dyn Feed>, mut pause: Duration) -> Option<(Sender<()>, JoinHandle<()>)> {
    let (stop, stopped): (Sender<()>, Receiver<()>) = channel();
    let shared = state.clone();
    let work = move || {
        while matches!(stopped.recv_timeout(pause), Err(RecvTimeoutError::Timeout)) {
            pause = feed.turn(&shared);
        }
        feed.finish(&shared);
    };
    let thread = std::thread::Builder::new().name("flags".to_owned()).spawn(work);
    thread.inspect_err(|error| state.fail("thread", &format!("no thread for the flags: {error}"))).ok().map(|thread| (stop, thread))
}

/// The flags of this process. Kept up to date by a thread of its own; asking never waits for it.
pub struct Flags {
    state: Arc<State>,
    feeder: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
}

impl Flags {
    /// Starts with the best set that there is at once, and goes on looking for a better one. Never fails: without any set
    /// every load is served Ground, and the status says why.
    pub fn start(source: &Source, metrics: Arc<Metrics>) -> Flags {
        let (app, instance) = match source {
            Source::Unleash(connection, _) => (connection.app.as_str(), connection.instance.as_str()),
            Source::File(_) | Source::Bootstrap => ("parallax", "local"),
        };
        let state = Arc::new(State::new(metrics, app, instance));
        let feed: Option<Box<dyn Feed>> = match source {
            Source::Unleash(connection, data) => {
                let saved = data.as_ref().map(|data| Saved::new(data, &connection.url));
                Poller::new(connection, saved)
                    .inspect_err(|error| state.fail(error.name(), &error.to_string()))
                    .ok()
                    .map(|poller| -> Box<dyn Feed> { Box::new(poller) })
            }
            Source::File(path) => Some(Box::new(Watcher::new(path.clone()))),
            Source::Bootstrap => None,
        };
        let feeder = feed.and_then(|mut feed| {
            let pause = feed.turn(&state);
            feed_on(state.clone(), feed, pause)
        });
        if state.current().is_none()
            && let Err(error) = state.take(BOOTSTRAP.as_bytes(), Origin::Bootstrap, Duration::ZERO)
        {
            state.fail(error.name(), &format!("the built-in set: {error}"));
        }
        Flags { state, feeder: Mutex::new(feeder) }
    }

    /// The answers of all flags for one load, all of one set.
    pub fn toggles(&self, context: &Prepared) -> Toggles {
        self.state.toggles(context)
    }

    /// Takes up a set that the program itself brings, until the source says something else.
    pub fn take_up(&self, document: &[u8]) -> Result<(), BadSet> {
        self.state.take(document, Origin::File, Duration::ZERO).map(drop)
    }

    /// Our flags as the set that holds has them, in order.
    pub fn states(&self) -> Vec<FlagState> {
        self.state.current().map_or_else(Vec::new, |current| current.evaluator.document().states())
    }

    /// How the flags fare.
    pub fn status(&self) -> Status {
        Status { set: self.state.current().map(|current| current.set.clone()), trouble: self.state.trouble().clone() }
    }

    /// Stops looking for new sets. What was counted is reported before.
    pub fn stop(&self) {
        let feeder = self.feeder.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((stop, thread)) = feeder {
            drop(stop);
            // A thread that panicked has nothing left to report.
            let _ = thread.join();
        }
    }
}

impl Drop for Flags {
    fn drop(&mut self) {
        self.stop();
    }
}
