//! A root directory of sessions: which directory a session id names, and that no id leads anywhere else.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::json::Raw;

/// A session id from outside that can not be one.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no valid session id: {reason} (an id is one directory name below the root)")]
pub struct SessionIdError {
    reason: &'static str,
}

/// A session that a store does not give.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The id can not be one.
    #[error(transparent)]
    Id(#[from] SessionIdError),
    /// There is no such session.
    #[error("no session {id} below {root}, nor in its locations.json")]
    Unknown {
        /// The id asked for.
        id: String,
        /// The store's root.
        root: PathBuf,
    },
    /// The session's directory is a link to a place outside the root.
    #[error("session {id} leads out of {root}: list it in locations.json if it is meant to")]
    Outside {
        /// The id asked for.
        id: String,
        /// The store's root.
        root: PathBuf,
    },
    /// The root can not be read.
    #[error("can not read the sessions root {root}: {source}")]
    Root {
        /// The store's root.
        root: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// A root directory of sessions.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    locations: BTreeMap<String, PathBuf>,
}

impl Store {
    /// Opens a root and reads its `locations.json`, if there is one. A broken one maps nothing.
    pub fn open(root: &Path) -> Result<Self, StoreError> {
        let root = root.canonicalize().map_err(|source| StoreError::Root { root: root.to_owned(), source })?;
        let text = std::fs::read_to_string(root.join("locations.json")).unwrap_or_default();
        let locations = Raw::checked(&text)
            .map(|map| map.members().filter_map(|(id, place)| Some((id.into_owned(), root.join(&*place.string()?)))).collect())
            .unwrap_or_default();
        Ok(Store { root, locations })
    }

    /// The directory of a session. Only `locations.json` may lead out of the root.
    pub fn directory(&self, id: &str) -> Result<PathBuf, StoreError> {
        check_session_id(id)?;
        if let Some(place) = self.locations.get(id) {
            return Ok(place.clone());
        }
        let (id, root) = (id.to_owned(), self.root.clone());
        match root.join(&id).canonicalize() {
            Ok(real) if !real.is_dir() => Err(StoreError::Unknown { id, root }),
            Ok(real) if real.starts_with(&root) => Ok(root.join(id)),
            Ok(_) => Err(StoreError::Outside { id, root }),
            Err(_) => Err(StoreError::Unknown { id, root }),
        }
    }

    /// The ids of all sessions, sorted: the directories below the root that an id may name, and `locations.json`'s.
    pub fn sessions(&self) -> Result<Vec<String>, StoreError> {
        let fail = |source| StoreError::Root { root: self.root.clone(), source };
        let mut ids: Vec<String> = self.locations.keys().filter(|id| check_session_id(id).is_ok()).cloned().collect();
        for entry in std::fs::read_dir(&self.root).map_err(fail)? {
            let name = entry.map_err(fail)?.file_name();
            if let Some(id) = name.to_str().filter(|id| self.directory(id).is_ok()) {
                ids.push(id.to_owned());
            }
        }
        ids.sort_unstable();
        ids.dedup();
        Ok(ids)
    }
}

fn check_session_id(id: &str) -> Result<(), SessionIdError> {
    let reason = if id.is_empty() {
        "it is empty"
    } else if id.contains(['/', '\\']) {
        "it holds a path separator"
    } else if id.starts_with('.') {
        "it starts with a dot"
    } else if id.contains(char::is_control) {
        "it holds a control character"
    } else if id.len() > 255 {
        "it is longer than a file name can be"
    } else {
        return Ok(());
    };
    Err(SessionIdError { reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_id_leads_out_of_the_root() {
        let root = tempfile::tempdir().expect("a directory");
        let outside = tempfile::tempdir().expect("a directory");
        let inside = root.path().join("s1");
        std::fs::create_dir(&inside).expect("created");
        std::os::unix::fs::symlink(&inside, root.path().join("s2")).expect("linked");
        std::os::unix::fs::symlink(outside.path(), root.path().join("out")).expect("linked");
        let mapped = format!("{{\"project\": {:?}}}", outside.path());
        std::fs::write(root.path().join("locations.json"), mapped).expect("written");
        let store = Store::open(root.path()).expect("opened");
        assert_eq!(store.sessions().expect("listed"), ["project", "s1", "s2"]);
        assert_eq!(store.directory("project").expect("mapped"), outside.path());
        assert!(matches!(store.directory("out"), Err(StoreError::Outside { .. })));
        assert!(matches!(store.directory("nothing"), Err(StoreError::Unknown { .. })));
        for id in ["", ".", "..", "../s1", "s1/", "a/b", "a\\b", ".git", "s1\0", "x\n"] {
            assert!(matches!(store.directory(id), Err(StoreError::Id(_))), "{id:?}");
        }
    }
}
