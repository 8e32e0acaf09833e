//! Strings, the part of the scanner in which it spends its time.

use super::raw;
use super::scan::{Scanner, SyntaxError};

impl Scanner<'_> {
    /// Takes a string whose opening quote comes next, eight bytes at a time.
    pub(super) fn string(&mut self) -> Result<(), SyntaxError> {
        self.escaped = false;
        if self.peek() != Some(b'"') {
            return self.error();
        }
        let bytes = self.text.as_bytes();
        self.at += 1;
        'words: while let Some(word) = bytes[self.at..].first_chunk::<8>() {
            let mut marks = special(u64::from_le_bytes(*word));
            let mut taken = 0;
            while marks != 0 {
                let at = marks.trailing_zeros() as usize / 8;
                marks &= marks - 1;
                match word[at] {
                    _ if at < taken => {}
                    b'"' => {
                        self.at += at + 1;
                        return Ok(());
                    }
                    b'\\' if bytes.get(self.at + at + 1).is_some_and(|byte| is_escape(*byte)) => {
                        self.escaped = true;
                        taken = at + 2;
                    }
                    b'\\' => {
                        self.at += at;
                        self.unicode_escape()?;
                        continue 'words;
                    }
                    0..0x20 => {
                        self.at += at;
                        return self.error();
                    }
                    // A mark above a real one can be a borrow of the subtraction.
                    _ => {}
                }
            }
            self.at += taken.max(8);
            if taken == 0 {
                self.skip_plain();
            }
        }
        self.string_end()
    }

    /// Goes on over whole blocks in which nothing has to be looked at: what is long is mostly such.
    fn skip_plain(&mut self) {
        while let Some(block) = self.text.as_bytes()[self.at..].first_chunk::<BLOCK>()
            && is_plain(block)
        {
            self.at += BLOCK;
        }
    }

    /// The last bytes of the text, one at a time.
    fn string_end(&mut self) -> Result<(), SyntaxError> {
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') if self.text.as_bytes().get(self.at + 1).is_some_and(|byte| is_escape(*byte)) => {
                    self.escaped = true;
                    self.at += 2;
                }
                Some(b'\\') => self.unicode_escape()?,
                Some(0x20..) => self.at += 1,
                Some(_) | None => return self.error(),
            }
        }
    }

    /// Takes `\uXXXX`, and the second half of a pair with it.
    fn unicode_escape(&mut self) -> Result<(), SyntaxError> {
        let unit_at = |at: usize| raw::hex_escape(&self.text.as_bytes()[at..]);
        let Some(high) = unit_at(self.at) else {
            self.at += 1;
            return self.error();
        };
        let pair = (0xD800..0xDC00).contains(&high) && unit_at(self.at + 6).is_some_and(|low| (0xDC00..0xE000).contains(&low));
        self.notes.odd |= !pair && (0xD800..0xE000).contains(&high);
        self.escaped = true;
        self.at += if pair { 12 } else { 6 };
        Ok(())
    }
}

/// So many bytes at a time fit into the vectors that every processor has.
const BLOCK: usize = 32;

/// Whether a block holds no quote, backslash or control character. Without a way out before its end, so that it becomes vector code.
#[inline]
fn is_plain(block: &[u8; BLOCK]) -> bool {
    !block.iter().fold(false, |found, byte| found | (*byte == b'"') | (*byte == b'\\') | (*byte < 0x20))
}

/// Whether a byte after a backslash makes a whole escape.
fn is_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
}

/// Marks the bytes with which a string can not simply go on: quotes, backslashes, control characters. The lowest mark is exact.
#[inline]
fn special(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const QUOTES: u64 = ONES * b'"' as u64;
    const SLASHES: u64 = ONES * b'\\' as u64;
    let (quotes, slashes) = (word ^ QUOTES, word ^ SLASHES);
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (quotes.wrapping_sub(ONES) & !quotes | slashes.wrapping_sub(ONES) & !slashes | control) & (ONES << 7)
}
