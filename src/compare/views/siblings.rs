//! A message's place among its versions, and where the arrows lead.

use serde_json::{Value, json};

use super::super::classify::{Difference, Judged};
use super::super::findings::Findings;
use super::Pair;
use crate::dag::{Place, Sym};
use crate::history::Siblings;

pub(super) fn compare(pair: &Pair<'_>, findings: &mut Findings) {
    let (control, candidate) = (&pair.control.history.messages, &pair.candidate.history.messages);
    for (place, was, is) in pair.shared() {
        let (was, is) = (control[was].siblings, candidate[is].siblings);
        if was != is && pair.evidence.kinds().in_lane(place) {
            let counted = (was.index, was.total) != (is.index, is.total);
            let better = if counted { pair.evidence.versions(place) == Some((is.index, is.total)) } else { arrows_healed(pair, was, is) };
            let cause = [pair.kind(place), if counted { "other-versions" } else { "other-arrows" }];
            findings.add(Difference::Siblings(Judged::better(better)), cause, || (show(pair, place, was), show(pair, place, is)));
        }
    }
}

/// Whether each arrow that changed now leads to a message where it led to none, further down the same branch over a
/// gap, or no longer into a sub-agent's lane.
fn arrows_healed(pair: &Pair<'_>, was: Siblings, is: Siblings) -> bool {
    [(was.previous, is.previous), (was.next, is.next)].into_iter().filter(|(was, is)| was != is).all(|(was, is)| {
        let place = |leaf: Option<Sym>| pair.snapshot.place(leaf?);
        let (Some(was), Some(is)) = (place(was), place(is)) else { return false };
        let kinds = pair.evidence.kinds();
        let up = |from: Place| std::iter::successors(Some(from), |at| pair.evidence.target.lane_before(*at));
        let further = || up(is).any(|at| at == was);
        let into_a_spawn = || up(was).take_while(|at| *at != is).any(|at| kinds.is_spawn_root(at)) && up(was).any(|at| at == is);
        kinds.in_lane(is) && (!kinds.in_lane(was) || further() || into_a_spawn())
    })
}

fn show(pair: &Pair<'_>, place: Place, siblings: Siblings) -> Value {
    let word = |leaf: Option<Sym>| leaf.map(|leaf| pair.snapshot.text(leaf));
    json!({"node": pair.id(place), "siblings": [siblings.index, siblings.total, word(siblings.previous), word(siblings.next)]})
}
