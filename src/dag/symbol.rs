//! Symbols: every id and edge of a session as a dense number.

use std::hash::BuildHasher;

use super::dense::Dense;
use hashbrown::{DefaultHashBuilder, HashTable};

/// A place in the text of a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) chunk: u32,
    pub(super) start: u32,
    pub(super) length: u32,
}

/// Some files' bytes as read, what had to be decoded behind them, and where the members of the nodes in them end.
#[derive(Default, Debug)]
pub(super) struct Chunk {
    pub(super) text: String,
    pub(super) ends: Box<[u32]>,
}

/// A place in the text of a chunk that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) length: u32,
}

impl Span {
    /// The same place in the text of the snapshot.
    pub(super) fn in_chunk(self, chunk: u32) -> Text {
        Text { chunk, start: self.start, length: self.length }
    }
}

/// The texts of a snapshot.
#[derive(Default, Debug)]
pub(super) struct Chunks(Vec<Chunk>);

impl Chunks {
    /// Adds a chunk without nodes under the next number.
    fn push(&mut self, text: String) -> u32 {
        self.0.push(Chunk { text, ends: Box::default() });
        u32::try_from(self.0.len() - 1).unwrap_or(u32::MAX)
    }

    /// Adds a text of its own.
    pub(super) fn push_whole(&mut self, text: String) -> Text {
        let length = u32::try_from(text.len()).unwrap_or(0);
        Text { chunk: self.push(text), start: 0, length }
    }

    /// Puts a chunk under its number.
    pub(super) fn put(&mut self, number: u32, chunk: Chunk) {
        let at = number as usize;
        if self.0.len() <= at {
            self.0.resize_with(at + 1, Chunk::default);
        }
        self.0[at] = chunk;
    }

    /// How many numbers are taken.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The text at a place.
    pub(super) fn text(&self, text: Text) -> &str {
        &self.0[text.chunk as usize].text[text.start as usize..(text.start + text.length) as usize]
    }

    /// Where the members of the nodes end that are in the same chunk as a text.
    pub(super) fn ends(&self, text: Text) -> &[u32] {
        &self.0[text.chunk as usize].ends
    }
}

/// A string that is or could be an id, as a dense number within one snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(Dense);

impl Sym {
    /// The empty string.
    pub const EMPTY: Sym = Sym(Dense::new(0));
    /// `ROOT`
    pub const ROOT: Sym = Sym(Dense::new(1));
    /// `user`
    pub const USER: Sym = Sym(Dense::new(2));
    /// `assistant`
    pub const ASSISTANT: Sym = Sym(Dense::new(3));
    /// `tool`
    pub const TOOL: Sym = Sym(Dense::new(4));
    /// `code`
    pub const CODE: Sym = Sym(Dense::new(5));
    /// `system`
    pub const SYSTEM: Sym = Sym(Dense::new(6));
    const FIXED: [&'static str; 7] = ["", "ROOT", "user", "assistant", "tool", "code", "system"];

    /// The symbol with a dense number.
    pub fn new(index: usize) -> Self {
        Sym(Dense::new(index))
    }

    /// The dense number.
    pub fn index(self) -> usize {
        self.0.index()
    }
}

/// The table of symbols.
#[derive(Debug)]
pub(super) struct Symbols {
    texts: Vec<Text>,
    table: HashTable<Sym>,
    hasher: DefaultHashBuilder,
}

impl Symbols {
    /// A table with the fixed symbols, whose text goes into `chunks`.
    pub(super) fn new(chunks: &mut Chunks, capacity: usize) -> Self {
        let fixed = chunks.push(Sym::FIXED.concat());
        let mut symbols = Symbols {
            texts: Vec::with_capacity(capacity),
            table: HashTable::with_capacity(capacity),
            hasher: DefaultHashBuilder::default(),
        };
        let mut start = 0;
        for word in Sym::FIXED {
            let length = u32::try_from(word.len()).unwrap_or(0);
            symbols.intern(chunks, Text { chunk: fixed, start, length });
            start += length;
        }
        symbols
    }

    /// The symbol of the text at a place.
    pub(super) fn intern(&mut self, chunks: &Chunks, text: Text) -> Sym {
        let word = chunks.text(text);
        let hash = self.hasher.hash_one(word);
        if let Some(found) = self.table.find(hash, |sym| chunks.text(self.texts[sym.index()]) == word) {
            return *found;
        }
        let sym = Sym::new(self.texts.len());
        self.texts.push(text);
        let (texts, hasher) = (&self.texts, &self.hasher);
        self.table.insert_unique(hash, sym, |sym| hasher.hash_one(chunks.text(texts[sym.index()])));
        sym
    }

    /// The symbol of a word that stands nowhere yet.
    pub(super) fn intern_word(&mut self, chunks: &mut Chunks, word: String) -> Sym {
        let text = chunks.push_whole(word);
        self.intern(chunks, text)
    }

    /// The symbol of a word, if any node or edge has it.
    pub(super) fn find(&self, chunks: &Chunks, word: &str) -> Option<Sym> {
        self.table.find(self.hasher.hash_one(word), |sym| self.text(chunks, *sym) == word).copied()
    }

    /// A symbol's text.
    pub(super) fn text<'a>(&self, chunks: &'a Chunks, sym: Sym) -> &'a str {
        chunks.text(self.texts[sym.index()])
    }

    /// How many symbols there are.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }
}
