//! The names of a session's files: sorted, in one piece of memory.

use std::borrow::Cow;
use std::ffi::CStr;

/// File names in order, each once.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The names with a NUL behind each, in the order in which they came.
    bytes: Vec<u8>,
    /// The first bytes of each name, which mostly decide the order, and where it starts.
    sorted: Vec<(u64, u32)>,
}

impl Names {
    /// Adds a name; [`Names::sort`] puts it in its place.
    pub(super) fn push(&mut self, name: &CStr) {
        let bytes = name.to_bytes_with_nul();
        let mut head = [0; 8];
        let length = bytes.len().min(8);
        head[..length].copy_from_slice(&bytes[..length]);
        self.sorted.push((u64::from_be_bytes(head), u32::try_from(self.bytes.len()).unwrap_or(u32::MAX)));
        self.bytes.extend_from_slice(bytes);
    }

    /// Puts the names in order. A directory that changes while it is listed can give one twice.
    pub(super) fn sort(&mut self) {
        let bytes = &self.bytes;
        let name = |start: u32| name_at(bytes, start);
        self.sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| name(a.1).cmp(name(b.1))));
        self.sorted.dedup_by(|a, b| a.0 == b.0 && name(a.1) == name(b.1));
    }

    /// How many names there are.
    pub(super) fn len(&self) -> usize {
        self.sorted.len()
    }

    /// The name at a place.
    pub(super) fn get(&self, at: usize) -> &CStr {
        name_at(&self.bytes, self.sorted[at].1)
    }

    /// The name at a place as text.
    pub(super) fn text(&self, at: usize) -> Cow<'_, str> {
        self.get(at).to_string_lossy()
    }

    /// All names, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &CStr> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// The place of a name.
    pub(super) fn find(&self, name: &CStr) -> Option<usize> {
        self.sorted.binary_search_by(|known| name_at(&self.bytes, known.1).cmp(name)).ok()
    }
}

fn name_at(bytes: &[u8], start: u32) -> &CStr {
    CStr::from_bytes_until_nul(&bytes[start as usize..]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_their_bytes_each_once() {
        let mut names = Names::default();
        for name in [c"0002-u-b.json", c"a", c"0002-u-a.json", c"", c"0001-u-z.json", c"a", c"0002-u-"] {
            names.push(name);
        }
        names.sort();
        let want = [c"", c"0001-u-z.json", c"0002-u-", c"0002-u-a.json", c"0002-u-b.json", c"a"];
        assert!(names.iter().eq(want));
        assert!((0..want.len()).all(|at| names.find(want[at]) == Some(at)));
        assert_eq!(names.find(c"0002-u-c.json"), None);
    }
}
