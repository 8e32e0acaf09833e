//! What the engine adds to a served call, against the same call by itself, in one run.
//!
//! Bare call and experiment take turns; figures are of the served call alone, in nanoseconds. `cargo bench --bench experiment`.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parallax::experiment::{Choice, Experiment, Ladder, Limits, Rungs};
use parallax::flags::{Context, Flags, Generation, Prepared, Size, Source};
use parallax::metrics::Metrics;

/// The one that the program uses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Work of about so long.
fn busy(time: Duration) -> u64 {
    let (start, mut count) = (Instant::now(), 0_u64);
    while start.elapsed() < time {
        count = black_box(count + 1);
    }
    count
}

fn experiment(candidate: Duration) -> Experiment<Duration, u64> {
    let ladder = Ladder::new("ground", |time: &Duration, _| Ok(busy(*time))).rung("candidate", move |_, _| Ok(busy(candidate)));
    Experiment::new(ladder, Limits::default())
}

/// The times of two calls that take turns, sorted.
fn in_turn(rounds: usize, pause: Duration, mut one: impl FnMut(), mut other: impl FnMut()) -> [Vec<f64>; 2] {
    let mut times = [Vec::new(), Vec::new()];
    let mut time = |at: usize, call: &mut dyn FnMut()| {
        let start = Instant::now();
        call();
        times[at].push(start.elapsed().as_secs_f64() * 1e9);
        // Awake: what a sleep ends with costs more than all that is measured here.
        busy(pause);
    };
    for round in 0..rounds {
        // Who goes first changes, so that neither always finds what the other left.
        if round % 2 == 0 {
            time(0, &mut one);
            time(1, &mut other);
        } else {
            time(1, &mut other);
            time(0, &mut one);
        }
    }
    times.map(|mut own| {
        own.sort_by(f64::total_cmp);
        own
    })
}

fn at(times: &[f64], share: f64) -> f64 {
    times[((times.len() - 1) as f64 * share) as usize]
}

fn print(name: &str, [bare, own]: &[Vec<f64>; 2], wanted: &str) {
    let (p50, p99) = (at(own, 0.5) - at(bare, 0.5), at(own, 0.99) - at(bare, 0.99));
    println!(
        "| {name} | {:.0} | {:.0} | {:.0} | {:.0} | {p50:+.0} | {p99:+.0} | {wanted} |",
        at(bare, 0.5),
        at(bare, 0.99),
        at(own, 0.5),
        at(own, 0.99)
    );
}

/// A flag set as a load asks it.
fn flags() {
    let metrics = Arc::new(Metrics::new().expect("metrics"));
    let flags = Flags::start(&Source::Bootstrap, metrics);
    let context = Context {
        session_id: "0123456789abcdef".to_owned(),
        channel: "web".to_owned(),
        generation: Generation::First,
        size: Size::Thousand,
        has_forks: true,
        has_runs: false,
        has_spawns: false,
        has_tools: true,
        same_at_d: Some(true),
    };
    let prepared = Prepared::new(&context);
    let rounds = 200_000;
    let ask = in_turn(
        rounds,
        Duration::ZERO,
        || {
            black_box(());
        },
        || {
            black_box(flags.toggles(&prepared));
        },
    );
    print("all six flags, context made once", &ask, "1500 at p50");
    let prepare = in_turn(
        rounds,
        Duration::ZERO,
        || {
            black_box(());
        },
        || {
            black_box(flags.toggles(&Prepared::new(&context)));
        },
    );
    print("all six flags, context made anew", &prepare, "-");
}

fn main() {
    println!("| served call | bare p50 ns | bare p99 | own p50 | own p99 | added p50 | added p99 | wanted |");
    println!("|---|---|---|---|---|---|---|---|");
    let served = Duration::from_micros(100);
    let beside = Choice { serve: 0, shadow: Rungs::one(1), class: "small" };
    for (candidate, pause, rounds) in [(100, 150, 10_000), (100, 300, 10_000), (1000, 1200, 3_000)] {
        let engine = experiment(Duration::from_micros(candidate));
        let times = in_turn(
            rounds,
            Duration::from_micros(pause),
            || {
                black_box(busy(served));
            },
            || {
                black_box(engine.run(Arc::new(served), &beside, |trial| {
                    black_box(trial);
                }));
            },
        );
        let nothing = Choice { shadow: Rungs::NONE, ..beside };
        let quiet = in_turn(
            rounds,
            Duration::from_micros(pause),
            || {
                black_box(busy(served));
            },
            || {
                black_box(engine.run(Arc::new(served), &nothing, |_| {}));
            },
        );
        print(&format!("100 µs, nothing beside, a load every {} µs", pause + 100), &quiet, "2000 at p99");
        print(&format!("100 µs, a candidate of {candidate} µs beside, a load every {} µs", pause + 100), &times, "2000 at p99");
    }
    let engine = experiment(Duration::ZERO);
    let quiet = Choice { shadow: Rungs::NONE, ..beside };
    let above = Choice { serve: 1, ..quiet };
    let call = |choice: &Choice| {
        black_box(engine.run(Arc::new(Duration::ZERO), choice, |trial| {
            black_box(trial);
        }));
    };
    let bare = || {
        black_box(busy(Duration::ZERO));
    };
    print("trivial, nothing beside", &in_turn(100_000, Duration::ZERO, bare, || call(&quiet)), "-");
    print("trivial, a trivial candidate beside", &in_turn(100_000, Duration::ZERO, bare, || call(&beside)), "-");
    print("trivial, by scientisto", &in_turn(100_000, Duration::ZERO, bare, by_scientisto), "-");
    print("trivial, the rung above the ground served", &in_turn(20_000, Duration::ZERO, bare, || call(&above)), "-");
    flags();
}

/// The same by a library that runs both on the caller's thread.
fn by_scientisto() {
    let experiment = scientisto::Experiment::new("trivial").control(|| busy(Duration::ZERO)).experiment(|| busy(Duration::ZERO)).publish(
        |observation: &scientisto::Observation<u64, u64>| {
            black_box(observation);
        },
    );
    black_box(experiment.run());
}
