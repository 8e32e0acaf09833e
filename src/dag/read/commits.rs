//! The commit files that attach cards refer to.

use std::collections::BTreeMap;
use std::ffi::CString;

use super::super::json::Raw;
use super::super::symbol::{Chunks, Text};
use super::os::Directory;
use super::unit::Record;

/// Commit id → the JSON object in its file; `None` where there is none that can be read.
#[derive(Default)]
pub(super) struct Commits(BTreeMap<String, Option<Text>>);

impl Commits {
    /// Reads every commit that a card names.
    pub(super) fn read(directory: Option<&Directory>, records: &[Record], chunks: &mut Chunks) -> Self {
        let mut commits = BTreeMap::new();
        for id in records.iter().filter_map(|record| record.parsed.spine?.commit) {
            let id = chunks.text(id).to_owned();
            if !commits.contains_key(&id) {
                let text = directory.and_then(|directory| read_one(directory, &id)).map(|text| chunks.push_whole(text));
                commits.insert(id, text);
            }
        }
        Commits(commits)
    }

    /// The texts by id.
    pub(super) fn into_texts(self) -> BTreeMap<String, Option<Text>> {
        self.0
    }
}

/// Ids come from conversations: none may lead out of the directory.
fn read_one(directory: &Directory, id: &str) -> Option<String> {
    if id.contains(['/', '\\']) || id.starts_with('.') {
        return None;
    }
    let mut bytes = Vec::new();
    directory.read(&CString::new(format!("{id}.json")).ok()?, &mut bytes).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    Raw::checked(&text).is_some().then_some(text)
}
