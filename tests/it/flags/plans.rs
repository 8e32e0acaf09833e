//! Every set of flags with every state of the breakers comes to a plan that holds what is promised.

use parallax::flags::Toggles;
use parallax::plan::{Breaker, Reason, plan};
use parallax::step::{Rung, Step};

const STATES: [Breaker; 3] = [Breaker::Closed, Breaker::HalfOpen, Breaker::Open];

fn all(mut check: impl FnMut(&Toggles, &[Breaker; 4])) {
    for bits in 0..64_u32 {
        let on = |bit: u32| bits >> bit & 1 == 1;
        let toggles = Toggles { steps: [on(0), on(1), on(2), on(3)], shadow: on(4), kill: on(5), set: None };
        for mut state in 0..81 {
            let breakers = [(); 4].map(|()| {
                let own = STATES[state % 3];
                state /= 3;
                own
            });
            check(&toggles, &breakers);
        }
    }
}

#[test]
fn a_plan_serves_the_longest_legal_prefix_below_every_open_breaker() {
    all(|toggles, breakers| {
        let found = plan(toggles, breakers);
        let may = |step: Step| toggles.steps[step.index()] && breakers[step.index()] != Breaker::Open && !toggles.kill;
        // Every step up to the served rung may be taken, and the next one may not.
        for step in Step::ALL {
            if step.after() <= found.serve {
                assert!(may(step), "{toggles:?} {breakers:?} {found:?}");
            }
            if step.before() == found.serve {
                assert!(!may(step), "{toggles:?} {breakers:?} {found:?}");
            }
        }
    });
}

#[test]
fn a_skipped_step_is_noticed_whatever_else_holds() {
    all(|toggles, breakers| {
        let mut steps = toggles.steps.into_iter().skip_while(|on| *on);
        let skipped = steps.any(|on| on);
        assert_eq!(plan(toggles, breakers).violation.is_some(), skipped, "{toggles:?}");
    });
}

#[test]
fn the_kill_switch_beats_all() {
    all(|toggles, breakers| {
        let found = plan(toggles, breakers);
        if toggles.kill {
            assert_eq!((found.serve, found.reason, found.shadow().count()), (Rung::Ground, Reason::KillSwitch, 0));
        } else {
            assert_ne!(found.reason, Reason::KillSwitch);
        }
    });
}

#[test]
fn the_shadow_runs_every_other_rung_that_no_open_breaker_forbids() {
    all(|toggles, breakers| {
        let found = plan(toggles, breakers);
        let forbidden = |rung: Rung| Step::ALL.into_iter().any(|step| step.after() <= rung && breakers[step.index()] == Breaker::Open);
        let wanted: Vec<Rung> =
            Rung::ALL.into_iter().filter(|rung| toggles.shadow && !toggles.kill && *rung != found.serve && !forbidden(*rung)).collect();
        assert!(found.shadow().eq(wanted), "{toggles:?} {breakers:?} {found:?}");
    });
}

#[test]
fn a_breaker_is_named_only_where_it_takes_something_away() {
    all(|toggles, breakers| {
        let found = plan(toggles, breakers);
        let closed = plan(toggles, &[Breaker::Closed; 4]);
        match found.reason {
            Reason::Breaker(step) => assert!(breakers[step.index()] == Breaker::Open && found.serve < closed.serve),
            Reason::Flags => assert_eq!(found.serve, closed.serve),
            Reason::KillSwitch => {}
        }
    });
}
