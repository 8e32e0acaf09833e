//! Reading sessions: what becomes a fault, how edges resolve, which files are no files, and writers at work.

mod children;
mod edges;
mod faults;
mod files;
mod values;
mod writers;

use std::path::{Path, PathBuf};

use parallax::dag::{Place, ReadError, ReadOptions, Snapshot, read_session, snapshot_of_texts};
use tempfile::TempDir;

/// The snapshot of files in memory, without `meta.json`.
fn snapshot(files: &[(&str, &str)]) -> Snapshot {
    snapshot_of_texts("s", None, files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes())))
}

/// The place of the node with an id.
fn place(snapshot: &Snapshot, id: &str) -> Place {
    snapshot.symbol(id).and_then(|id| snapshot.place(id)).unwrap_or_else(|| panic!("no node {id}"))
}

/// The ids of the nodes that count, in key order.
fn ids(snapshot: &Snapshot) -> Vec<&str> {
    snapshot.edges().places().map(|place| snapshot.text(snapshot.at(place).id)).collect()
}

/// The codes of a snapshot's faults, in order.
fn codes(snapshot: &Snapshot) -> Vec<&'static str> {
    snapshot.faults().iter().map(|fault| fault.code.name()).collect()
}

fn read(path: &Path) -> Result<Snapshot, ReadError> {
    read_session(path, &ReadOptions::default())
}

/// A session directory on disk, with `history/` and `.git`.
struct OnDisk {
    root: TempDir,
}

impl OnDisk {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a directory");
        for part in ["history", ".git"] {
            std::fs::create_dir_all(root.path().join("s").join(part)).expect("made");
        }
        OnDisk { root }
    }

    fn path(&self) -> PathBuf {
        self.root.path().join("s")
    }

    fn history(&self, name: &str) -> PathBuf {
        self.path().join("history").join(name)
    }

    /// Writes a file as the program does: beside its place, then renamed.
    fn put(&self, path: &str, text: &str) {
        let target = self.path().join(path);
        let beside = target.with_extension("tmp");
        std::fs::write(&beside, text).expect("written");
        std::fs::rename(&beside, &target).expect("renamed");
    }

    fn read(&self) -> Snapshot {
        read(&self.path()).expect("read")
    }
}
