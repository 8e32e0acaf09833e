//! A message as it is served: keys and values, most of them verbatim slices of the node's file.

mod attach;
mod build;
mod card;
mod field;
mod fold;
mod source;
mod tree;

use std::borrow::Cow;
use std::io::{self, Write};

pub(super) use build::bare;
pub use field::Field;
pub(super) use tree::Calls;

use super::message::History;
use crate::dag::Snapshot;
use crate::dag::json::json_string;
use crate::step::Rung;

/// One served message.
#[derive(Clone, Debug, Default)]
pub struct Row<'s> {
    fields: Vec<(Cow<'s, str>, Field<'s>)>,
}

impl<'s> Row<'s> {
    /// The keys and values, in order.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Field<'s>)> {
        self.fields.iter().map(|(key, field)| (key.as_ref(), field))
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Field<'s>> {
        self.fields.iter().find(|(known, _)| known == key).map(|(_, field)| field)
    }

    /// The text of a key, if its value is a string.
    pub fn text(&self, key: &str) -> Option<Cow<'_, str>> {
        self.get(key)?.string()
    }

    fn truthy(&self, key: &str) -> bool {
        self.get(key).is_some_and(Field::truthy)
    }

    /// Sets a key, in place if it is there.
    fn set(&mut self, key: impl Into<Cow<'s, str>>, field: Field<'s>) {
        let key = key.into();
        match self.fields.iter_mut().find(|(known, _)| *known == key) {
            Some(known) => known.1 = field,
            None => self.fields.push((key, field)),
        }
    }

    fn remove(&mut self, key: &str) -> Option<Field<'s>> {
        let at = self.fields.iter().position(|(known, _)| known == key)?;
        Some(self.fields.remove(at).1)
    }

    /// Appends the row as a JSON object.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        for (at, (key, field)) in self.fields.iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            write_key(out, key);
            field.write_json(out);
        }
        out.push(b'}');
    }
}

fn write_key(out: &mut Vec<u8>, key: &str) {
    let plain = key.bytes().all(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\');
    if plain {
        out.push(b'"');
        out.extend_from_slice(key.as_bytes());
        out.extend_from_slice(b"\":");
    } else {
        out.extend_from_slice(json_string(key).as_bytes());
        out.push(b':');
    }
}

/// So many bytes are written at a time: a long history never stands in memory twice.
const PART: usize = 1 << 16;

impl History {
    /// The row of a message.
    pub fn row<'s>(&'s self, snapshot: &'s Snapshot, index: usize) -> Row<'s> {
        build::row(self, snapshot, index)
    }

    /// Appends all messages as a JSON list.
    pub fn write_messages(&self, snapshot: &Snapshot, out: &mut impl Write) -> io::Result<()> {
        let mut part = vec![b'['];
        for index in 0..self.messages.len() {
            if index > 0 {
                part.push(b',');
            }
            self.row(snapshot, index).write_json(&mut part);
            if part.len() > PART {
                out.write_all(&part)?;
                part.clear();
            }
        }
        part.push(b']');
        out.write_all(&part)
    }

    /// Whether rows are the node's own: above Ground, metadata can not rename them.
    fn own_rows(&self) -> bool {
        self.rung != Rung::Ground
    }
}
