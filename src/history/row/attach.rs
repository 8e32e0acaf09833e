//! What an attach card says of the branch it embeds (`legacy.md` §8 and §9.4).

use std::borrow::Cow;

use super::field::plain;
use super::source::object_text;
use super::{Field, Row};
use crate::dag::json::{Kind, Raw, json_string, strip};
use crate::dag::{Node, Snapshot};
use crate::history::message::SpawnedFrom;

/// Completes `attach` by the commit that the card names, if it names one.
pub(super) fn complete(row: &mut Row<'_>, snapshot: &Snapshot, card: &Node) {
    let Some(id) = card.commit.map(|id| snapshot.text(id)) else { return };
    let own = row.get("attach").filter(|attach| attach.truthy()).and_then(Field::object).unwrap_or(Cow::Borrowed("{}"));
    let members = Raw::checked(&own).into_iter().flat_map(Raw::members);
    let mut members: Vec<(String, String)> = members.map(|(key, value)| (key.into_owned(), plain(value).into_owned())).collect();
    let mut set = |key: &str, value: String, replace: bool| match members.iter_mut().find(|(known, _)| known == key) {
        Some(member) if replace => member.1 = value,
        Some(_) => {}
        None => members.push((key.to_owned(), value)),
    };
    set("source_commit_id", json_string(id), false);
    if let Some((count, tokens)) = snapshot.commit(id).and_then(embedded) {
        set("embed_count", count.to_string(), true);
        set("embed_tokens", tokens.to_string(), true);
    }
    row.set("attach", Field::Json(Cow::Owned(object_text(members))));
}

/// How many items a commit embeds, and of how many tokens; `None` where it is no commit.
fn embedded(commit: Raw<'_>) -> Option<(usize, i128)> {
    commit.member("id")?;
    commit.member("session_id")?;
    let items = commit.member("items").filter(|items| items.kind() == Kind::List);
    let (mut count, mut tokens) = (0, 0);
    for item in items.iter().flat_map(|items| items.items()) {
        item.member("source_node_id")?;
        item.member("role")?;
        if item.member("state").and_then(Raw::string).as_deref() != Some("summarized") {
            count += 1;
            tokens += item.member("tokens").filter(|tokens| tokens.truthy()).map_or(Some(0), whole)?;
        }
    }
    Some((count, tokens))
}

/// Python's `int()` of a number or of a string of digits.
#[expect(clippy::cast_possible_truncation, reason = "tokens are counted in numbers far below the limits of both types")]
fn whole(raw: Raw<'_>) -> Option<i128> {
    match raw.string() {
        Some(text) => strip(&text).parse().ok(),
        None => raw.as_text().parse().ok().or(Some(raw.number().trunc() as i128)),
    }
}

/// The `spawned_from` of a message.
pub(super) fn spawned_from<'s>(snapshot: &'s Snapshot, from: &SpawnedFrom) -> Field<'s> {
    let label = snapshot.attach_text(snapshot.node(from.attach), "label").filter(|label| !label.is_empty());
    let label = label.map_or_else(|| "null".to_owned(), |label| json_string(&label));
    Field::Json(Cow::Owned(format!("{{\"caller_id\":{},\"label\":{label}}}", json_string(snapshot.text(from.caller)))))
}
