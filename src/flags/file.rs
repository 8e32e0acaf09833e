//! A local file as the source of the flags: looked at every half second.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::source::Feed;
use super::state::State;
use super::toggles::Origin;

/// How often the file is looked at.
const INTERVAL: Duration = Duration::from_millis(500);

/// Watches a file.
pub(super) struct Watcher {
    path: PathBuf,
    seen: Option<(SystemTime, u64)>,
    /// The text that was taken up or refused last.
    text: Option<Vec<u8>>,
}

impl Watcher {
    pub(super) fn new(path: PathBuf) -> Self {
        Watcher { path, seen: None, text: None }
    }

    /// Takes the file up if it changed. A broken one leaves the last good set in place.
    fn look(&mut self, state: &State) {
        let name = self.path.display().to_string();
        let stamp = fs::metadata(&self.path).and_then(|meta| Ok((meta.modified()?, meta.len())));
        match stamp.and_then(|stamp| if self.is_old(stamp) { Ok(None) } else { fs::read(&self.path).map(|text| Some((stamp, text))) }) {
            Ok(None) => {}
            Ok(Some((stamp, text))) => {
                self.seen = Some(stamp);
                self.take(state, text, &name);
            }
            Err(error) => {
                self.seen = None;
                self.text = None;
                state.fail("unreadable", &format!("can not read {name}: {error}"));
            }
        }
    }

    fn take(&mut self, state: &State, text: Vec<u8>, name: &str) {
        if self.text.as_ref() == Some(&text) && state.trouble().is_none() {
            return state.confirm(Origin::File);
        }
        if let Err(error) = state.take(&text, Origin::File, Duration::ZERO) {
            state.fail(error.name(), &format!("{name}: {error}"));
        }
        self.text = Some(text);
    }

    /// Whether the file is the one that was read: by its stamp, unless that is so young that another write could leave the same.
    fn is_old(&self, stamp: (SystemTime, u64)) -> bool {
        let settled = stamp.0.elapsed().is_ok_and(|age| age > Duration::from_secs(2));
        settled && self.seen == Some(stamp)
    }
}

impl Feed for Watcher {
    fn turn(&mut self, state: &State) -> Duration {
        self.look(state);
        INTERVAL
    }

    fn finish(&mut self, _state: &State) {}
}
