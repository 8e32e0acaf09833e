//! Reading a session: the only place that knows the formats on disk.

mod collect;
mod commits;
mod memory;
mod meta;
mod os;
mod records;
mod spine;
mod stamp;
mod unit;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use memory::snapshot_of_texts;
pub(super) use meta::Meta;
pub(super) use records::Records;
pub(crate) use unit::digest;

use super::snapshot::Snapshot;
use collect::Collection;
use stamp::{Watched, now};

/// How a session is read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Threads that read files, at most.
    pub threads: usize,
    /// How long to go on reading a session that does not stand still.
    pub patience: Duration,
}

impl Default for ReadOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
        ReadOptions { threads, patience: Duration::from_secs(2) }
    }
}

/// A session that can not be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is nothing at the path.
    #[error("no session directory at {path}: check the path, or the root it is looked for in")]
    Missing {
        /// The path asked for.
        path: PathBuf,
    },
    /// There is something else at the path.
    #[error("{path} is no directory: give a session's directory, the one that holds meta.json and history/")]
    NotADirectory {
        /// The path asked for.
        path: PathBuf,
    },
    /// The directory may not be read.
    #[error("no permission to read {path}: run as a user who may list it and its history/, or change its mode")]
    Permission {
        /// The path asked for.
        path: PathBuf,
    },
    /// The operating system says no for another reason.
    #[error("can not read {path}: {source}")]
    Io {
        /// The path asked for.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl ReadError {
    fn new(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        let kind = source.kind();
        if kind == io::ErrorKind::NotFound {
            ReadError::Missing { path }
        } else if kind == io::ErrorKind::NotADirectory {
            ReadError::NotADirectory { path }
        } else if kind == io::ErrorKind::PermissionDenied {
            ReadError::Permission { path }
        } else {
            ReadError::Io { path, source }
        }
    }
}

/// Reads the session in a directory as it stood at one instant.
///
/// Writers may be at work: the directories are stamped before and after, and where something moved in between, or so
/// shortly before that the stamps can not tell, all is looked at again (only what changed is read). Done is when the
/// stamps tell that nothing moved, or two readings in a row came to the same. If neither happens within the options'
/// patience, the last reading is taken and carries the fault `unstable-read`.
pub fn read_session(path: &Path, options: &ReadOptions) -> Result<Snapshot, ReadError> {
    let fail = |source| ReadError::new(path, source);
    let session_id = session_name(path).map_err(fail)?;
    let deadline = Instant::now() + options.patience;
    let mut collection = Collection::default();
    let stable = loop {
        // The time is taken first: what is renamed while the directories are opened counts as a change after it.
        let at = now();
        let watched = Watched::open(path).map_err(fail)?;
        let before = watched.stamp().map_err(fail)?;
        collection.read(&watched, options.threads).map_err(fail)?;
        let still = before == watched.stamp().map_err(fail)?;
        if still && !before.racy(at) {
            break true;
        }
        // Asked of every reading, torn ones too, so that only two in a row can agree.
        let repeated = collection.repeated();
        if still && repeated {
            break true;
        }
        if Instant::now() >= deadline {
            break false;
        }
    };
    let (sources, no_git) = collection.finish();
    Ok(Snapshot::index(session_id, path.to_owned(), sources, no_git, !stable))
}

/// The session's id: the name of its directory.
fn session_name(path: &Path) -> io::Result<String> {
    let named = path.file_name().is_some();
    let whole = if named { path.to_owned() } else { path.canonicalize()? };
    Ok(whole.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()))
}
