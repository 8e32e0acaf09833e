//! Comparisons over the corpus: each step raises what it is known to raise, and nothing compared with itself differs.

use std::collections::BTreeMap;

use parallax::compare::{Code, Ladder, Outcome};
use parallax::history::Cancel;
use parallax::step::{Rung, Step};

use crate::corpus::each_case;

/// How often each step raises each code over a part of the corpus.
fn raised(part: &str, only: impl Fn(&str) -> bool) -> BTreeMap<(Step, &'static str), Vec<String>> {
    let mut raised: BTreeMap<(Step, &'static str), Vec<String>> = BTreeMap::new();
    each_case(part, |case| {
        if !only(&case.name) {
            return;
        }
        let snapshot = case.snapshot();
        let ladder = Ladder::climb(&snapshot, &Cancel::new()).expect("not cancelled");
        for step in Step::ALL {
            for divergence in ladder.compare(step).divergences {
                raised.entry((step, divergence.code.name())).or_default().push(format!("{} {}", case.name, divergence.signature));
            }
        }
        for rung in Rung::ALL {
            let noise = ladder.compare_pair(Step::A, rung, rung);
            assert!(noise.divergences.is_empty(), "{} at {rung}: {:?}", case.name, noise.divergences);
            assert!(matches!(noise.outcome, Outcome::Match | Outcome::Unsupported));
        }
    });
    raised
}

#[test]
fn on_real_sessions_a_to_c_only_improve_and_d_leaks() {
    let raised = raised("ground", |name| name.contains("--"));
    for ((step, code), cases) in &raised {
        let improvement = Code::ALL.iter().find(|known| known.name() == *code).expect("a code").is_improvement();
        assert!(improvement || *step == Step::D, "{step} {code}: {cases:?}");
    }
    let any = raised.is_empty() || raised.contains_key(&(Step::D, "branch-leak"));
    assert!(any, "{raised:?}");
}

#[test]
fn on_the_target_cases_each_step_raises_what_it_is_known_to() {
    let raised = raised("target", |name| name.contains("(packed)"));
    let count = |step, code| raised.get(&(step, code)).map_or(0, Vec::len);
    for (step, code, least) in [
        (Step::A, "siblings-healed", 60),
        (Step::A, "tool-call-healed", 6),
        (Step::B, "history-extended", 40),
        (Step::C, "leak-healed", 5),
        (Step::D, "branch-leak", 28),
        (Step::D, "history-truncated", 14),
        (Step::D, "attachment-moved", 3),
    ] {
        assert!(count(step, code) >= least, "{step} {code}: {}", count(step, code));
    }
    for (step, code) in [(Step::A, "history-truncated"), (Step::B, "branch-leak"), (Step::C, "history-truncated"), (Step::C, "branch-leak")]
    {
        assert_eq!(count(step, code), 0, "{step} {code}: {:?}", raised.get(&(step, code)));
    }
}

#[test]
fn a_rung_compared_with_itself_differs_in_nothing() {
    raised("ground-odd", |_| true);
    raised("ground", |name| name.contains("(packed)"));
}
