//! What each node is to a reader, and to whom a folded node belongs (`semantics.md` §2).

use std::fmt;

use super::groups::{follow, rings};
use super::record::Record;
use crate::dag::{Node, Place, Role, Snapshot, Sym};

/// A node's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Bookkeeping; never shown, never a predecessor.
    Marker,
    /// A card beside the conversation.
    Attach,
    /// A status row of a running call.
    Placeholder,
    /// A step inside another call.
    Internal,
    /// A message of the user.
    Turn,
    /// An answer of the model.
    Reply,
    /// A function started by hand or by a turn.
    Run,
    /// A role that this reader does not know.
    Other,
}

impl Kind {
    /// The kind's name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Marker => "Marker",
            Kind::Attach => "Attach",
            Kind::Placeholder => "Placeholder",
            Kind::Internal => "Internal",
            Kind::Turn => "Turn",
            Kind::Reply => "Reply",
            Kind::Run => "Run",
            Kind::Other => "Other",
        }
    }

    /// Turn, Reply, Run or Other: part of a conversation, rewound or not.
    pub fn is_message(self) -> bool {
        match self {
            Kind::Turn | Kind::Reply | Kind::Run | Kind::Other => true,
            Kind::Marker | Kind::Attach | Kind::Placeholder | Kind::Internal => false,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Kinds, owners and live call edges by place.
#[derive(Debug)]
pub struct Kinds {
    kind: Vec<Kind>,
    call: Vec<Option<Place>>,
    owner: Vec<Option<Place>>,
    lane: Vec<bool>,
    spawn: Vec<bool>,
    /// Where rings of call edges were cut.
    pub(super) cut: Vec<Place>,
}

impl Kinds {
    /// Reads them off a snapshot; `record` says which recorded edges anchor a card.
    pub(super) fn of(snapshot: &Snapshot, record: Record) -> Self {
        let edges = snapshot.edges();
        let mut call: Vec<Option<Place>> = edges.places().map(|place| edges.call(place).live()).collect();
        let mut cut: Vec<Place> = Vec::new();
        rings(call.len(), |place| call[place.index()], |ring| cut.extend(ring.iter().min()));
        for place in &cut {
            call[place.index()] = None;
        }
        let kind: Vec<Kind> = edges.places().map(|place| kind_of(snapshot, &call, place)).collect();
        let above = |place: Place| {
            call[place.index()].or_else(|| match kind[place.index()] {
                Kind::Attach | Kind::Placeholder => record.edge(edges, place).target(),
                Kind::Marker | Kind::Internal | Kind::Turn | Kind::Reply | Kind::Run | Kind::Other => None,
            })
        };
        let owner = follow(kind.len(), above, |place| kind[place.index()].is_message().then_some(place));
        let lane = edges.places().map(|place| kind[place.index()].is_message() && !snapshot.at(place).marks.rewound).collect();
        let spawn = edges.places().map(|place| on_spawn_lane(snapshot.at(place))).collect();
        Kinds { kind, call, owner, lane, spawn, cut }
    }

    /// What the node is.
    pub fn kind(&self, place: Place) -> Kind {
        self.kind[place.index()]
    }

    /// Who called it, rings cut.
    pub fn caller(&self, place: Place) -> Option<Place> {
        self.call[place.index()]
    }

    /// The message that a folded node belongs to; a message is its own, a Marker has none.
    pub fn owner(&self, place: Place) -> Option<Place> {
        self.owner[place.index()].filter(|_| self.kind(place) != Kind::Marker)
    }

    /// Whether a node is of the conversation lane: a message that is not rewound.
    pub fn in_lane(&self, place: Place) -> bool {
        self.lane[place.index()]
    }

    /// Whether a node stands on the spawn lane; what does not is organic.
    pub fn on_spawn_lane(&self, place: Place) -> bool {
        self.spawn[place.index()]
    }

    /// Whether a node is the first turn of a spawn lane.
    pub fn is_spawn_root(&self, place: Place) -> bool {
        self.kind(place) == Kind::Turn && self.on_spawn_lane(place)
    }
}

/// Whether a node stands on the spawn lane.
fn on_spawn_lane(node: &Node) -> bool {
    node.marks.source_spawn || node.marks.spawn_branch_root
}

fn kind_of(snapshot: &Snapshot, call: &[Option<Place>], place: Place) -> Kind {
    let node = snapshot.at(place);
    let caller = call[place.index()];
    if let Some(kind) = apart(node) {
        return kind;
    }
    match node.role {
        Role::User if answers_a_call(node, caller) => Kind::Internal,
        Role::User => Kind::Turn,
        Role::Llm | Role::Code if caller.is_some_and(|caller| calls_inside(snapshot, call, caller)) => Kind::Internal,
        Role::Llm => Kind::Reply,
        Role::Code => Kind::Run,
        Role::Other => Kind::Other,
    }
}

/// The kinds that a node has whoever called it.
fn apart(node: &Node) -> Option<Kind> {
    let marks = &node.marks;
    if marks.display_root || node.id == Sym::ROOT || marks.context_row {
        Some(Kind::Marker)
    } else if marks.function_attach {
        Some(Kind::Attach)
    } else if marks.type_status && marks.display_runtime {
        Some(Kind::Placeholder)
    } else {
        None
    }
}

/// A user node that another node asked for.
fn answers_a_call(node: &Node, caller: Option<Place>) -> bool {
    caller.is_some() && !on_spawn_lane(node)
}

/// Whether what this node calls is a step inside it.
fn calls_inside(snapshot: &Snapshot, call: &[Option<Place>], caller: Place) -> bool {
    let node = snapshot.at(caller);
    match node.role {
        Role::Llm | Role::Code => true,
        Role::User => apart(node).is_none() && answers_a_call(node, call[caller.index()]),
        Role::Other => false,
    }
}
