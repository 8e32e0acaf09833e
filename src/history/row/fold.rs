//! Tool rows folded into the row that called them (`legacy.md` §5).

use std::borrow::Cow;

use super::build::bare;
use super::field::plain;
use super::source::{Source, json_text};
use super::{Field, Row};
use crate::dag::json::{Kind, Raw};
use crate::dag::{NodeIx, Role, Snapshot, ToolCalls};

/// Adds `tool_calls`: what the row has already, and an entry for each folded row.
pub(super) fn add_tools<'s>(row: &mut Row<'s>, snapshot: &'s Snapshot, tools: &[NodeIx], own: bool) {
    if tools.is_empty() {
        return;
    }
    let stored = row.remove("tool_calls").map(Box::new);
    let entries = tools.iter().map(|tool| entry(snapshot, *tool, own)).collect();
    row.fields.push((Cow::Borrowed("tool_calls"), Field::Calls { stored, entries }));
}

/// The entry of a folded row.
fn entry<'s>(snapshot: &'s Snapshot, ix: NodeIx, own: bool) -> Row<'s> {
    if let Some(entry) = plain_entry(snapshot, ix) {
        return entry;
    }
    let mut row = bare(snapshot, ix, own);
    let input = row.remove("extra").and_then(|extra| Some(input_of(&extra.object()?))).unwrap_or_default();
    let is_error = row.truthy("is_error");
    let mut take = |key: &str, or: Field<'s>| row.remove(key).unwrap_or(or);
    let function = take("function", Field::fixed(""));
    let function = if function.truthy() { function } else { Field::fixed("") };
    entry_row(take("id", Field::NULL), function, Field::Text(Cow::Owned(input)), take("content", Field::NULL), is_error)
}

fn entry_row<'s>(id: Field<'s>, tool: Field<'s>, input: Field<'s>, result: Field<'s>, is_error: bool) -> Row<'s> {
    let is_error = Field::Json(Cow::Borrowed(if is_error { "true" } else { "false" }));
    let fields = [("tool_call_id", id), ("tool", tool), ("input", input), ("result", result), ("is_error", is_error)];
    Row { fields: fields.into_iter().map(|(key, field)| (Cow::Borrowed(key), field)).collect() }
}

/// The entry of a function's row whose metadata replaces nothing that the entry shows: made without the detour over the row.
fn plain_entry<'s>(snapshot: &'s Snapshot, ix: NodeIx) -> Option<Row<'s>> {
    let node = snapshot.node(ix);
    let marks = &node.marks;
    let replaced = marks.extra || marks.function_present || node.row_id.present() || node.tool_calls != ToolCalls::Absent;
    if node.role != Role::Code || replaced {
        return None;
    }
    let source = Source::of(snapshot, node);
    let mut is_error = false;
    for (key, value) in source.metadata() {
        match key.as_ref() {
            "is_error" => is_error = value.truthy(),
            "content" => return None,
            _ => {}
        }
    }
    let input = match source.input.filter(|input| input.truthy()) {
        None => Field::fixed("{}"),
        Some(input) if input.kind() == Kind::String => source.field(input),
        Some(input) => Field::Text(Cow::Owned(json_text(input))),
    };
    let id = Field::Text(Cow::Borrowed(snapshot.text(node.id)));
    Some(entry_row(id, source.or_empty(source.name), input, source.output_text(), is_error))
}

/// The arguments that a row's blob holds, as text.
fn input_of(blob: &str) -> String {
    let arguments = Raw::checked(blob).and_then(|blob| blob.member("tool_use")).filter(|tool_use| tool_use.kind() == Kind::Object);
    match arguments.and_then(|tool_use| tool_use.member("arguments")) {
        None => String::new(),
        Some(arguments) if arguments.is_null() => String::new(),
        Some(arguments) => arguments.string().map_or_else(|| json_text(arguments), Cow::into_owned),
    }
}

/// Lays the blocks that an assistant's `extra` holds over the row's own.
pub(super) fn add_blocks(row: &mut Row<'_>, odd: bool) {
    if row.text("role").as_deref() != Some("assistant") {
        return;
    }
    let Some(blocks) = row.get("extra").and_then(|extra| blocks_in(extra, odd)) else { return };
    row.set("blocks", Field::Json(Cow::Owned(blocks)));
}

/// The truthy `blocks` of an object, or of the object that a string holds.
fn blocks_in(extra: &Field<'_>, odd: bool) -> Option<String> {
    let text = extra.string();
    // A text is no part of the file's own JSON: it can hold NaN in a file that is not odd.
    let (blocks, odd) = match &text {
        Some(text) => Raw::member_of_text(text, "blocks")?,
        None => (extra.raw()?.member("blocks")?, odd),
    };
    blocks.truthy().then(|| if odd { plain(blocks).into_owned() } else { blocks.as_text().to_owned() })
}
