//! Versions and arrows as the legacy program counts them (`legacy.md` §8).

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::chain::last_by_id;
use super::folding::Folded;
use super::rows;
use crate::dag::{NodeIx, Snapshot, Sym, compare_floats};
use crate::history::groups::{Groups, follow};
use crate::history::message::Siblings;
use crate::history::row::{Field, Row, bare};

/// Every folded row's place among the rows with the same parent. Quirk kept: rows of all sorts count, and what has no edge
/// at all has one parent in common.
pub(super) struct Families<'a> {
    snapshot: &'a Snapshot,
    by_id: Vec<Option<NodeIx>>,
    /// Rows by parent, each family in its order; `null` is the family after those of the symbols.
    members: Groups<NodeIx>,
    /// By id: more than one row has it.
    twice: Vec<bool>,
    /// By family and id, for ids that more than one row has: the place of the first one.
    first: HashMap<(usize, Sym), u32>,
    /// By node: its place in `members`.
    place: Vec<u32>,
    /// By id: where its leaf search ends.
    leaf: Vec<Option<Sym>>,
}

impl<'a> Families<'a> {
    pub(super) fn of(snapshot: &'a Snapshot, folded: &Folded) -> Self {
        let symbols = snapshot.symbol_count();
        let family = |ix: &NodeIx| rows::parent(snapshot.node(*ix)).map_or(symbols, Sym::index);
        let members = Groups::of_pairs(symbols + 1, folded.rows.iter().map(|ix| (family(ix), *ix)).collect());
        let mut families = Families {
            snapshot,
            by_id: last_by_id(snapshot, &folded.rows),
            members,
            twice: vec![false; symbols],
            first: HashMap::new(),
            place: vec![0; snapshot.nodes().len()],
            leaf: Vec::new(),
        };
        families.reorder(folded);
        for (at, ix) in (0..).zip(families.members.items()) {
            families.place[ix.index()] = at;
            if let Some(id) = rows::id(snapshot.node(*ix)).filter(|id| families.twice[id.index()]) {
                families.first.entry((family(ix), id)).or_insert(at);
            }
        }
        families.leaf = families.leaves();
        families
    }

    /// Families are in list order, unless a row has a `created_at` of its own or stands there twice.
    fn reorder(&mut self, folded: &Folded) {
        let snapshot = self.snapshot;
        let mut seen = vec![false; snapshot.symbol_count()];
        for id in folded.rows.iter().filter_map(|ix| rows::id(snapshot.node(*ix))) {
            self.twice[id.index()] |= std::mem::replace(&mut seen[id.index()], true);
        }
        let unusual = |ix: &&NodeIx| {
            let node = snapshot.node(**ix);
            node.marks.created_override || rows::id(node).is_none_or(|id| self.twice[id.index()])
        };
        let marked: Vec<usize> = folded
            .rows
            .iter()
            .filter(unusual)
            .map(|ix| rows::parent(snapshot.node(*ix)).map_or(snapshot.symbol_count(), Sym::index))
            .collect();
        let mut done = vec![false; snapshot.symbol_count() + 1];
        for family in marked {
            if !std::mem::replace(&mut done[family], true) {
                let sorted = in_order(snapshot, folded, self.members.under(family));
                let range = self.members.range(family);
                self.members.items_mut()[range].copy_from_slice(&sorted);
            }
        }
    }

    /// The siblings of a row by its id.
    pub(super) fn siblings(&self, id: Option<Sym>) -> Siblings {
        let Some((id, target)) = id.and_then(|id| Some((id, self.by_id[id.index()]?))) else { return Siblings::default() };
        let parent = rows::parent(self.snapshot.node(target));
        let family = parent.map_or(self.snapshot.symbol_count(), Sym::index);
        let range = self.members.range(family);
        let members = self.members.items();
        let own = self.place[target.index()] as usize;
        // Of several rows with this id in the family the first one's place is shown.
        let own = self.first.get(&(family, id)).map_or(own, |first| *first as usize);
        let neighbour = |at: Option<usize>| {
            let at = at.filter(|at| range.contains(at))?;
            rows::id(self.snapshot.node(members[at])).map(|id| self.leaf_of(id))
        };
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        Siblings {
            index: number(own - range.start + 1),
            total: number(range.len()),
            previous: neighbour(own.checked_sub(1)),
            next: neighbour(Some(own + 1)),
        }
    }

    /// Where an arrow to a row leads. Quirk kept: a search that meets a ring goes back to where it started.
    fn leaf_of(&self, id: Sym) -> Sym {
        self.leaf[id.index()].unwrap_or(id)
    }

    /// Quirk kept: the newest child is followed, whatever it is.
    fn leaves(&self) -> Vec<Option<Sym>> {
        let known = |id: Sym| id != Sym::EMPTY && self.by_id[id.index()].is_some();
        let newest = |id: Sym| self.members.under(id.index()).last().copied();
        let next = |id: Sym| newest(id).filter(|_| known(id)).and_then(|ix| rows::truthy_id(self.snapshot.node(ix)));
        follow(self.snapshot.symbol_count(), next, |id: Sym| (known(id) && newest(id).is_none()).then_some(id))
    }
}

/// By `created_at`; identical copies of a row stand together at the place of the first one, other ties keep list order.
fn in_order(snapshot: &Snapshot, folded: &Folded, family: &[NodeIx]) -> Vec<NodeIx> {
    let time = |ix: NodeIx| {
        let own = snapshot.node(ix).marks.created_override.then(|| bare(snapshot, ix, false));
        own.and_then(|row| Some(row.get("created_at")?.number())).unwrap_or(0.0)
    };
    let mut firsts: HashMap<(Option<Sym>, u64), Vec<usize>> = HashMap::new();
    let mut keyed: Vec<(f64, usize, NodeIx)> = Vec::with_capacity(family.len());
    for (at, ix) in family.iter().enumerate() {
        let alike = firsts.entry((rows::id(snapshot.node(*ix)), fingerprint(&bare(snapshot, *ix, false)))).or_default();
        let first = alike.iter().copied().find(|first| identical(snapshot, folded, family[*first], *ix));
        if first.is_none() {
            alike.push(at);
        }
        keyed.push((time(*ix), first.unwrap_or(at), *ix));
    }
    keyed.sort_by(|a, b| compare_floats(a.0, b.0).then(a.1.cmp(&b.1)));
    keyed.into_iter().map(|(.., ix)| ix).collect()
}

/// Equal rows have equal fingerprints, and most others do not: what is nested is left out.
fn fingerprint(row: &Row<'_>) -> u64 {
    let field = |(key, field): (&str, &Field<'_>)| {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        match field.string() {
            Some(text) => text.hash(&mut hasher),
            None => (field.number() + 0.0).to_bits().hash(&mut hasher),
        }
        hasher.finish()
    };
    row.fields().map(field).fold(0, u64::wrapping_add)
}

/// Whether two rows are equal in every field; made-up times are equal to nothing.
fn identical(snapshot: &Snapshot, folded: &Folded, a: NodeIx, b: NodeIx) -> bool {
    let fields = |row: &Row<'_>| row.fields().count();
    let (one, other) = (bare(snapshot, a, false), bare(snapshot, b, false));
    let made_up = one.get("timestamp").is_some_and(|time| time.is_made_up());
    !made_up
        && folded.tools(a).is_empty()
        && folded.tools(b).is_empty()
        && fields(&one) == fields(&other)
        && one.fields().all(|(key, field)| other.get(key) == Some(field))
}
