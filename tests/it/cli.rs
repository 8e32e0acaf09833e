//! The command line, run as a user runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn parallax(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parallax")).args(arguments).env("NO_COLOR", "1").output().expect("started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The demo's sessions.
fn samples() -> (TempDir, String) {
    let root = tempfile::tempdir().expect("a directory");
    let output = parallax(&["demo", "--dir", root.path().to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    (root, text(&output.stdout))
}

fn path(root: &TempDir, sample: &str) -> String {
    root.path().join(sample).to_str().expect("UTF-8").to_owned()
}

fn json(arguments: &[&str]) -> Value {
    let output = parallax(arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stdout)))
}

#[test]
fn the_demo_shows_a_healed_gap_a_retry_a_leak_and_a_corrupt_file() {
    let (_root, shown) = samples();
    for word in
        ["history-extended", "siblings-changed", "branch-leak", "bad-json", "they first part at step A", "they first part at step D"]
    {
        assert!(shown.contains(word), "{word} in:\n{shown}");
    }
    assert!(!shown.contains('\u{1b}'), "no colours with NO_COLOR");
}

#[test]
fn compare_names_the_first_step_and_fails_where_asked() {
    let (root, _) = samples();
    let leak = path(&root, "leak-at-d");
    let document = json(&["compare", &leak, "--json"]);
    assert_eq!(document["first_divergent_step"], "D");
    assert_eq!(document["steps"]["D"]["outcome"], "diverged");
    assert!(document["steps"]["D"]["divergences"].as_array().expect("a list").iter().any(|found| found["code"] == "branch-leak"));
    for (least, code) in [("critical", 1), ("improvement", 1)] {
        assert_eq!(parallax(&["compare", &leak, "--fail-on", least]).status.code(), Some(code), "{least}");
    }
    let plain = path(&root, "plain");
    assert_eq!(parallax(&["compare", &plain, "--fail-on", "critical"]).status.code(), Some(0));
    let pair = json(&["compare", &leak, "--json", "--control", "ground", "--candidate", "c"]);
    assert!(pair["steps"].get("D").is_none());
    assert_eq!(pair["candidate"], "c");
}

#[test]
fn no_text_shows_lengths_and_no_words() {
    let (root, _) = samples();
    for command in ["compare", "history", "explain"] {
        let shown = text(&parallax(&[command, &path(&root, "leak-at-d"), "--no-text"]).stdout);
        assert!(shown.contains("characters)"), "{command}: {shown}");
        assert!(!shown.contains("goldfish") && !shown.contains("Hornwort"), "{command}: {shown}");
    }
}

#[test]
fn history_and_explain_print_the_documents_of_the_contract() {
    let (root, _) = samples();
    let session = path(&root, "healed-gap");
    let ground = json(&["history", &session, "--json"]);
    let target = json(&["history", &session, "--json", "--rung", "c"]);
    let count = |document: &Value| document["messages"].as_array().expect("a list").len();
    assert!(count(&ground) < count(&target));
    assert_eq!((&ground["rung"], &ground["error"], &ground["session_id"]), (&"ground".into(), &Value::Null, &"healed-gap".into()));
    let moved = json(&["history", &session, "--json", "--rung", "c", "--head", "g1"]);
    assert_eq!((count(&moved), &moved["head_id"]), (1, &"g1".into()));
    let explained = json(&["explain", &session, "--json"]);
    for key in ["head", "nodes", "chains", "siblings", "tools", "cards", "attachments", "faults"] {
        assert!(explained.get(key).is_some(), "{key}");
    }
    assert_eq!(explained["chains"]["c"].as_array().expect("a list").len(), count(&target));
}

#[test]
fn errors_say_what_where_and_what_to_do() {
    let root = tempfile::tempdir().expect("a directory");
    let place = |name: &str| -> PathBuf { root.path().join(name) };
    std::fs::create_dir_all(place("nothing")).expect("made");
    std::fs::create_dir_all(place("empty/history")).expect("made");
    std::fs::create_dir_all(place("corrupt/history")).expect("made");
    std::fs::write(place("corrupt/history/0000-u-a.json"), "{\"id\": ").expect("written");
    std::fs::write(place("file"), "").expect("written");
    let (samples, _) = samples();
    let show = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let check = |arguments: &[&str], code: i32, words: &[&str]| {
        let output = parallax(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(words.iter().all(|word| said.contains(word)), "{arguments:?}: {said}");
    };
    check(&["compare", &show(&place("missing"))], 3, &["no session directory at", "missing"]);
    check(&["compare", &show(&place("file"))], 3, &["is no directory"]);
    check(&["history", &show(&place("nothing"))], 3, &["is no session", "meta.json"]);
    check(&["history", &show(&place("empty"))], 0, &["is empty"]);
    check(&["compare", &show(&place("corrupt"))], 3, &["none of the 1 node files", "can be read"]);
    check(&["history", &path(&samples, "plain"), "--head", "nobody"], 2, &["no node", "nobody", "explain"]);
    check(&["history", &path(&samples, "plain"), "--rung", "e"], 2, &["possible values"]);
    check(&["compare", &path(&samples, "plain"), "--control", "c", "--candidate", "a"], 2, &["is above"]);
    check(&["unknown"], 2, &["unrecognized"]);
}

#[test]
fn completions_are_printed_for_every_shell() {
    for shell in ["bash", "zsh", "fish"] {
        let output = parallax(&["completions", shell]);
        assert!(output.status.success() && text(&output.stdout).contains("parallax"), "{shell}");
    }
}

#[test]
fn the_command_line_wins_over_variables_and_these_over_the_file() {
    let (root, _) = samples();
    let plain = path(&root, "plain");
    let file = root.path().join("parallax.toml");
    std::fs::write(&file, "json = true\nrung = \"a\"\n[history]\nrung = \"b\"\n").expect("written");
    let config = file.to_str().expect("UTF-8");
    let rung = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parallax"));
        let output = command.args(arguments).envs(variables.iter().copied()).output().expect("started");
        let document: Option<Value> = serde_json::from_slice(&output.stdout).ok();
        document.map_or_else(|| text(&output.stdout), |document| document["rung"].as_str().unwrap_or_default().to_owned())
    };
    let variables = [("PARALLAX_CONFIG", config)];
    assert_eq!(rung(&["history", &plain, "--config", config], &[]), "b", "the command's own table");
    assert_eq!(rung(&["--config", config, "history", &plain], &[]), "b");
    assert_eq!(rung(&["history", "--", &plain], &variables), "b");
    assert_eq!(rung(&["history", &plain], &[variables[0], ("PARALLAX_RUNG", "c")]), "c");
    assert_eq!(rung(&["history", &plain, "--rung", "d"], &[variables[0], ("PARALLAX_RUNG", "c")]), "d");
    assert!(rung(&["history", &plain, "--json=false"], &variables).starts_with("plain at rung b"));
    assert!(rung(&["history", &plain], &[variables[0], ("PARALLAX_JSON", "no")]).starts_with("plain at rung b"));
}

#[test]
fn a_bad_configuration_file_is_named_with_what_is_wrong_in_it() {
    let (root, _) = samples();
    let plain = path(&root, "plain");
    let file = root.path().join("parallax.toml");
    let config = file.to_str().expect("UTF-8");
    let cases = [
        ("rung = ", "line 1"),
        ("rnug = \"a\"", "rnug"),
        ("[history]\nfail-on = \"minor\"", "fail-on"),
        ("[hist]\nrung = \"a\"", "hist"),
        ("rung = [\"a\"]", "must be a text"),
        ("rung = \"z\"", "parallax.toml"),
    ];
    for (content, word) in cases {
        std::fs::write(&file, content).expect("written");
        let output = parallax(&["history", &plain, "--config", config]);
        let shown = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{content}: {shown}");
        assert!(shown.contains(word) && shown.contains("parallax.toml"), "{content}: {shown}");
        assert!(output.stdout.is_empty());
    }
    let missing = parallax(&["history", &plain, "--config", "/nonexistent/parallax.toml"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("/nonexistent/parallax.toml"));
}

#[test]
fn an_empty_variable_is_none_and_a_table_is_no_option() {
    let (root, _) = samples();
    let plain = path(&root, "plain");
    let mut command = Command::new(env!("CARGO_BIN_EXE_parallax"));
    for variable in ["PARALLAX_JSON", "PARALLAX_RUNG", "PARALLAX_CONFIG", "PARALLAX_FAIL_ON", "PARALLAX_HEAD"] {
        command.env(variable, "");
    }
    assert_eq!(command.args(["history", &plain]).status().expect("started").code(), Some(0));
    let file = root.path().join("parallax.toml");
    std::fs::write(&file, "[flags]\njson = true\n").expect("written");
    let document = json(&["flags", "list", "--config", file.to_str().expect("UTF-8")]);
    assert_eq!(document["source"], "bootstrap");
}
