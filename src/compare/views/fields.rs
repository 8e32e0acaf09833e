//! Every key of a message that no other view owns.

use serde_json::json;

use super::super::classify::{Difference, Judged};
use super::super::findings::Findings;
use super::Pair;
use crate::dag::{NodeIx, Role};
use crate::history::{Field, Form, Message, Row};
use crate::step::Rung;

/// Keys that other views own.
const ELSEWHERE: [&str; 8] =
    ["id", "parent_id", "tool_calls", "context_tree", "sibling_index", "sibling_total", "prev_sibling_id", "next_sibling_id"];
/// Keys that a signature may name; any other one stands as `other`, for a key can be private, too.
const NAMED: [&str; 14] = [
    "role",
    "content",
    "timestamp",
    "status",
    "blocks",
    "function",
    "display",
    "type",
    "source",
    "extra",
    "attach",
    "caller",
    "called_by",
    "spawned_from",
];

pub(super) fn compare(pair: &Pair<'_>, findings: &mut Findings) {
    let (control, candidate) = (pair.control.history, pair.candidate.history);
    if control.rung != Rung::Ground && control.spawned_from.is_empty() && candidate.spawned_from.is_empty() {
        // Above Ground a row is one function of its node.
        return;
    }
    for (place, was, is) in pair.shared() {
        let (old, new) = (&control.messages[was], &candidate.messages[is]);
        let may_differ = rows_may_differ(pair, old, new) || control.spawned_from(was).or(candidate.spawned_from(is)).is_some();
        if !may_differ || (old.form == Form::Card) != (new.form == Form::Card) {
            continue;
        }
        let (old, new) = (control.row(pair.snapshot, was), candidate.row(pair.snapshot, is));
        for key in keys(&old, &new) {
            if old.get(key) != new.get(key) {
                let better = as_the_file_says(pair, pair.snapshot.edges().node(place), key, new.get(key));
                let named = NAMED.into_iter().find(|name| *name == key).unwrap_or("other");
                let show = |field: Option<&Field<'_>>| json!({"node": pair.id(place), "field": named, "there": field.is_some()});
                findings.add(Difference::Fields(Judged::better(better)), [pair.kind(place), named], || {
                    (show(old.get(key)), show(new.get(key)))
                });
            }
        }
    }
}

/// Whether the rows of two messages of one id can differ at all, apart from what other views own.
fn rows_may_differ(pair: &Pair<'_>, old: &Message, new: &Message) -> bool {
    let node = pair.snapshot.node(old.node);
    let unfolded = old.form != new.form && node.marks.extra;
    old.node != new.node || unfolded || node.row_id.present() || (node.row_role.present() && node.role != Role::Other)
}

/// The keys of both rows, each once.
fn keys<'r>(old: &'r Row<'_>, new: &'r Row<'_>) -> Vec<&'r str> {
    let own = |row: &'r Row<'_>| row.fields().map(|(key, _)| key).filter(|key| !ELSEWHERE.contains(key));
    own(old).chain(own(new).filter(|key| old.get(key).is_none())).collect()
}

/// Whether the candidate's value is what the file of the node that counts says.
fn as_the_file_says(pair: &Pair<'_>, node: NodeIx, key: &str, value: Option<&Field<'_>>) -> bool {
    let node = pair.snapshot.node(node);
    let member = |name| pair.snapshot.member(node, name);
    let text = |value: Option<&Field<'_>>| value.and_then(|value| value.string().map(|text| text.into_owned()));
    match (key, node.role) {
        ("role", Role::User) => text(value).as_deref() == Some("user"),
        ("role", Role::Llm) => matches!(text(value).as_deref(), Some("assistant" | "system")),
        ("role", Role::Code) => matches!(text(value).as_deref(), Some("tool" | "assistant")),
        ("blocks", _) => value.is_some(),
        ("spawned_from", _) => value.is_some(),
        ("content", _) => value.is_some_and(|value| member("output").is_some_and(|output| value.says(output))),
        ("timestamp", _) => value.is_some_and(|value| member("created_at").is_some_and(|time| value.says(time))),
        _ => match pair.snapshot.metadata_member(node, key) {
            Some(stored) => value.is_some_and(|value| value.says(stored)),
            // What the metadata does not hold is made from the rest of the file, and the copy that counts is the right source.
            None => true,
        },
    }
}
