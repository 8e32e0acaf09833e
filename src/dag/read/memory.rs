//! Sessions that are in memory: for tests, fuzzing and replays.

use std::ffi::CString;
use std::path::PathBuf;

use super::super::names::Names;
use super::super::snapshot::{Snapshot, Sources};
use super::super::symbol::Chunks;
use super::meta::Meta;
use super::os::Identity;
use super::records::{Records, UNIT};
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
    let (mut names, mut records, mut filling) = (Names::default(), Records::default(), Filling::default());
    for unit in files.chunks(UNIT) {
        for (name, bytes) in unit {
            let start = filling.bytes.len();
            filling.bytes.extend_from_slice(bytes);
            filling.add(start, Identity::default(), 0);
            names.push(name);
        }
        let number = u32::try_from(chunks.len()).unwrap_or(u32::MAX);
        let (chunk, unit) = filling.finish(number);
        chunks.put(number, chunk);
        records.push(unit);
    }
    names.sort();
    let sources = Sources { chunks, names, records, meta, commits: std::collections::BTreeMap::new() };
    Snapshot::index(session_id.to_owned(), PathBuf::new(), sources, false, false)
}
