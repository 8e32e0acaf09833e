//! How long a load takes against its limit: list the directory, read each file, parse and forget it.
//!
//! Subject and limit run in turn over one session, so that a noisy machine slows both; figures are medians of pairs.
//! `cargo bench` prints the table; `cargo bench -- 1000` does so for one size.

mod sessions;

/// The one that the program uses, for the limit too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parallax::compare::Ladder;
use parallax::dag::{ReadOptions, Snapshot, read_session};
use parallax::history::{Cancel, history_at};
use parallax::step::{Rung, Step};
use serde::de::IgnoredAny;

const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];

/// Something that is timed over a session's directory.
type Subject = fn(&Path, usize);

const GROUND: &str = "directory to History at Ground";

/// Each subject, what it is measured against, and the ratio that it should stay below (up to a size).
const SUBJECTS: [(&str, Subject, &str, Subject, &str); 4] = [
    ("directory to snapshot", read_only, "limit", limit, "-"),
    (GROUND, ground, "limit", limit, "1.3"),
    ("directory to the JSON of messages", messages, "limit", limit, "2.0 up to 10 000"),
    ("all rungs and comparisons", ladder, "Ground", ground, "1.25"),
];

/// The limit: what no reader of these files can do without.
fn limit(directory: &Path, threads: usize) {
    let names: Vec<_> = fs::read_dir(directory.join("history")).expect("listed").map(|entry| entry.expect("an entry").path()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let at = next.fetch_add(128, Ordering::Relaxed);
            let Some(unit) = names.get(at..(at + 128).min(names.len())).filter(|unit| !unit.is_empty()) else { break };
            for name in unit {
                let bytes = fs::read(name).expect("read");
                black_box(serde_json::from_slice::<IgnoredAny>(&bytes).expect("JSON"));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(names.len().div_ceil(128)) {
            scope.spawn(work);
        }
        work();
    });
}

fn read(directory: &Path, threads: usize) -> Snapshot {
    read_session(directory, &ReadOptions { threads, ..ReadOptions::default() }).expect("read")
}

fn read_only(directory: &Path, threads: usize) {
    black_box(read(directory, threads));
}

fn ground(directory: &Path, threads: usize) {
    black_box(history_at(&read(directory, threads), Rung::Ground, &Cancel::new()).expect("not cancelled"));
}

fn messages(directory: &Path, threads: usize) {
    let snapshot = read(directory, threads);
    let mut out = Vec::new();
    history_at(&snapshot, Rung::Ground, &Cancel::new()).expect("not cancelled").write_messages(&snapshot, &mut out).expect("written");
    black_box(out);
}

fn ladder(directory: &Path, threads: usize) {
    let snapshot = read(directory, threads);
    let ladder = Ladder::climb(&snapshot, &Cancel::new()).expect("not cancelled");
    for step in Step::ALL {
        black_box(ladder.compare(step));
    }
}

fn time(subject: Subject, directory: &Path, threads: usize) -> Duration {
    let start = Instant::now();
    subject(directory, threads);
    start.elapsed()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The bytes of a session's files.
fn size_on_disk(directory: &Path) -> u64 {
    fs::read_dir(directory.join("history")).expect("listed").map(|entry| entry.expect("an entry").metadata().expect("a size").len()).sum()
}

/// The greatest memory of a process that does nothing but load the session at Ground and write its messages.
fn peak_memory(directory: &Path) -> u64 {
    let own = std::env::current_exe().expect("a path");
    let output = std::process::Command::new(own).arg("--peak").arg(directory).output().expect("a child");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number")
}

fn print_own_peak(directory: &Path) {
    let snapshot = read(directory, 2);
    let history = history_at(&snapshot, Rung::Ground, &Cancel::new()).expect("not cancelled");
    history.write_messages(&snapshot, &mut std::io::sink()).expect("written");
    let status = fs::read_to_string("/proc/self/status").expect("a status");
    let line = status.lines().find(|line| line.starts_with("VmHWM")).expect("a peak");
    println!("{}", line.split_whitespace().nth(1).expect("a number"));
}

/// How much dearer a node gets from 1 000 to 100 000 of them, against how much dearer it gets for the limit.
fn print_growth(grounds: &[(usize, f64, f64)]) {
    let at = |size: usize| grounds.iter().find(|(nodes, ..)| *nodes == size);
    if let (Some((_, small, small_limit)), Some((_, large, large_limit))) = (at(1_000), at(100_000)) {
        let (own, limit) = (large / small, large_limit / small_limit);
        println!("| 1000 to 100000 | growth of a node's cost at Ground | {own:.2} | limit {limit:.2} | {:.2} | 1.3 | | |", own / limit);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [flag, directory] = arguments.as_slice()
        && flag == "--peak"
    {
        return print_own_peak(Path::new(directory));
    }
    let only: Option<usize> = arguments.first().and_then(|size| size.parse().ok());
    let threads = ReadOptions::default().threads;
    println!("| nodes | subject | time | against | ratio | wanted | µs a node | that of the base |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut grounds = Vec::new();
    for nodes in SIZES.into_iter().filter(|size| only.is_none_or(|only| only == *size)) {
        let root = tempfile::tempdir().expect("a directory");
        let directory = root.path().join("bench");
        sessions::write(&directory, nodes);
        std::thread::sleep(Duration::from_millis(50));
        let pairs = (200_000 / nodes).clamp(9, 101);
        for (name, subject, base_name, base, wanted) in SUBJECTS {
            time(base, &directory, threads);
            time(subject, &directory, threads);
            let (mut ratios, mut times, mut bases) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..pairs {
                let (base, own) = (time(base, &directory, threads).as_secs_f64(), time(subject, &directory, threads).as_secs_f64());
                ratios.push(own / base);
                times.push(own);
                bases.push(base);
            }
            let (own, base, ratio) = (median(times), median(bases), median(ratios));
            let each = |seconds: f64| seconds * 1e6 / nodes as f64;
            if name == GROUND {
                grounds.push((nodes, each(own), each(base)));
            }
            println!(
                "| {nodes} | {name} | {:.2} ms | {base_name} | {ratio:.2} | {wanted} | {:.2} | {:.2} |",
                own * 1e3,
                each(own),
                each(base)
            );
        }
        let (disk, peak) = (size_on_disk(&directory) as f64 / 1e6, peak_memory(&directory) as f64 * 1024.0 / 1e6);
        println!("| {nodes} | peak memory | {peak:.0} MB | {disk:.1} MB on disk | | {:.0} MB | | |", disk * 2.0 + 50.0);
    }
    print_growth(&grounds);
}
