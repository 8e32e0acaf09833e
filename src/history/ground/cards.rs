//! Function runs as cards, and what a card drops from the list (`legacy.md` §6.7).

use super::rows;
use super::splice::Spliced;
use crate::dag::{NodeIx, Snapshot, Sym};
use crate::history::error::HistoryError;
use crate::history::row::Calls;

/// Levels below a card at which the legacy program runs out of stack.
const LEGACY_LEVELS: usize = 488;

/// A row that stays, whether it is a card, and whether it was set beside the conversation.
pub(super) struct Kept {
    pub(super) node: NodeIx,
    pub(super) card: bool,
    pub(super) beside: bool,
}

/// The rows of the list that stay.
pub(super) fn cards(snapshot: &Snapshot, folded: &[NodeIx], list: &[Spliced]) -> Result<Vec<Kept>, HistoryError> {
    let is_tool = |ix: NodeIx| rows::role(snapshot.node(ix)) == Some(Sym::TOOL);
    let keep = |(node, beside): Spliced, card| Kept { node, card, beside };
    if !list.iter().any(|(ix, _)| is_tool(*ix)) {
        return Ok(list.iter().map(|spliced| keep(*spliced, false)).collect());
    }
    let mut roles: Vec<Option<Sym>> = vec![None; snapshot.symbol_count()];
    let mut called: Vec<Vec<Option<Sym>>> = vec![Vec::new(); snapshot.symbol_count()];
    for node in folded.iter().map(|ix| snapshot.node(*ix)) {
        let id = rows::id(node);
        if let Some(id) = id {
            roles[id.index()] = rows::role(node);
        }
        // Quirk kept: function rows have no caller here, so what a function calls is not dropped unless a model call.
        if let Some(caller) = rows::called_by(node).filter(|caller| *caller != Sym::ROOT) {
            called[caller.index()].push(id);
        }
    }
    // Quirk kept: `null` is an id like any other; it stands behind the symbols.
    let slot = |id: Option<Sym>| id.map_or(snapshot.symbol_count(), Sym::index);
    let mut dropped = vec![false; snapshot.symbol_count() + 1];
    let mut kept = Vec::with_capacity(list.len());
    for spliced in list {
        let node = snapshot.node(spliced.0);
        let id = rows::id(node);
        if dropped[slot(id)] {
            continue;
        }
        let parent = rows::anchor(node);
        let inside = parent
            .is_some_and(|parent| parent != Sym::ROOT && matches!(roles[parent.index()], Some(Sym::ASSISTANT | Sym::TOOL | Sym::CODE)));
        let card = is_tool(spliced.0) && !inside;
        if card {
            check_depth(snapshot, id)?;
            drop_called(&called, id, &mut dropped);
        }
        kept.push(keep(*spliced, card));
    }
    Ok(kept)
}

fn drop_called(called: &[Vec<Option<Sym>>], card: Option<Sym>, dropped: &mut [bool]) {
    let mut open: Vec<Sym> = card.into_iter().collect();
    while let Some(caller) = open.pop() {
        for id in &called[caller.index()] {
            let slot = id.map_or(called.len(), Sym::index);
            if !std::mem::replace(&mut dropped[slot], true) {
                open.extend(*id);
            }
        }
    }
}

/// The legacy program builds the tree by recursion, for the id that the row shows.
fn check_depth(snapshot: &Snapshot, shown: Option<Sym>) -> Result<(), HistoryError> {
    let calls = Calls::legacy(snapshot);
    let Some(root) = shown.filter(|shown| snapshot.last_with_id(*shown).is_some()) else { return Ok(()) };
    let mut open = vec![(root, 0usize)];
    while let Some((id, level)) = open.pop() {
        if level > LEGACY_LEVELS || (level > 0 && id == root) {
            return Err(HistoryError::Raised { reason: "calls below a card form a ring or are nested too deep" });
        }
        if snapshot.last_with_id(id).is_some_and(|ix| snapshot.node(ix).marks.endless) {
            return Err(HistoryError::Raised { reason: "a duration in a card is infinite" });
        }
        open.extend(calls.by(id).iter().map(|ix| (snapshot.node(*ix).id, level + 1)));
    }
    Ok(())
}
