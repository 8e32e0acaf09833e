//! What is served as `parent_id`.

use serde_json::{Value, json};

use super::super::classify::{Difference, PointerChange};
use super::super::evidence::Standing;
use super::super::findings::Findings;
use super::Pair;
use crate::dag::{Place, Snapshot, Stored, Sym};
use crate::history::{Form, Message, Pointer};

/// A pointer with absent, `null`, `""` and `ROOT` as one: none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    Nowhere,
    To(Place),
    Dangling(Sym),
}

pub(super) fn compare(pair: &Pair<'_>, findings: &mut Findings) {
    let (control, candidate) = (&pair.control.history.messages, &pair.candidate.history.messages);
    for (place, was, is) in pair.shared() {
        let (was, is) = (points(pair.snapshot, &control[was]), points(pair.snapshot, &candidate[is]));
        if was != is && pair.evidence.kinds().in_lane(place) {
            let change = judge(pair, place, was, is);
            let show = |points: Points| json!({"node": pair.id(place), "parent_id": word(pair, points)});
            findings.add(Difference::Pointers(change), [pair.kind(place), from(was)], || (show(was), show(is)));
        }
    }
}

fn judge(pair: &Pair<'_>, place: Place, was: Points, is: Points) -> PointerChange {
    let towards = if was == Points::Nowhere { PointerChange::Filled } else { PointerChange::Healed };
    let behind = match is {
        Points::To(to) => pair.evidence.message_behind(to),
        Points::Nowhere | Points::Dangling(_) => None,
    };
    match pair.evidence.standing(place) {
        Standing::After(recorded) if behind == Some(recorded) => towards,
        Standing::Start if is == Points::Nowhere => PointerChange::Healed,
        // The record is silent: filling a gap is the one thing that is not away from it.
        Standing::Silent if leads_nowhere(pair, place, was) => towards,
        Standing::After(_) | Standing::Start | Standing::Silent => PointerChange::Changed,
    }
}

/// Whether a pointer can not be followed: there is none, its node is missing, it is its own node, or it closes a ring.
fn leads_nowhere(pair: &Pair<'_>, place: Place, points: Points) -> bool {
    match points {
        Points::Nowhere | Points::Dangling(_) => true,
        Points::To(to) => to == place || pair.evidence.is_cut(place),
    }
}

fn points(snapshot: &Snapshot, message: &Message) -> Points {
    let node = snapshot.node(message.node);
    let pointer = match (message.pointer, node.parent_id) {
        (Pointer::Is(id), _) => id,
        (Pointer::Omitted, _) => None,
        (Pointer::Legacy, _) if message.form == Form::Card => None,
        (Pointer::Legacy, Stored::Text(id)) => Some(id),
        (Pointer::Legacy, Stored::Null) => None,
        (Pointer::Legacy, Stored::Absent) => node.called_by,
    };
    match pointer {
        None | Some(Sym::EMPTY | Sym::ROOT) => Points::Nowhere,
        Some(id) => match snapshot.place(id) {
            None => Points::Dangling(id),
            Some(place) if snapshot.at(place).marks.display_root => Points::Nowhere,
            Some(place) => Points::To(place),
        },
    }
}

fn from(was: Points) -> &'static str {
    match was {
        Points::Nowhere => "from-nowhere",
        Points::To(_) => "from-another",
        Points::Dangling(_) => "from-dangling",
    }
}

fn word(pair: &Pair<'_>, points: Points) -> Value {
    match points {
        Points::Nowhere => Value::Null,
        Points::To(place) => pair.id(place),
        Points::Dangling(id) => json!(pair.snapshot.text(id)),
    }
}
