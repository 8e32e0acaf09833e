//! Fuzz target: any session at all is read, and what is read does not contradict itself.
//!
//! The first byte says what the rest is: files as they are (`raw`), or choices of the structured generator.

#![no_main]

#[path = "../it/claims.rs"]
mod claims;
#[path = "../it/gen.rs"]
mod r#gen;
#[path = "../it/invariants.rs"]
mod invariants;

use r#gen::{Session, Wild, session};
use libfuzzer_sys::fuzz_target;
use parallax::dag::{Snapshot, snapshot_of_texts};

/// What stands between two files in raw mode; the first one is `meta.json`.
const SEPARATOR: u8 = 0;

fuzz_target!(|bytes: &[u8]| {
    let Some((mode, rest)) = bytes.split_first() else { return };
    let session = match mode % 4 {
        0 => raw(rest),
        1 => session(rest, Wild::Shapes),
        _ => session(rest, Wild::Everything),
    };
    let snapshot = read(&session);
    invariants::check_same(&snapshot, &read(&session));
    check(&snapshot);
});

/// Everything that is claimed of a session's snapshot, its rungs and their comparisons.
fn check(snapshot: &Snapshot) {
    invariants::check(snapshot);
    claims::check(snapshot);
}

fn read(session: &Session) -> Snapshot {
    let files = session.files.iter().map(|(name, bytes)| (name.clone(), bytes.as_slice()));
    snapshot_of_texts("fuzz", session.meta.as_deref(), files)
}

/// Files as they are: a name (up to a line feed) and the bytes.
fn raw(bytes: &[u8]) -> Session {
    let mut parts = bytes.split(|byte| *byte == SEPARATOR);
    let meta = parts.next().filter(|meta| !meta.is_empty()).map(<[u8]>::to_vec);
    let file = |part: &[u8]| {
        let end = part.iter().position(|byte| *byte == b'\n')?;
        Some((String::from_utf8(part[..end].to_vec()).ok()?, part[end + 1..].to_vec()))
    };
    Session { meta, files: parts.filter_map(file).collect() }
}
