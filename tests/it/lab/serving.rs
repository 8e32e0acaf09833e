//! Which rung is served, and what is counted.

use parallax::dag::Snapshot;
use parallax::history::{Cancel, History, history_at};
use parallax::plan::Reason;
use parallax::step::{Rung, Step};

use super::{Bench, gap, steps};
use crate::flags::until;

fn bytes(snapshot: &Snapshot, history: &History) -> Vec<u8> {
    let mut out = Vec::new();
    history.write_messages(snapshot, &mut out).expect("written");
    out
}

#[test]
fn each_load_is_served_the_rung_that_the_flags_select() {
    let bench = Bench::new(&steps([false; 4], false));
    for (on, rung) in [
        ([false, false, false, false], Rung::Ground),
        ([true, false, false, false], Rung::A),
        ([true, true, false, false], Rung::B),
        ([true, true, true, false], Rung::C),
        ([true, true, true, true], Rung::D),
    ] {
        bench.flip(&steps(on, false));
        let snapshot = gap("s");
        let load = bench.lab.load(&snapshot).expect("served");
        assert_eq!((load.rung, load.plan.reason, load.rescue), (rung, Reason::Flags, None));
        let alone = history_at(&gap("s"), rung, &Cancel::new()).expect("not cancelled");
        assert_eq!(bytes(&snapshot, &load.history), bytes(&gap("s"), &alone));
        assert_eq!(bench.metric(&format!("parallax_loads_total{{rung=\"{rung}\"}}")), 1.0);
    }
}

#[test]
fn a_set_that_skips_a_step_serves_the_longest_legal_prefix_and_is_counted() {
    let bench = Bench::new(&steps([false, true, false, false], false));
    for loads in 1..=3 {
        let load = bench.lab.load(&gap("s")).expect("served");
        assert_eq!((load.rung, load.plan.violation), (Rung::Ground, Some(Step::B)));
        assert_eq!(bench.metric("parallax_flag_order_violations_total"), f64::from(loads));
    }
}

#[test]
fn the_kill_switch_serves_ground_at_once_and_nothing_beside_it() {
    let bench = Bench::new(&steps([true; 4], true));
    assert_eq!(bench.lab.load(&gap("s")).expect("served").rung, Rung::D);
    let mut killed = steps([true; 4], true);
    killed["features"][5]["enabled"] = serde_json::json!(true);
    bench.flip(&killed);
    let load = bench.lab.load(&gap("s")).expect("served");
    assert_eq!((load.rung, load.plan.reason, load.plan.shadow().count()), (Rung::Ground, Reason::KillSwitch, 0));
}

#[test]
fn every_step_is_compared_beside_each_load_and_counted_by_outcome_and_code() {
    let bench = Bench::new(&steps([false; 4], true));
    for load in 0..5 {
        bench.lab.load(&gap(&format!("s{load}"))).expect("served");
    }
    let outcome = |step: Step, outcome: &str| bench.metric(&format!("parallax_trials_total{{outcome=\"{outcome}\",step=\"{step}\"}}"));
    until("the trials", || {
        Step::ALL.into_iter().all(|step| ["match", "improved", "diverged"].map(|name| outcome(step, name)).iter().sum::<f64>() == 5.0)
    });
    assert_eq!(outcome(Step::C, "match"), 5.0);
    // By hand: what each step changes in this session, as the command line says it, too.
    let ladder = gap("s0");
    let ladder = parallax::compare::Ladder::climb(&ladder, &Cancel::new()).expect("not cancelled");
    for step in Step::ALL {
        let comparison = ladder.compare(step);
        assert_eq!(outcome(step, comparison.outcome.name()), 5.0, "{step}");
        for found in comparison.divergences {
            let (code, severity) = (found.code.name(), found.code.severity().name());
            let name = format!("parallax_divergences_total{{code=\"{code}\",severity=\"{severity}\",step=\"{step}\"}}");
            assert!(bench.metric(&name) >= 5.0, "{name}");
        }
    }
    let text = bench.metrics.text().expect("text");
    assert!(!text.contains("secret") && !text.contains("u2"), "no id and no text in a metric");
}

#[test]
fn without_shadow_nothing_runs_beside() {
    let bench = Bench::new(&steps([true, false, false, false], false));
    bench.lab.load(&gap("s")).expect("served");
    bench.lab.drain(std::time::Duration::from_secs(5));
    let text = bench.metrics.text().expect("text");
    assert!(!text.contains("parallax_trials_total{"), "{text}");
    assert_eq!(bench.metric("parallax_path_seconds_count{rung=\"a\"}"), 1.0);
}
