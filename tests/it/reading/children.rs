//! Reading with little: a child without permission, without file descriptors, without threads.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use parallax::dag::{ReadOptions, read_session};

use super::OnDisk;

const SESSION: &str = "PARALLAX_TEST_SESSION";

/// What the parents below start: reads a session and prints how it went.
#[test]
#[ignore = "started by other tests as a child"]
fn child() {
    let path = std::env::var_os(SESSION).expect("a session to read");
    match read_session(Path::new(&path), &ReadOptions { threads: 2, ..ReadOptions::default() }) {
        Ok(snapshot) => println!("READ {} nodes, {} faults", snapshot.nodes().len(), snapshot.faults().len()),
        Err(error) => println!("READ error: {error}"),
    }
}

/// Lets a child that is not root read the session behind a shell command; `None` where there is no way not to be root.
fn read_as_nobody(session: &OnDisk, limits: &str) -> Option<String> {
    let own = std::env::current_exe().expect("a path");
    // The build directory may be closed to others.
    let copy = session.root.path().join("it");
    std::fs::copy(own, &copy).expect("copied");
    std::fs::set_permissions(session.root.path(), std::fs::Permissions::from_mode(0o755)).expect("opened");
    let is_root = Command::new("id").arg("-u").output().expect("id").stdout == b"0\n";
    let mut command = if is_root {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "bash"]);
        command
    } else {
        Command::new("bash")
    };
    let script = format!("{limits} exec \"$0\" --exact reading::children::child --ignored --nocapture --test-threads=1");
    command.arg("-c").arg(script).arg(copy).env(SESSION, session.path());
    let output = match command.output() {
        Ok(output) => output,
        Err(error) if is_root => {
            eprintln!("skipped: running as root, and setpriv does not start ({error})");
            return None;
        }
        Err(error) => panic!("no shell: {error}"),
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.split_once("READ ").map(|(_, said)| said.to_owned()));
    Some(line.unwrap_or_else(|| panic!("the child said nothing: {text}{}", String::from_utf8_lossy(&output.stderr))))
}

fn session(nodes: usize) -> OnDisk {
    let session = OnDisk::new();
    for seq in 0..nodes {
        session.put(&format!("history/{seq:04}-u-n{seq}.json"), &format!("{{\"id\": \"n{seq}\", \"seq\": {seq}}}"));
    }
    session
}

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("changed");
}

#[test]
fn a_readable_session_is_read_by_anybody() {
    let Some(said) = read_as_nobody(&session(300), "") else { return };
    assert_eq!(said, "300 nodes, 0 faults");
}

#[test]
fn a_session_without_permission_is_an_error_that_says_so() {
    for part in ["", "history"] {
        let session = session(1);
        mode(&session.path().join(part), 0o000);
        let Some(said) = read_as_nobody(&session, "") else { return };
        mode(&session.path().join(part), 0o755);
        assert!(said.starts_with("error: no permission to read"), "{part:?}: {said}");
    }
}

#[test]
fn a_file_without_permission_is_a_fault() {
    let session = session(3);
    mode(&session.history("0001-u-n1.json"), 0o000);
    let Some(said) = read_as_nobody(&session, "") else { return };
    assert_eq!(said, "2 nodes, 1 faults");
}

/// A process that is short of descriptors must not show a conversation with holes.
#[test]
fn running_out_of_descriptors_is_an_error_or_harmless() {
    for descriptors in 4..12 {
        let Some(said) = read_as_nobody(&session(300), &format!("ulimit -n {descriptors} &&")) else { return };
        assert!(said.starts_with("error: ") || said == "300 nodes, 0 faults", "with {descriptors} descriptors: {said}");
    }
}

/// A process that may not start threads reads alone.
#[test]
fn a_session_is_read_where_no_thread_can_be_started() {
    let Some(said) = read_as_nobody(&session(300), "ulimit -u 1 &&") else { return };
    assert_eq!(said, "300 nodes, 0 faults");
}
