//! The nodes that count, in key order, with every edge resolved once to a dense number.

use super::dense::Dense;
use super::node::{Node, NodeIx, Stored};
use super::symbol::Sym;

/// A node's place in key order (`seq`, first letter of the role, id): of two places the lower one comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(Dense);

impl Place {
    /// The place with a dense number.
    pub fn new(index: usize) -> Self {
        Place(Dense::new(index))
    }

    /// The dense number.
    pub fn index(self) -> usize {
        self.0.index()
    }
}

/// The recorded conversation edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// None.
    Absent,
    /// An explicit nothing.
    Null,
    /// `ROOT`, or the name of a root Marker.
    Root,
    /// Another node.
    To(Place),
    /// A node that is not there, or the node itself.
    Dangling(Sym),
}

impl Recorded {
    /// The node that it names, if it is there.
    pub fn target(self) -> Option<Place> {
        match self {
            Recorded::To(place) => Some(place),
            Recorded::Absent | Recorded::Null | Recorded::Root | Recorded::Dangling(_) => None,
        }
    }

    /// Whether the edge names no id.
    pub fn is_empty(self) -> bool {
        match self {
            Recorded::Absent | Recorded::Null | Recorded::Root => true,
            Recorded::To(_) | Recorded::Dangling(_) => false,
        }
    }
}

/// The call edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Called by nothing: empty, `ROOT`, or a root Marker.
    Nothing,
    /// Called by a node, perhaps itself.
    By(Place),
    /// Called by a node that is not there.
    Dangling(Sym),
}

impl Call {
    /// The caller, if it is there.
    pub fn live(self) -> Option<Place> {
        match self {
            Call::By(place) => Some(place),
            Call::Nothing | Call::Dangling(_) => None,
        }
    }
}

/// Edges by place.
#[derive(Debug, Default)]
pub struct Edges {
    order: Vec<NodeIx>,
    place: Vec<Option<Place>>,
    call: Vec<Call>,
    recorded: Vec<Recorded>,
    predecessor: Vec<Recorded>,
    forked_from: Vec<Option<Place>>,
}

impl Edges {
    /// `order`: the nodes that count, by key. `last`: a node of each id; every copy stands for the one that counts.
    pub(super) fn resolve(nodes: &[Node], order: Vec<NodeIx>, symbols: usize) -> Self {
        let mut by_id: Vec<Option<Place>> = vec![None; symbols];
        for (at, node) in order.iter().enumerate() {
            by_id[nodes[node.index()].id.index()] = Some(Place::new(at));
        }
        let place = nodes.iter().map(|node| by_id[node.id.index()]).collect();
        let look = Lookup { nodes, order: &order, by_id: &by_id };
        let own = |at: usize| &nodes[order[at].index()];
        let places = 0..order.len();
        let call = places.clone().map(|at| look.call(own(at).called_by.or(own(at).caller))).collect();
        let predecessor: Vec<Recorded> = places.clone().map(|at| look.recorded(Place::new(at), newer(own(at)))).collect();
        let recorded = places
            .clone()
            .map(|at| match predecessor[at] {
                Recorded::Absent => look.recorded(Place::new(at), own(at).parent_id),
                found @ (Recorded::Null | Recorded::Root | Recorded::To(_) | Recorded::Dangling(_)) => found,
            })
            .collect();
        let forked_from = places.map(|at| own(at).forked_from.and_then(|id| by_id[id.index()]).filter(|y| y.index() != at)).collect();
        Edges { order, place, call, recorded, predecessor, forked_from }
    }

    /// How many nodes count.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// All places, lowest first.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = Place> + ExactSizeIterator + use<> {
        (0..self.order.len()).map(Place::new)
    }

    /// The node at a place.
    pub fn node(&self, place: Place) -> NodeIx {
        self.order[place.index()]
    }

    /// The place of a node, or of the copy that counts in its stead.
    pub fn place(&self, node: NodeIx) -> Option<Place> {
        self.place[node.index()]
    }

    /// Who called a node.
    pub fn call(&self, place: Place) -> Call {
        self.call[place.index()]
    }

    /// What a node follows by the record, of either generation.
    pub fn recorded(&self, place: Place) -> Recorded {
        self.recorded[place.index()]
    }

    /// What a node follows by generation 2's `predecessor` alone.
    pub fn predecessor(&self, place: Place) -> Recorded {
        self.predecessor[place.index()]
    }

    /// The node that a retry replaces, if it is there and another one.
    pub fn forked_from(&self, place: Place) -> Option<Place> {
        self.forked_from[place.index()]
    }
}

/// Generation 2's edge: absent and `null` are one state.
fn newer(node: &Node) -> Stored<Sym> {
    match node.predecessor {
        Stored::Absent | Stored::Null => Stored::Absent,
        text @ Stored::Text(_) => text,
    }
}

struct Lookup<'a> {
    nodes: &'a [Node],
    order: &'a [NodeIx],
    by_id: &'a [Option<Place>],
}

impl Lookup<'_> {
    fn is_root_marker(&self, place: Place) -> bool {
        let node = &self.nodes[self.order[place.index()].index()];
        node.marks.display_root || node.id == Sym::ROOT
    }

    fn call(&self, edge: Option<Sym>) -> Call {
        match edge {
            None | Some(Sym::ROOT) => Call::Nothing,
            Some(id) => match self.by_id[id.index()] {
                None => Call::Dangling(id),
                Some(place) if self.is_root_marker(place) => Call::Nothing,
                Some(place) => Call::By(place),
            },
        }
    }

    fn recorded(&self, own: Place, edge: Stored<Sym>) -> Recorded {
        match edge {
            Stored::Absent | Stored::Text(Sym::EMPTY) => Recorded::Absent,
            Stored::Null => Recorded::Null,
            Stored::Text(Sym::ROOT) => Recorded::Root,
            Stored::Text(id) => match self.by_id[id.index()] {
                Some(place) if place != own && self.is_root_marker(place) => Recorded::Root,
                Some(place) if place != own => Recorded::To(place),
                Some(_) | None => Recorded::Dangling(id),
            },
        }
    }
}
