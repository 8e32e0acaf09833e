//! A parsed JSON tree, for the few places that need one: Python's text forms and deep equality.

use std::borrow::Cow;

use super::raw::{Kind, Raw};

/// Trees are built down to this depth; deeper values stay text.
pub const MAX_TREE_DEPTH: usize = 1000;

/// A JSON value as Python holds it: integers exact, integers and floats distinct.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer, by its digits.
    Int(&'a str),
    /// A float.
    Float(f64),
    /// A string.
    Str(Cow<'a, str>),
    /// An array.
    List(Vec<Value<'a>>),
    /// An object: equal keys are merged, the last value at the first one's place.
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// Parses a value; `None` beyond [`MAX_TREE_DEPTH`]. The recursion is bounded by that depth.
    pub(super) fn parse(raw: Raw<'a>) -> Option<Self> {
        depth_within(raw.as_text(), MAX_TREE_DEPTH).then(|| build(raw))
    }

    /// A member of an object.
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        match self {
            Value::Object(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::List(_) => None,
        }
    }
}

/// Python's `==`: 1, 1.0 and true are equal, the order of keys does not matter.
impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b || (is_zero(a) && is_zero(b)),
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Object(a), Value::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(key, value)| other.get(key).is_some_and(|twin| value == twin))
            }
            (Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Null | Value::Str(_) | Value::List(_) | Value::Object(_), _) => {
                match (self.as_float(), other.as_float()) {
                    (Some(a), Some(b)) => a == b,
                    (None | Some(_), _) => false,
                }
            }
        }
    }
}

impl Value<'_> {
    /// The number that Python compares: booleans count, nothing else does.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Value::Bool(value) => Some(f64::from(u8::from(*value))),
            Value::Int(digits) => Some(super::raw::float_of(digits)),
            Value::Float(value) => Some(*value),
            Value::Null | Value::Str(_) | Value::List(_) | Value::Object(_) => None,
        }
    }
}

fn is_zero(digits: &str) -> bool {
    digits.trim_start_matches('-') == "0"
}

fn build(raw: Raw<'_>) -> Value<'_> {
    let text = raw.as_text();
    match raw.kind() {
        Kind::Null => Value::Null,
        Kind::Bool => Value::Bool(text == "true"),
        Kind::Number if text.bytes().all(|b| b == b'-' || b.is_ascii_digit()) => Value::Int(text),
        Kind::Number => Value::Float(super::raw::float_of(text)),
        Kind::String => Value::Str(raw.string().unwrap_or_default()),
        Kind::List => Value::List(raw.items().map(build).collect()),
        Kind::Object => {
            let mut members: Vec<(Cow<'_, str>, Value<'_>)> = Vec::new();
            let mut places = hashbrown::HashMap::new();
            for (key, value) in raw.members() {
                let place = *places.entry(key.clone()).or_insert(members.len());
                match members.get_mut(place) {
                    Some(member) => member.1 = build(value),
                    None => members.push((key, build(value))),
                }
            }
            Value::Object(members)
        }
    }
}

/// Whether well-formed JSON text is nested at most `limit` levels deep.
fn depth_within(text: &str, limit: usize) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for byte in text.bytes() {
        if in_string {
            (in_string, escaped) = (escaped || byte != b'"', !escaped && byte == b'\\');
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth > limit {
            return false;
        }
    }
    true
}
