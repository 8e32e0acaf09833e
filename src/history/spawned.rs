//! From where each spawn lane started, as the attach card that points to it tells.

use super::ground::branch_end;
use super::groups::follow;
use super::kinds::{Kind, Kinds};
use crate::dag::{Place, Snapshot, Sym};

/// A spawn root, the row that started it, and the card that says so.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The first turn of the spawn lane.
    pub root: Place,
    /// The row that started it.
    pub caller: Sym,
    /// The card.
    pub attach: Place,
}

/// The origins by root, those of one root by card.
pub(super) fn origins(snapshot: &Snapshot, kinds: &Kinds, lane_before: &[Option<Place>]) -> Vec<Origin> {
    let edges = snapshot.edges();
    let cards: Vec<Place> =
        edges.places().filter(|place| kinds.kind(*place) == Kind::Attach && !snapshot.at(*place).marks.rewound).collect();
    if cards.is_empty() {
        return Vec::new();
    }
    let roots = follow(edges.len(), |place: Place| lane_before[place.index()], |place| kinds.is_spawn_root(place).then_some(place));
    let origin = |attach: Place| {
        let node = snapshot.at(attach);
        let caller = node.called_by.or(node.caller).or_else(|| Some(snapshot.at(kinds.owner(attach)?).id))?;
        let end = snapshot.place(branch_end(snapshot, node)?)?;
        Some(Origin { root: roots[end.index()]?, caller, attach })
    };
    let mut origins: Vec<Origin> = cards.into_iter().filter_map(origin).collect();
    origins.sort_by_key(|origin| origin.root);
    origins
}
