//! Which message is the head.

use serde_json::{Value, json};

use super::super::classify::{Difference, Judged};
use super::super::findings::Findings;
use super::super::side::Side;
use super::Pair;
use crate::dag::{Place, Sym};

pub(super) fn compare(pair: &Pair<'_>, findings: &mut Findings) {
    let (control, candidate) = (pair.control.history.head, pair.candidate.history.head);
    if control == candidate {
        return;
    }
    let place = |head: Option<Sym>| pair.snapshot.place(head?);
    let in_its_list = |side: &Side<'_>, head: Option<Place>| head.is_some_and(|head| side.shows(head));
    let healed = match pair.evidence.head() {
        Some(recorded) => place(candidate) == Some(recorded),
        // The record names no head that is left: a head that its own list does not show contradicts itself.
        None => !in_its_list(pair.control, place(control)) && in_its_list(pair.candidate, place(candidate)),
    };
    let was = place(control).map_or("nowhere", |place| pair.kind(place));
    let is = place(candidate).map_or("nowhere", |place| pair.kind(place));
    let word = |head: Option<Sym>| head.map_or(Value::Null, |head| json!(pair.snapshot.text(head)));
    findings.add(Difference::Head(Judged::better(healed)), [was, is], || (word(control), word(candidate)));
}
