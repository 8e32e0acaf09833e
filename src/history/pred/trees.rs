//! The growing forest of predecessors: which tree a message hangs in, and how many tips are open.

use crate::dag::Place;

/// Union–find over messages. The root of a tree is the message whose predecessor is not known yet, or that has none.
pub(super) struct Trees {
    up: Vec<u32>,
}

impl Trees {
    /// Every message alone.
    pub(super) fn new(count: usize) -> Self {
        Trees { up: (0..u32::try_from(count).unwrap_or(u32::MAX)).collect() }
    }

    /// The root of a message's tree.
    pub(super) fn root(&mut self, place: Place) -> Place {
        let mut at = place.index();
        while self.up[at] as usize != at {
            let above = self.up[at] as usize;
            self.up[at] = self.up[above];
            at = self.up[at] as usize;
        }
        Place::new(at)
    }

    /// Hangs a root under another message.
    pub(super) fn hang(&mut self, root: Place, under: Place) {
        let top = self.root(under);
        if top != root {
            self.up[root.index()] = u32::try_from(under.index()).unwrap_or(0);
        }
    }
}

/// The open tips among the organic messages met so far: those that no organic message met so far follows.
pub(super) struct Tips {
    followers: Vec<u32>,
    met: Vec<bool>,
    /// How many there are.
    pub(super) open: usize,
}

impl Tips {
    /// None met.
    pub(super) fn new(count: usize) -> Self {
        Tips { followers: vec![0; count], met: vec![false; count], open: 0 }
    }

    /// Meets a message.
    pub(super) fn meet(&mut self, place: Place) {
        self.met[place.index()] = true;
        self.open += usize::from(self.followers[place.index()] == 0);
    }

    /// Whether a message was met.
    pub(super) fn has_met(&self, place: Place) -> bool {
        self.met[place.index()]
    }

    /// A message that was met follows another one, met or not.
    pub(super) fn follow(&mut self, before: Place) {
        let followers = &mut self.followers[before.index()];
        *followers += 1;
        self.open -= usize::from(*followers == 1 && self.met[before.index()]);
    }
}
