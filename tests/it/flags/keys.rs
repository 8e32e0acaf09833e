//! The names in `flags/key.rs` and those in the files, both ways.

use std::collections::BTreeSet;

use parallax::flags::{BOOTSTRAP, Flag, Flags, Origin, STICKINESS, Source};
use serde_json::Value;

use super::{metrics, prepared};

#[test]
fn the_local_file_and_the_keys_name_the_same_flags() {
    let file: Value = serde_json::from_str(BOOTSTRAP).expect("JSON");
    let features = file["features"].as_array().expect("a list");
    let named: BTreeSet<&str> = features.iter().map(|flag| flag["name"].as_str().expect("a name")).collect();
    let keys: BTreeSet<&str> = Flag::ALL.map(Flag::name).into_iter().collect();
    assert_eq!(named, keys);
    for feature in features {
        let key = Flag::named(feature["name"].as_str().expect("a name")).expect("a key");
        let parameters = &feature["strategies"][0]["parameters"];
        assert_eq!(parameters["groupId"], key.group(), "{}", key.name());
        assert_eq!(parameters["stickiness"], STICKINESS, "{}", key.name());
    }
}

#[test]
fn the_built_in_set_serves_ground_and_shadows_every_load() {
    let flags = Flags::start(&Source::Bootstrap, metrics());
    assert_eq!(flags.status().set.expect("a set").origin, Origin::Bootstrap);
    assert!(flags.status().trouble.is_none());
    for session in ["a", "b", "0123456789"] {
        let toggles = flags.toggles(&prepared(session));
        assert_eq!((toggles.steps, toggles.shadow, toggles.kill), ([false; 4], true, false));
    }
}
