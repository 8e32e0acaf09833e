//! Whole loads: flags decide, one rung is served, the others are compared beside it, and no fault there is felt.

mod cohorts;
mod faults;
mod serving;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parallax::dag::{Snapshot, snapshot_of_texts};
use parallax::experiment::{BreakerPolicy, Ladder, Limits};
use parallax::flags::Flags;
use parallax::history::History;
use parallax::lab::{Lab, rungs};
use parallax::metrics::Metrics;
use serde_json::{Value, json};

use crate::flags::{from_file, metrics, set};

/// A lab whose flags are in a file.
pub(crate) struct Bench {
    pub(crate) root: tempfile::TempDir,
    pub(crate) flags: Arc<Flags>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) lab: Lab,
}

/// Breakers that rest long enough for a test to see them open.
pub(crate) fn policy() -> BreakerPolicy {
    BreakerPolicy { failures: 3, window: Duration::from_secs(60), rest: Duration::from_secs(3600), probes: 2 }
}

impl Bench {
    /// A lab over a ladder, with a set of flags.
    pub(crate) fn over(ladder: Ladder<Snapshot, Arc<History>>, document: &Value, policy: &BreakerPolicy) -> Self {
        let root = tempfile::tempdir().expect("a directory");
        let metrics = metrics();
        let flags = Arc::new(from_file(&root.path().join("flags.json"), &document.to_string(), &metrics));
        let limits = Limits {
            deadline: Duration::from_millis(100),
            served_deadline: Duration::from_millis(100),
            grace: Duration::from_millis(50),
            ..Limits::default()
        };
        let lab = Lab::with_ladder(ladder, flags.clone(), limits, policy, metrics.clone());
        Bench { root, flags, metrics, lab }
    }

    /// A lab over the history, with a set of flags.
    pub(crate) fn new(document: &Value) -> Self {
        Bench::over(rungs(), document, &policy())
    }

    /// Takes up another set.
    pub(crate) fn flip(&self, document: &Value) {
        self.flags.take_up(document.to_string().as_bytes()).expect("taken up");
    }

    /// The value of a metric; 0 where it is not there.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let text = self.metrics.text().expect("text");
        text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok()).unwrap_or(0.0)
    }

    pub(crate) fn path(&self) -> &Path {
        self.root.path()
    }
}

/// A set with each step on or off for everybody.
pub(crate) fn steps(on: [bool; 4], shadow: bool) -> Value {
    let mut document = set(0);
    for (at, on) in on.into_iter().chain([shadow]).enumerate() {
        document["features"][at]["strategies"][0]["parameters"]["rollout"] = json!(if on { "100" } else { "0" });
    }
    document
}

/// A chat of two turns whose second one has no recorded edge: Ground stops half-way.
pub(crate) fn gap(session: &str) -> Arc<Snapshot> {
    let node = |seq: usize, id: &str, role: &str, called_by: &str, metadata: Value| {
        let text =
            json!({"id": id, "created_at": 1.0, "seq": seq, "role": role, "name": "", "input": null, "output": format!("secret {id}"),
            "called_by": called_by, "reads": [], "metadata": metadata})
            .to_string();
        (format!("{seq:04}-{}-{id}.json", &role[..1]), text)
    };
    let files = [
        node(0, "u1", "user", "ROOT", json!({})),
        node(1, "u1_reply", "llm", "u1", json!({"parent_id": "u1"})),
        node(2, "u2", "user", "ROOT", json!({})),
        node(3, "u2_reply", "llm", "u2", json!({"parent_id": "u2"})),
    ];
    let files: Vec<(String, &[u8])> = files.iter().map(|(name, text)| (name.clone(), text.as_bytes())).collect();
    Arc::new(snapshot_of_texts(session, Some(br#"{"head_id": "u2_reply", "source": "web"}"#), files))
}
