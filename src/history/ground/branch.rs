//! The branch walk, the legacy program's second opinion on what belongs to the conversation (`legacy.md` §4).

use super::rows::is_visible;
use super::sequence::sequence;
use crate::dag::{Node, NodeIx, Number, Snapshot, Stored, Sym};

/// The nodes from the stored head back, first one first, hidden ones left out.
pub(in crate::history) fn branch_walk(snapshot: &Snapshot) -> Vec<NodeIx> {
    let mut walk = Vec::new();
    let mut seen = vec![false; snapshot.symbol_count()];
    let mut bridge = None;
    let mut next = snapshot.head().filter(|head| !head.unhashable).map(|head| head.id);
    while let Some(id) = next {
        let Some(ix) = snapshot.last_with_id(id).filter(|_| !std::mem::replace(&mut seen[id.index()], true)) else { break };
        walk.push(ix);
        let node = snapshot.node(ix);
        next = conversation_parent(node)
            .or(node.called_by.filter(|caller| *caller != Sym::ROOT))
            .or_else(|| bridge.get_or_insert_with(|| Bridge::build(snapshot)).before(snapshot, ix));
    }
    walk.reverse();
    // Quirk kept: hidden nodes are walked through, not stopped at.
    walk.retain(|ix| is_visible(snapshot.node(*ix)));
    walk
}

/// `metadata.parent_id` where it is not falsy.
fn conversation_parent(node: &Node) -> Option<Sym> {
    match node.parent_id {
        Stored::Text(Sym::EMPTY) | Stored::Null | Stored::Absent => None,
        Stored::Text(parent) => Some(parent),
    }
}

/// The one place where two conversations without a connecting edge are joined.
struct Bridge {
    /// The rows at top level in list order, and the greatest number up to each.
    top: Vec<(NodeIx, Number)>,
    numbers: Vec<Number>,
    followed: Vec<bool>,
}

impl Bridge {
    fn build(snapshot: &Snapshot) -> Self {
        let numbers = sequence(snapshot);
        let mut followed = vec![false; snapshot.symbol_count()];
        let mut top: Vec<(NodeIx, Number)> = Vec::new();
        for ix in snapshot.list() {
            let node = snapshot.node(ix);
            if let Some(parent) = conversation_parent(node) {
                followed[parent.index()] = true;
            } else if matches!(node.called_by, None | Some(Sym::ROOT)) && !node.marks.display_root {
                let own = numbers[ix.index()];
                let greatest = match top.last() {
                    Some((_, before)) if own.ordered() && before.compare(own).is_ge() => *before,
                    Some(_) | None => own,
                };
                // Nothing is lower than what has no order.
                top.push((ix, if greatest.ordered() { greatest } else { Number::Float(f64::INFINITY) }));
            }
        }
        Bridge { top, numbers, followed }
    }

    /// The last row before the first that is not lower. Quirk kept: a row that anything names as its parent is no bridge, so a
    /// turn that was answered never is one.
    fn before(&self, snapshot: &Snapshot, ix: NodeIx) -> Option<Sym> {
        let own = self.numbers[ix.index()];
        if !own.ordered() {
            return None;
        }
        let lower = self.top.partition_point(|(_, greatest)| greatest.compare(own).is_lt());
        let (candidate, _) = self.top.get(lower.checked_sub(1)?)?;
        Some(snapshot.node(*candidate).id).filter(|id| !self.followed[id.index()])
    }
}
