//! Sessions that are in memory: for tests, fuzzing and replays.

use std::ffi::CString;
use std::path::PathBuf;

use super::super::snapshot::{Snapshot, Sources};
use super::super::symbol::Chunks;
use super::meta::Meta;
use super::os::Identity;
use super::unit::Filling;

/// The snapshot of a session whose files are given: `meta.json` if there is one, and the name and bytes of each file in
/// `history/`. Names that do not end in `.json` are no node files. There are no commit files.
pub fn snapshot_of_texts<'a>(session_id: &str, meta: Option<&[u8]>, files: impl IntoIterator<Item = (String, &'a [u8])>) -> Snapshot {
    let mut chunks = Chunks::default();
    let meta = meta.map_or_else(Meta::default, |bytes| Meta::of_bytes(bytes.to_vec(), &mut chunks));
    let mut files: Vec<(CString, &[u8])> = files
        .into_iter()
        .filter(|(name, _)| name.ends_with(".json"))
        .filter_map(|(name, bytes)| Some((CString::new(name).ok()?, bytes)))
        .collect();
    files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    files.dedup_by(|a, b| a.0 == b.0);
    let mut filling = Filling::default();
    for (_, bytes) in &files {
        let start = filling.bytes.len();
        filling.bytes.extend_from_slice(bytes);
        filling.add(start, Identity::default(), 0);
    }
    let number = u32::try_from(chunks.len()).unwrap_or(0);
    let (text, records) = filling.finish(number);
    chunks.put(number, text);
    let names = files.into_iter().map(|(name, _)| name).collect();
    let sources = Sources { chunks, names, records, meta, commits: std::collections::BTreeMap::new() };
    Snapshot::index(session_id.to_owned(), PathBuf::new(), sources, false, false)
}
