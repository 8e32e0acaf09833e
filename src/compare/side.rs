//! One side of a comparison: a history, aligned to the snapshot by node.

use std::collections::HashMap;

use crate::dag::{Place, Snapshot};
use crate::history::{History, Kind, Target};

/// A history with its messages found by place.
pub(super) struct Side<'a> {
    pub(super) history: &'a History,
    /// What folds and owns for this side's rung.
    pub(super) target: &'a Target,
    /// The messages shown, without what is set beside the conversation.
    pub(super) chain: Vec<Place>,
    /// By place: the index of the message that shows it first, plus 1.
    shown: Vec<u32>,
    /// Of what is set beside the conversation: the message that it stands after.
    anchors: HashMap<Place, Option<Place>>,
}

impl<'a> Side<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, history: &'a History, target: &'a Target) -> Self {
        let chain = Vec::with_capacity(history.messages.len());
        let mut side = Side { history, target, chain, shown: vec![0; snapshot.edges().len()], anchors: HashMap::new() };
        for (index, message) in (1..).zip(&history.messages) {
            let Some(place) = snapshot.edges().place(message.node) else { continue };
            let shown = &mut side.shown[place.index()];
            if *shown == 0 {
                *shown = index;
            }
            if is_beside(target, place) {
                side.anchors.entry(place).or_insert(side.chain.last().copied());
            } else {
                side.chain.push(place);
            }
        }
        side
    }

    /// The index of the message that shows a node.
    pub(super) fn index(&self, place: Place) -> Option<usize> {
        (self.shown[place.index()] as usize).checked_sub(1)
    }

    /// Whether a node is shown as a message.
    pub(super) fn shows(&self, place: Place) -> bool {
        self.shown[place.index()] != 0
    }

    /// The message that a card beside the conversation stands after, if the card is shown.
    pub(super) fn anchor(&self, card: Place) -> Option<Option<Place>> {
        self.anchors.get(&card).copied()
    }
}

/// Whether a node is set beside the conversation: an attach card or a placeholder.
pub(super) fn is_beside(target: &Target, place: Place) -> bool {
    match target.kinds.kind(place) {
        Kind::Attach | Kind::Placeholder => true,
        Kind::Marker | Kind::Internal | Kind::Turn | Kind::Reply | Kind::Run | Kind::Other => false,
    }
}
