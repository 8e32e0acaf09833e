//! Claims about the rungs: for random sessions, for very large ones, and for chats that lost their edges.

use parallax::dag::{Snapshot, snapshot_of_texts};
use parallax::history::{Cancel, History, history_at};
use parallax::step::Rung;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::claims;
use crate::r#gen::Wild;
use crate::properties::{read, sessions};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_rung_holds_what_it_promises(session in sessions(Wild::Everything)) {
        claims::check(&read(&session));
    }

    #[test]
    fn the_same_input_gives_the_same_bytes(session in sessions(Wild::Shapes)) {
        let bytes = || {
            let snapshot = read(&session);
            Rung::ALL.map(|rung| rendered(&snapshot, rung))
        };
        let text = |all: [Vec<u8>; 5]| all.map(|bytes| without_made_up_times(&bytes));
        prop_assert_eq!(text(bytes()), text(bytes()));
    }

    #[test]
    fn a_plain_chat_without_edges_shows_the_same(turns in 1usize..30) {
        let chat = |edges: bool| {
            let files: Vec<(String, Vec<u8>)> = (0..turns * 2).map(|at| message(at, edges)).collect();
            let snapshot = in_memory(&files, Some(turns * 2 - 1));
            ids(&snapshot, &history_at(&snapshot, Rung::C, &Cancel::new()).expect("not cancelled"))
        };
        prop_assert_eq!(chat(true).len(), turns * 2);
        prop_assert_eq!(chat(true), chat(false));
    }
}

fn rendered(snapshot: &Snapshot, rung: Rung) -> Vec<u8> {
    let mut bytes = Vec::new();
    history_at(snapshot, rung, &Cancel::new()).expect("not cancelled").write_messages(snapshot, &mut bytes).expect("written");
    bytes
}

/// Times that nodes do not have are those of the reading.
fn without_made_up_times(bytes: &[u8]) -> Vec<Value> {
    let mut messages: Vec<Value> = serde_json::from_slice(bytes).unwrap_or_default();
    for message in &mut messages {
        message["timestamp"] = Value::Null;
    }
    messages
}

/// The `at`-th message of a chat, user and model in turn.
fn message(at: usize, edges: bool) -> (String, Vec<u8>) {
    let user = at.is_multiple_of(2);
    let role = if user { "user" } else { "llm" };
    let before = at.checked_sub(1).map(|before| format!("n{before}"));
    let metadata = if edges { json!({"parent_id": before}) } else { json!({}) };
    let called_by = if edges && !user { before.unwrap_or_default() } else { String::new() };
    let node = json!({"id": format!("n{at}"), "seq": at, "role": role, "output": "text", "called_by": called_by, "metadata": metadata});
    (format!("{at:04}-{}-n{at}.json", &role[..1]), node.to_string().into_bytes())
}

fn in_memory(files: &[(String, Vec<u8>)], head: Option<usize>) -> Snapshot {
    let meta = json!({"head_id": head.map(|head| format!("n{head}"))}).to_string();
    snapshot_of_texts("s", Some(meta.as_bytes()), files.iter().map(|(name, bytes)| (name.clone(), bytes.as_slice())))
}

fn ids(snapshot: &Snapshot, history: &History) -> Vec<String> {
    history.messages.iter().map(|message| snapshot.text(snapshot.node(message.node).id).to_owned()).collect()
}

#[test]
fn what_stands_in_a_text_is_served_as_plain_json() {
    let extra = r#"{"blocks": [NaN, -Infinity, 1e999, "\\ud800"]}"#;
    let reply = json!({"id": "r", "seq": 0, "role": "llm", "output": "x", "called_by": "", "metadata": {"extra": extra}});
    let card = json!({"id": "c", "seq": 1, "role": "llm", "output": "x", "called_by": "r",
        "metadata": {"function": "attach", "extra": r#"{"attach": {"source_commit_id": "k", "n": NaN}}"#}});
    let files =
        vec![("0000-l-r.json".to_owned(), reply.to_string().into_bytes()), ("0001-l-c.json".to_owned(), card.to_string().into_bytes())];
    let snapshot = in_memory(&files, None);
    assert!(!snapshot.is_odd());
    claims::check(&snapshot);
}

#[test]
fn a_chat_of_a_million_nodes_is_shown_whole() {
    let files: Vec<(String, Vec<u8>)> = (0..1_000_000).map(|at| message(at, at % 3 != 0)).collect();
    let snapshot = in_memory(&files, Some(999_999));
    for rung in Rung::ALL.into_iter().filter(|rung| *rung >= Rung::B) {
        let history = history_at(&snapshot, rung, &Cancel::new()).expect("not cancelled");
        assert_eq!(history.messages.len(), 1_000_000, "{rung}");
    }
    history_at(&snapshot, Rung::Ground, &Cancel::new()).expect("not cancelled");
}

#[test]
fn calls_two_hundred_thousand_deep_need_no_stack() {
    let call = |at: usize| {
        let caller = at.checked_sub(1).map_or("ROOT".to_owned(), |before| format!("n{before}"));
        let node =
            json!({"id": format!("n{at}"), "seq": at, "role": "code", "name": "f", "output": "x", "called_by": caller, "metadata": {}});
        (format!("{at:04}-c-n{at}.json"), node.to_string().into_bytes())
    };
    let files: Vec<(String, Vec<u8>)> = (0..200_000).map(call).collect();
    let snapshot = in_memory(&files, Some(199_999));
    claims::check(&snapshot);
    let target = history_at(&snapshot, Rung::C, &Cancel::new()).expect("not cancelled");
    assert_eq!(ids(&snapshot, &target), ["n0"]);
    let ground = history_at(&snapshot, Rung::Ground, &Cancel::new()).expect("not cancelled");
    assert!(ground.error.is_some(), "the legacy program runs out of stack, and Ground says so");
}
