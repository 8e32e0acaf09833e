//! A rung that goes wrong, beside and on the served path: what is served stays Ground's, and the breaker opens.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use parallax::dag::Snapshot;
use parallax::experiment::{BreakerPolicy, BreakerState, Ladder};
use parallax::history::{Cancel, History, history_at};
use parallax::plan::Reason;
use parallax::step::{Rung, Step};

use super::{Bench, gap, policy, steps};
use crate::flags::until;

const SOUND: u8 = 0;
const PANICS: u8 = 1;
const ENDLESS: u8 = 2;
const SLEEPS: u8 = 3;
const GREEDY: u8 = 4;

/// The history's rungs; that of `broken` does what the switch says.
fn broken_at(broken: Rung, switch: &Arc<AtomicU8>) -> Ladder<Snapshot, Arc<History>> {
    let way = |rung: Rung| {
        let switch = switch.clone();
        move |snapshot: &Snapshot, cancel: &Cancel| {
            if rung == broken {
                match switch.load(Ordering::SeqCst) {
                    PANICS => panic!("secret"),
                    ENDLESS => {
                        while switch.load(Ordering::SeqCst) == ENDLESS {
                            std::hint::spin_loop();
                        }
                    }
                    SLEEPS => std::thread::sleep(Duration::from_secs(30)),
                    GREEDY => drop(std::hint::black_box(vec![1_u8; 1 << 30])),
                    _ => {}
                }
            }
            history_at(snapshot, rung, cancel).map_err(|_| "cancelled")
        }
    };
    let [ground, above @ ..] = Rung::ALL;
    above.into_iter().fold(Ladder::new(ground.name(), way(ground)), |ladder, rung| ladder.rung(rung.name(), way(rung)))
}

fn ground(session: &str) -> Vec<u8> {
    let snapshot = gap(session);
    let mut out = Vec::new();
    history_at(&snapshot, Rung::Ground, &Cancel::new()).expect("not cancelled").write_messages(&snapshot, &mut out).expect("written");
    out
}

#[test]
fn no_fault_beside_the_served_path_changes_what_is_served() {
    for fault in [PANICS, ENDLESS, SLEEPS, GREEDY] {
        let switch = Arc::new(AtomicU8::new(fault));
        let bench = Bench::over(broken_at(Rung::C, &switch), &steps([false; 4], true), &policy());
        for load in 0..20 {
            let session = format!("s{load}");
            let snapshot = gap(&session);
            let load = bench.lab.load(&snapshot).expect("served");
            let mut out = Vec::new();
            load.history.write_messages(&snapshot, &mut out).expect("written");
            assert_eq!((load.rung, load.rescue), (Rung::Ground, None));
            assert!(out == ground(&session), "fault {fault}");
        }
        if fault != GREEDY {
            until("the breaker", || bench.lab.breakers().state(Step::C) == BreakerState::Open);
            assert_eq!(bench.metric("parallax_breaker_open{step=\"C\"}"), 1.0);
            assert_eq!(bench.lab.breakers().state(Step::B), BreakerState::Closed);
            let outcome = if fault == PANICS { "panic" } else { "timeout" };
            until("the trials", || bench.metric(&format!("parallax_trials_total{{outcome=\"{outcome}\",step=\"C\"}}")) >= 3.0);
            let code = format!("parallax_divergences_total{{code=\"candidate-{outcome}\",severity=\"critical\",step=\"C\"}}");
            assert!(bench.metric(&code) >= 3.0);
        }
        switch.store(SOUND, Ordering::SeqCst);
    }
}

#[test]
fn a_served_rung_that_fails_is_answered_by_ground_and_its_breaker_opens() {
    for fault in [PANICS, ENDLESS] {
        let switch = Arc::new(AtomicU8::new(fault));
        let bench = Bench::over(broken_at(Rung::B, &switch), &steps([true, true, true, false], false), &policy());
        // C is served, and sound: B's fault is not felt.
        assert_eq!(bench.lab.load(&gap("s")).expect("served").rung, Rung::C);
        bench.flip(&steps([true, true, false, false], false));
        for _ in 0..policy().failures {
            let load = bench.lab.load(&gap("s")).expect("served");
            assert_eq!(load.rung, Rung::Ground);
            assert!(load.rescue.is_some());
        }
        // From now on nobody runs it: the rung below is served at once, though the flags say B.
        let load = bench.lab.load(&gap("s")).expect("served");
        assert_eq!((load.rung, load.plan.reason, load.rescue), (Rung::A, Reason::Breaker(Step::B), None));
        switch.store(SOUND, Ordering::SeqCst);
    }
}

#[test]
fn after_its_rest_a_breaker_tries_again_and_closes() {
    let switch = Arc::new(AtomicU8::new(PANICS));
    let quick = BreakerPolicy { rest: Duration::from_millis(200), ..policy() };
    let bench = Bench::over(broken_at(Rung::A, &switch), &steps([true, false, false, false], false), &quick);
    for _ in 0..quick.failures {
        bench.lab.load(&gap("s")).expect("served");
    }
    assert_eq!(bench.lab.breakers().state(Step::A), BreakerState::Open);
    assert_eq!(bench.lab.load(&gap("s")).expect("served").plan.reason, Reason::Breaker(Step::A));
    switch.store(SOUND, Ordering::SeqCst);
    until("A again", || bench.lab.load(&gap("s")).expect("served").rung == Rung::A);
    until("the breaker's end", || {
        bench.lab.load(&gap("s")).expect("served");
        bench.lab.breakers().state(Step::A) == BreakerState::Closed
    });
    assert_eq!(bench.metric("parallax_breaker_open{step=\"A\"}"), 0.0);
}
