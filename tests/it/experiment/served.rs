//! Serving a rung that is not the ground: whatever it does, the load is answered within its deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parallax::experiment::{Choice, Experiment, Failure, Rungs};

use super::{Fault, Input, ladder, limits, until};

const SERVE: Choice = Choice { serve: 1, shadow: Rungs::NONE, class: "small" };

#[test]
fn a_sound_rung_answers_itself() {
    let (experiment, gate) = (Experiment::new(ladder(), limits()), Arc::new(AtomicBool::new(false)));
    for number in 0..100 {
        let served = experiment.run(Input::new(number, Fault::None, &gate), &SERVE, |_| {});
        assert_eq!((*served.output.expect("an answer"), served.asked, served.rung, served.rescue), (number * number, 1, 1, None));
    }
}

#[test]
fn ground_answers_within_the_same_call_where_the_rung_does_not() {
    let (experiment, gate) = (Experiment::new(ladder(), limits()), Arc::new(AtomicBool::new(false)));
    for (fault, name) in [(Fault::Error, "error"), (Fault::Panic, "panic"), (Fault::Slow, "timeout"), (Fault::Endless, "timeout")] {
        let start = Instant::now();
        let served = experiment.run(Input::new(5, fault, &gate), &SERVE, |_| {});
        assert_eq!((*served.output.expect("Ground's answer"), served.asked, served.rung), (25, 1, 0), "{fault:?}");
        assert_eq!(served.rescue.map(|failure| failure.name()), Some(name));
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
    gate.store(true, Ordering::Relaxed);
    until("the hung run's end", || experiment.lost().1 == 0);
}

#[test]
fn when_too_many_hang_the_rung_is_not_begun_until_they_come_back() {
    let (experiment, gate) = (Experiment::new(ladder(), limits()), Arc::new(AtomicBool::new(false)));
    let failure = |fault| experiment.run(Input::new(5, fault, &gate), &SERVE, |_| {}).rescue;
    for _ in 0..=limits().lost {
        assert_eq!(failure(Fault::Endless), Some(Failure::Timeout));
    }
    assert_eq!(failure(Fault::None), Some(Failure::NoThread));
    gate.store(true, Ordering::Relaxed);
    until("the rung's return", || failure(Fault::None).is_none());
}

#[test]
fn many_threads_are_served_at_once() {
    let (experiment, gate) = (Experiment::new(ladder(), limits()), Arc::new(AtomicBool::new(true)));
    std::thread::scope(|scope| {
        for thread in 0..8_u64 {
            let (experiment, gate) = (&experiment, &gate);
            scope.spawn(move || {
                for number in 0..500 {
                    let number = thread * 1000 + number;
                    let served = experiment.run(Input::new(number, Fault::None, gate), &SERVE, |_| {});
                    assert_eq!(*served.output.expect("an answer"), number * number);
                }
            });
        }
    });
}

#[test]
fn a_ground_that_fails_is_an_error_and_no_crash() {
    let ladder = parallax::experiment::Ladder::new("ground", |fails: &bool, _| if *fails { panic!("secret") } else { Ok(1) });
    let experiment = Experiment::new(ladder, limits());
    let choice = Choice { serve: 0, ..SERVE };
    let Err(Failure::Panic(place)) = experiment.run(Arc::new(true), &choice, |_| {}).output else { panic!("no panic") };
    assert!(place.contains("served.rs:"));
    assert_eq!(*experiment.run(Arc::new(false), &choice, |_| {}).output.expect("an answer"), 1);
}
