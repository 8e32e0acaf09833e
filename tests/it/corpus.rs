//! The cases of the corpus: the project's own packed copy, and the whole where it is there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base64ish::decode;
use parallax::dag::{ReadOptions, Snapshot, read_session};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tempfile::TempDir;

/// A session with its right answer.
pub(crate) struct Case {
    /// Part, kind and name.
    pub(crate) name: String,
    /// `None` where the answer holds what serde_json does not read (a lone surrogate).
    pub(crate) expected: Option<Value>,
    directory: PathBuf,
    _unpacked: Option<TempDir>,
}

impl Case {
    pub(crate) fn snapshot(&self) -> Snapshot {
        read_session(&self.directory, &ReadOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

#[derive(Deserialize)]
struct Packed {
    name: String,
    files: BTreeMap<String, Value>,
    dirs: Vec<String>,
    expected: Box<RawValue>,
}

/// Calls `check` with every case of a part.
pub(crate) fn each_case(part: &str, mut check: impl FnMut(&Case)) {
    let text = std::fs::read_to_string(format!("tests/corpus/{part}.jsonl")).expect("the packed corpus");
    for line in text.lines() {
        check(&unpack(part, line));
    }
    match shared() {
        Some(root) => each_unpacked(&root.join(part), part, &mut check),
        None => assert!(std::env::var("CI").as_deref() != Ok("true"), "CI needs the whole corpus in ../shared/corpus or PARALLAX_CORPUS"),
    }
}

/// JSON as deep as call trees get.
pub(crate) fn json(text: &str) -> Option<Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    Value::deserialize(&mut reader).ok()
}

fn shared() -> Option<PathBuf> {
    let root = std::env::var_os("PARALLAX_CORPUS").map_or_else(|| PathBuf::from("../shared/corpus"), PathBuf::from);
    root.join("target").is_dir().then_some(root)
}

fn each_unpacked(folder: &Path, part: &str, check: &mut impl FnMut(&Case)) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a part of the corpus").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for entry in entries {
        if !entry.join("expected.json").exists() {
            each_unpacked(&entry, part, check);
            continue;
        }
        let text = std::fs::read_to_string(entry.join("expected.json")).expect("an answer");
        let mut directory = entry.join("session");
        let mut unpacked = None;
        if let Ok(text) = std::fs::read_to_string(entry.join("case.json")) {
            let dirs: Value = serde_json::from_str(&text).expect("JSON");
            let copy = tempfile::tempdir().expect("a directory");
            copy_tree(&directory, &copy.path().join("session"));
            for dir in dirs["mkdirs"].as_array().expect("a list") {
                std::fs::create_dir_all(copy.path().join("session").join(dir.as_str().expect("a path"))).expect("made");
            }
            directory = copy.path().join("session");
            unpacked = Some(copy);
        }
        let name = format!("{part}/{}", entry.file_name().expect("a name").to_string_lossy());
        check(&Case { name, expected: json(&text), directory, _unpacked: unpacked });
    }
}

fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("made");
    for entry in std::fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry").path();
        let target = to.join(entry.file_name().expect("a name"));
        if entry.is_dir() {
            copy_tree(&entry, &target);
        } else {
            std::fs::copy(&entry, &target).expect("copied");
        }
    }
}

fn unpack(part: &str, line: &str) -> Case {
    let packed: Packed = serde_json::from_str(line).expect("a packed case");
    let root = tempfile::tempdir().expect("a directory");
    let directory = root.path().join("session");
    for dir in packed.dirs.iter().map(String::as_str).chain([""]) {
        std::fs::create_dir_all(directory.join(dir)).expect("made");
    }
    for (path, content) in &packed.files {
        let path = directory.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        let bytes = match content.as_str() {
            Some(text) => text.as_bytes().to_vec(),
            None => decode(content["base64"].as_str().expect("base64")),
        };
        std::fs::write(path, bytes).expect("written");
    }
    let name = format!("{part}/{} (packed)", packed.name);
    Case { name, expected: json(packed.expected.get()), directory, _unpacked: Some(root) }
}

mod base64ish {
    //! Base64, for the few files that are not UTF-8.

    /// The bytes that a base64 text stands for.
    pub(super) fn decode(text: &str) -> Vec<u8> {
        let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0);
        for digit in text.bytes().filter_map(|byte| digits.iter().position(|digit| *digit == byte)) {
            bits = bits << 6 | u32::try_from(digit).expect("six bits");
            held += 6;
            if held >= 8 {
                held -= 8;
                bytes.push((bits >> held & 0xff) as u8);
            }
        }
        bytes
    }
}
