//! The commit files that attach cards refer to.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::CString;
use std::io;

use super::super::json::Raw;
use super::super::symbol::{Chunks, Text};
use super::os::{Directory, is_shortage};
use super::records::Records;

/// Reads every commit that a card names. Commit id → the JSON value in its file; `None` where there is none that can be read.
pub(super) fn read(directory: Option<&Directory>, records: &Records, chunks: &mut Chunks) -> io::Result<BTreeMap<String, Option<Text>>> {
    let mut commits = BTreeMap::new();
    for id in records.iter().filter_map(|record| Some(record.parsed.spine?.commit?.in_chunk(record.body.chunk))) {
        let id = chunks.text(id).to_owned();
        if let Entry::Vacant(slot) = commits.entry(id) {
            let text = directory.map_or(Ok(None), |directory| read_one(directory, slot.key()))?;
            slot.insert(text.map(|text| chunks.push_whole(text)));
        }
    }
    Ok(commits)
}

/// Ids come from conversations: none may lead out of the directory.
fn read_one(directory: &Directory, id: &str) -> io::Result<Option<String>> {
    if id.contains(['/', '\\']) || id.starts_with('.') {
        return Ok(None);
    }
    let Ok(name) = CString::new(format!("{id}.json")) else { return Ok(None) };
    let mut bytes = Vec::new();
    match directory.read(&name, &mut bytes) {
        Ok(_) => Ok(String::from_utf8(bytes).ok().filter(|text| Raw::checked(text).is_some())),
        Err(error) if is_shortage(&error) => Err(error),
        Err(_) => Ok(None),
    }
}
