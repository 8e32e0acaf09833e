//! Faults of the rung beside the served one: every load is served Ground's answer, and the pool recovers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use parallax::experiment::{Choice, Experiment, Failure, Fate, Rungs, ShedReason, Trial};

use super::{Fault, Input, Log, ladder, limits, until};

const BESIDE: Choice = Choice { serve: 0, shadow: Rungs::NONE, class: "small" };

fn beside() -> Choice {
    Choice { shadow: Rungs::one(1), ..BESIDE }
}

/// Runs loads with a fault and gives the candidate's failure in each trial that was made.
fn failures(fault: Fault, loads: u64) -> Vec<Option<Failure>> {
    let (experiment, gate) = (Experiment::new(ladder(), limits()), Arc::new(AtomicBool::new(false)));
    let (tell, told) = channel();
    for number in 0..loads {
        let tell = tell.clone();
        let served = experiment.run(Input::new(number, fault, &gate), &beside(), move |trial: Trial<u64>| {
            tell.send(trial.shadow[0].failure().cloned()).expect("somebody listens");
        });
        assert_eq!(*served.output.expect("Ground's answer"), number * number, "{fault:?}");
        assert_eq!((served.rung, served.rescue), (0, None));
    }
    drop(tell);
    let found = told.iter().collect();
    // The pool is well again: a load without a fault is tried at once.
    gate.store(true, Ordering::Relaxed);
    let (tell, told) = channel();
    let mut asked = 0;
    until("a sound trial", || {
        asked += 1;
        let tell = tell.clone();
        experiment.run(Input::new(7, Fault::None, &gate), &beside(), move |trial| {
            // Nobody listens to those after the first.
            let _ = tell.send(trial.shadow[0].failure().cloned());
        });
        matches!(told.recv_timeout(Duration::from_millis(100)), Ok(None))
    });
    found
}

#[test]
fn a_panic_stays_where_it_is_and_says_nothing_of_the_input() {
    for failure in failures(Fault::Panic, 30) {
        let Some(Failure::Panic(place)) = failure else { panic!("{failure:?}") };
        assert!(place.contains("experiment/mod.rs:") && !place.contains("secret"), "{place}");
    }
}

#[test]
fn an_error_is_kept_as_its_code() {
    assert!(failures(Fault::Error, 30).iter().all(|failure| *failure == Some(Failure::Error("asked-for"))));
}

#[test]
fn what_sleeps_is_told_to_stop_at_its_deadline() {
    let found = failures(Fault::Slow, 6);
    assert_eq!(found.len(), 6);
    assert!(found.iter().all(|failure| *failure == Some(Failure::Timeout)), "{found:?}");
}

#[test]
fn what_takes_a_gigabyte_is_served_beside() {
    assert_eq!(failures(Fault::Greedy, 2).len(), 2);
}

#[test]
fn a_thread_that_does_not_come_back_is_replaced_up_to_a_bound_and_then_shadowing_stops_and_says_so() {
    let (log, gate) = (Arc::new(Log::default()), Arc::new(AtomicBool::new(false)));
    let experiment = Experiment::watched(ladder(), limits(), log.clone());
    let (tell, told) = channel();
    let mut handed_over = 0;
    until("the pool's end", || {
        let tell = tell.clone();
        let served = experiment.run(Input::new(3, Fault::Endless, &gate), &beside(), move |trial: Trial<u64>| {
            tell.send(trial.shadow[0].failure().cloned()).expect("somebody listens");
        });
        assert_eq!(*served.output.expect("Ground's answer"), 9);
        handed_over += usize::from(served.fate == Fate::Queued);
        served.fate == Fate::Shed(ShedReason::Exhausted)
    });
    assert_eq!(experiment.lost().0, limits().lost + 1);
    // Every run that was taken is in a trial or was shed, but for the trials that wait for a thread.
    let tried = told.try_iter().inspect(|failure| assert_eq!(*failure, Some(Failure::Lost))).count();
    let shed: usize = log.shed.lock().expect("sound").iter().map(|(.., count)| count).sum();
    assert!(tried <= limits().lost + 1 && tried + shed >= handed_over - limits().threads, "{tried} {shed} {handed_over}");

    gate.store(true, Ordering::Relaxed);
    until("the threads' return", || experiment.lost().0 == 0 && log.lost.load(Ordering::SeqCst) == 0);
    until("a sound trial", || {
        let (tell, told) = channel();
        experiment.run(Input::new(4, Fault::None, &gate), &beside(), move |trial| {
            let _ = tell.send(trial.shadow[0].failure().is_none());
        });
        told.recv_timeout(Duration::from_secs(1)) == Ok(true)
    });
}

#[test]
fn who_compares_may_panic_and_hang() {
    let (log, gate) = (Arc::new(Log::default()), Arc::new(AtomicBool::new(false)));
    let experiment = Experiment::watched(ladder(), limits(), log.clone());
    experiment.run(Input::new(1, Fault::None, &gate), &beside(), |_| panic!("secret"));
    until("the broken trial", || !log.broken.lock().expect("sound").is_empty());
    assert!(log.broken.lock().expect("sound")[0].contains("shadow.rs:"));
    let held = gate.clone();
    experiment.run(Input::new(1, Fault::None, &gate), &beside(), move |_| {
        while !held.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    until("the thread's loss", || experiment.lost().0 == 1);
    gate.store(true, Ordering::Relaxed);
    until("the thread's return", || experiment.lost().0 == 0);
}
