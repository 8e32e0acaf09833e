//! The members of an object whose values' ends are known: only the keys are scanned.

use std::borrow::Cow;

use super::raw::Raw;
use super::scan::Scanner;

/// Iterator over the members of an object.
pub struct Outlined<'a> {
    scanner: Scanner<'a>,
    ends: std::slice::Iter<'a, u32>,
    first: bool,
}

impl<'a> Outlined<'a> {
    /// The members of the object that starts at byte `at`; `ends` says where the value of each one ends.
    pub(in crate::dag) fn new(text: &'a str, at: usize, ends: &'a [u32]) -> Self {
        let mut scanner = Scanner::new(text);
        scanner.at = at;
        scanner.take(b'{');
        Outlined { scanner, ends: ends.iter(), first: true }
    }
}

impl<'a> Iterator for Outlined<'a> {
    type Item = (Cow<'a, str>, Raw<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let end = *self.ends.next()?;
        let key = self.scanner.next_key(self.first).ok()??;
        self.first = false;
        let start = self.scanner.token_at();
        self.scanner.at = end as usize;
        Some((key, self.scanner.since(start)))
    }
}
