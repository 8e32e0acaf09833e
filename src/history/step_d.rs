//! Step D: the walk over what is recorded without `metadata.parent_id` and `forked_from`; no pointers are served.

use super::assemble::{Pointers, assemble};
use super::message::History;
use super::target::Target;
use crate::dag::Snapshot;
use crate::step::Rung;

/// The walk from the head, by a target path that was read without `parent_id`.
pub(super) fn history(snapshot: &Snapshot, bare: &Target) -> History {
    let head = bare.head(snapshot);
    let id = head.map(|head| snapshot.at(head).id);
    assemble(snapshot, bare, Rung::D, id, &bare.chain(head), Pointers::Omitted)
}
