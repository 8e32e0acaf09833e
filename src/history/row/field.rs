//! A value of a row.

use std::borrow::Cow;

use super::Row;
use crate::dag::json::{Kind, Raw, Value, dumps, json_string};

/// A value of a row: a slice of the source, or one of the few that are made.
#[derive(Clone, Debug)]
pub enum Field<'s> {
    /// As it stands in the file; `odd` where the file may hold what plain JSON can not carry.
    Source {
        /// The text.
        raw: Raw<'s>,
        /// Sanitize when writing.
        odd: bool,
    },
    /// A made string.
    Text(Cow<'s, str>),
    /// A made number.
    Number(u32),
    /// A made time in seconds.
    Time(f64),
    /// Made JSON.
    Json(Cow<'s, str>),
    /// The tool calls of a row: what its metadata holds already, and the rows that were folded into it.
    Calls {
        /// The list that the metadata holds.
        stored: Option<Box<Field<'s>>>,
        /// The entries of the folded rows.
        entries: Vec<Row<'s>>,
    },
}

impl<'s> Field<'s> {
    /// `null`
    pub(super) const NULL: Field<'static> = Field::Json(Cow::Borrowed("null"));

    /// A fixed text.
    pub(super) fn fixed(text: &'static str) -> Field<'s> {
        Field::Text(Cow::Borrowed(text))
    }

    /// The value as source text, if it is any.
    pub(super) fn raw(&self) -> Option<Raw<'_>> {
        match self {
            Field::Source { raw, .. } => Some(*raw),
            Field::Json(text) => Raw::checked(text),
            Field::Text(_) | Field::Number(_) | Field::Time(_) | Field::Calls { .. } => None,
        }
    }

    /// The text of a string.
    pub fn string(&self) -> Option<Cow<'_, str>> {
        match self {
            Field::Text(text) => Some(Cow::Borrowed(text)),
            Field::Source { raw, .. } => raw.string(),
            Field::Json(_) | Field::Number(_) | Field::Time(_) | Field::Calls { .. } => None,
        }
    }

    /// The number; 0 for anything else.
    pub(in crate::history) fn number(&self) -> f64 {
        match self {
            Field::Number(number) => f64::from(*number),
            Field::Time(time) => *time,
            Field::Source { .. } | Field::Json(_) => self.raw().map_or(0.0, Raw::number),
            Field::Text(_) | Field::Calls { .. } => 0.0,
        }
    }

    /// Whether the field says what a value of the file says.
    pub fn says(&self, raw: Raw<'_>) -> bool {
        let (Some(stored), true) = (raw.parse(), raw.kind() == Kind::String || self.string().is_none()) else {
            return false;
        };
        match self.string() {
            Some(text) => raw.string().is_some_and(|stored| stored == text),
            None => self.raw().and_then(Raw::parse).is_some_and(|value| value == stored),
        }
    }

    /// Whether the value was made up for want of one.
    pub(in crate::history) fn is_made_up(&self) -> bool {
        matches!(self, Field::Time(_))
    }

    /// Whether the value is an object.
    pub(in crate::history) fn is_object(&self) -> bool {
        self.raw().is_some_and(|raw| raw.kind() == Kind::Object)
    }

    /// Python's truth.
    pub(in crate::history) fn truthy(&self) -> bool {
        match self {
            Field::Text(text) => !text.is_empty(),
            Field::Number(number) => *number != 0,
            Field::Time(time) => *time != 0.0,
            Field::Calls { entries, .. } => !entries.is_empty(),
            Field::Source { .. } | Field::Json(_) => self.raw().is_some_and(Raw::truthy),
        }
    }

    /// An object: the value itself, or what its string holds.
    pub(super) fn object(&self) -> Option<Cow<'_, str>> {
        let object = |text: &str| Raw::checked(text).is_some_and(|raw| raw.kind() == Kind::Object);
        match self.string() {
            Some(text) => object(&text).then_some(text),
            None => self.raw().filter(|raw| raw.kind() == Kind::Object).map(|raw| Cow::Borrowed(raw.as_text())),
        }
    }

    /// Appends the value as JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        match self {
            Field::Source { raw, odd: false } => out.extend_from_slice(raw.as_text().as_bytes()),
            Field::Source { raw, odd: true } => out.extend_from_slice(plain(*raw).as_bytes()),
            Field::Json(text) => out.extend_from_slice(text.as_bytes()),
            Field::Text(text) => write_text(out, text),
            Field::Calls { stored, entries } => write_calls(out, stored.as_deref(), entries),
            Field::Number(number) => out.extend_from_slice(number.to_string().as_bytes()),
            Field::Time(time) => out.extend_from_slice(time.to_string().as_bytes()),
        }
    }
}

/// Appends a string; most hold nothing that has to be escaped.
fn write_text(out: &mut Vec<u8>, text: &str) {
    if text.bytes().all(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(json_string(text).as_bytes());
    }
}

fn write_calls(out: &mut Vec<u8>, stored: Option<&Field<'_>>, entries: &[Row<'_>]) {
    let start = out.len();
    for item in stored.and_then(Field::raw).into_iter().flat_map(Raw::items) {
        out.push(if out.len() == start { b'[' } else { b',' });
        out.extend_from_slice(plain(item).as_bytes());
    }
    for entry in entries {
        out.push(if out.len() == start { b'[' } else { b',' });
        entry.write_json(out);
    }
    out.push(b']');
}

/// Equal as JSON: by what the value says, not by how it is written.
impl PartialEq for Field<'_> {
    fn eq(&self, other: &Self) -> bool {
        let text = |field: &Self| {
            let mut out = Vec::new();
            field.write_json(&mut out);
            String::from_utf8(out).unwrap_or_default()
        };
        let (a, b) = (text(self), text(other));
        a == b || matches!((tree(&a), tree(&b)), (Some(a), Some(b)) if a == b)
    }
}

fn tree(text: &str) -> Option<Value<'_>> {
    Raw::checked(text)?.parse()
}

/// A value that any JSON reader takes: `NaN` and the infinities are `null`, as a browser would write them, the escape of a lone
/// surrogate is text, and what is nested too deep for a tree is `null`.
pub(super) fn plain(raw: Raw<'_>) -> Cow<'_, str> {
    raw.parse().map_or(Cow::Borrowed("null"), |mut value| {
        make_finite(&mut value);
        Cow::Owned(dumps(&value))
    })
}

fn make_finite(value: &mut Value<'_>) {
    match value {
        Value::Float(float) if !float.is_finite() => *value = Value::Null,
        Value::List(items) => items.iter_mut().for_each(make_finite),
        Value::Object(members) => members.iter_mut().for_each(|(_, member)| make_finite(member)),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
    }
}
