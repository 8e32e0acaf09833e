//! The last known good set on disk: what a server said, for the next start without one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The file in the data directory.
const NAME: &str = "flags-last-good.json";

/// Where the set is kept, and from which server.
pub(super) struct Saved {
    path: PathBuf,
    url: String,
}

#[derive(Serialize, Deserialize)]
struct File {
    /// Seconds since 1970.
    saved_at: u64,
    url: String,
    document: Box<RawValue>,
}

/// A set that was kept.
pub(super) struct Found {
    pub(super) document: Box<RawValue>,
    pub(super) age: Duration,
}

impl Saved {
    /// The set of a server in a data directory.
    pub(super) fn new(data: &Path, url: &str) -> Self {
        Saved { path: data.join(NAME), url: url.to_owned() }
    }

    /// Keeps a set. Either the whole file is replaced or nothing.
    pub(super) fn write(&self, document: &RawValue) -> io::Result<()> {
        let file = File { saved_at: now(), url: self.url.clone(), document: document.to_owned() };
        let directory = self.path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(directory)?;
        let temporary = self.path.with_extension(format!("{}.tmp", std::process::id()));
        let mut out = std::fs::File::create(&temporary)?;
        out.write_all(&serde_json::to_vec(&file)?)?;
        out.sync_all()?;
        std::fs::rename(&temporary, &self.path)
    }

    /// The set that was kept last. One of another server is none; `Err` says what is wrong with the file.
    pub(super) fn read(&self) -> Result<Option<Found>, String> {
        let text = match std::fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("can not read {}: {error}", self.path.display())),
        };
        let file: File = serde_json::from_slice(&text).map_err(|error| format!("{} is broken: {error}", self.path.display()))?;
        let age = Duration::from_secs(now().saturating_sub(file.saved_at));
        Ok((file.url == self.url).then_some(Found { document: file.document, age }))
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
