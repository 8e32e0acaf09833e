//! The engine: whatever runs beside the served path, loads are answered, and nothing is lost or counted twice.

mod breakers;
mod counting;
mod served;
mod shadow;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use parallax::experiment::{Ladder, Limits, ShedReason, Watch};

/// Ways to go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    Error,
    Panic,
    /// Sleeps for a minute, looking whether it is told to stop.
    Slow,
    /// Runs until the gate is opened, whatever it is told.
    Endless,
    /// Takes a gigabyte and lets it go.
    Greedy,
}

/// What a rung is given: what to do, and what holds the endless one.
pub(crate) struct Input {
    pub(crate) number: u64,
    pub(crate) fault: Fault,
    pub(crate) gate: Arc<AtomicBool>,
}

impl Input {
    pub(crate) fn new(number: u64, fault: Fault, gate: &Arc<AtomicBool>) -> Arc<Self> {
        Arc::new(Input { number, fault, gate: gate.clone() })
    }
}

/// A ground that squares, and a candidate that does so, too, unless it is told to go wrong.
pub(crate) fn ladder() -> Ladder<Input, u64> {
    Ladder::new("ground", |input: &Input, _| Ok(input.number * input.number)).rung("candidate", |input, cancel| {
        match input.fault {
            Fault::None => {}
            Fault::Error => return Err("asked-for"),
            Fault::Panic => panic!("secret {}", input.number),
            Fault::Slow => {
                let end = Instant::now() + Duration::from_secs(60);
                while Instant::now() < end {
                    cancel.check().map_err(|_| "cancelled")?;
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            Fault::Endless => {
                while !input.gate.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            Fault::Greedy => {
                let mut taken = vec![0_u8; 1 << 30];
                taken.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
                drop(std::hint::black_box(taken));
            }
        }
        Ok(input.number * input.number)
    })
}

/// Bounds that tests need not wait long for.
pub(crate) fn limits() -> Limits {
    Limits {
        threads: 2,
        queue: 64,
        deadline: Duration::from_millis(50),
        served_deadline: Duration::from_millis(50),
        grace: Duration::from_millis(20),
        lost: 2,
    }
}

/// Remembers what it is told.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) shed: Mutex<Vec<(ShedReason, &'static str, usize)>>,
    pub(crate) lost: AtomicUsize,
    pub(crate) broken: Mutex<Vec<String>>,
}

impl Log {
    /// Runs that were shed for a reason.
    pub(crate) fn shed(&self, reason: ShedReason) -> usize {
        self.shed.lock().expect("sound").iter().filter(|(why, ..)| *why == reason).map(|(.., count)| count).sum()
    }
}

impl Watch for Log {
    fn shed(&self, reason: ShedReason, class: &'static str, count: usize) {
        self.shed.lock().expect("sound").push((reason, class, count));
    }

    fn lost(&self, threads: usize) {
        self.lost.store(threads, Ordering::SeqCst);
    }

    fn broken_trial(&self, place: &str) {
        self.broken.lock().expect("sound").push(place.to_owned());
    }
}

/// Waits until something holds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what} does not come to hold");
        std::thread::sleep(Duration::from_millis(1));
    }
}
