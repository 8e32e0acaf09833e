//! The latest message below a turn, in time that grows with the logarithm: for sessions with so many runs that searching is too slow.
//!
//! Each tree of predecessors is a sequence with an entry and an exit a message, its followers between the two; the sequences are
//! kept in treaps. To hang a tree under a message is to put its sequence behind the message's entry.

use super::Pred;
use crate::dag::Place;

const NONE: u32 = u32::MAX;

/// The forest of predecessors with the latest message of each lane below every message.
pub(super) struct Tour {
    count: u32,
    left: Vec<u32>,
    right: Vec<u32>,
    up: Vec<u32>,
    /// Own and greatest value below in the treap, by lane; 0 for nothing, else a place plus 1.
    own: [Vec<u32>; 2],
    best: [Vec<u32>; 2],
}

impl Tour {
    /// The forest as far as it is known.
    pub(super) fn new(preds: &[Option<Pred>]) -> Self {
        let count = u32::try_from(preds.len()).unwrap_or(NONE / 2);
        let empty = || vec![NONE; 2 * preds.len()];
        let none = || vec![0; 2 * preds.len()];
        let mut tour = Tour { count, left: empty(), right: empty(), up: empty(), own: [none(), none()], best: [none(), none()] };
        for place in 0..count {
            tour.join(place, place + count);
        }
        for (place, pred) in preds.iter().enumerate() {
            if let Some(before) = pred.and_then(|pred| pred.place) {
                tour.hang(Place::new(place), before);
            }
        }
        tour
    }

    fn entry(place: Place) -> u32 {
        u32::try_from(place.index()).unwrap_or(NONE)
    }

    /// Hangs the tree of a message that follows nothing yet under another one.
    pub(super) fn hang(&mut self, root: Place, under: Place) {
        let tree = self.top(Self::entry(root));
        let (before, behind) = self.split_after(Self::entry(under));
        let before = self.join(before, tree);
        self.join(before, behind);
    }

    /// A message of a lane can be followed from now on.
    pub(super) fn meet(&mut self, place: Place, lane: usize) {
        let mut at = Self::entry(place);
        self.own[lane][at as usize] = at + 1;
        while at != NONE {
            self.update(at);
            at = self.up[at as usize];
        }
    }

    /// The latest message of a lane among a message and what follows it.
    pub(super) fn latest(&mut self, place: Place, lane: usize) -> Option<Place> {
        let (entry, exit) = (Self::entry(place), Self::entry(place) + self.count);
        let (before, _) = self.split_before(entry);
        let (own, behind) = self.split_after(exit);
        let best = self.best[lane][own as usize];
        let whole = self.join(before, own);
        self.join(whole, behind);
        best.checked_sub(1).map(|place| Place::new(place as usize))
    }

    fn top(&self, mut at: u32) -> u32 {
        while self.up[at as usize] != NONE {
            at = self.up[at as usize];
        }
        at
    }

    fn update(&mut self, at: u32) {
        let (left, right) = (self.left[at as usize], self.right[at as usize]);
        for lane in 0..2 {
            let below = |node: u32| if node == NONE { 0 } else { self.best[lane][node as usize] };
            self.best[lane][at as usize] = self.own[lane][at as usize].max(below(left)).max(below(right));
        }
    }

    fn set_left(&mut self, at: u32, child: u32) {
        self.left[at as usize] = child;
        if child != NONE {
            self.up[child as usize] = at;
        }
    }

    fn set_right(&mut self, at: u32, child: u32) {
        self.right[at as usize] = child;
        if child != NONE {
            self.up[child as usize] = at;
        }
    }

    /// The parts of a sequence before a token and from it on.
    fn split_before(&mut self, token: u32) -> (u32, u32) {
        let before = std::mem::replace(&mut self.left[token as usize], NONE);
        self.split_up(token, before, token)
    }

    /// The parts of a sequence up to a token and behind it.
    fn split_after(&mut self, token: u32) -> (u32, u32) {
        let behind = std::mem::replace(&mut self.right[token as usize], NONE);
        self.split_up(token, token, behind)
    }

    /// Goes up from a token and gives each node above it to the part that it belongs to.
    fn split_up(&mut self, token: u32, mut before: u32, mut behind: u32) -> (u32, u32) {
        self.update(token);
        let (mut below, mut at) = (token, self.up[token as usize]);
        while at != NONE {
            let above = self.up[at as usize];
            if self.left[at as usize] == below {
                self.set_left(at, behind);
                behind = at;
            } else {
                self.set_right(at, before);
                before = at;
            }
            self.update(at);
            (below, at) = (at, above);
        }
        for part in [before, behind] {
            if part != NONE {
                self.up[part as usize] = NONE;
            }
        }
        (before, behind)
    }

    /// One sequence behind another. Goes down as deep as a treap is: by the logarithm, whatever the data.
    fn join(&mut self, first: u32, second: u32) -> u32 {
        let (mut one, mut other) = (first, second);
        let mut path: Vec<(u32, bool)> = Vec::new();
        while one != NONE && other != NONE {
            if priority(one) > priority(other) {
                path.push((one, true));
                one = self.right[one as usize];
            } else {
                path.push((other, false));
                other = self.left[other as usize];
            }
        }
        let mut joined = if one == NONE { other } else { one };
        for (at, keeps_left) in path.into_iter().rev() {
            if keeps_left {
                self.set_right(at, joined)
            } else {
                self.set_left(at, joined)
            }
            self.update(at);
            joined = at;
        }
        if joined != NONE {
            self.up[joined as usize] = NONE;
        }
        joined
    }
}

/// A number that looks random and is the same every time.
fn priority(token: u32) -> u64 {
    let mut mixed = u64::from(token).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::super::Provenance;
    use super::*;

    /// A forest by hand: every question is answered by climbing from every message.
    #[test]
    fn the_latest_below_is_what_climbing_finds() {
        let mut draw = 7_u64;
        let mut next = |below: usize| {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(draw >> 33).expect("small") % below
        };
        for _ in 0..60 {
            let count = 1 + next(40);
            let mut preds: Vec<Option<Pred>> = vec![None; count];
            let mut tour = Tour::new(&preds);
            let mut met: Vec<Option<usize>> = vec![None; count];
            for _ in 0..200 {
                let (one, other) = (next(count), next(count));
                let climb = |preds: &[Option<Pred>], from| {
                    std::iter::successors(Some(Place::new(from)), |at| preds[at.index()].and_then(|pred| pred.place)).collect::<Vec<_>>()
                };
                match next(3) {
                    0 if preds[one].is_none() && !climb(&preds, other).contains(&Place::new(one)) => {
                        preds[one] = Some(Pred { place: Some(Place::new(other)), provenance: Provenance::Recorded, ambiguous: false });
                        tour.hang(Place::new(one), Place::new(other));
                    }
                    1 => {
                        let lane = met[one].unwrap_or(other % 2);
                        met[one] = Some(lane);
                        tour.meet(Place::new(one), lane);
                    }
                    _ => {
                        let below = |at: &usize| met[*at] == Some(other % 2) && climb(&preds, *at).contains(&Place::new(one));
                        let wanted = (0..count).filter(below).max().map(Place::new);
                        assert_eq!(tour.latest(Place::new(one), other % 2), wanted);
                    }
                }
            }
            let rebuilt = Tour::new(&preds).top(0);
            assert_ne!(rebuilt, NONE);
        }
    }
}
