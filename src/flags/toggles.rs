//! The answers of all flags for one load, and the set of flags that gave them.

use std::sync::Arc;
use std::time::{Duration, Instant};

/// Where a set of flags came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The Unleash server.
    Unleash,
    /// What Unleash said last, kept on disk.
    Saved,
    /// A local file.
    File,
    /// The set that is built into the program.
    Bootstrap,
    /// Nowhere: every flag is off.
    Nothing,
}

impl Origin {
    /// Every origin.
    pub const ALL: [Origin; 5] = [Origin::Unleash, Origin::Saved, Origin::File, Origin::Bootstrap, Origin::Nothing];

    /// Its name in metrics and answers.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Unleash => "unleash",
            Origin::Saved => "saved",
            Origin::File => "file",
            Origin::Bootstrap => "bootstrap",
            Origin::Nothing => "nothing",
        }
    }
}

/// A set of flags: which one, whence, and when it was last known to hold.
#[derive(Clone, Debug)]
pub struct FlagSet {
    /// A hash of our six flags as they were received.
    pub hash: String,
    /// Where it came from.
    pub origin: Origin,
    /// How old it was when this process took it up: a saved set is as old as its file.
    pub taken_at_age: Duration,
    /// When it was taken up or last confirmed.
    pub confirmed: Instant,
}

impl FlagSet {
    /// How long ago it was last known to be what its source says.
    pub fn age(&self, now: Instant) -> Duration {
        self.taken_at_age + now.saturating_duration_since(self.confirmed)
    }
}

/// The answers for one load, all of one state of the flags. Pinned: nothing asks again.
#[derive(Clone, Debug)]
pub struct Toggles {
    /// The steps A to D, in order.
    pub steps: [bool; 4],
    /// Run the other rungs beside the served one.
    pub shadow: bool,
    /// The legacy path for everyone.
    pub kill: bool,
    /// The set that they come from; `None` if there is none yet.
    pub set: Option<Arc<FlagSet>>,
}

impl Toggles {
    /// Every flag off.
    pub const OFF: Toggles = Toggles { steps: [false; 4], shadow: false, kill: false, set: None };
}
