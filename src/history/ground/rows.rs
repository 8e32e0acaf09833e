//! The legacy program's view of a node as a row, as far as lists are decided by it (`legacy.md` §2 and §3).

use crate::dag::{Node, NodeIx, Role, Snapshot, Stored, Sym};

/// A row's id; `None` is `null`. Quirk kept: metadata renames rows.
pub(in crate::history) fn id(node: &Node) -> Option<Sym> {
    match (node.role, node.row_id) {
        (Role::Other, _) | (_, Stored::Absent) => Some(node.id),
        (_, Stored::Null) => None,
        (_, Stored::Text(id)) => Some(id),
    }
}

/// A row's id where it is not falsy.
pub(super) fn truthy_id(node: &Node) -> Option<Sym> {
    id(node).filter(|id| *id != Sym::EMPTY)
}

/// A row's role; `None` is one that no rule asks for. Quirk kept: metadata renames roles.
pub(super) fn role(node: &Node) -> Option<Sym> {
    let own = match node.role {
        Role::User => Sym::USER,
        Role::Llm => Sym::ASSISTANT,
        Role::Code => Sym::TOOL,
        Role::Other => return node.other_role,
    };
    match node.row_role {
        Stored::Absent => Some(own),
        Stored::Null | Stored::Text(Sym::EMPTY) if node.role == Role::Llm => Some(own),
        Stored::Null => None,
        Stored::Text(role) => Some(role),
    }
}

/// A row's `parent_id`; `None` is `null`. Quirk kept: the call edge stands in where no conversation edge is recorded.
pub(super) fn parent(node: &Node) -> Option<Sym> {
    match (node.role, node.parent_id) {
        (Role::Other, _) | (_, Stored::Absent) => Some(node.called_by.unwrap_or(Sym::EMPTY)),
        (_, Stored::Null) => None,
        (_, Stored::Text(parent)) => Some(parent),
    }
}

/// A row's `called_by` where it is not falsy. Quirk kept: function rows have none.
pub(super) fn called_by(node: &Node) -> Option<Sym> {
    match node.role {
        Role::User => node.row_called_by,
        Role::Llm => node.called_by.or(node.row_called_by),
        Role::Code | Role::Other => None,
    }
}

/// `called_by or parent_id`, where that is not falsy.
pub(super) fn anchor(node: &Node) -> Option<Sym> {
    called_by(node).or_else(|| parent(node).filter(|parent| *parent != Sym::EMPTY))
}

/// Whether the row's `function` is `attach`. Quirk kept: so is a function of that name.
pub(super) fn is_attach(node: &Node) -> bool {
    match node.role {
        Role::User | Role::Llm => node.marks.function_attach,
        Role::Code => node.marks.function_attach || (node.marks.name_attach && !node.marks.function_present),
        Role::Other => false,
    }
}

/// Whether the row is a placeholder by type and display.
pub(super) fn is_placeholder(node: &Node) -> bool {
    node.role != Role::Other && node.marks.type_status && node.marks.display_runtime
}

/// Whether the node gives a row at all. Quirk kept: the root marker is known by its display, not by its id.
pub(super) fn is_visible(node: &Node) -> bool {
    !node.marks.display_root && !node.marks.rewound
}

/// The visible rows in list order. Quirk kept: that is the order of file names, never of sequence numbers.
pub(super) fn raw(snapshot: &Snapshot) -> Vec<NodeIx> {
    snapshot.list().filter(|ix| is_visible(snapshot.node(*ix))).collect()
}
