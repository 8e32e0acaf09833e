//! `Postgres`: a PostgreSQL server of the test's own, on a copy of a data folder that was prepared once.

use std::fs::{File, create_dir_all, remove_dir_all, rename};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Signal, geteuid};

use super::need::{found, postgres_programs, services, unleash_program};
use super::server::{Port, Recipe, Server};
use super::unleash::Unleash;

/// Goes up when a prepared data folder of before would no longer do.
const EDITION: u32 = 1;

/// Empty, for the tests' own use.
pub(crate) const DATABASE: &str = "parallax";

/// Unleash's, with its migrations run where Unleash is installed.
pub(super) const UNLEASH_DATABASE: &str = "unleash";

/// A server with the databases `parallax` (empty) and `unleash`. It and its data are gone when this is dropped.
pub(crate) struct Postgres {
    server: Server,
    port: u16,
}

impl Postgres {
    /// `None`, with a note, where PostgreSQL is not installed (a failure with `CI=true`).
    pub(crate) fn start() -> Option<Self> {
        let programs = found(postgres_programs())?;
        let folder = new_folder();
        copy_template(&programs, &folder);
        Some(Self::start_in(&programs, folder))
    }

    /// Where the database `parallax` is. No password is asked.
    pub(crate) fn url(&self) -> String {
        self.url_of(DATABASE)
    }

    /// Where a database is.
    pub(crate) fn url_of(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    fn start_in(programs: &Path, folder: PathBuf) -> Self {
        let port = Port::claim();
        let number = port.number;
        let mut arguments = as_server_user();
        arguments.push(programs.join("postgres").display().to_string());
        arguments.extend(["-D".to_owned(), folder.join("data").display().to_string()]);
        let port_setting = format!("port={number}");
        for setting in [
            port_setting.as_str(),
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "fsync=off",
            "full_page_writes=off",
            "synchronous_commit=off",
            "autovacuum=off",
            "shared_buffers=32MB",
        ] {
            arguments.extend(["-c".to_owned(), setting.to_owned()]);
        }
        let recipe = Recipe {
            name: "PostgreSQL",
            program: arguments.remove(0).into(),
            arguments,
            variables: vec![("LC_ALL", "C".to_owned()), ("TZ", "UTC".to_owned())],
            log: services().join(format!("logs/postgres-{number}.log")),
            folder,
            // SIGTERM would wait for clients to leave.
            stop_signal: Signal::INT,
            last_signal: "QUIT",
            ready: Box::new(move || answers(number).unwrap_or(false)),
        };
        Self { server: Server::start(recipe, port), port: number }
    }
}

impl Deref for Postgres {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

impl DerefMut for Postgres {
    fn deref_mut(&mut self) -> &mut Server {
        &mut self.server
    }
}

/// Copies the prepared data into `folder`. Who finds none prepares it; others wait for that.
fn copy_template(programs: &Path, folder: &Path) {
    create_dir_all(services()).expect("the folder for services");
    let lock = File::create(services().join("template.lock")).expect("a lock file");
    let unleash = unleash_program().map_or_else(|_| "without-unleash".to_owned(), |(_, version)| format!("unleash-{version}"));
    let postgres = programs.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let template = services().join(format!("template-{EDITION}-postgres-{postgres}-{unleash}"));
    loop {
        lock.lock_shared().expect("the lock");
        if template.is_dir() {
            copy(&template.join("data"), folder);
            return;
        }
        lock.unlock().expect("the lock");
        lock.lock().expect("the lock");
        if !template.is_dir() {
            prepare(programs, &template);
        }
        lock.unlock().expect("the lock");
    }
}

/// Makes a data folder with both databases and lets Unleash, where it is installed, run its migrations.
fn prepare(programs: &Path, template: &Path) {
    let folder = new_folder();
    let data = folder.join("data").display().to_string();
    run(
        &[programs.join("initdb").display().to_string(), "-D".to_owned(), data.clone()],
        "--no-sync --auth=trust --username=postgres --encoding=UTF8 --locale=C --wal-segsize=1",
        "",
    );
    let create = format!("CREATE DATABASE {DATABASE};\n\nCREATE DATABASE {UNLEASH_DATABASE};\n\n");
    run(&[programs.join("postgres").display().to_string()], &format!("--single -j -F -D {data} postgres"), &create);
    let mut postgres = Postgres::start_in(programs, folder);
    if unleash_program().is_ok() {
        let mut unleash = Unleash::start(&postgres).expect("it is installed");
        unleash.stop();
    }
    postgres.stop();
    // Old ones, and one that was not completed.
    for old in std::fs::read_dir(services()).expect("services").flatten() {
        if old.path().is_dir() && old.file_name().to_string_lossy().starts_with("template-") {
            remove_dir_all(old.path()).expect("an old template goes");
        }
    }
    let new = services().join("template-new");
    create_dir_all(&new).expect("a folder");
    copy(Path::new(&data), &new);
    rename(&new, template).expect("the template");
}

/// Runs one of PostgreSQL's programs to its end.
fn run(program: &[String], arguments: &str, input: &str) {
    let words: Vec<String> = as_server_user().into_iter().chain(program.iter().cloned()).collect();
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .args(arguments.split_whitespace())
        .current_dir("/")
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{words:?}: {error}"));
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("input");
    let output = child.wait_with_output().expect("output");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// PostgreSQL refuses to run as root: the words to put before a command, if any.
fn as_server_user() -> Vec<String> {
    let words = if geteuid().is_root() { "setpriv --reuid=postgres --regid=postgres --init-groups --" } else { "" };
    words.split_whitespace().map(str::to_owned).collect()
}

/// An empty folder that PostgreSQL's user can write to. The server's guard removes it.
fn new_folder() -> PathBuf {
    let folder = tempfile::Builder::new().prefix("parallax-postgres-").tempdir().expect("a folder").keep();
    if geteuid().is_root() {
        let done = Command::new("chown").arg("postgres:").arg(&folder).status().expect("chown");
        assert!(done.success(), "no user postgres");
    }
    folder
}

fn copy(data: &Path, into: &Path) {
    let done = Command::new("cp").arg("-a").args([data, into]).status().expect("cp");
    assert!(done.success(), "{} can not be copied", data.display());
}

/// Whether a session may begin: the protocol's first message is answered with `R`, "authentication", not with an error.
fn answers(port: u16) -> std::io::Result<bool> {
    let body = b"\0\x03\0\0user\0postgres\0database\0postgres\0\0";
    let length = u32::try_from(body.len() + 4).expect("a short message");
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.write_all(&[&length.to_be_bytes()[..], body].concat())?;
    let mut first = [0];
    stream.read_exact(&mut first)?;
    Ok(first == *b"R")
}
