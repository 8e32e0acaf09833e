//! Values that ordinary tools choke on cost a remark, never the node; what is not known is kept.

use super::{codes, ids, place, snapshot};

#[test]
fn odd_values_do_not_cost_the_node() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let within = format!("{}1{}", "[".repeat(118), "]".repeat(118));
    for (value, odd) in [
        ("NaN", true),
        ("-Infinity", true),
        ("1e999", true),
        ("18446744073709551616", true),
        ("18446744073709551615", false),
        (&"7".repeat(5_000), true),
        (r#""\ud800""#, true),
        (r#""\ud83d\ude00""#, false),
        (&deep, true),
        (&within, false),
    ] {
        let text = format!("{{\"id\": \"a\", \"seq\": 1, \"metadata\": {{\"x\": {value}}}}}");
        let snapshot = snapshot(&[("0001-u-a.json", &text)]);
        assert_eq!(ids(&snapshot), ["a"]);
        assert_eq!(codes(&snapshot), if odd { &["odd-value"][..] } else { &[] }, "{}", &value[..value.len().min(60)]);
    }
}

#[test]
fn unknown_fields_are_kept_to_the_byte() {
    let text = r#" {"id": "a" , "seq": 1, "later": {"b": [1.50, "\u00e9"], "b": 2}, "metadata": {"new": 1e2}} "#;
    let snapshot = snapshot(&[("0001-u-a.json", text)]);
    assert_eq!(snapshot.body(snapshot.at(place(&snapshot, "a"))).as_text(), text.trim());
}

#[test]
fn the_head_is_head_id_or_else_last_node_id() {
    for (meta, want) in [
        (r#"{"head_id": "a", "last_node_id": "b"}"#, Some("a")),
        (r#"{"head_id": "", "last_node_id": "b"}"#, Some("b")),
        (r#"{"head_id": null, "last_node_id": "b"}"#, Some("b")),
        (r#"{"last_node_id": "b"}"#, Some("b")),
        (r#"{"head_id": "gone"}"#, Some("gone")),
        (r#"{"head_id": "gone", "head_id": "a"}"#, Some("a")),
        ("{}", None),
    ] {
        let files = [("0001-u-a.json", r#"{"id": "a", "seq": 1}"#)].map(|(name, text)| (name.to_owned(), text.as_bytes()));
        let snapshot = parallax::dag::snapshot_of_texts("s", Some(meta.as_bytes()), files);
        assert_eq!(snapshot.head().map(|head| snapshot.text(head.id)), want, "{meta}");
    }
}
