//! The names in `flags/key.rs` and those in the files, both ways.

use std::collections::BTreeSet;

use parallax::flags::{BOOTSTRAP, DEFINITION, Flag, Flags, Origin, STICKINESS, Source};
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
fn the_definition_for_the_server_and_the_keys_name_the_same_flags() {
    let file: Value = serde_json::from_str(DEFINITION).expect("JSON");
    let names = |list: &str, key: &str| -> BTreeSet<String> {
        file[list].as_array().expect("a list").iter().map(|entry| entry[key].as_str().expect("a name").to_owned()).collect()
    };
    let keys: BTreeSet<String> = Flag::ALL.map(|flag| flag.name().to_owned()).into_iter().collect();
    assert_eq!(names("features", "name"), keys);
    assert_eq!(names("featureStrategies", "featureName"), keys);
    assert_eq!(names("featureEnvironments", "featureName"), keys);
    for strategy in file["featureStrategies"].as_array().expect("a list") {
        let key = Flag::named(strategy["featureName"].as_str().expect("a name")).expect("a key");
        assert_eq!(strategy["parameters"]["groupId"], key.group(), "{}", key.name());
        assert_eq!(strategy["parameters"]["stickiness"], STICKINESS, "{}", key.name());
    }
    // Cohorts can be made of every property of a context.
    let fields: BTreeSet<&str> = super::context("s").properties().map(|(name, _)| name).into_iter().collect();
    assert_eq!(names("contextFields", "name").iter().map(String::as_str).collect::<BTreeSet<_>>(), fields);
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
