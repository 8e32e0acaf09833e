//! A run of node files read into one chunk of text and parsed there.

use std::ops::Range;

use super::super::outline::Outlines;
use super::super::symbol::{Chunk, Text};
use super::os::Identity;
use super::spine::{Parsed, Places, parse};
use crate::dag::snapshot::Refusal;

/// One node file as read.
#[derive(Clone)]
pub(in crate::dag) struct Record {
    pub(super) identity: Identity,
    /// When the file was read, in nanoseconds since 1970.
    pub(super) read_at: i64,
    pub(in crate::dag) digest: u128,
    pub(in crate::dag) body: Text,
    pub(in crate::dag) parsed: Parsed,
}

/// A chunk that is being filled. One is used for many chunks in turn, so that its memory is.
#[derive(Default)]
pub(super) struct Filling {
    pub(super) bytes: Vec<u8>,
    files: Vec<Option<File>>,
    outlines: Outlines,
}

struct File {
    range: Range<usize>,
    identity: Identity,
    read_at: i64,
}

impl Filling {
    /// Adds a file whose bytes were put at the end from `start` on.
    pub(super) fn add(&mut self, start: usize, identity: Identity, read_at: i64) {
        self.files.push(Some(File { range: start..self.bytes.len(), identity, read_at }));
        // Keeps a file that ends inside a character from being completed by the next one.
        self.bytes.push(b'\n');
    }

    /// Adds a file that can not be read.
    pub(super) fn add_unreadable(&mut self) {
        self.files.push(None);
    }

    /// Checks the encoding, parses each file, and puts the words of the spines behind them: close together, for they are
    /// looked up when the text is no longer warm. Nothing is left in here.
    pub(super) fn finish(&mut self, chunk: u32) -> (Chunk, Vec<Record>) {
        let digests: Vec<u128> = self.files.iter().flatten().map(|file| digest(&self.bytes[file.range.clone()])).collect();
        let broken = blank_broken(&mut self.bytes, self.files.iter().flatten().map(|file| &file.range));
        let text = simdutf8::basic::from_utf8(&self.bytes).unwrap_or_default();
        let mut decoded = String::new();
        let mut digests = digests.into_iter();
        let mut broken = broken.into_iter().peekable();
        let mut records = Vec::with_capacity(self.files.len());
        for file in self.files.drain(..) {
            let Some(file) = file else {
                records.push(Record::unreadable());
                continue;
            };
            let mut places = Places { text, decoded: &mut decoded, outlines: &mut self.outlines };
            let part = &text[file.range.clone()];
            let parsed = if broken.next_if_eq(&file.range.start).is_some() {
                Parsed::none(false, Some(Refusal::InvalidUtf8))
            } else {
                parse(part, &mut places)
            };
            records.push(Record {
                identity: file.identity,
                read_at: file.read_at,
                digest: digests.next().unwrap_or(0),
                body: places.slice(part).in_chunk(chunk),
                parsed,
            });
        }
        let ends = self.outlines.take();
        let mut whole = String::with_capacity(text.len() + decoded.len());
        whole.push_str(text);
        whole.push_str(&decoded);
        self.bytes.clear();
        (Chunk { text: whole, ends }, records)
    }
}

impl Record {
    /// A file that is there and can not be read: a directory, a dangling link, no permission.
    pub(super) fn unreadable() -> Self {
        Record { identity: Identity::default(), read_at: 0, digest: 0, body: Text::default(), parsed: Parsed::none(false, None) }
    }
}

/// Blanks the files that are not UTF-8 and returns the starts of their ranges.
fn blank_broken<'a>(bytes: &mut [u8], ranges: impl Iterator<Item = &'a Range<usize>>) -> Vec<usize> {
    let mut broken = Vec::new();
    if simdutf8::basic::from_utf8(bytes).is_err() {
        for range in ranges {
            if simdutf8::basic::from_utf8(&bytes[range.clone()]).is_err() {
                bytes[range.clone()].fill(b' ');
                broken.push(range.start);
            }
        }
    }
    broken
}

/// The fast 128-bit hash of some bytes: the only place that names xxhash.
pub(crate) fn digest(bytes: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(bytes)
}
