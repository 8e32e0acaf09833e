//! Tool rows folded into the assistant rows that called them (`legacy.md` §5).

use super::branch::branch_walk;
use super::rows::{self, anchor};
use crate::dag::json::{Kind, Raw};
use crate::dag::{Node, NodeIx, Role, Snapshot, Sym, ToolCalls};
use crate::history::groups::Groups;

/// The rows that a load goes on with.
pub(super) struct Folded {
    /// Raw rows, in list order.
    pub(super) raw: Vec<NodeIx>,
    /// The rows that are left after folding.
    pub(super) rows: Vec<NodeIx>,
    /// Rows are as the branch walk gives them: nothing was folded.
    pub(super) unfolded: bool,
    tools: Groups<NodeIx>,
}

/// Something that the legacy program trips over while it folds; what it had folded by then.
struct Tripped(Pairs);

impl Folded {
    /// Folds the visible rows. Quirk kept: any exception on the way is swallowed, and both lists become the branch walk's.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let raw = rows::raw(snapshot);
        let (raw, rows, unfolded, pairs) = match fold(snapshot, &raw) {
            Ok((rows, pairs)) => (raw, rows, false, pairs),
            Err(Tripped(pairs)) => {
                let walk = branch_walk(snapshot);
                (walk.clone(), walk, true, pairs)
            }
        };
        let tools = Groups::of_pairs(snapshot.nodes().len(), pairs);
        Folded { raw, rows, unfolded, tools }
    }

    /// The tool rows that went into a row.
    pub(super) fn tools(&self, ix: NodeIx) -> &[NodeIx] {
        self.tools.under(ix.index())
    }
}

/// A blob in which no caller can be looked up.
struct Unreadable;

/// The row that took a tool row, by its number, and the tool row.
type Pairs = Vec<(usize, NodeIx)>;

fn fold(snapshot: &Snapshot, raw: &[NodeIx]) -> Result<(Vec<NodeIx>, Pairs), Tripped> {
    let mut assistants: Vec<Option<NodeIx>> = vec![None; snapshot.symbol_count()];
    for ix in raw {
        let node = snapshot.node(*ix);
        if let Some(id) = rows::truthy_id(node).filter(|_| rows::role(node) == Some(Sym::ASSISTANT)) {
            assistants[id.index()] = Some(*ix);
        }
    }
    let mut rows = Vec::with_capacity(raw.len());
    let mut pairs = Vec::new();
    for ix in raw {
        let node = snapshot.node(*ix);
        let caller = match rows::role(node) {
            Some(Sym::TOOL) => match caller(snapshot, node) {
                Ok(caller) => caller,
                Err(Unreadable) => return Err(Tripped(pairs)),
            },
            Some(_) | None => None,
        };
        match caller.and_then(|caller| assistants[caller.index()]) {
            None => rows.push(*ix),
            Some(assistant) if snapshot.node(assistant).tool_calls == ToolCalls::Other && snapshot.node(assistant).role != Role::Other => {
                return Err(Tripped(pairs));
            }
            Some(assistant) => pairs.push((assistant.index(), *ix)),
        }
    }
    Ok((rows, pairs))
}

/// Whom a tool row names as its caller.
fn caller(snapshot: &Snapshot, node: &Node) -> Result<Option<Sym>, Unreadable> {
    match anchor(node) {
        Some(caller) => Ok(Some(caller)),
        None => caller_in_blob(snapshot, node),
    }
}

/// The caller that the blob in a row's `extra` names.
fn caller_in_blob(snapshot: &Snapshot, node: &Node) -> Result<Option<Sym>, Unreadable> {
    let extra = snapshot.metadata_member(node, "extra").filter(|_| node.role != Role::Other);
    let text = extra.and_then(Raw::string);
    let blob = match &text {
        Some(text) => Raw::checked(text),
        None => extra,
    };
    let blob = blob.filter(|blob| blob.kind() == Kind::Object);
    // A function's row has a blob of its own making, over which an object is laid.
    let made = node.role == Role::Code && (extra.is_none() || (text.is_none() && blob.is_some()));
    match blob.and_then(|blob| blob.member("tool_use")).filter(|_| blob.is_some()) {
        None if made => Ok(node.row_called_by),
        None => Ok(None),
        Some(tool_use) if !tool_use.truthy() => Ok(None),
        Some(tool_use) if tool_use.kind() != Kind::Object => Err(Unreadable),
        Some(tool_use) => Ok(tool_use.member("called_by").and_then(Raw::string).and_then(|caller| snapshot.symbol(&caller))),
    }
}
