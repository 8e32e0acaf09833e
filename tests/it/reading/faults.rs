//! Corruption is data: each bad file has its code and costs nothing but itself.

use parallax::dag::snapshot_of_texts;

use super::{codes, ids, snapshot};

/// What stands beside every bad file, and must stay readable.
const GOOD: (&str, &str) = ("0000-u-good.json", r#"{"id": "good", "seq": 0, "role": "user"}"#);

#[test]
fn each_bad_file_has_its_codes() {
    let deep = format!("{}{}", "[".repeat(300_000), "]".repeat(300_000));
    let table: [(&str, &[&str]); 24] = [
        ("", &["bad-json"]),
        ("{", &["bad-json"]),
        (r#"{"id": "a", "seq": 1"#, &["bad-json"]),
        (r#"{"id": "a", "seq": 1}}"#, &["bad-json"]),
        ("\u{feff}{\"id\": \"a\", \"seq\": 1}", &["bad-json"]),
        ("{\"id\": \"a\tb\", \"seq\": 1}", &["bad-json"]),
        (r#"{"id": "\x", "seq": 1}"#, &["bad-json"]),
        ("null", &["bad-json"]),
        ("[]", &["bad-json"]),
        (r#""text""#, &["bad-json"]),
        (&deep, &["bad-json", "odd-value"]),
        (r#"{"id": "a", "seq": 1, "metadata": [1]}"#, &["bad-json"]),
        (r#"{"id": "a", "seq": 1, "metadata": []}"#, &[]),
        (r#"{"id": "a", "seq": 1, "metadata": null}"#, &[]),
        (r#"{"seq": 1}"#, &["no-id"]),
        (r#"{"id": null, "seq": 1}"#, &["no-id"]),
        (r#"{"id": "a"}"#, &["bad-seq"]),
        (r#"{"id": "a", "seq": null}"#, &["bad-seq"]),
        (r#"{"id": "a", "seq": "1"}"#, &["bad-seq", "odd-value"]),
        (r#"{"id": "a", "seq": true}"#, &["bad-seq", "odd-value"]),
        (r#"{"id": "a", "seq": 0}"#, &["duplicate-seq"]),
        (r#"{"id": "a", "seq": 1, "called_by": "gone"}"#, &["dangling-edge"]),
        (r#"{"id": "a", "seq": 1, "metadata": {"parent_id": "a"}}"#, &["dangling-edge"]),
        (r#"{"id": "a", "seq": 1, "caller": "gone", "predecessor": "gone"}"#, &["dangling-edge", "dangling-edge"]),
    ];
    for (text, want) in table {
        let shown = &text[..text.len().min(80)];
        let snapshot = snapshot(&[GOOD, ("0001-u-a.json", text)]);
        assert_eq!(codes(&snapshot), *want, "{shown}");
        assert!(ids(&snapshot).contains(&"good"), "{shown}");
    }
}

#[test]
fn a_file_that_is_not_utf8_costs_only_itself() {
    let cut_inside_a_character = &b"{\"id\": \"\xc3"[..];
    let files = [
        ("0001-u-a.json", cut_inside_a_character),
        ("0002-u-b.json", b"\xa9\", \"seq\": 2}"),
        ("0003-u-c.json", b"{\"id\": \"c\", \"seq\": 3}"),
    ];
    let snapshot = snapshot_of_texts("s", None, files.map(|(name, bytes)| (name.to_owned(), bytes)));
    assert_eq!(codes(&snapshot), ["bad-json", "bad-json"]);
    assert_eq!(ids(&snapshot), ["c"]);
}

#[test]
fn a_fault_names_its_file_and_node() {
    let snapshot = snapshot(&[GOOD, ("0001-u-a.json", r#"{"id": "a", "seq": 1, "called_by": "gone"}"#), ("0002-u-b.json", "{")]);
    let named: Vec<_> = snapshot.faults().iter().map(|fault| (fault.file.as_deref(), fault.node.as_deref())).collect();
    assert_eq!(named, [(Some("history/0002-u-b.json"), None), (Some("history/0001-u-a.json"), Some("a"))]);
}

#[test]
fn a_bad_meta_is_a_fault_and_a_missing_one_is_none() {
    let of = |meta: Option<&[u8]>| snapshot_of_texts("s", meta, [(GOOD.0.to_owned(), GOOD.1.as_bytes())]);
    assert_eq!(codes(&of(None)), [""; 0]);
    assert_eq!(codes(&of(Some(b"{}"))), [""; 0]);
    for meta in [&b""[..], b"{", b"null", b"7", b"\"x\"", b"\xff"] {
        assert_eq!(codes(&of(Some(meta))), ["bad-meta"], "{}", String::from_utf8_lossy(meta));
    }
    assert_eq!(codes(&of(Some(b"[1]"))), ["bad-meta", "odd-value"]);
    assert_eq!(codes(&of(Some(br#"{"head_id": 7}"#))), ["odd-value"]);
}

#[test]
fn nodes_without_an_id_get_numbers_that_nobody_has() {
    let snapshot = snapshot(&[
        ("0001-u-.json", r#"{"seq": 1}"#),
        ("0002-u-.json", r#"{"seq": 2}"#),
        ("0003-u-x.json", r#"{"id": "auto-id-1", "seq": 3}"#),
    ]);
    assert_eq!(ids(&snapshot), ["auto-id-2", "auto-id-3", "auto-id-1"]);
    assert_eq!(codes(&snapshot), ["no-id", "no-id"]);
}

#[test]
fn different_bytes_have_different_digests() {
    let of = |meta: Option<&[u8]>, files: &[(&str, &str)]| {
        snapshot_of_texts("s", meta, files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes()))).digest()
    };
    let digests = [
        of(None, &[GOOD]),
        of(Some(b"{}"), &[GOOD]),
        of(Some(b"{ }"), &[GOOD]),
        of(Some(b"[1]"), &[GOOD]),
        of(Some(b"\xff"), &[GOOD]),
        of(Some(b"{"), &[GOOD]),
        of(None, &[("0001-u-good.json", GOOD.1)]),
        of(None, &[("0000-u-good.json", r#"{"id": "good", "seq": 0, "role": "user" }"#)]),
        of(None, &[GOOD, ("0001-u-a.json", "")]),
        of(None, &[GOOD, ("0001-u-a.json", "{")]),
    ];
    for (at, digest) in digests.iter().enumerate() {
        for (later, other) in digests.iter().enumerate().skip(at + 1) {
            assert_ne!(digest, other, "sessions {at} and {later}");
        }
    }
}
