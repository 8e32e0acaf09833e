//! The head, the linear chain, and the fallback (`legacy.md` §6.2 to §6.4).

use super::branch::branch_walk;
use super::folding::Folded;
use super::rows;
use crate::dag::{NodeIx, Snapshot, Sym};

/// Hops from a head that was folded away to a row that was not.
const MAX_HOPS: usize = 100;

/// The list before anything is spliced in.
pub(super) struct Chain {
    pub(super) head: Option<Sym>,
    pub(super) rows: Vec<NodeIx>,
    pub(super) fallback_used: bool,
}

/// Finds the head, walks, and falls back.
pub(super) fn chain(snapshot: &Snapshot, folded: &Folded) -> Chain {
    let by_id = last_by_id(snapshot, &folded.rows);
    let stored = snapshot.head().map(|head| head.id);
    let last = || folded.rows.last().and_then(|ix| rows::id(snapshot.node(*ix)));
    let head = stored.or_else(last).map(|head| surviving(snapshot, folded, &by_id, head));
    let walked = match head.filter(|head| *head != Sym::EMPTY) {
        Some(head) => walk(snapshot, &by_id, head),
        None => folded.rows.clone(),
    };
    // Quirk kept: lengths of folded and unfolded lists are compared, and the walk starts at the stored head, not the one found here.
    if walked.len() < folded.rows.len() {
        let branch = branch_walk(snapshot);
        if branch.len() > walked.len() {
            return Chain { head, rows: branch, fallback_used: true };
        }
    }
    Chain { head, rows: walked, fallback_used: false }
}

/// Row by id; the last one wins.
pub(super) fn last_by_id(snapshot: &Snapshot, list: &[NodeIx]) -> Vec<Option<NodeIx>> {
    let mut by_id = vec![None; snapshot.symbol_count()];
    for ix in list {
        if let Some(id) = rows::truthy_id(snapshot.node(*ix)) {
            by_id[id.index()] = Some(*ix);
        }
    }
    by_id
}

/// A head that is no row any more moves up over the raw rows to one that is.
fn surviving(snapshot: &Snapshot, folded: &Folded, by_id: &[Option<NodeIx>], head: Sym) -> Sym {
    if head == Sym::EMPTY || by_id[head.index()].is_some() {
        return head;
    }
    let raw = last_by_id(snapshot, &folded.raw);
    let mut at = head;
    for _ in 0..MAX_HOPS {
        let parent = raw[at.index()].and_then(|ix| rows::parent(snapshot.node(ix)));
        let Some(parent) = parent.filter(|parent| *parent != Sym::EMPTY && *parent != at) else { return head };
        if by_id[parent.index()].is_some() {
            return parent;
        }
        at = parent;
    }
    head
}

fn walk(snapshot: &Snapshot, by_id: &[Option<NodeIx>], head: Sym) -> Vec<NodeIx> {
    let mut seen = vec![false; by_id.len()];
    let mut walked = Vec::new();
    let mut next = Some(head);
    while let Some(ix) = next.and_then(|id| by_id[id.index()].filter(|_| !std::mem::replace(&mut seen[id.index()], true))) {
        walked.push(ix);
        next = rows::parent(snapshot.node(ix)).filter(|parent| *parent != Sym::EMPTY);
    }
    walked.reverse();
    walked
}
