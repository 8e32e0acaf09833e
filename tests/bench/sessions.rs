//! Synthetic sessions on disk: a web chat with two tool calls a turn, forks and runs now and then.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// Characters of a message.
const TEXT: usize = 200;

/// Writes a session of about `nodes` nodes; the same arguments write the same bytes.
pub(crate) fn write(directory: &Path, nodes: usize) {
    let mut session = Writer { directory, seq: 0, head: None };
    fs::create_dir_all(directory.join("history")).expect("made");
    fs::create_dir_all(directory.join(".git")).expect("made");
    session.put("ROOT", "user", "", json!(""), json!({"display": "root"}));
    let mut turn = 0;
    while session.seq < nodes {
        turn += 1;
        session.turn(turn);
    }
    let meta = json!({"id": "bench", "title": "synthetic", "source": "web", "created_at": 1_780_000_000.0, "head_id": session.head});
    fs::write(directory.join("meta.json"), meta.to_string()).expect("written");
}

struct Writer<'a> {
    directory: &'a Path,
    seq: usize,
    head: Option<String>,
}

impl Writer<'_> {
    fn put(&mut self, id: &str, role: &str, called_by: &str, output: Value, metadata: Value) {
        let name = if role == "code" { "read" } else { "model-x" };
        let input = if role == "code" { json!("{\"path\": \"/home/user/p/a.txt\", \"n\": 1}") } else { Value::Null };
        let node = json!({"id": id, "created_at": 1_780_000_000.0 + self.seq as f64 * 0.5, "seq": self.seq, "role": role, "name": name,
            "input": input, "output": output, "called_by": called_by, "reads": [], "metadata": metadata});
        let file = format!("{:04}-{}-{id}.json", self.seq, &role[..1]);
        fs::write(self.directory.join("history").join(file), node.to_string()).expect("written");
        self.seq += 1;
    }

    fn turn(&mut self, turn: usize) {
        let (user, reply) =
            (format!("{:08x}", turn * 2_654_435_761 % 0xffff_ffff), format!("{:08x}_reply", turn * 2_654_435_761 % 0xffff_ffff));
        let text = words(turn);
        let mut metadata = json!({"source": "web"});
        if let Some(head) = &self.head {
            metadata["parent_id"] = json!(head);
        }
        self.put(&user, "user", "ROOT", json!(text), metadata);
        let calls: Vec<Value> = (0..2)
            .map(|call| json!({"id": format!("c{call}"), "tool_call_id": format!("c{call}"), "tool": "read", "input": "{}", "result": words(turn + call), "is_error": false}))
            .collect();
        let extra = json!({"tool_calls": calls, "blocks": calls}).to_string();
        let metadata = json!({"parent_id": user, "source": "web", "status": "completed", "worker_id": "100-abcdef", "started_at": 1.5,
            "agent_id": "main", "completed_at": 2.5, "input_tokens": 10, "output_tokens": 4, "extra": extra});
        self.put(&reply, "llm", &user, json!(text), metadata);
        for call in 0..2 {
            self.put(
                &format!("{reply}_t_c{call}"),
                "code",
                &reply,
                json!(words(turn + call)),
                json!({"tool_call_id": format!("c{call}"), "is_error": false}),
            );
        }
        if !turn.is_multiple_of(40) {
            self.head = Some(reply);
        }
    }
}

fn words(seed: usize) -> String {
    const WORDS: [&str; 12] =
        ["graph", "session", "branch", "merge", "token", "parser", "метод", "данные", "索引", "naïve", "façade", "buffer"];
    let mut text = String::new();
    let mut at = seed;
    while text.chars().count() < TEXT {
        at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push_str(WORDS[(at >> 33) % WORDS.len()]);
        text.push(' ');
    }
    text
}
