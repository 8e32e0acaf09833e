//! What somebody found who tried to break the command line: each stays mended.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

fn parallax(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parallax")).args(arguments).output().expect("started")
}

fn session(root: &Path, name: &str, nodes: &[Value]) -> String {
    let directory = root.join(name);
    fs::create_dir_all(directory.join("history")).expect("made");
    fs::write(directory.join("meta.json"), "{}").expect("written");
    for (at, node) in nodes.iter().enumerate() {
        fs::write(directory.join(format!("history/{at:04}-x-{at}.json")), node.to_string()).expect("written");
    }
    directory.to_str().expect("UTF-8").to_owned()
}

fn root() -> TempDir {
    tempfile::tempdir().expect("a directory")
}

/// Characters that a terminal obeys, or that turn text around.
fn is_raw(output: &Output) -> bool {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    text.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}', '\u{61c}'])
}

#[test]
fn demo_leaves_alone_what_it_did_not_write() {
    let root = root();
    let own = session(root.path(), "retry", &[json!({"id": "precious"})]);
    let output = parallax(&["demo", "--dir", root.path().to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("retry"));
    assert_eq!(fs::read_to_string(Path::new(&own).join("history/0000-x-0.json")).expect("there"), "{\"id\":\"precious\"}");

    // A link to a session of somebody is none of ours either, nor is one that stands for the whole place.
    let (elsewhere, linked) = (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
    let victim = session(elsewhere.path(), "plain", &[json!({"id": "precious"})]);
    symlink(&victim, linked.path().join("plain")).expect("linked");
    assert_eq!(parallax(&["demo", "--dir", linked.path().to_str().expect("UTF-8")]).status.code(), Some(3));
    let temporary = tempfile::tempdir().expect("a directory");
    symlink(elsewhere.path(), temporary.path().join("parallax-demo")).expect("linked");
    let demo = Command::new(env!("CARGO_BIN_EXE_parallax")).arg("demo").env("TMPDIR", temporary.path()).output().expect("started");
    assert_eq!(demo.status.code(), Some(0));
    assert!(temporary.path().join("parallax-demo-2/plain").is_dir());
    assert!(Path::new(&victim).join("history/0000-x-0.json").is_file());
}

#[test]
fn demo_can_be_run_again_over_its_own_samples() {
    let root = root();
    for _ in 0..2 {
        assert_eq!(parallax(&["demo", "--dir", root.path().to_str().expect("UTF-8")]).status.code(), Some(0));
    }
}

#[test]
fn no_name_reaches_a_terminal_as_it_is() {
    let root = root();
    let evil = "x\u{1b}[2J\u{7}\u{9b}\u{202e}\u{61c}y";
    let node = json!({"id": evil, "seq": 0, "role": evil, "name": evil, "output": evil, "metadata": {"function": evil}});
    let directory = session(root.path(), evil, &[node]);
    fs::write(Path::new(&directory).join(format!("history/0001-u-{evil}.json")), "{").expect("written");
    for arguments in [vec!["history"], vec!["explain"], vec!["compare"], vec!["history", "--head", evil]] {
        let [command, rest @ ..] = arguments.as_slice() else { unreachable!("a command") };
        let output = parallax(&[&[*command, &directory], rest].concat());
        assert!(!is_raw(&output), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout).escape_debug());
    }
    assert!(!is_raw(&parallax(&["history", &format!("{directory}/{evil}")])));
}

#[test]
fn documents_are_printed_to_the_byte() {
    let root = root();
    let node = |id: &str, seq: u32| json!({"id": id, "seq": seq, "role": "user", "output": "", "metadata": {"parent_id": null}});
    let directory = session(root.path(), "s", &[node("a\u{7f}b", 0), node("ab", 1)]);
    let document: Value = serde_json::from_slice(&parallax(&["explain", "--json", &directory]).stdout).expect("JSON");
    let ids: Vec<&str> = document["nodes"].as_array().expect("a list").iter().filter_map(|node| node["id"].as_str()).collect();
    assert_eq!(ids, ["a\u{7f}b", "ab"]);
}

#[test]
fn messages_as_served_and_no_text_do_not_go_together() {
    let root = root();
    let directory = session(root.path(), "s", &[json!({"id": "a", "seq": 0, "role": "user", "output": "secret"})]);
    let output = parallax(&["history", "--json", "--no-text", &directory]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    for arguments in [["compare", "--json", "--no-text"], ["explain", "--json", "--no-text"], ["history", "--no-text", "--rung=c"]] {
        let output = parallax(&[&arguments[..], &[directory.as_str()]].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("secret"));
    }
}

#[test]
fn a_broken_context_costs_no_session() {
    let root = root();
    let directory = session(root.path(), "s", &[json!({"id": "a", "seq": 0, "role": "user", "output": "x"})]);
    symlink("context", Path::new(&directory).join("context")).expect("linked");
    assert_eq!(parallax(&["history", &directory]).status.code(), Some(0));
}

#[test]
fn a_full_device_gives_an_exit_code_of_the_contract() {
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
    let mut command = Command::new(env!("CARGO_BIN_EXE_parallax"));
    assert_eq!(command.args(["history", "/nonexistent"]).stderr(full()).status().expect("started").code(), Some(3));
    let root = root();
    let directory = session(root.path(), "s", &[json!({"id": "a", "seq": 0, "role": "user", "output": "x"})]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_parallax"));
    let code = command.args(["history", &directory]).stdout(full()).output().expect("started").status.code();
    assert_eq!(code, Some(3));
}

#[test]
fn what_a_card_embeds_is_counted_beyond_64_bits() {
    let root = root();
    let card = json!({"id": "c", "seq": 1, "role": "llm", "output": "", "called_by": "a",
        "metadata": {"function": "attach", "attach": {"source_commit_id": "k"}, "parent_id": "a"}});
    let directory = session(root.path(), "s", &[json!({"id": "a", "seq": 0, "role": "user", "output": "x"}), card]);
    let commits = Path::new(&directory).join("context/commits");
    fs::create_dir_all(&commits).expect("made");
    let item = |tokens: i64| json!({"source_node_id": "a", "role": "user", "tokens": tokens});
    fs::write(commits.join("k.json"), json!({"id": "k", "session_id": "s", "items": [item(i64::MAX), item(1)]}).to_string())
        .expect("written");
    fs::create_dir(Path::new(&directory).join(".git")).expect("made");
    let text = String::from_utf8(parallax(&["history", "--json", "--rung", "c", &directory]).stdout).expect("UTF-8");
    assert!(text.contains("\"embed_tokens\": 9223372036854775808"), "{text}");
}
