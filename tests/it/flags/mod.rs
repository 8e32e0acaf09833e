//! The flags: their names, the sets that are taken up and refused, and that a load never sees two sets.

mod documents;
mod file;
mod keys;
mod outages;
mod plans;
mod replicas;
mod swaps;
mod unleash;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parallax::flags::{Context, Flag, Flags, Generation, Prepared, Size, Source};
use parallax::metrics::Metrics;
use serde_json::{Value, json};

pub(crate) fn metrics() -> Arc<Metrics> {
    Arc::new(Metrics::new().expect("metrics"))
}

/// A session of no particular kind.
pub(crate) fn context(session: &str) -> Context {
    Context {
        session_id: session.to_owned(),
        channel: "web".to_owned(),
        generation: Generation::First,
        size: Size::Hundred,
        has_forks: false,
        has_runs: false,
        has_spawns: false,
        has_tools: false,
        same_at_d: None,
    }
}

pub(crate) fn prepared(session: &str) -> Prepared {
    Prepared::new(&context(session))
}

/// A flag as Unleash serves it, on for a share of the sessions.
pub(crate) fn flag(flag: Flag, share: u32) -> Value {
    json!({"name": flag.name(), "type": "release", "enabled": true, "strategies": [{"name": "flexibleRollout", "constraints": [],
        "parameters": {"rollout": share.to_string(), "stickiness": "sessionId", "groupId": flag.group()}}]})
}

/// A set with every flag at a share; the kill switch off.
pub(crate) fn set(share: u32) -> Value {
    let mut flags: Vec<Value> = Flag::ALL.into_iter().map(|key| flag(key, share)).collect();
    flags[5] = flag(Flag::KillSwitch, 100);
    flags[5]["enabled"] = json!(false);
    json!({"version": 2, "features": flags})
}

/// Replaces a file as writers do.
pub(crate) fn put(path: &Path, text: &str) {
    let temporary = path.with_extension("tmp");
    std::fs::write(&temporary, text).expect("written");
    std::fs::rename(&temporary, path).expect("renamed");
}

/// Flags from a file with a text.
pub(crate) fn from_file(path: &Path, text: &str, metrics: &Arc<Metrics>) -> Flags {
    put(path, text);
    Flags::start(&Source::File(path.to_owned()), metrics.clone())
}

/// Waits until something holds; fails after ten seconds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(10), "{what} does not come to hold");
        std::thread::sleep(Duration::from_millis(20));
    }
}
