//! Every run that was asked for is in one trial or was shed, never both, never twice.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use parallax::experiment::{Choice, Experiment, Fate, Limits, Rungs, ShedReason, Trial};

use super::{Fault, Input, Log, ladder, limits, until};

#[test]
fn trials_and_what_is_shed_add_up_to_what_was_asked_for() {
    let (log, gate) = (Arc::new(Log::default()), Arc::new(AtomicBool::new(true)));
    let experiment = Experiment::watched(ladder(), Limits { queue: 8, ..limits() }, log.clone());
    let (tell, told) = channel();
    let queued = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let (experiment, gate, tell, queued) = (&experiment, &gate, tell.clone(), &queued);
            scope.spawn(move || {
                let class = ["small", "large"][usize::try_from(thread).expect("small") % 2];
                // A/A: the served rung runs again beside itself.
                let choice = Choice { serve: 0, shadow: [0, 1].into_iter().collect(), class };
                for number in 0..2_000 {
                    let tell = tell.clone();
                    let number = thread * 10_000 + number;
                    let served = experiment.run(Input::new(number, Fault::None, gate), &choice, move |trial: Trial<u64>| {
                        tell.send((number, trial)).expect("somebody listens");
                    });
                    queued.fetch_add(usize::from(served.fate == Fate::Queued), Ordering::Relaxed);
                }
            });
        }
    });
    drop(tell);
    assert_eq!(experiment.drain(Duration::from_secs(20)).dropped, 0);
    let mut seen = HashMap::new();
    for (number, trial) in told.iter() {
        *seen.entry(number).or_insert(0) += 1;
        assert_eq!(trial.shadow.iter().map(|run| run.rung).collect::<Vec<_>>(), [0, 1]);
        assert!(trial.shadow.iter().all(|run| run.output().map(|output| **output) == Some(number * number)));
        assert_eq!(trial.control.output().map(|output| **output), Some(number * number));
    }
    assert!(seen.values().all(|count| *count == 1));
    assert_eq!(seen.len(), queued.into_inner());
    assert_eq!(2 * seen.len() + log.shed(ShedReason::QueueFull), 2 * 8_000);
    let shed = log.shed.lock().expect("sound");
    assert!(shed.iter().all(|(_, class, count)| ["small", "large"].contains(class) && *count == 2));
}

#[test]
fn a_stop_waits_for_what_is_under_way_and_counts_what_it_drops() {
    let (log, gate) = (Arc::new(Log::default()), Arc::new(AtomicBool::new(false)));
    let patient = Limits { threads: 1, deadline: Duration::from_secs(60), ..limits() };
    let choice = Choice { serve: 0, shadow: Rungs::one(1), class: "small" };
    let experiment = Experiment::watched(ladder(), patient.clone(), log.clone());
    let made = Arc::new(AtomicUsize::new(0));
    let run = |experiment: &Experiment<Input, u64>, fault| {
        let made = made.clone();
        experiment.run(Input::new(2, fault, &gate), &choice, move |_| {
            made.fetch_add(1, Ordering::SeqCst);
        })
    };
    for _ in 0..20 {
        run(&experiment, Fault::None);
    }
    assert_eq!(experiment.drain(Duration::from_secs(20)).dropped, 0);
    assert_eq!(made.load(Ordering::SeqCst), 20);
    assert_eq!(run(&experiment, Fault::None).fate, Fate::Shed(ShedReason::Stopping));

    let experiment = Experiment::watched(ladder(), patient, log.clone());
    for _ in 0..5 {
        run(&experiment, Fault::Endless);
    }
    until("the first run", || experiment.lost().0 == 0);
    let before = log.shed(ShedReason::Stopping);
    let drained = experiment.drain(Duration::from_millis(50));
    assert!(drained.dropped >= 4 && drained.dropped + drained.cancelled == 5, "{drained:?}");
    assert_eq!(log.shed(ShedReason::Stopping) - before, drained.dropped);
    gate.store(true, Ordering::Relaxed);
}
