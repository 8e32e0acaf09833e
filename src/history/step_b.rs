//! Step B: the walk over predecessors; the fallback still fires where it shows more.

use super::assemble::{Pointers, assemble};
use super::message::History;
use super::step_a::once_in_lane;
use super::target::Target;
use crate::dag::{NodeIx, Snapshot};
use crate::step::Rung;

/// The walk, or `fallback` (the legacy branch walk) reduced to the lane where that is longer.
pub(super) fn history(snapshot: &Snapshot, target: &Target, fallback: impl FnOnce() -> Vec<NodeIx>) -> History {
    let head = target.head(snapshot);
    let walk = target.chain(head);
    let longer = (walk.len() < target.lane_count())
        .then(|| once_in_lane(snapshot, target, fallback().into_iter()))
        .filter(|branch| branch.len() > walk.len());
    let fallback_used = longer.is_some();
    let chain = longer.unwrap_or(walk);
    let history = assemble(snapshot, target, Rung::B, head.map(|head| snapshot.at(head).id), &chain, Pointers::Served);
    History { fallback_used, ..history }
}
