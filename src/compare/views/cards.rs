//! Which runs are cards, and of which steps.

use std::cell::OnceCell;

use serde_json::json;

use super::super::classify::{Difference, Judged};
use super::super::findings::Findings;
use super::super::side::Side;
use super::Pair;
use crate::dag::Place;
use crate::history::{Form, Groups, Kind};
use crate::step::Rung;

pub(super) fn compare(pair: &Pair<'_>, findings: &mut Findings) {
    let legacy = Legacy { pair, children: OnceCell::new() };
    for (place, was, is) in pair.shared() {
        let form = |side: &Side<'_>, at: usize| side.history.messages[at].form;
        let (was, is) = (form(pair.control, was) == Form::Card, form(pair.candidate, is) == Form::Card);
        if !was && !is {
            continue;
        }
        let steps = |side: &Side<'_>, card: bool| if card { legacy.steps(side, place) } else { Vec::new() };
        let (old, new) = (steps(pair.control, was), steps(pair.candidate, is));
        if was == is && old == new {
            continue;
        }
        let run = pair.evidence.kinds().kind(place) == Kind::Run;
        let right = is == run && (!is || new == pair.evidence.target.steps(place));
        let cause = [pair.kind(place), if was == is { "other-steps" } else { "other-form" }];
        let show = |card: bool, steps: &[Place]| json!({"node": pair.id(place), "card": card, "steps": pair.ids(steps)});
        findings.add(Difference::Cards(Judged::better(right)), cause, || (show(was, &old), show(is, &new)));
    }
}

/// The steps in a card as each side's rung finds them.
struct Legacy<'a> {
    pair: &'a Pair<'a>,
    children: OnceCell<Groups>,
}

impl Legacy<'_> {
    fn steps(&self, side: &Side<'_>, run: Place) -> Vec<Place> {
        match side.history.rung {
            Rung::A | Rung::B | Rung::C | Rung::D => side.target.steps(run).to_vec(),
            Rung::Ground => self.called_below(run),
        }
    }

    /// The legacy card holds all that was called below the run, rewound rows and rows of any kind included.
    fn called_below(&self, run: Place) -> Vec<Place> {
        let snapshot = self.pair.snapshot;
        let caller = |place: Place| snapshot.place(snapshot.at(place).called_by?);
        let children = self.children.get_or_init(|| Groups::collect(snapshot.edges().len(), caller));
        let mut below = children.of(run).to_vec();
        let mut at = 0;
        while let Some(place) = below.get(at).copied().filter(|_| below.len() <= snapshot.edges().len()) {
            below.extend(children.of(place));
            at += 1;
        }
        below.sort_unstable();
        below.dedup();
        below
    }
}
