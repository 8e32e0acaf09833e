//! Comparisons over the corpus: each step raises what it is known to raise, and nothing compared with itself differs.

use std::collections::BTreeMap;

use parallax::compare::{Ladder, Outcome};
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
fn print_codes() {
    for (part, name) in [("target", ""), ("ground", "packed"), ("ground", "--")] {
        println!("== {part} {name}");
        for ((step, code), cases) in raised(part, |case| case.contains(name)) {
            println!("{step} {code} {} e.g. {} | {}", cases.len(), cases[0], cases.last().unwrap());
        }
    }
}
