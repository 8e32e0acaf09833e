//! A node → the row of its message (`legacy.md` §2 and §8).

use std::borrow::Cow;
use std::collections::HashMap;

use super::source::{Source, json_text, object_text, str_text};
use super::{Field, Row, attach, card, fold};
use crate::dag::json::{Kind, Raw, json_string};
use crate::dag::{NodeIx, Role, Snapshot, Sym};
use crate::history::message::{Form, History, Message, Pointer, Siblings};

/// The row of a message.
pub(super) fn row<'s>(history: &'s History, snapshot: &'s Snapshot, index: usize) -> Row<'s> {
    let message = &history.messages[index];
    let own = history.own_rows();
    let mut row = bare(snapshot, message.node, own);
    match message.form {
        Form::Card => card::make(&mut row, snapshot, message.node, own),
        Form::Row => {
            fold::add_tools(&mut row, snapshot, message.tools(history), own);
            fold::add_blocks(&mut row, snapshot.is_odd_node(snapshot.node(message.node)));
        }
        Form::Unfolded => fold::add_tools(&mut row, snapshot, message.tools(history), own),
    }
    point(&mut row, snapshot, message);
    if row.text("function").as_deref() == Some("attach") {
        attach::complete(&mut row, snapshot, snapshot.node(message.node));
    }
    add_siblings(&mut row, snapshot, message.siblings);
    if let Some(from) = history.spawned_from(index) {
        row.set("spawned_from", attach::spawned_from(snapshot, from));
    }
    row
}

/// The row of a node by itself: before folding, cards and siblings.
pub(in crate::history) fn bare<'s>(snapshot: &'s Snapshot, ix: NodeIx, own: bool) -> Row<'s> {
    let node = snapshot.node(ix);
    let source = Source::of(snapshot, node);
    let mut row = Row { fields: Vec::with_capacity(24) };
    row.fields.push((Cow::Borrowed("id"), Field::Text(Cow::Borrowed(snapshot.text(node.id)))));
    row.fields.push((Cow::Borrowed("session_id"), Field::Text(Cow::Borrowed(snapshot.session_id()))));
    let time = source.created_at.map_or(Field::Time(snapshot.now()), |time| source.field(time));
    let caller = source.or_empty(source.called_by);
    let mut push = |key: &'static str, field| row.fields.push((Cow::Borrowed(key), field));
    match node.role {
        Role::User | Role::Llm => {
            push("role", Field::fixed(if node.role == Role::User { "user" } else { "assistant" }));
            push("content", source.or_empty(source.output));
            push("parent_id", caller.clone());
            push("timestamp", time);
            push("caller", caller);
            if node.role == Role::Llm {
                push("token_model", source.field(source.name.unwrap_or(Raw::EMPTY)));
            }
            overlay(&mut row, &source, node.role, own, &[]);
            if let Some(called_by) = source.called_by.filter(|called_by| node.role == Role::Llm && called_by.truthy()) {
                row.set("called_by", source.field(called_by));
            }
        }
        Role::Code => {
            push("role", Field::fixed("tool"));
            push("content", source.output_text());
            push("parent_id", caller);
            push("timestamp", time);
            let called_by = source.called_by.filter(|raw| raw.truthy()).or_else(|| source.meta("called_by"));
            push("caller", source.or_empty(called_by));
            push("function", source.field(source.name.unwrap_or(Raw::EMPTY)));
            let (extra, merged) = blob(&source);
            push("extra", Field::Text(Cow::Owned(extra)));
            let taken: &[&str] = if merged { &["called_by", "tool_call_id", "extra"] } else { &["called_by", "tool_call_id"] };
            overlay(&mut row, &source, node.role, own, taken);
        }
        Role::Other => {
            push("role", source.role.filter(|role| role.truthy()).map_or(Field::fixed("unknown"), |role| source.field(role)));
            push("content", Field::Text(Cow::Owned(str_text(source.output))));
            push("parent_id", caller);
            push("timestamp", time);
        }
    }
    row
}

/// Lays the metadata over the row, key by key. Above Ground it can not rename a row.
fn overlay<'s>(row: &mut Row<'s>, source: &Source<'s>, role: Role, own: bool, taken: &[&str]) {
    let mut status = false;
    let mut places = Places::default();
    for (key, value) in source.metadata() {
        let field = || source.field(value);
        match key.as_ref() {
            "role" if role == Role::Llm => {
                let shown = value.string().filter(|role| !own || role == "system" || role == "assistant");
                // Of equal keys the last one counts, also where it says nothing.
                let field = shown.filter(|_| value.truthy()).map_or(Field::fixed("assistant"), |_| field());
                let odd = !own && value.truthy() && value.kind() != Kind::String;
                row.set("role", if odd { source.field(value) } else { field });
            }
            "id" | "role" if own => {}
            key if taken.contains(&key) => {}
            name => {
                status |= name == "status";
                match places.of(row, name) {
                    Some(at) => row.fields[at].1 = field(),
                    None => row.fields.push((key, field())),
                }
            }
        }
    }
    if !status {
        row.fields.push((Cow::Borrowed("status"), Field::fixed("done")));
    }
}

/// Where the keys of a growing row stand: looked through while they are few, in a map when they are many.
#[derive(Default)]
struct Places<'s> {
    map: HashMap<Cow<'s, str>, usize>,
}

impl<'s> Places<'s> {
    /// So many keys are looked through faster than they are hashed.
    const FEW: usize = 64;

    fn of(&mut self, row: &Row<'s>, name: &str) -> Option<usize> {
        if row.fields.len() <= Self::FEW {
            return row.fields.iter().position(|(known, _)| known == name);
        }
        for (at, (key, _)) in row.fields.iter().enumerate().skip(self.map.len()) {
            self.map.insert(key.clone(), at);
        }
        self.map.get(name).copied()
    }
}

/// The JSON text that the writers keep with a function's row, and whether the metadata's own object went into it.
fn blob(source: &Source<'_>) -> (String, bool) {
    let arguments = source.input.filter(|input| input.truthy()).map_or_else(|| "{}".to_owned(), json_text);
    let called_by = source.meta("called_by").filter(|raw| raw.truthy()).map_or_else(|| "\"\"".to_owned(), json_text);
    let name = source.name.map_or_else(|| json_string(&source.name()), json_text);
    let call = source
        .meta("tool_call_id")
        .filter(|raw| raw.truthy())
        .map_or_else(String::new, |id| format!(", \"tool_call_id\": {}", json_text(id)));
    let tool_use = format!("{{\"name\": {name}, \"arguments\": {arguments}, \"called_by\": {called_by}{call}}}");
    let extra = source.meta("extra").filter(|extra| extra.kind() == Kind::Object);
    let mut members = vec![("tool_use".to_owned(), tool_use)];
    for (key, value) in extra.iter().flat_map(|extra| extra.members()) {
        let text = json_text(value);
        match members.iter_mut().find(|(known, _)| *known == key) {
            Some(member) => member.1 = text,
            None => members.push((key.into_owned(), text)),
        }
    }
    (object_text(members), extra.is_some())
}

fn point<'s>(row: &mut Row<'s>, snapshot: &'s Snapshot, message: &Message) {
    match message.pointer {
        Pointer::Legacy if message.form == Form::Card => row.set("parent_id", Field::fixed("")),
        Pointer::Legacy => {}
        Pointer::Is(None) => row.set("parent_id", Field::NULL),
        Pointer::Is(Some(id)) => row.set("parent_id", Field::Text(Cow::Borrowed(snapshot.text(id)))),
        Pointer::Omitted => {
            row.remove("parent_id");
        }
    }
}

fn add_siblings<'s>(row: &mut Row<'s>, snapshot: &'s Snapshot, siblings: Siblings) {
    let leaf = |leaf: Option<Sym>| leaf.map_or(Field::NULL, |leaf| Field::Text(Cow::Borrowed(snapshot.text(leaf))));
    row.set("sibling_index", Field::Number(siblings.index));
    row.set("sibling_total", Field::Number(siblings.total));
    row.set("prev_sibling_id", leaf(siblings.previous));
    row.set("next_sibling_id", leaf(siblings.next));
}
