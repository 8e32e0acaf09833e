//! What lies in a session's directory besides plain files, and directories that are no sessions.

use std::os::unix::fs::symlink;
use std::process::Command;

use parallax::dag::ReadError;

use super::{OnDisk, codes, ids, read};

const NODE: &str = r#"{"id": "a", "seq": 1}"#;

#[test]
fn what_is_no_file_neither_blocks_nor_breaks_a_load() {
    let session = OnDisk::new();
    session.put("history/0001-u-a.json", NODE);
    std::fs::create_dir(session.history("0002-u-directory.json")).expect("made");
    symlink("nowhere", session.history("0003-u-dangling.json")).expect("linked");
    symlink("0004-u-loop.json", session.history("0004-u-loop.json")).expect("linked");
    assert!(Command::new("mkfifo").arg(session.history("0005-u-fifo.json")).status().expect("mkfifo").success());
    symlink("/dev/zero", session.history("0006-u-endless.json")).expect("linked");
    let _socket = std::os::unix::net::UnixListener::bind(session.history("0007-u-socket.json")).expect("bound");
    std::fs::write(session.history("0008-u-b.json.tmp"), "half").expect("written");
    std::fs::write(session.history("0009-u-b.JSON"), "{}").expect("written");
    let snapshot = session.read();
    assert_eq!(ids(&snapshot), ["a"]);
    assert_eq!(codes(&snapshot), ["bad-json"; 6]);
}

#[test]
fn a_link_to_a_node_file_is_read() {
    let session = OnDisk::new();
    std::fs::write(session.path().join("elsewhere"), NODE).expect("written");
    symlink("../elsewhere", session.history("0001-u-a.json")).expect("linked");
    assert_eq!(ids(&session.read()), ["a"]);
}

#[test]
fn names_of_any_bytes_are_read() {
    use std::os::unix::ffi::OsStrExt;
    let session = OnDisk::new();
    let name = std::ffi::OsStr::from_bytes(b"0001-u-\xff.json");
    std::fs::write(session.path().join("history").join(name), NODE).expect("written");
    std::fs::write(session.history(".json"), r#"{"id": "hidden", "seq": 2}"#).expect("written");
    assert_eq!(ids(&session.read()), ["a", "hidden"]);
}

#[test]
fn missing_parts_are_an_empty_store() {
    let root = tempfile::tempdir().expect("a directory");
    let bare = root.path().join("bare");
    std::fs::create_dir(&bare).expect("made");
    assert_eq!(codes(&read(&bare).expect("read")), ["no-git"]);
    std::fs::write(bare.join("history"), "a file").expect("written");
    std::fs::create_dir(bare.join("meta.json")).expect("made");
    std::fs::write(bare.join(".git"), "").expect("written");
    let snapshot = read(&bare).expect("read");
    assert_eq!(codes(&snapshot), ["bad-meta"]);
    assert!(snapshot.nodes().is_empty());
}

#[test]
fn what_is_no_session_is_an_error_of_its_kind() {
    let root = tempfile::tempdir().expect("a directory");
    let file = root.path().join("file");
    std::fs::write(&file, "").expect("written");
    assert!(matches!(read(&root.path().join("missing")), Err(ReadError::Missing { .. })));
    assert!(matches!(read(&file), Err(ReadError::NotADirectory { .. })));
    assert!(matches!(read(&file.join("below")), Err(ReadError::NotADirectory { .. })));
}

#[test]
fn a_session_has_its_directorys_name_however_it_is_reached() {
    let session = OnDisk::new();
    for path in [session.path(), session.path().join("."), session.path().join("history/..")] {
        assert_eq!(read(&path).expect("read").session_id(), "s", "{}", path.display());
    }
}

#[test]
fn commits_of_cards_are_read_and_lead_nowhere_else() {
    let session = OnDisk::new();
    std::fs::create_dir_all(session.path().join("context/commits")).expect("made");
    session.put("secret.json", r#"{"secret": 1}"#);
    session.put("context/commits/c1.json", r#"{"id": "c1"}"#);
    session.put("context/commits/bad.json", "{");
    for (seq, commit) in ["c1", "bad", "gone", "../../secret", "/etc/passwd", "c1\\u0000"].iter().enumerate() {
        let node = format!(
            "{{\"id\": \"a{seq}\", \"seq\": {seq}, \"role\": \"llm\", \"metadata\": {{\"function\": \"attach\", \"attach\": {{\"source_commit_id\": \"{commit}\"}}}}}}"
        );
        session.put(&format!("history/000{seq}-l-a{seq}.json"), &node);
    }
    let snapshot = session.read();
    assert_eq!(snapshot.commit("c1").map(|commit| commit.as_text()), Some(r#"{"id": "c1"}"#));
    for commit in ["bad", "gone", "../../secret", "/etc/passwd", "c1\0"] {
        assert!(snapshot.commit(commit).is_none(), "{commit}");
    }
}
