//! Versions of one message, and the leaf that an arrow leads to (`semantics.md` §3, Siblings).

use super::groups::follow;
use super::kinds::{Kind, Kinds};
use super::message::Siblings;
use super::record::Record;
use crate::dag::{Place, Snapshot};

/// Siblings and leaves by place.
#[derive(Debug)]
pub struct Versions {
    index: Vec<u32>,
    total: Vec<u32>,
    before: Vec<Option<Place>>,
    after: Vec<Option<Place>>,
    leaf: Vec<Option<Place>>,
}

/// The messages that a message is a version among.
#[derive(Clone, Copy)]
enum Family {
    /// Same predecessor; `None` for the beginnings of conversations.
    Organic(Option<Place>),
    /// Spawn lanes that start from one message.
    Spawned(Place),
    /// A spawn lane that starts from nothing, and its retries.
    Clean(Place),
    /// A summary is a version of nothing.
    Alone,
}

impl Versions {
    /// Finds the versions of every lane message.
    pub(super) fn of(snapshot: &Snapshot, kinds: &Kinds, lane_before: &[Option<Place>], record: Record) -> Self {
        let edges = snapshot.edges();
        let count = edges.len();
        let spawn = spawn_origins(snapshot, kinds, record);
        let mut versions = Versions {
            index: vec![0; count],
            total: vec![0; count],
            before: vec![None; count],
            after: vec![None; count],
            leaf: Vec::new(),
        };
        let mut last = Last { organic: vec![None; count + 1], spawned: vec![None; count], clean: vec![None; count] };
        let mut newest: Vec<Option<Place>> = vec![None; count];
        for place in edges.places().filter(|place| kinds.in_lane(*place)) {
            let before = lane_before[place.index()];
            let origin = spawn[place.index()];
            if let (Some(before), None) = (before, origin) {
                newest[before.index()] = Some(place);
            }
            let family = match (origin, before) {
                _ if snapshot.at(place).marks.summary => Family::Alone,
                (None, before) => Family::Organic(before),
                (Some(_), Some(before)) => Family::Spawned(before),
                (Some(origin), None) => Family::Clean(origin),
            };
            versions.add(place, last.replace(family, place));
        }
        versions.count_totals(edges.places().rev());
        versions.leaf = follow(count, |place: Place| newest[place.index()], |place| newest[place.index()].is_none().then_some(place));
        versions
    }

    fn add(&mut self, place: Place, before: Option<Place>) {
        self.before[place.index()] = before;
        self.index[place.index()] = 1 + before.map_or(0, |before| self.index[before.index()]);
        if let Some(before) = before {
            self.after[before.index()] = Some(place);
        }
    }

    /// From the last of each family down, whose index is the total.
    fn count_totals(&mut self, last_first: impl Iterator<Item = Place>) {
        for place in last_first {
            let after = self.after[place.index()];
            self.total[place.index()] = after.map_or(self.index[place.index()], |after| self.total[after.index()]);
        }
    }

    /// The leaf that is reached by always taking the newest message that is no spawn root.
    pub fn leaf(&self, place: Place) -> Place {
        self.leaf[place.index()].unwrap_or(place)
    }

    /// The siblings of a message as served; 0 of 0 for what has none.
    pub fn siblings(&self, snapshot: &Snapshot, place: Place) -> Siblings {
        let leaf = |place: Option<Place>| place.map(|place| snapshot.at(self.leaf(place)).id);
        let at = place.index();
        Siblings { index: self.index[at], total: self.total[at], previous: leaf(self.before[at]), next: leaf(self.after[at]) }
    }
}

/// The last message met of each family.
struct Last {
    /// By predecessor; the beginnings behind them.
    organic: Vec<Option<Place>>,
    spawned: Vec<Option<Place>>,
    clean: Vec<Option<Place>>,
}

impl Last {
    fn replace(&mut self, family: Family, place: Place) -> Option<Place> {
        let slot = match family {
            Family::Organic(None) => self.organic.last_mut()?,
            Family::Organic(Some(before)) => &mut self.organic[before.index()],
            Family::Spawned(before) => &mut self.spawned[before.index()],
            Family::Clean(origin) => &mut self.clean[origin.index()],
            Family::Alone => return None,
        };
        slot.replace(place)
    }
}

/// For each spawn root, and each turn that replaces one through any number of retries: what they all are retries of.
pub fn spawn_origins(snapshot: &Snapshot, kinds: &Kinds, record: Record) -> Vec<Option<Place>> {
    let edges = snapshot.edges();
    let count = edges.len();
    if !edges.places().any(|place| kinds.is_spawn_root(place)) {
        return vec![None; count];
    }
    let turn = |place: Place| kinds.kind(place) == Kind::Turn;
    let replaced = |place: Place| if turn(place) { record.forked_from(edges, place) } else { None };
    let counts = follow(count, replaced, |place| kinds.is_spawn_root(place).then_some(()));
    let spawned = |place: &Place| turn(*place) && counts[place.index()].is_some();
    let further = |place: Place| replaced(place).filter(spawned);
    let origin = follow(count, further, |place| further(place).is_none().then_some(place));
    edges.places().map(|place| spawned(&place).then(|| origin[place.index()].unwrap_or(place))).collect()
}
