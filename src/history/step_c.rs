//! Step C: the walk over predecessors alone.

use super::assemble::{Pointers, assemble};
use super::message::History;
use super::target::Target;
use crate::dag::Snapshot;
use crate::step::Rung;

/// The walk from the target head.
pub(super) fn history(snapshot: &Snapshot, target: &Target) -> History {
    let head = target.head(snapshot);
    let id = head.map(|head| snapshot.at(head).id);
    assemble(snapshot, target, Rung::C, id, &target.chain(head), Pointers::Served)
}
