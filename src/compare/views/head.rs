//! Which message is the head.

use serde_json::{Value, json};

use super::super::classify::{Difference, Judged};
use super::super::findings::Findings;
use super::super::side::Side;
use super::Pair;
use crate::dag::Sym;

pub(super) fn compare(pair: &Pair<'_>, findings: &mut Findings) {
    let (control, candidate) = (pair.control.history.head, pair.candidate.history.head);
    if control == candidate {
        return;
    }
    let place = |head: Option<Sym>| pair.snapshot.place(head?);
    // A head that its own list does not show contradicts itself.
    let contradicts = |side: &Side<'_>, head: Option<Sym>| head.is_some() && !place(head).is_some_and(|head| side.shows(head));
    let healed = match pair.evidence.head() {
        Some(recorded) => place(candidate) == Some(recorded),
        None => contradicts(pair.control, control) && !contradicts(pair.candidate, candidate),
    };
    let was = place(control).map_or("nowhere", |place| pair.kind(place));
    let is = place(candidate).map_or("nowhere", |place| pair.kind(place));
    let word = |head: Option<Sym>| head.map_or(Value::Null, |head| json!(pair.snapshot.text(head)));
    findings.add(Difference::Head(Judged::better(healed)), [was, is], || (word(control), word(candidate)));
}
