//! Attach rows and placeholders set after the row that they name (`legacy.md` §6.5 and §6.6).

use std::collections::BTreeMap;

use super::rows;
use crate::dag::{Node, NodeIx, Snapshot, Sym, compare_floats};
use crate::history::row::bare;

/// A row of the list, and whether it was set beside the conversation.
pub(super) type Spliced = (NodeIx, bool);

/// Sets both kinds in, attach rows first.
pub(super) fn splice(snapshot: &Snapshot, folded: &[NodeIx], chain: Vec<NodeIx>) -> Vec<Spliced> {
    let chain = chain.into_iter().map(|ix| (ix, false)).collect();
    let chain = set_in(snapshot, folded, chain, rows::is_attach, rows::anchor);
    let truthy = |node: &Node| rows::parent(node).filter(|parent| *parent != Sym::EMPTY);
    set_in(snapshot, folded, chain, rows::is_placeholder, truthy)
}

fn set_in(
    snapshot: &Snapshot,
    folded: &[NodeIx],
    chain: Vec<Spliced>,
    wanted: impl Fn(&Node) -> bool,
    anchor: impl Fn(&Node) -> Option<Sym>,
) -> Vec<Spliced> {
    let candidates: Vec<NodeIx> = folded.iter().copied().filter(|ix| wanted(snapshot.node(*ix))).collect();
    if candidates.is_empty() {
        return chain;
    }
    // Quirk kept: `null` is an id like any other; it stands behind the symbols.
    let slot = |node: &Node| rows::id(node).map_or(snapshot.symbol_count(), Sym::index);
    let mut in_chain = vec![false; snapshot.symbol_count() + 1];
    for (ix, _) in &chain {
        in_chain[slot(snapshot.node(*ix))] = true;
    }
    let mut after: BTreeMap<Sym, Vec<NodeIx>> = BTreeMap::new();
    for ix in candidates {
        let node = snapshot.node(ix);
        let off_chain = !in_chain[slot(node)];
        if let Some(anchor) = anchor(node).filter(|anchor| off_chain && in_chain[anchor.index()]) {
            after.entry(anchor).or_default().push(ix);
        }
    }
    for group in after.values_mut().filter(|group| group.len() > 1) {
        let mut timed: Vec<(f64, NodeIx)> = group.iter().map(|ix| (timestamp(snapshot, *ix), *ix)).collect();
        timed.sort_by(|a, b| compare_floats(a.0, b.0));
        *group = timed.into_iter().map(|(_, ix)| ix).collect();
    }
    // Quirk kept: two rows of one id get the same rows set after each.
    let beside = |ix: NodeIx| rows::id(snapshot.node(ix)).and_then(|id| after.get(&id)).into_iter().flatten().map(|ix| (*ix, true));
    chain.iter().flat_map(|(ix, set)| std::iter::once((*ix, *set)).chain(beside(*ix))).collect()
}

fn timestamp(snapshot: &Snapshot, ix: NodeIx) -> f64 {
    bare(snapshot, ix, false).get("timestamp").map_or(0.0, |time| time.number())
}
