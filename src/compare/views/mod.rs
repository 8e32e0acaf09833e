//! The views of a history, each compared by itself.

mod beside;
mod cards;
mod chain;
mod fields;
mod head;
mod pointers;
mod siblings;
mod tools;

use serde_json::{Value, json};

use super::evidence::Evidence;
use super::findings::Findings;
use super::side::Side;
use crate::dag::{Place, Snapshot};
use crate::step::Rung;

/// Compares every view of two histories that both have messages.
pub(super) fn compare(evidence: &Evidence<'_>, control: &Side<'_>, candidate: &Side<'_>, findings: &mut Findings) {
    let pair = Pair { evidence, snapshot: evidence.snapshot, control, candidate };
    head::compare(&pair, findings);
    chain::compare(&pair, findings);
    if candidate.history.rung != Rung::D && control.history.rung != Rung::D {
        pointers::compare(&pair, findings);
    }
    tools::compare(&pair, findings);
    cards::compare(&pair, findings);
    beside::compare(&pair, findings);
    siblings::compare(&pair, findings);
    fields::compare(&pair, findings);
}

/// Two sides over one snapshot, and its record.
struct Pair<'a> {
    evidence: &'a Evidence<'a>,
    snapshot: &'a Snapshot,
    control: &'a Side<'a>,
    candidate: &'a Side<'a>,
}

impl Pair<'_> {
    /// A node's id.
    fn id(&self, place: Place) -> Value {
        json!(self.snapshot.text(self.snapshot.at(place).id))
    }

    fn ids(&self, places: &[Place]) -> Value {
        places.iter().take(EXAMPLES).map(|place| self.id(*place)).collect()
    }

    /// The messages that both sides show, by control's order.
    fn shared(&self) -> impl Iterator<Item = (Place, usize, usize)> + '_ {
        self.control.chain.iter().filter_map(|place| Some((*place, self.control.index(*place)?, self.candidate.index(*place)?)))
    }

    fn kind(&self, place: Place) -> &'static str {
        self.evidence.kinds().kind(place).name()
    }
}

/// So many ids stand for a longer list.
const EXAMPLES: usize = 20;
