//! The architecture as a test: layers, homes of outside crates, sizes, first sentences, the top level.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const FILE_LINES: usize = 400;
const FUNCTION_LINES: usize = 70;

/// A module may name modules to its left only.
const LAYERS: [&str; 17] = [
    "clock",
    "step",
    "metrics",
    "dag",
    "flags",
    "plan",
    "history",
    "experiment",
    "compare",
    "record",
    "gate",
    "lab",
    "audit",
    "config",
    "web",
    "service",
    "cli",
];

/// Crates that every module may name.
const EVERYWHERE: [&str; 6] = ["serde", "serde_json", "thiserror", "tracing", "tokio", "anyhow"];

/// The one file or folder below `src/` that may name a crate.
const HOMES: [(&str, &str); 20] = [
    ("anstream", "cli/"),
    ("anstyle", "cli/"),
    ("arc_swap", "flags/state.rs"),
    ("async_trait", "flags/unleash/"),
    ("clap", "cli/"),
    ("clap_complete", "cli/"),
    ("hashbrown", "dag/"),
    ("memchr", "dag/json/"),
    ("mimalloc", "main.rs"),
    ("pollster", "flags/unleash/link.rs"),
    ("prometheus", "metrics.rs"),
    // What only the system can do: for files, and for threads.
    ("rustix", "dag/read/os.rs"),
    ("rustix", "experiment/os.rs"),
    ("similar", "cli/diff.rs"),
    ("simdutf8", "dag/read/unit.rs"),
    ("toml", "config.rs"),
    ("unleash_api_client", "flags/unleash/"),
    ("unleash_types", "flags/document.rs"),
    ("ureq", "flags/"),
    ("xxhash_rust", "dag/read/unit.rs"),
];

/// What may lie in the project's root.
const TOP_LEVEL: [&str; 22] = [
    "Cargo.toml",
    "Cargo.lock",
    "src",
    "flags",
    "dashboards",
    "tests",
    "runbooks",
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "rustfmt.toml",
    "clippy.toml",
    "deny.toml",
    "rust-toolchain.toml",
    ".gitignore",
    ".ci",
    ".config",
    ".cargo",
    ".git",
];

struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// The path below `src/`, with slashes.
    fn below_src(&self) -> Option<String> {
        Some(self.path.strip_prefix("src").ok()?.to_string_lossy().into_owned())
    }

    /// Lines of code: no comments, no documentation.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..)
            .zip(self.text.lines())
            .map(|(number, line)| (number, line.split("//").next().unwrap_or("")))
            .filter(|(_, line)| !line.trim().is_empty())
    }
}

fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    for root in ["src", "tests"] {
        collect(Path::new(root), &mut found);
    }
    assert!(found.len() > 20, "the tests run in the project's root");
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        let generated = path.ends_with("target") || path.ends_with("tests/fuzz/corpus") || path.ends_with("tests/fuzz/artifacts");
        if path.is_dir() && !generated {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            found.push(Source { path, text });
        }
    }
}

/// Fails with one line for each complaint.
fn check(complain: impl Fn(&Source) -> Vec<String>) {
    let complaints: Vec<String> = sources()
        .iter()
        .flat_map(|source| complain(source).into_iter().map(|complaint| format!("{}: {complaint}", source.path.display())))
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Whether `word` stands in `line` as a whole word followed by `::`, or after `use`.
fn names(line: &str, word: &str) -> bool {
    let boundary = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        let own = boundary(before.chars().next_back()) && !before.ends_with("::") && boundary(after.chars().next());
        own && (after.starts_with("::") || before.trim_end().ends_with("use"))
    })
}

#[test]
fn every_file_opens_with_one_sentence() {
    check(|source| {
        let first = source.text.lines().next().unwrap_or("");
        let sentence = first.strip_prefix("//! ").is_some_and(|said| said.starts_with(char::is_uppercase) || said.starts_with('`'));
        let opening: Vec<&str> =
            source.text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).take_while(|line| !line.is_empty()).collect();
        let ends = opening.last().is_some_and(|line| line.ends_with(['.', ':']));
        if sentence && ends { Vec::new() } else { vec![format!("does not open with a sentence: {first}")] }
    });
}

#[test]
fn files_and_functions_are_small() {
    check(|source| {
        let mut complaints = Vec::new();
        let lines = source.text.lines().count();
        if lines > FILE_LINES {
            complaints.push(format!("{lines} lines, {FILE_LINES} at most"));
        }
        complaints.extend(long_functions(&source.text));
        complaints
    });
}

/// Functions of formatted code: from a line with `fn` to the closing brace at the same depth.
fn long_functions(text: &str) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().collect();
    let mut complaints = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let head = line.trim_start();
        let is_function =
            head.split_whitespace().take_while(|word| !word.contains('(')).any(|word| word == "fn") || head.starts_with("fn ");
        if !is_function || head.starts_with("//") || line.trim_end().ends_with(['}', ';']) {
            continue;
        }
        let length =
            lines[start..].iter().position(|end| end.trim_end() == format!("{}}}", " ".repeat(indent(line)))).map_or(0, |at| at + 1);
        if length > FUNCTION_LINES {
            complaints.push(format!("a function of {length} lines, {FUNCTION_LINES} at most: {head}"));
        }
    }
    complaints
}

#[test]
fn modules_name_only_modules_to_their_left() {
    let level = |module: &str| LAYERS.iter().position(|layer| *layer == module);
    check(|source| {
        let Some(path) = source.below_src().filter(|path| path != "main.rs" && path != "lib.rs") else { return Vec::new() };
        let own = path.split('/').next().unwrap_or("").trim_end_matches(".rs");
        let Some(own_level) = level(own) else { return vec![format!("{own} is no module of the architecture")] };
        let mut complaints = Vec::new();
        for (number, line) in source.code() {
            for (at, _) in line.match_indices("crate::") {
                let named: String = line[at + 7..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if line[at + 7..].starts_with('{') || level(&named).is_none_or(|named| named > own_level) {
                    complaints.push(format!("line {number}: {own} may not name crate::{named}"));
                }
            }
        }
        complaints
    });
}

#[test]
fn outside_crates_are_named_at_home_only() {
    check(|source| {
        let Some(path) = source.below_src() else { return Vec::new() };
        let at_home = |name: &str| HOMES.iter().any(|(own, home)| *own == name && path.starts_with(home));
        let abroad = HOMES.iter().filter(|(name, _)| !at_home(name));
        abroad
            .flat_map(|(name, home)| {
                source.code().filter(|(_, line)| names(line, name)).map(move |(number, _)| format!("line {number}: {name} lives in {home}"))
            })
            .collect()
    });
}

#[test]
fn every_dependency_has_a_home() {
    let manifest = fs::read_to_string("Cargo.toml").expect("the manifest");
    let section = manifest.split("\n[dependencies]\n").nth(1).expect("dependencies").split("\n[").next().unwrap_or("");
    let crates: BTreeSet<String> = section
        .lines()
        .filter_map(|line| Some(line.split_once('=')?.0.trim().replace('-', "_")))
        .filter(|name| !EVERYWHERE.contains(&name.as_str()))
        .collect();
    let homes: BTreeSet<String> = HOMES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(crates, homes, "Cargo.toml and HOMES");
}

#[test]
fn the_top_level_holds_what_it_may() {
    for entry in fs::read_dir(".").expect("the root") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let built = name == "target" || name.starts_with(".nfs");
        assert!(built || TOP_LEVEL.contains(&name.as_str()), "{name} may not lie in the root");
    }
}

#[test]
fn a_long_function_is_noticed() {
    let long = format!("impl A {{\n    pub fn b(\n        c: u8,\n    ) {{\n{}    }}\n}}\n", "        c();\n".repeat(FUNCTION_LINES));
    assert_eq!(long_functions(&long).len(), 1);
    assert_eq!(long_functions(&long.replacen("        c();\n", "", 10)), [""; 0]);
}

#[test]
fn a_crate_is_noticed_where_it_is_named() {
    for (line, found) in
        [("use clap::Parser;", true), ("x = clap::f()", true), ("my_clap::x", false), ("self::clap::x", false), ("clapper", false)]
    {
        assert_eq!(names(line, "clap"), found, "{line}");
    }
}
