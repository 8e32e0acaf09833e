//! One JSON value as the text that it stands in, checked once and parsed on demand.

use std::borrow::Cow;

use super::scan::Scanner;
use super::value::Value;

/// What a JSON value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, `NaN` and the infinities included.
    Number,
    /// A string.
    String,
    /// An array.
    List,
    /// An object.
    Object,
}

/// A well-formed JSON value, borrowed from the text of its file, without white space around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// The value `null`.
    pub const NULL: Raw<'static> = Raw("null");

    /// The value `""`.
    pub const EMPTY: Raw<'static> = Raw("\"\"");

    /// A value that was checked when it was read, perhaps with white space around it.
    pub(in crate::dag) fn known(text: &'a str) -> Self {
        Raw(text.trim_matches([' ', '\n', '\t', '\r']))
    }

    /// Wraps text that the scanner has passed.
    pub(super) fn trusted(text: &'a str) -> Self {
        Raw(text)
    }

    /// Checks `text`; `None` if it is no JSON value.
    pub fn checked(text: &'a str) -> Option<Self> {
        let mut scanner = Scanner::new(text);
        let value = scanner.value().ok()?;
        scanner.end().ok()?;
        Some(value)
    }

    /// The text as it stands in the file.
    pub fn as_text(self) -> &'a str {
        self.0
    }

    /// What the value is.
    pub fn kind(self) -> Kind {
        match self.0.as_bytes().first() {
            Some(b'"') => Kind::String,
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::List,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'-' | b'0'..=b'9' | b'N' | b'I') => Kind::Number,
            _ => Kind::Null,
        }
    }

    /// Whether the value is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Whether Python's `if value:` would be taken.
    pub fn truthy(self) -> bool {
        match self.kind() {
            Kind::Null => false,
            Kind::Bool => self.0 == "true",
            Kind::Number => self.number() != 0.0,
            Kind::String => self.0.len() > 2,
            Kind::List | Kind::Object => !self.0[1..].trim_ascii_start().starts_with([']', '}']),
        }
    }

    /// The number as a float; 0 for anything else. Booleans count as 0 and 1.
    pub fn number(self) -> f64 {
        match self.kind() {
            Kind::Number => float_of(self.0),
            Kind::Bool => f64::from(u8::from(self.0 == "true")),
            Kind::Null | Kind::String | Kind::List | Kind::Object => 0.0,
        }
    }

    /// A string's text with its escapes resolved; `None` if the value is no string.
    pub fn string(self) -> Option<Cow<'a, str>> {
        let inner = self.0.strip_prefix('"')?.strip_suffix('"')?;
        let bytes = inner.as_bytes();
        // Most strings are keys and ids, too short for a search by vectors to pay.
        let plain = if bytes.len() < 32 { !bytes.contains(&b'\\') } else { memchr::memchr(b'\\', bytes).is_none() };
        Some(if plain { Cow::Borrowed(inner) } else { Cow::Owned(unescape(inner)) })
    }

    /// The members of an object in the order of the file, equal keys included; nothing for other values.
    pub fn members(self) -> Members<'a> {
        let mut scanner = Scanner::new(self.0);
        let done = !scanner.take(b'{');
        Members { scanner, first: true, done }
    }

    /// The items of an array; nothing for other values.
    pub fn items(self) -> impl Iterator<Item = Raw<'a>> {
        let mut scanner = Scanner::new(self.0);
        let mut more = scanner.take(b'[') && scanner.peek_token() != Some(b']');
        std::iter::from_fn(move || {
            let item = if more { scanner.value().ok() } else { None };
            more = item.is_some() && scanner.take(b',');
            item
        })
    }

    /// The value of a member; of equal keys the last one.
    pub fn member(self, name: &str) -> Option<Raw<'a>> {
        self.members().filter(|(key, _)| key == name).last().map(|(_, value)| value)
    }

    /// A member of the object that `text` holds, and whether the text holds what plain JSON can not carry; `None` where it is
    /// no well-formed object, or has no such member.
    pub fn member_of_text(text: &'a str, name: &str) -> Option<(Raw<'a>, bool)> {
        let mut scanner = Scanner::new(text);
        let mut found = None;
        let mut first = true;
        if !scanner.take(b'{') {
            return None;
        }
        while let Some(key) = scanner.next_key(first).ok()? {
            first = false;
            let value = scanner.value().ok()?;
            if key == name {
                found = Some(value);
            }
        }
        scanner.end().ok()?;
        Some((found?, scanner.notes().odd))
    }

    /// Parses the value; `None` where it is nested deeper than [`super::MAX_TREE_DEPTH`].
    pub fn parse(self) -> Option<Value<'a>> {
        Value::parse(self)
    }
}

/// Iterator over the members of an object.
pub struct Members<'a> {
    scanner: Scanner<'a>,
    first: bool,
    done: bool,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Raw<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let key = self.scanner.next_key(self.first).ok().flatten();
        self.first = false;
        let Some(key) = key else {
            self.done = true;
            return None;
        };
        let value = self.scanner.value().ok()?;
        Some((key, value))
    }
}

/// The float that a JSON number denotes, as Python reads it.
pub(super) fn float_of(text: &str) -> f64 {
    match text {
        "NaN" => f64::NAN,
        "Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        _ => text.parse().unwrap_or(f64::NAN),
    }
}

/// The code unit of a `\uXXXX` at the start of `bytes`.
pub(super) fn hex_escape(bytes: &[u8]) -> Option<u16> {
    let [b'\\', b'u', digits @ ..] = bytes.get(..6)? else { return None };
    let mut unit = 0;
    for digit in digits {
        let value = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            b'A'..=b'F' => digit - b'A' + 10,
            _ => return None,
        };
        unit = unit << 4 | u16::from(value);
    }
    Some(unit)
}

/// Resolves escapes. A lone surrogate has no character: its escape stays as it is written.
pub(super) fn unescape(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(slash) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..slash]);
        rest = &rest[slash..];
        let bytes = rest.as_bytes();
        let (character, length) = match bytes.get(1) {
            Some(b'n') => ('\n', 2),
            Some(b't') => ('\t', 2),
            Some(b'r') => ('\r', 2),
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{c}', 2),
            Some(b'u') => {
                let high = hex_escape(bytes).unwrap_or(0);
                let low = bytes.get(6..).and_then(hex_escape);
                let pair = low.and_then(|low| char::decode_utf16([high, low]).next()?.ok().filter(|c| *c > '\u{ffff}'));
                match (pair, char::from_u32(u32::from(high))) {
                    (Some(character), _) => (character, 12),
                    (None, Some(character)) => (character, 6),
                    (None, None) => ('\\', 1),
                }
            }
            Some(other) => (char::from(*other), 2),
            None => break,
        };
        out.push(character);
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Raw<'_> {
        Raw::checked(text).expect("valid JSON")
    }

    #[test]
    fn strings_are_resolved() {
        for (text, want) in [
            (r#""plain""#, "plain"),
            (r#""a\n\t\"\\\/\u00e9""#, "a\n\t\"\\/é"),
            (r#""\ud83d\ude00!""#, "😀!"),
            (r#""x\ud800y""#, "x\\ud800y"),
            (r#""\ud800\ud83d\ude00""#, "\\ud800😀"),
        ] {
            assert_eq!(raw(text).string().as_deref(), Some(want), "{text}");
        }
        assert_eq!(raw("1").string(), None);
    }

    #[test]
    fn truth_is_pythons() {
        for text in ["null", "false", "0", "0.0", "-0", "0e7", "\"\"", "[ ]", "{\n}"] {
            assert!(!raw(text).truthy(), "{text}");
        }
        for text in ["true", "NaN", "-1", "\"0\"", "[0]", "{\"a\":null}"] {
            assert!(raw(text).truthy(), "{text}");
        }
    }

    #[test]
    fn of_equal_keys_the_last_one_counts() {
        let value = raw(r#"{"a": 1, "b": {"a": 5}, "\u0061": 2}"#);
        assert_eq!(value.member("a").map(Raw::as_text), Some("2"));
        assert_eq!(value.members().count(), 3);
    }
}
