//! Which of the recorded conversation edges a rung reads.

use crate::dag::{Edges, Place, Recorded};

/// A reading of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// Both generations' edges and `forked_from`.
    Whole,
    /// Only generation 2's `predecessor`: `metadata.parent_id` and `forked_from` are gone.
    WithoutParentId,
}

impl Record {
    /// What a node follows by this reading.
    pub fn edge(self, edges: &Edges, place: Place) -> Recorded {
        match self {
            Record::Whole => edges.recorded(place),
            Record::WithoutParentId => edges.predecessor(place),
        }
    }

    /// The node that a retry replaces by this reading.
    pub fn forked_from(self, edges: &Edges, place: Place) -> Option<Place> {
        match self {
            Record::Whole => edges.forked_from(place),
            Record::WithoutParentId => None,
        }
    }
}
