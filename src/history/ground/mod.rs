//! Ground: the legacy path, quirk by quirk. Frozen: no later work edits it to make a step look better.

mod branch;
mod cards;
mod chain;
mod folding;
mod graph;
mod rows;
mod sequence;
mod siblings;
mod splice;

pub(super) use branch::branch_walk;
pub(super) use graph::branch_end;
pub(super) use rows::id as shown_id;
pub(super) use sequence::sequence;

use super::error::HistoryError;
use super::message::{Form, History, Message, Pointer};
use super::row::bare;
use crate::dag::{NodeIx, Refusal, Snapshot, ToolCalls};
use crate::step::Rung;
use cards::{Kept, cards};
use folding::Folded;
use siblings::Families;

/// What the legacy program shows of a snapshot, or the error that it ends with.
pub(super) fn history(snapshot: &Snapshot) -> History {
    load(snapshot).unwrap_or_else(|error| History {
        rung: Rung::Ground,
        head: None,
        messages: Vec::new(),
        tools: Vec::new(),
        spawned_from: Vec::new(),
        fallback_used: false,
        error: Some(error),
    })
}

fn load(snapshot: &Snapshot) -> Result<History, HistoryError> {
    if let Some(refusal) = snapshot.refusal() {
        return Err(HistoryError::Refused { reason: reason(refusal) });
    }
    if snapshot.head().is_some_and(|head| head.unhashable) {
        return Err(HistoryError::Raised { reason: "the stored head is a list or an object" });
    }
    let folded = Folded::of(snapshot);
    let chain = chain::chain(snapshot, &folded);
    let spliced = splice::splice(snapshot, &folded.rows, chain.rows);
    let kept = cards(snapshot, &folded.rows, &spliced)?;
    let families = Families::of(snapshot, &folded);
    let mut history = History {
        rung: Rung::Ground,
        head: chain.head,
        messages: Vec::with_capacity(kept.len()),
        tools: Vec::new(),
        spawned_from: Vec::new(),
        fallback_used: chain.fallback_used,
        error: None,
    };
    for row in &kept {
        check_attach(snapshot, row.node)?;
        let unfolded = folded.unfolded || (chain.fallback_used && !row.beside);
        let message = message(snapshot, &folded, &families, row, unfolded, &mut history.tools);
        history.messages.push(message);
    }
    // Whatever became of the folding, the graph is laid out over all visible rows.
    let visible = rows::raw(snapshot);
    graph::check(snapshot, &visible)?;
    history.spawned_from = graph::spawned_from(snapshot, &visible, &history.messages);
    Ok(history)
}

fn message(snapshot: &Snapshot, folded: &Folded, families: &Families<'_>, row: &Kept, unfolded: bool, tools: &mut Vec<NodeIx>) -> Message {
    let node = snapshot.node(row.node);
    let end = |tools: &Vec<NodeIx>| u32::try_from(tools.len()).unwrap_or(u32::MAX);
    let start = end(tools);
    // Quirk kept: a list in the metadata is the node's own, so what was folded into it shows on fresh rows, too.
    if !unfolded || node.tool_calls == ToolCalls::List {
        tools.extend_from_slice(folded.tools(row.node));
    }
    Message {
        node: row.node,
        form: match (row.card, unfolded) {
            (true, _) => Form::Card,
            (false, true) => Form::Unfolded,
            (false, false) => Form::Row,
        },
        on_chain: !row.beside,
        tools: (start, end(tools)),
        pointer: Pointer::Legacy,
        siblings: families.siblings(rows::truthy_id(node)),
    }
}

/// Quirk kept: an `attach` that is no object raises where the card names a commit.
fn check_attach(snapshot: &Snapshot, ix: NodeIx) -> Result<(), HistoryError> {
    let node = snapshot.node(ix);
    if !rows::is_attach(node) || node.commit.is_none() {
        return Ok(());
    }
    let row = bare(snapshot, ix, false);
    match row.get("attach").filter(|attach| attach.truthy() && !attach.is_object()) {
        None => Ok(()),
        Some(_) => Err(HistoryError::Raised { reason: "what an attach card embeds is no object" }),
    }
}

fn reason(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::InvalidUtf8 => "a file is not UTF-8",
        Refusal::BeyondLimits => "a file is nested too deep or holds too long an integer",
        Refusal::NotAnObject => "a node file holds JSON that is no object",
        Refusal::Metadata => "the metadata of a node is no object",
        Refusal::Seq => "a sequence number is no number",
        Refusal::Unhashable => "an id or edge is a list or an object",
        Refusal::Meta => "meta.json is no object",
    }
}
