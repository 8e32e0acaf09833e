//! After which message an attach card or a placeholder stands.

use serde_json::{Value, json};

use super::super::classify::{Difference, Judged};
use super::super::findings::Findings;
use super::super::side::is_beside;
use super::Pair;
use crate::dag::Place;

pub(super) fn compare(pair: &Pair<'_>, findings: &mut Findings) {
    for place in pair.snapshot.edges().places().filter(|place| is_beside(pair.evidence.target, *place)) {
        let was = pair.control.anchor(place);
        let is = pair.candidate.anchor(place);
        if was == is {
            continue;
        }
        let owner = pair.evidence.kinds().owner(place);
        let rewound = pair.snapshot.at(place).marks.rewound;
        let expected = owner.filter(|owner| !rewound && pair.candidate.shows(*owner)).map(Some);
        if is == expected && was.is_some() && is.is_none() && owner.is_some_and(|owner| !rewound && was == Some(Some(owner))) {
            // Its message is gone, and it with it: that is the list's difference.
            continue;
        }
        let judged = Judged::better(is == expected);
        if is == expected && was.is_none() && owner.is_some_and(|owner| !pair.control.shows(owner)) {
            // It came with its message.
            continue;
        }
        let cause = [pair.kind(place), if is.is_none() { "not-shown" } else { "" }];
        let show = |anchor: Option<Option<Place>>| match anchor {
            None => Value::Null,
            Some(anchor) => json!({"node": pair.id(place), "after": anchor.map(|anchor| pair.id(anchor))}),
        };
        findings.add(Difference::Attachments(judged), cause, || (show(was), show(is)));
    }
}
