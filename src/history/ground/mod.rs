//! The legacy path.

use crate::dag::{NodeIx, Snapshot};
use super::message::History;

pub(super) fn history(_: &Snapshot) -> History {
    History { rung: crate::step::Rung::Ground, head: None, messages: vec![], tools: vec![], spawned_from: vec![], fallback_used: false, error: None }
}

pub(super) fn branch_walk(_: &Snapshot) -> Vec<NodeIx> {
    Vec::new()
}
