//! Step A: the conversation that Ground shows, with pointers, folding, cards and versions of the target path.

use super::assemble::{Pointers, assemble};
use super::message::History;
use super::step_c;
use super::target::Target;
use crate::dag::{NodeIx, Place, Snapshot};
use crate::step::Rung;

/// Ground's list, each message once; where Ground has none, the target path's.
pub(super) fn history(snapshot: &Snapshot, target: &Target, ground: &History) -> History {
    if ground.error.is_some() {
        return History { rung: Rung::A, ..step_c::history(snapshot, target) };
    }
    let chain = once_in_lane(snapshot, target, ground.messages.iter().map(|message| message.node));
    let history = assemble(snapshot, target, Rung::A, ground.head, &chain, Pointers::Served);
    History { fallback_used: ground.fallback_used, ..history }
}

/// The nodes of the lane among a list's, each at its first place.
pub(super) fn once_in_lane(snapshot: &Snapshot, target: &Target, nodes: impl Iterator<Item = NodeIx>) -> Vec<Place> {
    let mut seen = vec![false; snapshot.edges().len()];
    nodes
        .filter_map(|node| snapshot.edges().place(node))
        .filter(|place| target.kinds.in_lane(*place) && !std::mem::replace(&mut seen[place.index()], true))
        .collect()
}
