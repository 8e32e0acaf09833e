//! Which tool calls are folded into which message, in order.

use serde_json::json;

use super::super::classify::{Difference, ToolChange};
use super::super::findings::Findings;
use super::super::side::Side;
use super::Pair;
use crate::dag::{NodeIx, Place};
use crate::history::Kind;

pub(super) fn compare(pair: &Pair<'_>, findings: &mut Findings) {
    for (place, was, is) in pair.shared() {
        let calls = |side: &Side<'_>, at: usize| -> Vec<NodeIx> { side.history.messages[at].tools(side.history).to_vec() };
        if pair.control.history.messages[was].tools == (0, 0) && pair.candidate.history.messages[is].tools == (0, 0) {
            continue;
        }
        let (was, is) = (calls(pair.control, was), calls(pair.candidate, is));
        if was == is {
            continue;
        }
        let places = |calls: &[NodeIx]| -> Vec<Place> { calls.iter().filter_map(|call| pair.snapshot.edges().place(*call)).collect() };
        let (was, is) = (places(&was), places(&is));
        if was == is {
            continue;
        }
        let change = judge(pair, place, &was, &is);
        let show = |calls: &[Place]| json!({"node": pair.id(place), "tools": pair.ids(calls)});
        findings.add(Difference::Tools(change), [pair.kind(place), ""], || (show(&was), show(&is)));
    }
}

/// A row belongs to the reply that its call edge names.
fn judge(pair: &Pair<'_>, place: Place, was: &[Place], is: &[Place]) -> ToolChange {
    let kinds = pair.evidence.kinds();
    let owns = |call: &Place| kinds.caller(*call) == Some(place) && kinds.kind(place) == Kind::Reply && kinds.kind(*call) == Kind::Internal;
    let gone = |call: &&Place| !is.contains(call) && !pair.snapshot.at(**call).marks.rewound;
    if was.iter().filter(gone).any(owns) {
        ToolChange::Lost
    } else if !is.iter().all(owns) || !is.is_sorted() {
        ToolChange::Moved
    } else {
        ToolChange::Healed
    }
}
