//! What is known of a session, and the cohorts that are made of it.

use parallax::dag::{Snapshot, snapshot_of_texts};
use parallax::flags::{Context, Generation, Size};
use parallax::step::Rung;
use serde_json::json;

use super::{Bench, gap, steps};
use crate::flags::until;

fn snapshot(meta: &str, nodes: &[serde_json::Value]) -> Snapshot {
    let files: Vec<(String, String)> =
        nodes.iter().enumerate().map(|(at, node)| (format!("{at:04}-x-{at}.json"), node.to_string())).collect();
    snapshot_of_texts("s", Some(meta.as_bytes()), files.iter().map(|(name, text)| (name.clone(), text.as_bytes())))
}

#[test]
fn the_context_says_what_the_session_holds() {
    let user = json!({"id": "u", "seq": 0, "role": "user", "called_by": "ROOT"});
    let reply = json!({"id": "r", "seq": 1, "role": "llm", "called_by": "u", "metadata": {"parent_id": "u"}});
    let retry = json!({"id": "r2", "seq": 2, "role": "llm", "called_by": "u", "metadata": {"parent_id": "u"}});
    let tool = json!({"id": "t", "seq": 3, "role": "code", "called_by": "r"});
    let run = json!({"id": "c", "seq": 4, "role": "code", "called_by": "u"});
    let spawn = json!({"id": "s", "seq": 5, "role": "user", "called_by": "", "metadata": {"source": "agent_spawn"}});
    let newer = json!({"id": "n", "seq": 6, "role": "llm", "caller": "u", "predecessor": "u"});
    let of = |meta: &str, nodes: &[&serde_json::Value]| {
        let nodes: Vec<_> = nodes.iter().map(|node| (*node).clone()).collect();
        Context::of(&snapshot(meta, &nodes), None)
    };
    let plain = of("{\"source\": \"web\"}", &[&user, &reply]);
    assert_eq!((plain.channel.as_str(), plain.generation, plain.size), ("web", Generation::First, Size::Hundred));
    assert!(!plain.has_forks && !plain.has_runs && !plain.has_spawns && !plain.has_tools);
    assert!(of("{}", &[&user, &reply, &retry]).has_forks);
    assert!(of("{}", &[&user, &reply, &tool]).has_tools && !of("{}", &[&user, &reply, &tool]).has_runs);
    assert!(of("{}", &[&user, &run]).has_runs && !of("{}", &[&user, &run]).has_tools);
    assert!(of("{}", &[&user, &spawn]).has_spawns);
    assert_eq!(of("{}", &[&newer]).generation, Generation::Second);
    assert_eq!(of("{\"source\": \"\", \"channel\": \"wechat\"}", &[&user, &newer]).generation, Generation::Mixed);
    assert_eq!(of("{\"source\": \"tui\", \"channel\": \"wechat\"}", &[]).channel, "wechat");
    assert_eq!(of("{}", &[]).channel, "unknown");
    let sizes = [0, 100, 101, 1_000, 1_001, 10_000, 10_001].map(|nodes| Size::of(nodes).name());
    assert_eq!(sizes, ["100", "100", "1000", "1000", "10000", "10000", "more"]);
}

#[test]
fn a_step_can_be_rolled_out_to_sessions_that_are_known_to_be_the_same_at_d() {
    let mut document = steps([true, true, true, true], true);
    let same = json!([{"contextName": "sameAtD", "operator": "IN", "values": ["yes"], "inverted": false}]);
    for step in 0..4 {
        document["features"][step]["strategies"][0]["constraints"] = same.clone();
    }
    let bench = Bench::new(&document);
    let (differs, plain) = (gap("differs"), std::sync::Arc::new(snapshot("{}", &[])));
    assert_eq!(bench.lab.load(&plain).expect("served").rung, Rung::Ground, "not compared yet: unknown is never yes");
    until("the comparison", || bench.lab.load(&plain).expect("served").rung == Rung::D);
    for _ in 0..20 {
        assert_eq!(bench.lab.load(&differs).expect("served").rung, Rung::Ground);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(bench.path().exists());
}
