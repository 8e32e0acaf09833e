//! Both generations' edges are resolved once: to a place, to nothing in one of three ways, or to a name that dangles.

use parallax::dag::{Call, Recorded, Snapshot};

use super::{ids, place, snapshot};

const T: &str = r#"{"id": "t", "seq": 0, "role": "user"}"#;
const MARKER: &str = r#"{"id": "m", "seq": 1, "role": "user", "metadata": {"display": "root"}}"#;

/// The edges of a node that holds `members`, in words.
fn edges_of(members: &str) -> (String, String) {
    let own = format!("{{\"id\": \"x\", \"seq\": 2, \"role\": \"llm\", {members}}}");
    let snapshot = snapshot(&[("0000-u-t.json", T), ("0001-u-m.json", MARKER), ("0002-l-x.json", &own)]);
    let at = place(&snapshot, "x");
    let id = |at| snapshot.text(snapshot.at(at).id).to_owned();
    let call = match snapshot.edges().call(at) {
        Call::Nothing => "nothing".to_owned(),
        Call::By(at) => id(at),
        Call::Dangling(name) => format!("{}?", snapshot.text(name)),
    };
    (call, recorded(&snapshot, snapshot.edges().recorded(at)))
}

fn recorded(snapshot: &Snapshot, edge: Recorded) -> String {
    match edge {
        Recorded::Absent => "absent".to_owned(),
        Recorded::Null => "null".to_owned(),
        Recorded::Root => "root".to_owned(),
        Recorded::To(at) => snapshot.text(snapshot.at(at).id).to_owned(),
        Recorded::Dangling(name) => format!("{}?", snapshot.text(name)),
    }
}

#[test]
fn edges_of_both_generations_resolve() {
    for (members, call, recorded) in [
        (r#""name": """#, "nothing", "absent"),
        (r#""called_by": null, "metadata": {"parent_id": null}"#, "nothing", "null"),
        (r#""called_by": "", "metadata": {"parent_id": ""}"#, "nothing", "absent"),
        (r#""called_by": "ROOT", "metadata": {"parent_id": "ROOT"}"#, "nothing", "root"),
        (r#""called_by": "t", "metadata": {"parent_id": "t"}"#, "t", "t"),
        (r#""called_by": "m", "metadata": {"parent_id": "m"}"#, "nothing", "root"),
        (r#""called_by": "gone", "metadata": {"parent_id": "gone"}"#, "gone?", "gone?"),
        (r#""called_by": "x", "metadata": {"parent_id": "x"}"#, "x", "x?"),
        (r#""caller": "t", "predecessor": "t""#, "t", "t"),
        (r#""caller": "", "predecessor": """#, "nothing", "absent"),
        (r#""caller": null, "predecessor": null"#, "nothing", "absent"),
        (r#""caller": "ROOT", "predecessor": "ROOT""#, "nothing", "root"),
        (r#""caller": "gone", "predecessor": "gone""#, "gone?", "gone?"),
        // Where a node carries both, a non-empty `called_by` beats `caller`, a non-null `predecessor` beats `parent_id`.
        (r#""called_by": "t", "caller": "gone", "predecessor": "t", "metadata": {"parent_id": "gone"}"#, "t", "t"),
        (r#""called_by": "", "caller": "t", "predecessor": null, "metadata": {"parent_id": "t"}"#, "t", "t"),
        (r#""called_by": "ROOT", "caller": "t", "predecessor": "gone", "metadata": {"parent_id": "t"}"#, "nothing", "gone?"),
        (r#""predecessor": "ROOT", "metadata": {"parent_id": "t"}"#, "nothing", "root"),
        (r#""predecessor": null, "metadata": {"parent_id": null}"#, "nothing", "null"),
        // Of equal keys the last one counts, however it is written.
        (r#""called_by": "gone", "called\u005fby": "\u0074", "metadata": {"parent_id": "gone"}, "metadata": {}"#, "t", "absent"),
    ] {
        assert_eq!(edges_of(members), (call.to_owned(), recorded.to_owned()), "{members}");
    }
}

#[test]
fn a_fork_names_another_node_that_exists() {
    for (fork, want) in [("t", Some("t")), ("x", None), ("gone", None), ("", None)] {
        let own = format!("{{\"id\": \"x\", \"seq\": 2, \"metadata\": {{\"forked_from\": \"{fork}\"}}}}");
        let snapshot = snapshot(&[("0000-u-t.json", T), ("0002-l-x.json", &own)]);
        let found = snapshot.edges().forked_from(place(&snapshot, "x"));
        assert_eq!(found.map(|at| snapshot.text(snapshot.at(at).id)), want, "{fork:?}");
    }
}

#[test]
fn order_is_by_number_then_role_then_id() {
    let node = |id: &str, seq: &str, role: &str| format!("{{\"id\": \"{id}\", \"seq\": {seq}, \"role\": \"{role}\"}}");
    let files = [
        ("10000-u-k.json", node("k", "10000", "user")),
        ("9999-u-j.json", node("j", "9999", "user")),
        ("0100-u-u1.json", node("u1", "100", "user")),
        ("0100-l-l1.json", node("l1", "100", "llm")),
        ("0100-c-c2.json", node("c2", "100", "code")),
        ("0100-c-c1.json", node("c1", "100", "code")),
        ("0012-u-named.json", node("named", "null", "user")),
        ("0000-u-minus.json", node("minus", "-3", "user")),
        ("nameless.json", node("nameless", "null", "user")),
    ];
    let snapshot = snapshot(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    assert_eq!(ids(&snapshot), ["minus", "named", "c1", "c2", "l1", "u1", "j", "k", "nameless"]);
}

#[test]
fn of_two_files_with_one_id_the_greater_number_then_name_counts() {
    let node = |id: &str, name: &str| format!("{{\"id\": \"{id}\", \"seq\": 1, \"name\": \"{name}\"}}");
    for (one, other) in [("9999-u-a.json", "10000-u-a.json"), ("0001-l-a.json", "0001-u-a.json"), ("0001-u-a.json", "a.json")] {
        let snapshot = snapshot(&[(one, &node("a", "old")), (other, &node("a", "new"))]);
        let body = snapshot.body(snapshot.at(place(&snapshot, "a")));
        assert_eq!(body.member("name").and_then(|name| name.string()).as_deref(), Some("new"), "{one} {other}");
        assert_eq!(snapshot.nodes().len(), 2);
    }
}

#[test]
fn any_mixture_of_numbers_has_one_order() {
    // Clamped integers, floats beyond them and infinities, enough of them that a sort would notice a ring.
    let seqs = ["1e300", "Infinity", "null", "1e301", &"9".repeat(50), &"9".repeat(60), "-Infinity", "NaN", "1", "1.0"];
    for round in 0..20usize {
        let files: Vec<(String, String)> = (0..200usize)
            .map(|at| {
                let spread = (at * 7_919 + round * 104_729) % 1_009;
                (format!("x{spread:04}.json"), format!("{{\"id\": \"{spread:04}\", \"seq\": {}}}", seqs[(spread * 31 + at) % seqs.len()]))
            })
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        crate::invariants::check(&snapshot(&files));
    }
}
