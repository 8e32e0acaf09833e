//! Two processes with one set of flags serve every session the same rung.

use std::process::Command;

use parallax::plan::{Breaker, plan};

use super::{from_file, metrics, prepared, set};

const FILE: &str = "PARALLAX_TEST_FLAGS";

/// What the test below starts twice: prints the rung of each of two thousand sessions.
#[test]
#[ignore = "started by another test as a child"]
fn child() {
    let path = std::path::PathBuf::from(std::env::var_os(FILE).expect("a file"));
    let text = std::fs::read_to_string(&path).expect("there");
    let flags = from_file(&path.with_extension(std::process::id().to_string()), &text, &metrics());
    let rungs: String = (0..2_000)
        .map(|session| {
            plan(&flags.toggles(&prepared(&format!("s{session}"))), &[Breaker::Closed; 4]).serve.name().chars().next().unwrap_or('?')
        })
        .collect();
    println!("RUNGS {rungs}");
}

#[test]
fn two_processes_serve_every_session_the_same_rung() {
    let root = tempfile::tempdir().expect("a directory");
    let path = root.path().join("flags.json");
    let mut document = set(0);
    for (at, share) in ["80", "60", "40", "20"].into_iter().enumerate() {
        document["features"][at]["strategies"][0]["parameters"]["rollout"] = serde_json::json!(share);
    }
    std::fs::write(&path, document.to_string()).expect("written");
    let run = || {
        let own = std::env::current_exe().expect("a path");
        let arguments = ["--exact", "flags::replicas::child", "--ignored", "--nocapture", "--test-threads=1"];
        let output = Command::new(own).args(arguments).env(FILE, &path).output().expect("started");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().find_map(|line| Some(line.split_once("RUNGS ")?.1.to_owned())).unwrap_or_else(|| panic!("{text}"))
    };
    let (one, other) = (run(), run());
    assert_eq!(one, other);
    let count = |rung: char| one.chars().filter(|own| *own == rung).count();
    // Each share is a fifth: 400 of 2 000, within five standard deviations.
    for rung in ['g', 'a', 'b', 'c', 'd'] {
        assert!(count(rung).abs_diff(400) <= 90, "{rung}: {}", count(rung));
    }
}
