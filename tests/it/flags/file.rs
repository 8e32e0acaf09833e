//! The local file: looked at every half second, and never worse than it was.

use std::time::{Duration, Instant};

use parallax::flags::Origin;

use super::{from_file, metrics, prepared, put, set, until};

#[test]
fn a_changed_file_is_taken_up_and_a_broken_one_leaves_the_last_good_set() {
    let root = tempfile::tempdir().expect("a directory");
    let path = root.path().join("flags.json");
    let metrics = metrics();
    let flags = from_file(&path, &set(0).to_string(), &metrics);
    let steps = || flags.toggles(&prepared("s")).steps;
    assert_eq!(steps(), [false; 4]);
    assert_eq!(flags.status().set.expect("a set").origin, Origin::File);
    let first = flags.status().set.expect("a set").hash.clone();

    put(&path, &set(100).to_string());
    until("the new set", || steps() == [true; 4]);
    assert_ne!(flags.status().set.expect("a set").hash, first);

    put(&path, "{\"features\": [\n  oops");
    until("the trouble", || flags.status().trouble.is_some());
    assert!(flags.status().trouble.expect("trouble").contains("line 2, column"));
    assert!(metrics.text().expect("text").contains("parallax_flag_source_failures_total{reason=\"syntax\"}"));
    assert_eq!(steps(), [true; 4]);

    std::fs::remove_file(&path).expect("removed");
    until("the other trouble", || flags.status().trouble.is_some_and(|trouble| trouble.contains("can not read")));
    assert_eq!(steps(), [true; 4]);

    put(&path, &set(0).to_string());
    until("the repaired set", || steps() == [false; 4] && flags.status().trouble.is_none());
}

#[test]
fn the_same_text_again_ends_the_trouble() {
    let root = tempfile::tempdir().expect("a directory");
    let path = root.path().join("flags.json");
    let flags = from_file(&path, &set(100).to_string(), &metrics());
    for broken in ["", "[]"] {
        put(&path, broken);
        until("the trouble", || flags.status().trouble.is_some());
        put(&path, &set(100).to_string());
        until("the end of the trouble", || flags.status().trouble.is_none());
    }
    let age = flags.status().age(Instant::now()).expect("a set");
    assert!(age < Duration::from_secs(10), "{age:?}");
}

#[test]
fn without_a_file_the_built_in_set_holds_until_there_is_one() {
    let root = tempfile::tempdir().expect("a directory");
    let path = root.path().join("flags.json");
    let flags = parallax::flags::Flags::start(&parallax::flags::Source::File(path.clone()), metrics());
    let status = flags.status();
    assert_eq!(status.set.expect("a set").origin, Origin::Bootstrap);
    assert!(status.trouble.expect("trouble").contains("flags.json"));
    put(&path, &set(100).to_string());
    until("the file", || flags.toggles(&prepared("s")).steps == [true; 4]);
}
