//! What the snapshot records about where a message stands, whatever a rung makes of it (`semantics.md` §5).

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::dag::{Place, Recorded, Snapshot};
use crate::history::{Kind, Kinds, Record, Target, follow, spawn_origins};

/// Where the record puts a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Standing {
    /// After this message, which is shown.
    After(Place),
    /// At the beginning of a conversation or spawn lane.
    Start,
    /// The record does not say.
    Silent,
}

/// Why a message can not stand right after another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contradiction {
    Elsewhere,
    ExplicitStart,
    RetryOfAbove,
    Rewound,
    Folded,
    OtherLane,
    Head,
}

impl Contradiction {
    /// The word for signatures.
    pub(super) fn name(self) -> &'static str {
        match self {
            Contradiction::Elsewhere => "recorded-elsewhere",
            Contradiction::ExplicitStart => "explicit-start",
            Contradiction::RetryOfAbove => "retry-of-above",
            Contradiction::Rewound => "after-rewound",
            Contradiction::Folded => "after-folded",
            Contradiction::OtherLane => "other-lane",
            Contradiction::Head => "not-the-head",
        }
    }
}

/// The record of one snapshot, read when it is needed.
pub(super) struct Evidence<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) target: &'a Target,
    standing: OnceCell<Vec<Standing>>,
    versions: OnceCell<HashMap<Place, (u32, u32)>>,
}

/// A family of versions as the record has it.
#[derive(PartialEq, Eq, Hash)]
enum Family {
    Together(Standing, bool),
    Retries(Place),
}

impl<'a> Evidence<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, target: &'a Target) -> Self {
        Evidence { snapshot, target, standing: OnceCell::new(), versions: OnceCell::new() }
    }

    pub(super) fn kinds(&self) -> &'a Kinds {
        &self.target.kinds
    }

    /// Where the record puts a message, owners and rewound messages passed through.
    pub(super) fn standing(&self, place: Place) -> Standing {
        self.standing.get_or_init(|| self.read_standings())[place.index()]
    }

    fn read_standings(&self) -> Vec<Standing> {
        let edges = self.snapshot.edges();
        let direct: Vec<Direct> = edges.places().map(|place| self.direct(place)).collect();
        let (next, settle) = (|place: Place| direct[place.index()].other(), |place: Place| direct[place.index()].known());
        follow(direct.len(), next, settle).into_iter().map(|standing| standing.unwrap_or(Standing::Silent)).collect()
    }

    fn direct(&self, place: Place) -> Direct {
        let edges = self.snapshot.edges();
        let kinds = self.kinds();
        let silent = Direct::Is(Standing::Silent);
        if !kinds.kind(place).is_message() {
            return silent;
        }
        let start = Direct::Is(Standing::Start);
        if self.is_cut(place) {
            return if kinds.is_spawn_root(place) || edges.recorded(place).is_empty() { start } else { silent };
        }
        let recorded = edges.recorded(place);
        match recorded {
            Recorded::To(to) => match kinds.owner(to).filter(|owner| *owner != place) {
                Some(message) => self.after(message),
                None if kinds.is_spawn_root(place) => start,
                None => silent,
            },
            Recorded::Dangling(_) if kinds.is_spawn_root(place) => start,
            Recorded::Dangling(_) => silent,
            Recorded::Absent | Recorded::Null | Recorded::Root => {
                let turn = kinds.caller(place).filter(|caller| kinds.kind(*caller) == Kind::Turn && kinds.kind(place) == Kind::Reply);
                match (edges.forked_from(place), turn) {
                    (Some(replaced), _) => Direct::AsThatOf(replaced),
                    (None, Some(turn)) => self.after(turn),
                    (None, None) if recorded != Recorded::Absent || kinds.is_spawn_root(place) => start,
                    (None, None) => silent,
                }
            }
        }
    }

    /// Whether the node's recorded edge closes a ring: then it says nothing.
    pub(super) fn is_cut(&self, place: Place) -> bool {
        self.target.preds.is_cut(place)
    }

    fn after(&self, message: Place) -> Direct {
        if self.kinds().in_lane(message) { Direct::Is(Standing::After(message)) } else { Direct::AsThatOf(message) }
    }

    /// A pointer to a folded or rewound node stands for the message behind it.
    pub(super) fn message_behind(&self, place: Place) -> Option<Place> {
        let message = self.kinds().owner(place)?;
        if self.kinds().in_lane(message) {
            return Some(message);
        }
        match self.standing(message) {
            Standing::After(message) => Some(message),
            Standing::Start | Standing::Silent => None,
        }
    }

    /// The stored head, as far as the record leads to a message that is shown.
    pub(super) fn head(&self) -> Option<Place> {
        self.message_behind(self.snapshot.place(self.snapshot.head()?.id)?)
    }

    /// Why `below` can not stand right after `above`; `replaced_above`: what it replaces stands further up in the list.
    pub(super) fn contradiction(&self, above: Place, below: Place, replaced_above: bool) -> Option<Contradiction> {
        let kinds = self.kinds();
        if !kinds.kind(above).is_message() {
            return Some(Contradiction::Folded);
        }
        if !kinds.in_lane(above) {
            return Some(Contradiction::Rewound);
        }
        let retry = replaced_above && self.snapshot.edges().recorded(below).is_empty();
        match self.standing(below) {
            _ if retry => Some(Contradiction::RetryOfAbove),
            Standing::After(place) => (place != above).then_some(Contradiction::Elsewhere),
            Standing::Start => Some(Contradiction::ExplicitStart),
            Standing::Silent => (kinds.on_spawn_lane(above) != kinds.on_spawn_lane(below)).then_some(Contradiction::OtherLane),
        }
    }

    /// A message's place among its versions, and how many there are, by the record.
    pub(super) fn versions(&self, place: Place) -> Option<(u32, u32)> {
        self.versions.get_or_init(|| self.read_versions()).get(&place).copied()
    }

    fn read_versions(&self) -> HashMap<Place, (u32, u32)> {
        let (edges, kinds) = (self.snapshot.edges(), self.kinds());
        let spawn = spawn_origins(self.snapshot, kinds, Record::Whole);
        // What all retries are retries of; those of a ring are each their own.
        let origins = follow(edges.len(), |place| edges.forked_from(place), |place| edges.forked_from(place).is_none().then_some(place));
        let origin = |place: Place| origins[place.index()].unwrap_or(place);
        let mut families: HashMap<Family, Vec<Place>> = HashMap::new();
        for place in edges.places().filter(|place| kinds.in_lane(*place)) {
            let spawned = spawn[place.index()];
            let family = match (self.standing(place), spawned) {
                _ if self.snapshot.at(place).marks.summary => Family::Retries(place),
                (Standing::Silent, _) => Family::Retries(origin(place)),
                (Standing::Start, Some(first)) => Family::Retries(first),
                (standing @ (Standing::Start | Standing::After(_)), _) => Family::Together(standing, spawned.is_some()),
            };
            families.entry(family).or_default().push(place);
        }
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        families
            .values()
            .flat_map(|family| family.iter().enumerate().map(|(at, place)| (*place, (number(at + 1), number(family.len())))))
            .collect()
    }
}

#[derive(Clone, Copy)]
enum Direct {
    Is(Standing),
    AsThatOf(Place),
}

impl Direct {
    fn known(self) -> Option<Standing> {
        match self {
            Direct::Is(standing) => Some(standing),
            Direct::AsThatOf(_) => None,
        }
    }

    fn other(self) -> Option<Place> {
        match self {
            Direct::Is(_) => None,
            Direct::AsThatOf(place) => Some(place),
        }
    }
}
