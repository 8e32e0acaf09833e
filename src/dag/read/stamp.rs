//! Whether a session stood still while it was read.

use std::ffi::CStr;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use super::os::{Directory, Identity, is_shortage};

/// A change within this time of a reading may leave the same time stamp: kernels stamp by the tick, at most 10 ms.
const TICK: i64 = 12_000_000;
/// Some file systems stamp by the second.
const SECOND: i64 = 1_000_000_000;
/// A stamp so far ahead comes from another clock, not from a write under way.
const OTHER_CLOCK: i64 = 1_000_000_000;

/// Nanoseconds since 1970.
pub(super) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

/// Whether something changed so shortly before `at` that a later change could look the same.
pub(super) fn racy(identity: &Identity, at: i64) -> bool {
    let touched = identity.touched();
    let age = at.saturating_sub(touched);
    let grain = if touched % SECOND == 0 { SECOND + TICK } else { TICK };
    -OTHER_CLOCK < age && age < grain
}

/// The directories of a session whose every write moves one of their stamps.
pub(super) struct Watched {
    /// The session directory: `meta.json` is renamed into it.
    pub(super) session: Directory,
    /// `history/`
    pub(super) history: Option<Directory>,
    /// `context/commits/`
    pub(super) commits: Option<Directory>,
}

/// The state of the watched directories at one instant.
#[derive(PartialEq, Eq)]
pub(super) struct Stamp([Option<Identity>; 3]);

impl Watched {
    /// Opens what is there of a session.
    pub(super) fn open(path: &std::path::Path) -> io::Result<Self> {
        let session = Directory::open(path)?;
        let history = session.inside(HISTORY)?;
        // A session without what a card embeds is a session still; that the process ran out of something is another matter.
        let commits = match session.inside(COMMITS) {
            Err(error) if !is_shortage(&error) => None,
            commits => commits?,
        };
        Ok(Watched { session, history, commits })
    }

    /// The state now.
    pub(super) fn stamp(&self) -> io::Result<Stamp> {
        let of = |directory: &Option<Directory>| directory.as_ref().map(Directory::identity).transpose();
        Ok(Stamp([Some(self.session.identity()?), of(&self.history)?, of(&self.commits)?]))
    }
}

impl Stamp {
    /// Whether a change right after this stamp, taken at `at`, could go unseen.
    pub(super) fn racy(&self, at: i64) -> bool {
        self.0.iter().flatten().any(|identity| racy(identity, at))
    }
}

const HISTORY: &CStr = c"history";
const COMMITS: &CStr = c"context/commits";
