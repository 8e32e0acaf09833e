//! What the tests need from the machine: where it is, and what happens where it is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

/// `tests/services/install` puts the servers here, the rig its templates and logs.
pub(crate) fn services() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    target.join("services")
}

/// What was found, or `None` with a note, so that the test can return. With `CI=true` nothing may be missing.
pub(crate) fn found<T>(found: Result<T, String>) -> Option<T> {
    match found {
        Ok(found) => Some(found),
        Err(missing) => {
            let missing = format!("missing: {missing}; tests/services/install installs it or says how to");
            assert!(std::env::var("CI").as_deref() != Ok("true"), "{missing}");
            eprintln!("skipped: {missing}");
            None
        }
    }
}

/// The folder with PostgreSQL's programs: Debian's newest, else where `pg_config` points, else beside `initdb`.
pub(crate) fn postgres_programs() -> Result<PathBuf, String> {
    let mut debian: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok())
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .collect();
    debian.sort();
    let told = Command::new("pg_config").arg("--bindir").output().ok();
    let told = told.map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    let path = std::env::var_os("PATH").unwrap_or_default();
    debian
        .into_iter()
        .rev()
        .map(|(_, folder)| folder)
        .chain(told)
        .chain(std::env::split_paths(&path))
        .find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
        .ok_or_else(|| "PostgreSQL".to_owned())
}

/// Unleash's `server.js` and its version, installed as `tests/services/package.json` says.
pub(crate) fn unleash_program() -> Result<(PathBuf, String), String> {
    let wanted: serde_json::Value = serde_json::from_str(include_str!("../../services/package.json")).expect("package.json");
    let version = wanted["dependencies"]["unleash-server"].as_str().expect("a version").to_owned();
    let package = services().join("unleash/node_modules/unleash-server");
    let installed = std::fs::read_to_string(package.join("package.json")).unwrap_or_default();
    let installed: serde_json::Value = serde_json::from_str(&installed).unwrap_or_default();
    if installed["version"] != version.as_str() {
        return Err(format!("Unleash {version} in {}", services().join("unleash").display()));
    }
    let node = Command::new("node").arg("--version").output();
    node.map_err(|_| "Node.js".to_owned())?;
    Ok((package.join("dist/server.js"), version))
}
