//! Who precedes whom on the target path (`semantics.md` §3).

mod gaps;
mod lines;
mod tour;
mod trees;

use std::fmt;

use super::cancel::{Cancel, Cancelled};
use super::kinds::Kinds;
use super::record::Record;
use crate::dag::{Place, Snapshot};

/// Why a node stands behind its predecessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// Its recorded edge says so.
    Recorded,
    /// Its recorded edge names a folded node of that owner.
    Owner,
    /// It stands where the node that it replaces stood.
    ForkOf,
    /// It was called by that turn.
    Called,
    /// It begins a conversation or a spawn lane.
    Root,
    /// It has no edge and stands where it was written.
    Sequence,
    /// Its edge leads nowhere; it stands where it was written.
    AfterDangling,
    /// It has no edge, or one that leads nowhere, and nothing was written before it.
    First,
}

impl Provenance {
    /// The kebab-case name.
    pub fn name(self) -> &'static str {
        match self {
            Provenance::Recorded => "recorded",
            Provenance::Owner => "owner",
            Provenance::ForkOf => "fork-of",
            Provenance::Called => "called",
            Provenance::Root => "root",
            Provenance::Sequence => "sequence",
            Provenance::AfterDangling => "after-dangling",
            Provenance::First => "first",
        }
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A node's predecessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pred {
    /// The node before; `None` where a conversation begins.
    pub place: Option<Place>,
    /// Why.
    pub provenance: Provenance,
    /// A gap that was filled while more than one organic tip was open: a guess.
    pub ambiguous: bool,
}

/// Predecessors by place. Folded nodes and Markers have none.
#[derive(Debug)]
pub struct Preds {
    pred: Vec<Option<Pred>>,
    /// Where rings of recorded or fork edges were cut, lowest first.
    pub(super) cut: Vec<Place>,
}

impl Preds {
    /// Finds every message's predecessor.
    pub(super) fn of(snapshot: &Snapshot, kinds: &Kinds, record: Record, cancel: &Cancel) -> Result<Self, Cancelled> {
        let (lines, mut cut) = lines::lines(snapshot, kinds, record);
        cut.sort_unstable();
        cancel.check()?;
        let pred = gaps::fill(snapshot, kinds, &lines, cancel)?;
        Ok(Preds { pred, cut })
    }

    /// The predecessor of a message; `None` for other kinds.
    pub fn get(&self, place: Place) -> Option<Pred> {
        self.pred[place.index()]
    }

    /// Whether a ring of recorded or fork edges was cut at this node.
    pub fn is_cut(&self, place: Place) -> bool {
        self.cut.binary_search(&place).is_ok()
    }

    /// The node before, if there is one.
    pub fn before(&self, place: Place) -> Option<Place> {
        self.pred[place.index()].and_then(|pred| pred.place)
    }
}
