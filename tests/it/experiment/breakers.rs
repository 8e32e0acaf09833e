//! The breaker, by its promises, over random histories of runs.

use std::time::{Duration, Instant};

use parallax::experiment::{Breaker, BreakerPolicy, BreakerState};
use proptest::prelude::*;

const POLICY: BreakerPolicy = BreakerPolicy { failures: 3, window: Duration::from_secs(10), rest: Duration::from_secs(5), probes: 2 };

#[test]
fn it_opens_rests_tries_and_closes() {
    let (start, mut breaker) = (Instant::now(), Breaker::new(POLICY));
    let at = |seconds| start + Duration::from_secs(seconds);
    assert!(!breaker.record(at(0), false) && !breaker.record(at(1), false));
    // The first failure is out of the window by now.
    assert!(!breaker.record(at(11), false));
    assert_eq!(breaker.admit(at(11)), BreakerState::Closed);
    assert!(breaker.record(at(11), false));
    assert_eq!((breaker.admit(at(12)), breaker.peek()), (BreakerState::Open, BreakerState::Open));
    assert_eq!([16, 16, 16].map(|time| breaker.admit(at(time))), [BreakerState::HalfOpen, BreakerState::HalfOpen, BreakerState::Open]);
    assert!(breaker.record(at(17), false), "one failure opens it again");
    assert_eq!(breaker.admit(at(21)), BreakerState::Open);
    assert_eq!(breaker.admit(at(22)), BreakerState::HalfOpen);
    assert!(!breaker.record(at(22), true) && breaker.record(at(22), true));
    assert_eq!(breaker.admit(at(22)), BreakerState::Closed);
}

#[test]
fn probes_that_never_report_are_replaced_in_time() {
    let (start, mut breaker) = (Instant::now(), Breaker::new(POLICY));
    (0..3).for_each(|_| {
        breaker.record(start, false);
    });
    let at = |seconds| start + Duration::from_secs(seconds);
    let through = |breaker: &mut Breaker, time| (0..10).filter(|_| breaker.admit(at(time)) == BreakerState::HalfOpen).count();
    assert_eq!([5, 6, 10, 11, 15].map(|time| through(&mut breaker, time)), [2, 0, 2, 0, 2]);
}

proptest! {
    #[test]
    fn open_lets_nobody_through_before_its_rest_and_closed_lets_everybody(events in prop::collection::vec((0..4000_u64, 0..3_u8), 1..200)) {
        let (start, mut breaker, mut now) = (Instant::now(), Breaker::new(POLICY), 0);
        let (mut opened, mut failed): (Option<u64>, Vec<u64>) = (None, Vec::new());
        for (pause, event) in events {
            now += pause;
            let time = start + Duration::from_millis(now);
            let before = breaker.peek();
            match event {
                0 => match (breaker.admit(time), before) {
                    (BreakerState::Closed, state) => prop_assert_eq!(state, BreakerState::Closed),
                    (BreakerState::HalfOpen, _) => prop_assert!(opened.is_some_and(|since| now - since >= 5000)),
                    (BreakerState::Open, state) => prop_assert_ne!(state, BreakerState::Closed),
                },
                event => {
                    let turned = breaker.record(time, event == 1);
                    failed.push(if event == 1 { 0 } else { now });
                    prop_assert_eq!(turned, breaker.peek() != before);
                    if turned && breaker.peek() == BreakerState::Open {
                        opened = Some(now);
                        // It opens by enough failures within the window, or by one of a probe.
                        let recent = failed.iter().filter(|failure| **failure > 0 && now - **failure <= 10_000).count();
                        prop_assert!(event == 2 && (before == BreakerState::HalfOpen || recent >= 3));
                    }
                }
            }
        }
    }
}
