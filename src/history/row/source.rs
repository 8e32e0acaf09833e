//! A node's fields as they stand in its file, in one pass.

use std::borrow::Cow;

use super::field::{Field, plain};
use crate::dag::json::{Kind, Raw, dumps, json_string, str_of};
use crate::dag::{Node, Snapshot};

/// The fields that rows are built from; `null` counts as absent.
pub(super) struct Source<'s> {
    pub(super) created_at: Option<Raw<'s>>,
    pub(super) role: Option<Raw<'s>>,
    pub(super) name: Option<Raw<'s>>,
    pub(super) input: Option<Raw<'s>>,
    pub(super) output: Option<Raw<'s>>,
    pub(super) called_by: Option<Raw<'s>>,
    pub(super) odd: bool,
    snapshot: &'s Snapshot,
    node: &'s Node,
}

impl<'s> Source<'s> {
    pub(super) fn of(snapshot: &'s Snapshot, node: &'s Node) -> Self {
        let (created_at, role, name, input, output, called_by) = Default::default();
        let odd = snapshot.is_odd_node(node);
        let mut source = Source { created_at, role, name, input, output, called_by, odd, snapshot, node };
        for (key, value) in snapshot.members(node) {
            let place = match key.as_ref() {
                "created_at" => &mut source.created_at,
                "role" => &mut source.role,
                "name" => &mut source.name,
                "input" => &mut source.input,
                "output" => &mut source.output,
                "called_by" => &mut source.called_by,
                _ => continue,
            };
            *place = Some(value).filter(|value| !value.is_null());
        }
        source
    }

    /// A value as a field.
    pub(super) fn field(&self, raw: Raw<'s>) -> Field<'s> {
        Field::Source { raw, odd: self.odd }
    }

    /// A value as JSON that any reader takes.
    pub(super) fn written<'r>(&self, raw: Raw<'r>) -> Cow<'r, str> {
        if self.odd { plain(raw) } else { Cow::Borrowed(raw.as_text()) }
    }

    /// A value, or `""` where it is falsy.
    pub(super) fn or_empty(&self, raw: Option<Raw<'s>>) -> Field<'s> {
        self.field(raw.filter(|raw| raw.truthy()).unwrap_or(Raw::EMPTY))
    }

    /// The members of the metadata; of equal keys each one, in order.
    pub(super) fn metadata(&self) -> impl Iterator<Item = (Cow<'s, str>, Raw<'s>)> + use<'s> {
        self.snapshot.metadata(self.node)
    }

    /// A member of the metadata that is not `null`.
    pub(super) fn meta(&self, key: &str) -> Option<Raw<'s>> {
        self.snapshot.metadata_member(self.node, key).filter(|value| !value.is_null())
    }

    /// The name's text.
    pub(super) fn name(&self) -> Cow<'s, str> {
        self.name.and_then(Raw::string).unwrap_or_default()
    }

    /// The output as the content of a function's row: a string as it is, else its JSON text.
    pub(super) fn output_text(&self) -> Field<'s> {
        match self.output {
            Some(output) if output.kind() == Kind::String => self.field(output),
            output => Field::Text(Cow::Owned(json_text(output.unwrap_or(Raw::NULL)))),
        }
    }
}

/// The JSON text of an object whose values are JSON.
pub(super) fn object_text(members: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>) -> String {
    let members: Vec<String> =
        members.into_iter().map(|(key, value)| format!("{}: {}", json_string(key.as_ref()), value.as_ref())).collect();
    format!("{{{}}}", members.join(", "))
}

/// Python's JSON text of a value; as it stands where it is nested too deep.
pub(super) fn json_text(raw: Raw<'_>) -> String {
    raw.parse().map_or_else(|| raw.as_text().to_owned(), |value| dumps(&value))
}

/// Python's `str()` of a value, `""` for none.
pub(super) fn str_text(raw: Option<Raw<'_>>) -> String {
    let Some(raw) = raw.filter(|raw| raw.truthy()) else { return String::new() };
    raw.parse().map_or_else(|| raw.as_text().to_owned(), |value| str_of(&value))
}
