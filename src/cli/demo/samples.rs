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

    /// Writes the session below `root`, afresh, and returns its directory.
    pub(super) fn write(&self, root: &Path) -> io::Result<PathBuf> {
        let content = self.content()?;
        let directory = root.join(self.name);
        let history = directory.join("history");
        match std::fs::remove_dir_all(&history) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        std::fs::create_dir_all(&history)?;
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
