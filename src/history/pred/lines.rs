//! The first line of the table that fits each message, with rings cut.

use super::super::groups::rings;
use super::super::kinds::{Kind, Kinds};
use super::super::record::Record;
use super::Provenance;
use crate::dag::{Place, Recorded, Snapshot};

/// What a line says before gaps are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// No message: folded nodes and Markers.
    None,
    /// Line 1: an edge on the record.
    Edge(Place, Provenance),
    /// Line 2: where this node stands, the retry stands.
    Fork(Place),
    /// Line 3: the turn that called it.
    Called(Place),
    /// Lines 4 and 5, and what a cut or an unplaced fork leaves: no predecessor.
    Start(Provenance),
    /// Line 6: behind the latest of what follows this turn.
    RunOf(Place),
    /// Line 7: behind the latest message of its lane.
    Gap(Provenance),
}

/// Every node's line, and where rings were cut.
pub(super) fn lines(snapshot: &Snapshot, kinds: &Kinds, record: Record) -> (Vec<Line>, Vec<Place>) {
    let edges = snapshot.edges();
    let reader = Reader { snapshot, kinds, record };
    let mut lines: Vec<Line> = edges.places().map(|place| reader.line(place, record.edge(edges, place))).collect();
    let mut cuts: Vec<(Place, Line)> = Vec::new();
    let mut cut = Vec::new();
    let next = |place: Place| match lines[place.index()] {
        Line::Edge(to, _) | Line::Fork(to) | Line::Called(to) => Some(to),
        Line::None | Line::Start(_) | Line::RunOf(_) | Line::Gap(_) => None,
    };
    rings(lines.len(), next, |ring| {
        let is_fork = |place: &Place| matches!(lines[place.index()], Line::Fork(_));
        if ring.iter().all(is_fork) {
            // Each replaces the other: each leads back to itself, so each is a beginning.
            cut.extend(ring.iter().min());
            cuts.extend(ring.iter().map(|place| (*place, Line::Start(Provenance::Root))));
            return;
        }
        // A call that leads to its own turn is no mistake of the record; the edge that closes the ring is.
        let recorded = |place: &&Place| !matches!(lines[place.index()], Line::Called(_));
        if let Some(place) = ring.iter().filter(recorded).min() {
            cut.push(*place);
            let line = if is_fork(place) { Line::Start(Provenance::Root) } else { reader.dangling(*place) };
            cuts.push((*place, line));
        }
    });
    for (place, line) in cuts {
        lines[place.index()] = line;
    }
    (lines, cut)
}

struct Reader<'a> {
    snapshot: &'a Snapshot,
    kinds: &'a Kinds,
    record: Record,
}

impl Reader<'_> {
    fn line(&self, place: Place, recorded: Recorded) -> Line {
        if !self.kinds.kind(place).is_message() {
            return Line::None;
        }
        match recorded {
            Recorded::To(to) => match self.kinds.kind(to) {
                Kind::Turn | Kind::Reply | Kind::Run | Kind::Other => Line::Edge(to, Provenance::Recorded),
                Kind::Internal | Kind::Attach | Kind::Placeholder => match self.kinds.owner(to) {
                    Some(owner) if owner != place => Line::Edge(owner, Provenance::Owner),
                    Some(_) | None => self.dangling(place),
                },
                Kind::Marker => self.dangling(place),
            },
            Recorded::Dangling(_) => self.dangling(place),
            Recorded::Absent | Recorded::Null | Recorded::Root => self.no_id(place, recorded),
        }
    }

    /// Lines 2 to 7 for a node whose edge names no id.
    fn no_id(&self, place: Place, recorded: Recorded) -> Line {
        if let Some(replaced) = self.record.forked_from(self.snapshot.edges(), place) {
            // A folded node has no predecessor that the retry could share.
            let placed = self.kinds.kind(replaced).is_message();
            return if placed { Line::Fork(replaced) } else { Line::Start(Provenance::ForkOf) };
        }
        let turn = self.kinds.caller(place).filter(|caller| self.kinds.kind(*caller) == Kind::Turn);
        match (self.kinds.kind(place), turn) {
            (Kind::Reply, Some(turn)) => Line::Called(turn),
            _ if recorded != Recorded::Absent => Line::Start(Provenance::Root),
            _ if self.kinds.is_spawn_root(place) => Line::Start(Provenance::Root),
            (Kind::Run, Some(turn)) => Line::RunOf(turn),
            _ => Line::Gap(Provenance::Sequence),
        }
    }

    /// Lines 5 and 7 for a node whose edge leads nowhere.
    fn dangling(&self, place: Place) -> Line {
        if self.kinds.is_spawn_root(place) { Line::Start(Provenance::Root) } else { Line::Gap(Provenance::AfterDangling) }
    }
}
