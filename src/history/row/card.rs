//! A function run's row as a card (`legacy.md` §6.7).

use std::borrow::Cow;

use super::tree::{self, Calls};
use super::{Field, Row};
use crate::dag::{NodeIx, Snapshot};
use crate::history::ground::shown_id;

/// Turns a function's row into its card.
pub(super) fn make<'s>(row: &mut Row<'s>, snapshot: &'s Snapshot, ix: NodeIx, own: bool) {
    for key in ["function", "content"] {
        if !row.truthy(key) {
            row.set(key, Field::fixed(""));
        }
    }
    if !row.truthy("status") {
        let status = if row.truthy("is_error") { "error" } else { "done" };
        row.set("status", Field::fixed(status));
    }
    row.set("role", Field::fixed("assistant"));
    row.set("type", Field::fixed("status"));
    row.set("display", Field::fixed("runtime"));
    let calls = Calls::of(snapshot, own);
    let id = if own { Some(snapshot.node(ix).id) } else { shown_id(snapshot.node(ix)) };
    row.set("context_tree", Field::Json(Cow::Owned(tree::context_tree(snapshot, &calls, id))));
}
