//! The sample sessions: one JSON file each, written out as a session directory.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;

/// A session that ships with Parallax.
pub(super) struct Sample {
    /// The session's id.
    pub(super) name: &'static str,
    text: &'static str,
}

/// What a sample's file holds.
#[derive(Deserialize)]
struct Content<'a> {
    about: String,
    #[serde(borrow)]
    meta: &'a RawValue,
    history: std::collections::BTreeMap<String, serde_json::Value>,
}

/// The file that tells a sample from a session of somebody.
const MARK: &str = ".parallax-sample";

/// Every sample, in the order of the demo.
pub(super) const SAMPLES: &[Sample] = &[
    Sample { name: "plain", text: include_str!("samples/plain.json") },
    Sample { name: "healed-gap", text: include_str!("samples/healed-gap.json") },
    Sample { name: "retry", text: include_str!("samples/retry.json") },
    Sample { name: "function-run", text: include_str!("samples/function-run.json") },
    Sample { name: "leak-at-d", text: include_str!("samples/leak-at-d.json") },
    Sample { name: "corrupt-file", text: include_str!("samples/corrupt-file.json") },
];

impl Sample {
    fn content(&self) -> serde_json::Result<Content<'static>> {
        serde_json::from_str(self.text)
    }

    /// What the sample shows.
    pub(super) fn about(&self) -> serde_json::Result<String> {
        Ok(self.content()?.about)
    }

    /// Writes the session below `root` and returns its directory. What is there is replaced only if it is a sample of an
    /// earlier run; anything else of that name is left as it is, and an error.
    pub(super) fn write(&self, root: &Path) -> io::Result<PathBuf> {
        let content = self.content()?;
        let directory = root.join(self.name);
        let history = directory.join("history");
        let is = |path: &Path, kind: fn(&std::fs::FileType) -> bool| path.symlink_metadata().is_ok_and(|meta| kind(&meta.file_type()));
        match std::fs::create_dir(&directory) {
            Ok(()) => std::fs::write(directory.join(MARK), "made by parallax demo\n")?,
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Err(_) if is(&directory, std::fs::FileType::is_dir) && is(&directory.join(MARK), std::fs::FileType::is_file) => {}
            Err(_) => {
                let what = format!("{} is there already and was not made by an earlier run", directory.display());
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
            }
        }
        if is(&history, std::fs::FileType::is_dir) {
            std::fs::remove_dir_all(&history)?;
        }
        std::fs::create_dir(&history)?;
        // The legacy path takes a directory without .git for an empty one; samples have the mark of a real store.
        std::fs::create_dir_all(directory.join(".git"))?;
        std::fs::write(directory.join("meta.json"), content.meta.get())?;
        for (name, node) in content.history {
            // A text instead of an object is a broken file, as it is.
            let text = node.as_str().map_or_else(|| node.to_string(), str::to_owned);
            std::fs::write(history.join(name), text)?;
        }
        Ok(directory)
    }
}
