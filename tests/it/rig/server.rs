//! `Server`: a process that a test starts, stops, hangs and brings back, and that never outlives the test.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

/// A loaded machine may take long; a server that is not there after this time never comes.
const PATIENCE: Duration = Duration::from_secs(90);

/// What to run, and how one sees that it is ready.
pub(crate) struct Recipe {
    pub(crate) name: &'static str,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) variables: Vec<(&'static str, String)>,
    pub(crate) log: PathBuf,
    /// Removed with the server.
    pub(crate) folder: PathBuf,
    /// What asks it to end.
    pub(crate) stop_signal: Signal,
    /// What ends it at once and without leftovers.
    pub(crate) last_signal: &'static str,
    pub(crate) ready: Box<dyn Fn() -> bool + Send + Sync>,
}

/// A running, stopped or frozen server.
pub(crate) struct Server {
    recipe: Recipe,
    process: Option<Pid>,
    frozen: bool,
    guard: Guard,
    _port: Port,
}

impl Server {
    /// Starts a server and waits until it is ready.
    pub(crate) fn start(recipe: Recipe, port: Port) -> Self {
        let guard = Guard::new(&recipe);
        let mut server = Self { recipe, process: None, frozen: false, guard, _port: port };
        server.start_again();
        server
    }

    /// Starts it after `stop` or `kill`: same port, same data.
    pub(crate) fn start_again(&mut self) {
        assert!(self.process.is_none(), "{} runs", self.recipe.name);
        let process = self.guard.start_server();
        self.process = Some(process);
        let begin = Instant::now();
        while !(self.recipe.ready)() {
            let dead = !is_alive(process);
            assert!(!dead, "{} ended at its start\n{}", self.recipe.name, self.last_words());
            assert!(begin.elapsed() < PATIENCE, "{} is not ready after {PATIENCE:?}\n{}", self.recipe.name, self.last_words());
            sleep(Duration::from_millis(20));
        }
    }

    /// Asks it to end, as a service manager does, and waits until it is gone.
    pub(crate) fn stop(&mut self) {
        self.end(self.recipe.stop_signal);
    }

    /// Ends it as a crash does (SIGKILL).
    pub(crate) fn kill(&mut self) {
        self.end(Signal::KILL);
    }

    /// Hangs it (SIGSTOP): connections are taken by the kernel, nothing answers.
    pub(crate) fn freeze(&mut self) {
        self.frozen = true;
        self.signal_all(Signal::STOP);
    }

    /// Lets it go on after `freeze`.
    pub(crate) fn thaw(&mut self) {
        self.frozen = false;
        self.signal_all(Signal::CONT);
    }

    /// The process id, while it runs.
    pub(crate) fn process(&self) -> Option<Pid> {
        self.process
    }

    /// What it printed. The file is kept until another server starts on this port.
    pub(crate) fn log(&self) -> &Path {
        &self.recipe.log
    }

    fn end(&mut self, signal: Signal) {
        if self.frozen {
            self.thaw();
        }
        let process = self.process.take().unwrap_or_else(|| panic!("{} does not run", self.recipe.name));
        kill_process(process, signal).expect("a signal");
        wait_until(|| !is_alive(process), || format!("{} does not end\n{}", self.recipe.name, self.last_words()));
    }

    /// The process and all below it: PostgreSQL's workers lead groups of their own.
    fn signal_all(&self, signal: Signal) {
        let mut processes = vec![self.process.unwrap_or_else(|| panic!("{} does not run", self.recipe.name))];
        while let Some(process) = processes.pop() {
            // A worker may have ended meanwhile.
            let _gone = kill_process(process, signal);
            processes.extend(children(process));
        }
    }

    fn last_words(&self) -> String {
        let text = std::fs::read(self.log()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        let mut shown = format!("the end of {}:\n", self.log().display());
        for line in &lines[lines.len().saturating_sub(30)..] {
            let _infallible = writeln!(shown, "  {line}");
        }
        shown
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.process.is_some() && self.frozen {
            self.thaw();
        }
        if std::thread::panicking() {
            eprintln!("{}: {}", self.recipe.name, self.last_words());
        }
    }
}

/// The shell that runs the server. It sees the end of its standard input however this process ends, and tidies up then.
struct Guard {
    shell: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Guard {
    fn new(recipe: &Recipe) -> Self {
        std::fs::create_dir_all(recipe.log.parent().expect("a folder")).expect("the folder for logs");
        std::fs::write(&recipe.log, "").expect("a log");
        let mut shell = Command::new("bash")
            .args(["-c", include_str!("guard.sh"), "guard.sh", recipe.last_signal])
            .args([&recipe.folder, &recipe.log, &recipe.program])
            .args(&recipe.arguments)
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, _)| name == "PATH" || name == "HOME"))
            .envs(recipe.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(&recipe.folder)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("bash");
        let orders = shell.stdin.take();
        let answers = BufReader::new(shell.stdout.take().expect("a pipe"));
        Self { shell, orders, answers }
    }

    fn start_server(&mut self) -> Pid {
        self.orders.as_mut().expect("the guard lives").write_all(b"\n").expect("an order");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("an answer");
        answer.trim().parse().ok().and_then(Pid::from_raw).unwrap_or_else(|| panic!("no process id: {answer:?}"))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.orders.take());
        let _done = self.shell.wait();
    }
}

/// A free port that no other rig takes, in this process or another: the port above it stays bound, and says so.
/// It lies below the ports that outgoing connections get, so that it is still free when a server comes back to it.
pub(crate) struct Port {
    pub(crate) number: u16,
    _claim: TcpListener,
}

impl Port {
    /// The first one that is free.
    pub(crate) fn claim() -> Self {
        let bind = |number| TcpListener::bind((Ipv4Addr::LOCALHOST, number)).ok();
        (21_000..32_000)
            .step_by(2)
            .find_map(|number| bind(number + 1).filter(|_| bind(number).is_some()).map(|_claim| Self { number, _claim }))
            .expect("a free port")
    }
}

/// Whether a process is there.
pub(crate) fn is_alive(process: Pid) -> bool {
    test_kill_process(process).is_ok()
}

/// Waits for what must come soon.
pub(crate) fn wait_until(come: impl Fn() -> bool, complaint: impl Fn() -> String) {
    let begin = Instant::now();
    while !come() {
        assert!(begin.elapsed() < PATIENCE, "{}", complaint());
        sleep(Duration::from_millis(10));
    }
}

/// The processes that a process started.
pub(crate) fn children(process: Pid) -> Vec<Pid> {
    let list = format!("/proc/{0}/task/{0}/children", process.as_raw_nonzero());
    let text = std::fs::read_to_string(list).unwrap_or_default();
    text.split_whitespace().filter_map(|number| Pid::from_raw(number.parse().ok()?)).collect()
}
