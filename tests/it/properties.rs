//! Claims about any session, and about every session of the corpus.

use parallax::dag::json::Raw;
use parallax::dag::{FaultCode, Snapshot, snapshot_of_texts};
use proptest::prelude::*;

use crate::corpus::each_case;
use crate::r#gen::{NODE, Session, Wild, session};
use crate::invariants;

/// Sessions of up to 40 nodes; a smaller one is a simpler one.
pub(crate) fn sessions(wild: Wild) -> impl Strategy<Value = Session> {
    let bytes = (any::<[u8; NODE]>(), proptest::collection::vec(any::<[u8; NODE]>(), 0..=40));
    bytes.prop_map(move |(meta, nodes)| session(&[meta.as_slice(), nodes.as_flattened()].concat(), wild))
}

/// The snapshot of a session in memory.
pub(crate) fn read(session: &Session) -> Snapshot {
    snapshot_of_texts("s", session.meta.as_deref(), session.files.iter().map(|(name, bytes)| (name.clone(), bytes.as_slice())))
}

fn has(snapshot: &Snapshot, code: FaultCode) -> bool {
    snapshot.faults().iter().any(|fault| fault.code == code)
}

/// Text of pieces that a scanner of JSON can stumble over.
fn pieces() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "\"",
        "\\",
        "\\\"",
        "\\\\",
        "\\n",
        "\\u00e9",
        "\\ud83d\\ude00",
        "\\u12g4",
        "\u{1}",
        "\n",
        " ",
        "#",
        "é",
        "😀",
        "a",
        "abcdefgh",
        "]",
        "}",
        "[",
        "{",
        ",",
        ":",
        "null",
        "true",
        "0",
        "17",
        "-",
        ".5",
        "e3",
        "\"k\":",
    ]);
    proptest::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn the_scanner_takes_what_serde_json_takes(text in pieces(), shape in 0..4) {
        let text = match shape {
            0 => text,
            1 => format!("\"{text}\""),
            2 => format!("[{text}]"),
            _ => format!("{{\"key\": \"{text}\", \"other\": [1, \"{text}\"]}}"),
        };
        let ours = Raw::checked(&text);
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        prop_assert_eq!(ours.is_some(), theirs.is_ok(), "{:?}", text);
        if let Ok(string) = serde_json::from_str::<String>(&text) {
            let read = ours.and_then(Raw::string);
            prop_assert_eq!(read.as_deref(), Some(string.as_str()));
        }
    }

    #[test]
    fn no_session_contradicts_itself(session in sessions(Wild::Everything)) {
        let snapshot = read(&session);
        invariants::check(&snapshot);
        invariants::check_same(&snapshot, &read(&session));
    }

    #[test]
    fn the_order_of_files_does_not_matter(session in sessions(Wild::Everything)) {
        let mut turned = session.clone();
        turned.files.reverse();
        turned.files.dedup_by(|a, b| a.0 == b.0);
        let mut session = session;
        session.files.dedup_by(|a, b| a.0 == b.0);
        prop_assume!(session.files.iter().all(|(name, _)| session.files.iter().filter(|(other, _)| other == name).count() == 1));
        invariants::check_same(&read(&session), &read(&turned));
    }

    #[test]
    fn shapes_alone_are_never_odd_nor_broken(session in sessions(Wild::Shapes)) {
        let snapshot = read(&session);
        prop_assert!(!snapshot.is_odd() && !has(&snapshot, FaultCode::BadJson) && !has(&snapshot, FaultCode::BadMeta));
        prop_assert_eq!(snapshot.refusal(), None);
    }

    #[test]
    fn a_session_on_disk_reads_as_in_memory(session in sessions(Wild::Everything)) {
        let root = tempfile::tempdir().expect("a directory");
        let directory = root.path().join("s");
        for part in ["history", ".git"] {
            std::fs::create_dir_all(directory.join(part)).expect("made");
        }
        if let Some(meta) = &session.meta {
            std::fs::write(directory.join("meta.json"), meta).expect("written");
        }
        let mut names = std::collections::BTreeSet::new();
        let mut unique = session.clone();
        unique.files.retain(|(name, _)| names.insert(name.clone()));
        for (name, bytes) in &unique.files {
            std::fs::write(directory.join("history").join(name), bytes).expect("written");
        }
        let on_disk = parallax::dag::read_session(&directory, &parallax::dag::ReadOptions::default()).expect("read");
        let mut in_memory = read(&unique).faults().to_vec();
        in_memory.retain(|fault| fault.code != FaultCode::UnstableRead);
        prop_assert_eq!(on_disk.faults(), in_memory.as_slice());
        prop_assert_eq!(on_disk.edges().len(), read(&unique).edges().len());
    }
}

#[test]
fn every_case_of_the_corpus_reads_twice_the_same() {
    for part in ["ground", "ground-odd", "target"] {
        let mut count = 0;
        each_case(part, |case| {
            let snapshot = case.snapshot();
            invariants::check(&snapshot);
            invariants::check_same(&snapshot, &case.snapshot());
            count += 1;
        });
        assert!(count > 100, "{part}: {count} cases");
    }
}

#[test]
fn plain_sessions_are_never_odd_and_odd_ones_always_have_a_fault() {
    each_case("ground", |case| assert!(!has(&case.snapshot(), FaultCode::OddValue), "{}", case.name));
    each_case("ground-odd", |case| assert!(!case.snapshot().faults().is_empty(), "{}", case.name));
}
