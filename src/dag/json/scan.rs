//! The scanner: checks the grammar, hands out spans, and notes what ordinary tools would choke on.

use std::borrow::Cow;
use std::ops::Range;

use super::raw::{self, Raw};

/// Nesting beyond this many levels makes a session odd.
const ODD_DEPTH: usize = 120;
/// Nesting beyond this many levels exceeds the recursion limit of the legacy program.
const LEGACY_DEPTH: usize = 975;
/// An integer of more digits is refused by the legacy program.
const LEGACY_DIGITS: usize = 4300;

/// The text stops being JSON at byte `at`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Offset of the first byte that does not fit.
    pub at: usize,
}

/// What the scanner met on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// `NaN`, an infinity, an integer beyond 64 bits, a lone surrogate, or deep nesting.
    pub odd: bool,
    /// Nesting or an integer that makes the legacy program give up, met before any syntax error.
    pub beyond_legacy: bool,
}

/// A cursor over JSON text. Iterative: depth costs memory, never stack.
pub struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// One entry an open container: true for an object.
    open: Vec<bool>,
    /// Levels that the caller entered by itself.
    outer: usize,
    pub(super) notes: Notes,
    /// The last string taken holds a backslash.
    pub(super) escaped: bool,
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Scanner { text, at: 0, open: Vec::new(), outer: 0, notes: Notes::default(), escaped: false }
    }

    /// What was met so far.
    pub fn notes(&self) -> Notes {
        self.notes
    }

    /// Says how many containers the caller has entered by itself, so that depth is counted from the outermost one.
    pub fn set_outer(&mut self, levels: usize) {
        self.outer = levels;
    }

    pub(super) fn error<T>(&self) -> Result<T, SyntaxError> {
        Err(SyntaxError { at: self.at })
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// The next byte that is no white space.
    pub fn peek_token(&mut self) -> Option<u8> {
        self.skip_space();
        self.peek()
    }

    /// Takes `byte` if it comes next after white space.
    pub fn take(&mut self, byte: u8) -> bool {
        let found = self.peek_token() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Takes `byte` or fails.
    pub fn expect(&mut self, byte: u8) -> Result<(), SyntaxError> {
        if self.take(byte) { Ok(()) } else { self.error() }
    }

    /// Fails unless only white space is left.
    pub fn end(&mut self) -> Result<(), SyntaxError> {
        if self.peek_token().is_none() { Ok(()) } else { self.error() }
    }

    /// The text of the next member's key inside an object whose `{` was taken; `None` takes the `}`.
    pub fn next_key(&mut self, first: bool) -> Result<Option<Cow<'a, str>>, SyntaxError> {
        let Some(inner) = self.skip_key(first)? else { return Ok(None) };
        let inner = &self.text[inner];
        Ok(Some(if self.escaped { Cow::Owned(raw::unescape(inner)) } else { Cow::Borrowed(inner) }))
    }

    /// The same without resolving the key's escapes: where it stands between its quotes.
    fn skip_key(&mut self, first: bool) -> Result<Option<Range<usize>>, SyntaxError> {
        match self.peek_token() {
            Some(b'}') => {
                self.at += 1;
                return Ok(None);
            }
            Some(b',') if !first => {
                self.at += 1;
                self.skip_space();
            }
            Some(_) if first => {}
            Some(_) | None => return self.error(),
        }
        let start = self.at + 1;
        self.string()?;
        let inner = start..self.at - 1;
        self.expect(b':')?;
        Ok(Some(inner))
    }

    /// How many bytes were taken.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Everything from byte `start` on that was taken: a whole value, if the caller saw to it.
    pub(super) fn since(&self, start: usize) -> Raw<'a> {
        Raw::trusted(&self.text[start..self.at])
    }

    /// Where the next byte stands that is no white space.
    pub fn token_at(&mut self) -> usize {
        self.skip_space();
        self.at
    }

    /// Takes one whole value.
    pub fn value(&mut self) -> Result<Raw<'a>, SyntaxError> {
        let start = self.token_at();
        match self.peek() {
            Some(b'"') => self.string()?,
            Some(b'0'..=b'9') => self.number()?,
            Some(_) | None => self.skip_value()?,
        }
        Ok(self.since(start))
    }

    fn skip_value(&mut self) -> Result<(), SyntaxError> {
        self.open.clear();
        loop {
            match self.peek_token() {
                Some(b'{') => {
                    self.push(true);
                    if self.skip_key(true)?.is_some() {
                        continue;
                    }
                    self.open.pop();
                }
                Some(b'[') => {
                    self.push(false);
                    if !self.take(b']') {
                        continue;
                    }
                    self.open.pop();
                }
                Some(b'"') => {
                    self.string()?;
                }
                Some(b'-' | b'0'..=b'9') => self.number()?,
                _ => self.literal()?,
            }
            if self.close()? {
                return Ok(());
            }
        }
    }

    fn push(&mut self, object: bool) {
        self.at += 1;
        self.open.push(object);
        let depth = self.outer + self.open.len();
        self.notes.odd |= depth > ODD_DEPTH;
        self.notes.beyond_legacy |= depth > LEGACY_DEPTH;
    }

    /// After a value: leaves the containers that end here; true when the outermost value is whole.
    fn close(&mut self) -> Result<bool, SyntaxError> {
        loop {
            match self.open.last() {
                None => return Ok(true),
                Some(true) => {
                    if self.skip_key(false)?.is_some() {
                        return Ok(false);
                    }
                }
                Some(false) => {
                    if !self.take(b']') {
                        self.expect(b',')?;
                        return Ok(false);
                    }
                }
            }
            self.open.pop();
        }
    }

    fn literal(&mut self) -> Result<(), SyntaxError> {
        let rest = &self.text.as_bytes()[self.at..];
        for word in ["null", "true", "false", "NaN", "Infinity"] {
            if rest.starts_with(word.as_bytes()) {
                self.at += word.len();
                self.notes.odd |= word.starts_with(['N', 'I']);
                return Ok(());
            }
        }
        self.error()
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        if self.peek() == Some(b'I') {
            return self.literal();
        }
        let whole = if self.peek() == Some(b'0') {
            self.at += 1;
            1
        } else {
            self.digits()
        };
        if whole == 0 {
            return self.error();
        }
        let mut float = false;
        if self.peek() == Some(b'.') {
            self.at += 1;
            float = true;
            if self.digits() == 0 {
                return self.error();
            }
        }
        let mut exponent = false;
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            exponent = true;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            if self.digits() == 0 {
                return self.error();
            }
        }
        let text = &self.text[start..self.at];
        if float || exponent {
            let huge = (exponent || whole > 300) && raw::float_of(text).is_infinite();
            self.notes.odd |= huge;
        } else if whole > 18 {
            let wide = text.parse::<i64>().is_err() && text.parse::<u64>().is_err();
            self.notes.odd |= wide;
            self.notes.beyond_legacy |= whole > LEGACY_DIGITS;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> Result<Notes, SyntaxError> {
        let mut scanner = Scanner::new(text);
        scanner.value()?;
        scanner.end()?;
        Ok(scanner.notes())
    }

    #[test]
    fn accepts_what_python_accepts() {
        for (text, odd) in [
            ("{}", false),
            (" [1, 2.5e3, -0, \"a\\u00e9\\n\", true, null] ", false),
            ("NaN", true),
            ("[-Infinity]", true),
            ("1e999", true),
            ("123456789012345678901234567890", true),
            ("18446744073709551615", false),
            ("\"\\ud83d\\ude00\"", false),
            ("\"\\ud83d\"", true),
            ("\"\\ude00\\ud83d\"", true),
        ] {
            assert_eq!(scan(text).map(|n| n.odd), Ok(odd), "{text}");
        }
    }

    #[test]
    fn refuses_what_python_refuses() {
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "01",
            "1.",
            "-",
            "+1",
            "\"\t\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"abc",
            "[1] 2",
            "\u{feff}{}",
            "nul",
            "{\"a\" 1}",
            "'a'",
            "[1 2]",
            "]",
            "{\"a\":}",
            "\"12345678\u{1}\"",
        ] {
            assert!(scan(text).is_err(), "{text}");
        }
    }

    #[test]
    fn strings_end_where_they_end_wherever_they_stand() {
        for before in 0..20 {
            for inner in ["", "\\\\", "\\\"", "a\\\\\\\"b", "\\u0041\\n", "12345678\\t!!\\\\", "é\u{7f}\u{80}ü"] {
                let text = format!("{}\"{}{inner}\" tail \"x", " ".repeat(before % 3), "x".repeat(before));
                let mut scanner = Scanner::new(&text);
                let want = format!("\"{}{inner}\"", "x".repeat(before));
                assert_eq!(scanner.value().map(Raw::as_text), Ok(want.as_str()), "{text}");
            }
            let broken = format!("\"{}\u{1}{}\"", "x".repeat(before), "y".repeat(9));
            assert_eq!(scan(&broken), Err(SyntaxError { at: before + 1 }), "{broken:?}");
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = "[".repeat(400_000) + &"]".repeat(400_000);
        assert_eq!(scan(&deep), Ok(Notes { odd: true, beyond_legacy: true }));
    }
}
