//! What the graph stage adds to a load: the errors that it raises, and `spawned_from` (`legacy.md` §9).

use std::collections::HashMap;

use super::rows;
use crate::dag::{Node, NodeIx, Role, Snapshot, Sym};
use crate::history::error::HistoryError;
use crate::history::groups::follow;
use crate::history::message::{Message, SpawnedFrom};
use crate::history::row::bare;

/// A chain of calls of this length exceeds the legacy program's stack when it lays the graph out.
const LEGACY_CALLS: usize = 980;
/// Hops from a branch's end to its spawn root.
const MAX_HOPS: usize = 500;

/// The error that laying out the graph raises, if any. Quirk kept: the messages were ready, and are not sent.
pub(super) fn check(snapshot: &Snapshot, raw: &[NodeIx]) -> Result<(), HistoryError> {
    if raw.iter().any(|ix| snapshot.node(*ix).marks.content_not_text) {
        return Err(HistoryError::Raised { reason: "the content of a visible row is no text" });
    }
    if longest_call_chain(snapshot, raw) > LEGACY_CALLS {
        return Err(HistoryError::Raised { reason: "calls are nested too deep for the graph" });
    }
    Ok(())
}

fn longest_call_chain(snapshot: &Snapshot, raw: &[NodeIx]) -> usize {
    let mut entry: Vec<Option<NodeIx>> = vec![None; snapshot.symbol_count()];
    for ix in raw.iter().filter(|ix| is_entry(snapshot, snapshot.node(**ix))) {
        if let Some(id) = rows::truthy_id(snapshot.node(*ix)) {
            entry[id.index()] = Some(*ix);
        }
    }
    let caller = |id: Sym| entry[id.index()].and_then(|ix| snapshot.node(ix).called_by).filter(|caller| entry[caller.index()].is_some());
    let top = follow(entry.len(), caller, |id: Sym| caller(id).is_none().then_some(id));
    let mut length = vec![0usize; entry.len()];
    let mut path = Vec::new();
    let mut longest = 0;
    for start in (0..entry.len()).map(Sym::new).filter(|id| entry[id.index()].is_some() && top[id.index()].is_some()) {
        let mut at = Some(start);
        while let Some(id) = at.filter(|id| length[id.index()] == 0) {
            path.push(id);
            at = caller(id);
        }
        let mut known = at.map_or(0, |id| length[id.index()]);
        for id in path.drain(..).rev() {
            known += 1;
            length[id.index()] = known;
        }
        longest = longest.max(known);
    }
    longest
}

/// Whether a row becomes an entry of the graph.
fn is_entry(snapshot: &Snapshot, node: &Node) -> bool {
    let Some(id) = rows::truthy_id(node).map(|id| snapshot.text(id)) else { return false };
    let followup = node.marks.source_followup && rows::role(node) == Some(Sym::USER);
    let runtime = node.marks.display_runtime && node.role != Role::Other;
    !id.starts_with("summary_") && !id.starts_with("k_") && !followup && !runtime
}

/// From where the spawned branches among the messages started. Quirk kept: attach rows of today's writers never get here.
pub(super) fn spawned_from(snapshot: &Snapshot, raw: &[NodeIx], messages: &[Message]) -> Vec<SpawnedFrom> {
    let is_source = |ix: &&NodeIx| rows::is_attach(snapshot.node(**ix)) && is_entry(snapshot, snapshot.node(**ix));
    let sources: Vec<NodeIx> = raw.iter().filter(is_source).copied().collect();
    if sources.is_empty() {
        return Vec::new();
    }
    let graph = Graph::of(snapshot, raw);
    let mut by_root: HashMap<Sym, Vec<(Sym, NodeIx)>> = HashMap::new();
    for attach in sources {
        let node = snapshot.node(attach);
        let parent = rows::parent(node).filter(|parent| *parent != Sym::EMPTY);
        let Some(caller) = parent.or_else(|| caller(snapshot, attach)) else { continue };
        if let Some(root) = branch_end(snapshot, node).and_then(|end| graph.spawn_root(end)) {
            by_root.entry(root).or_default().push((caller, attach));
        }
    }
    let from = |message: usize, (caller, attach): (Sym, NodeIx)| SpawnedFrom { message, caller, attach };
    let shown = messages.iter().enumerate().filter_map(|(index, message)| Some((index, rows::id(snapshot.node(message.node))?)));
    shown.flat_map(|(index, id)| by_root.get(&id).into_iter().flatten().map(move |cause| from(index, *cause))).collect()
}

/// A row's `caller`, which its metadata can replace, where it is not falsy and names anything.
fn caller(snapshot: &Snapshot, ix: NodeIx) -> Option<Sym> {
    let row = bare(snapshot, ix, false);
    let caller = row.text("caller").filter(|caller| !caller.is_empty())?;
    snapshot.symbol(&caller)
}

/// The head of the branch that an attach row points to.
pub(in crate::history) fn branch_end(snapshot: &Snapshot, attach: &Node) -> Option<Sym> {
    snapshot.symbol(&snapshot.attach_text(attach, "head_id")?)
}

/// The entries of the graph by id, with the pointers that the layout gives them.
struct Graph<'a> {
    snapshot: &'a Snapshot,
    entry: Vec<Option<NodeIx>>,
    parent: Vec<Option<Sym>>,
}

impl<'a> Graph<'a> {
    fn of(snapshot: &'a Snapshot, raw: &[NodeIx]) -> Self {
        let symbols = snapshot.symbol_count();
        let mut graph = Graph { snapshot, entry: vec![None; symbols], parent: vec![None; symbols] };
        let mut attach_of: Vec<Option<Sym>> = vec![None; symbols];
        for ix in raw.iter().filter(|ix| rows::is_attach(snapshot.node(**ix))) {
            if let Some(caller) = snapshot.node(*ix).called_by.or_else(|| caller(snapshot, *ix)) {
                attach_of[caller.index()] = rows::truthy_id(snapshot.node(*ix));
            }
        }
        // Replies to an automatic follow-up hang on the card that the follow-up came from.
        let mut moved: Vec<Option<Sym>> = vec![None; symbols];
        for node in raw.iter().map(|ix| snapshot.node(*ix)).filter(|node| node.marks.source_followup && rows::role(node) == Some(Sym::USER))
        {
            if let (Some(id), Some(parent)) = (rows::truthy_id(node), rows::parent(node)) {
                moved[id.index()] = attach_of[parent.index()];
            }
        }
        for ix in raw.iter().filter(|ix| is_entry(snapshot, snapshot.node(**ix))) {
            let node = snapshot.node(*ix);
            let Some(id) = rows::truthy_id(node) else { continue };
            let parent = rows::parent(node);
            let reply = node.marks.source_followup && rows::role(node) == Some(Sym::ASSISTANT);
            graph.entry[id.index()] = Some(*ix);
            graph.parent[id.index()] = parent.and_then(|parent| moved[parent.index()].filter(|_| reply)).or(parent);
        }
        graph
    }

    /// The first turn of the spawned branch that ends at a row.
    fn spawn_root(&self, end: Sym) -> Option<Sym> {
        let mut at = Some(end);
        for _ in 0..=MAX_HOPS {
            let id = at?;
            let node = self.snapshot.node(self.entry[id.index()]?);
            if node.marks.source_spawn && rows::role(node) == Some(Sym::USER) {
                return Some(id);
            }
            at = self.parent[id.index()].filter(|parent| *parent != Sym::EMPTY);
        }
        None
    }
}
