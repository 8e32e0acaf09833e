//! Dense one-to-many maps, and ways and rings along one-to-one edges.

use crate::dag::{Place, Sym};

/// A dense number → items, one allocation for all.
#[derive(Debug)]
pub struct Groups<T = Place> {
    start: Vec<u32>,
    items: Vec<T>,
}

impl Groups {
    /// Groups the places of which `key` gives one under it; places of one key keep their order.
    pub fn collect(count: usize, key: impl Fn(Place) -> Option<Place>) -> Self {
        Groups::of_pairs(count, (0..count).map(Place::new).filter_map(|place| Some((key(place)?.index(), place))).collect())
    }
}

impl<T: Copy> Groups<T> {
    /// Groups items under keys below `keys`; items of one key keep their order.
    pub(super) fn of_pairs(keys: usize, pairs: Vec<(usize, T)>) -> Self {
        let mut items: Vec<T> = pairs.iter().map(|(_, item)| *item).collect();
        if items.is_empty() {
            return Groups { start: Vec::new(), items };
        }
        let mut start = vec![0u32; keys + 1];
        for (key, _) in &pairs {
            start[key + 1] += 1;
        }
        for key in 0..keys {
            start[key + 1] += start[key];
        }
        let mut next = start.clone();
        for (key, item) in pairs {
            let slot = &mut next[key];
            items[*slot as usize] = item;
            *slot += 1;
        }
        Groups { start, items }
    }

    /// Where the items under a key stand in [`Groups::items`].
    pub(super) fn range(&self, key: usize) -> std::ops::Range<usize> {
        match (self.start.get(key), self.start.get(key + 1)) {
            (Some(start), Some(end)) => *start as usize..*end as usize,
            (None | Some(_), _) => 0..0,
        }
    }

    /// All items, group by group.
    pub(super) fn items(&self) -> &[T] {
        &self.items
    }

    /// All items, to be put in another order within their groups.
    pub(super) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// The items under the key with a dense number.
    pub(super) fn under(&self, key: usize) -> &[T] {
        &self.items[self.range(key)]
    }

    /// The items under a place.
    pub fn of(&self, key: Place) -> &[T] {
        self.under(key.index())
    }
}

/// Calls `found` with the members of each ring of `next`, from whichever is met first.
pub(super) fn rings(count: usize, next: impl Fn(Place) -> Option<Place>, mut found: impl FnMut(&[Place])) {
    // 0: not seen; else the number of the walk that saw it, plus 1.
    let mut seen = vec![0u32; count];
    let mut path: Vec<Place> = Vec::new();
    for start in 0..count {
        if seen[start] != 0 {
            continue;
        }
        let walk = u32::try_from(start).unwrap_or(u32::MAX - 1) + 1;
        path.clear();
        let mut at = Some(Place::new(start));
        while let Some(place) = at.filter(|place| seen[place.index()] == 0) {
            seen[place.index()] = walk;
            path.push(place);
            at = next(place);
        }
        if let Some(back) = at.filter(|place| seen[place.index()] == walk) {
            let from = path.iter().position(|place| *place == back).unwrap_or(0);
            found(&path[from..]);
        }
    }
}

/// What has a dense number.
pub trait Numbered: Copy {
    /// The one with a number.
    fn from_number(index: usize) -> Self;
    /// Its number.
    fn number(self) -> usize;
}

impl Numbered for Place {
    fn from_number(index: usize) -> Self {
        Place::new(index)
    }
    fn number(self) -> usize {
        self.index()
    }
}

impl Numbered for Sym {
    fn from_number(index: usize) -> Self {
        Sym::new(index)
    }
    fn number(self) -> usize {
        self.index()
    }
}

/// Follows `next` from everywhere to a value and gives all on the way the same one.
///
/// `settle` says whether the way ends at a point and with which value; a ring ends with `None`.
pub fn follow<P: Numbered, T: Copy>(count: usize, next: impl Fn(P) -> Option<P>, settle: impl Fn(P) -> Option<T>) -> Vec<Option<T>> {
    let mut value: Vec<Option<T>> = vec![None; count];
    let mut done = vec![false; count];
    let mut path: Vec<P> = Vec::new();
    for start in 0..count {
        let mut at = Some(P::from_number(start));
        let mut result = None;
        while let Some(point) = at {
            if done[point.number()] {
                result = value[point.number()];
                break;
            }
            done[point.number()] = true;
            path.push(point);
            result = settle(point);
            at = if result.is_some() { None } else { next(point) };
        }
        for point in path.drain(..) {
            value[point.number()] = result;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_found_once_and_tails_are_left_out() {
        let next = [Some(1), Some(2), Some(0), Some(1), None, Some(5)];
        let mut met = Vec::new();
        rings(6, |place| next[place.index()].map(Place::new), |ring| met.push(ring.to_vec()));
        assert_eq!(met, [vec![Place::new(0), Place::new(1), Place::new(2)], vec![Place::new(5)]]);
    }

    #[test]
    fn following_ends_at_a_settled_place_or_in_a_ring() {
        let next = [Some(1), None, Some(3), Some(2), Some(0)];
        let end = follow(5, |place: Place| next[place.index()].map(Place::new), |place| (place.index() == 1).then_some(place));
        assert_eq!(end, [Some(Place::new(1)), Some(Place::new(1)), None, None, Some(Place::new(1))]);
    }
}
