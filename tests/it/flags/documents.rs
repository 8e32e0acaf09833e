//! Which sets are taken up: one unsound flag of somebody else does not void the rest, one of ours does.

use parallax::flags::{Flag, Flags};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{flag, from_file, metrics, prepared, set};

fn started(document: &Value) -> (TempDir, Flags, String) {
    let root = tempfile::tempdir().expect("a directory");
    let metrics = metrics();
    let flags = from_file(&root.path().join("flags.json"), &document.to_string(), &metrics);
    let text = metrics.text().expect("text");
    (root, flags, text)
}

#[test]
fn an_unsound_flag_of_somebody_else_is_left_out() {
    for unsound in [
        json!({"name": "other", "enabled": true, "strategies": 3}),
        json!({"name": "other"}),
        json!("other"),
        json!(null),
        json!({"name": "other", "enabled": "yes", "strategies": []}),
    ] {
        let mut document = set(100);
        document["features"].as_array_mut().expect("a list").insert(0, unsound.clone());
        let (_root, flags, _) = started(&document);
        assert_eq!(flags.toggles(&prepared("s")).steps, [true; 4], "{unsound}");
        assert!(flags.status().trouble.is_none());
    }
}

#[test]
fn an_unsound_or_missing_flag_of_ours_makes_the_set_bad() {
    for (at, key) in Flag::ALL.into_iter().enumerate() {
        let mut unsound = set(100);
        unsound["features"][at]["strategies"] = json!(3);
        let mut missing = set(100);
        missing["features"].as_array_mut().expect("a list").remove(at);
        for (document, reason) in [(unsound, "bad-flag"), (missing, "missing-flags")] {
            let (_root, flags, text) = started(&document);
            let trouble = flags.status().trouble.unwrap_or_default();
            assert!(trouble.contains(key.name()) && trouble.contains("flags.json"), "{trouble}");
            assert!(text.contains(&format!("parallax_flag_source_failures_total{{reason=\"{reason}\"}} 1")), "{text}");
            assert_eq!(flags.toggles(&prepared("s")).steps, [false; 4], "the built-in set holds");
        }
    }
}

#[test]
fn what_is_no_set_at_all_is_named_with_its_place() {
    let root = tempfile::tempdir().expect("a directory");
    for (text, words) in [
        ("", "line 1, column 0"),
        ("{\n  \"features\": [,]\n}", "line 2, column 16"),
        ("[]", "no list `features`"),
        ("{\"features\": {}}", "no list `features`"),
        ("{\"features\": []}", "history-step-a"),
    ] {
        let flags = from_file(&root.path().join("flags.json"), text, &metrics());
        let trouble = flags.status().trouble.unwrap_or_default();
        assert!(trouble.contains(words), "{text:?}: {trouble}");
    }
}

#[test]
fn a_flag_that_the_engine_can_not_compile_is_bad() {
    let mut document = set(100);
    document["features"][0]["strategies"][0]["constraints"] =
        json!([{"contextName": "size", "operator": "REGEX", "values": [], "value": "("}]);
    let (_root, flags, _) = started(&document);
    // Either the engine refuses the flag, and with it the set, or it takes it for off: on it must not be.
    assert!(!flags.toggles(&prepared("s")).steps[0]);
}

#[test]
fn a_cohort_is_drawn_by_what_is_known_of_a_session() {
    let mut document = set(0);
    let cohort = |name: &str, value: &str| json!({"contextName": name, "operator": "IN", "values": [value], "inverted": false});
    document["features"][0] = flag(Flag::ALL[0], 100);
    document["features"][0]["strategies"][0]["constraints"] = json!([cohort("sameAtD", "yes"), cohort("hasForks", "no")]);
    let (_root, flags, _) = started(&document);
    for (same, forks, on) in [(Some(true), false, true), (Some(true), true, false), (Some(false), false, false), (None, false, false)] {
        let mut context = super::context("s");
        context.same_at_d = same;
        context.has_forks = forks;
        assert_eq!(flags.toggles(&parallax::flags::Prepared::new(&context)).steps[0], on, "{same:?} {forks}");
    }
}
