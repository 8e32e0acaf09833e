//! Where the members of a node's object end in its text: noted when the file is read, so that rows need not scan values again.

use std::borrow::Cow;

use super::json::{Outlined, Raw};
use super::node::Node;
use super::snapshot::Snapshot;

/// The members of one node among those of its chunk: first its own, then those of its metadata.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outline {
    start: u32,
    metadata: u32,
    end: u32,
    /// Where the metadata's value starts in the text of the node.
    metadata_at: u32,
}

/// The ends of the members of a chunk's nodes that were met so far.
#[derive(Default)]
pub(super) struct Outlines {
    ends: Vec<u32>,
    metadata: Vec<u32>,
    metadata_at: u32,
}

impl Outlines {
    /// Notes where a member of a node ends.
    pub(super) fn add(&mut self, end: usize) {
        self.ends.push(number(end));
    }

    /// Notes where the metadata of a node starts. Of equal keys the last one counts.
    pub(super) fn start_metadata(&mut self, at: usize) {
        self.metadata.clear();
        self.metadata_at = number(at);
    }

    /// Notes where a member of the metadata ends.
    pub(super) fn add_metadata(&mut self, end: usize) {
        self.metadata.push(number(end));
    }

    /// Where the next node's members start.
    pub(super) fn start(&mut self) -> u32 {
        self.start_metadata(0);
        number(self.ends.len())
    }

    /// The outline of the node whose members start at `start`.
    pub(super) fn finish(&mut self, start: u32) -> Outline {
        let metadata = number(self.ends.len());
        self.ends.append(&mut self.metadata);
        Outline { start, metadata, end: number(self.ends.len()), metadata_at: self.metadata_at }
    }

    /// The ends in the whole chunk. Nothing is left in here.
    pub(super) fn take(&mut self) -> Box<[u32]> {
        let ends = self.ends.as_slice().into();
        self.ends.clear();
        ends
    }
}

/// Chunks are shorter than 4 GiB.
fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

impl Snapshot {
    /// The members of a node's object in the order of its file, equal keys included.
    pub fn members(&self, node: &Node) -> impl Iterator<Item = (Cow<'_, str>, Raw<'_>)> + use<'_> {
        let outline = node.outline;
        self.outlined(node, 0, outline.start, outline.metadata)
    }

    /// The members of a node's metadata in the order of its file, equal keys included; none where it is no object.
    pub fn metadata(&self, node: &Node) -> impl Iterator<Item = (Cow<'_, str>, Raw<'_>)> + use<'_> {
        let outline = node.outline;
        self.outlined(node, outline.metadata_at, outline.metadata, outline.end)
    }

    /// The value of a member of a node's object; of equal keys the last one.
    pub fn member(&self, node: &Node, name: &str) -> Option<Raw<'_>> {
        self.members(node).filter(|(key, _)| key == name).last().map(|(_, value)| value)
    }

    /// The value of a member of a node's metadata; of equal keys the last one.
    pub fn metadata_member(&self, node: &Node, name: &str) -> Option<Raw<'_>> {
        self.metadata(node).filter(|(key, _)| key == name).last().map(|(_, value)| value)
    }

    fn outlined(&self, node: &Node, at: u32, start: u32, end: u32) -> Outlined<'_> {
        let ends = &self.chunks.ends(node.body)[start as usize..end as usize];
        Outlined::new(self.chunks.text(node.body), at as usize, ends)
    }
}
