//! Sequence numbers as the legacy program assigns them while it reads (`legacy.md` §1.7).

use crate::dag::{Number, Snapshot};

/// Each node's number, in list order: a missing or negative one is counted up.
pub(in crate::history) fn sequence(snapshot: &Snapshot) -> Vec<Number> {
    const ZERO: Number = Number::Int(0);
    let mut counter = ZERO;
    let number = |stored: Option<Number>| {
        let own = stored.filter(|stored| !stored.compare(ZERO).is_lt()).unwrap_or(counter);
        // Quirk kept: what has no order passes and moves nothing.
        if own.ordered() && own.compare(counter).is_ge() {
            counter = own.next();
        }
        own
    };
    snapshot.nodes().iter().map(|node| node.spine.seq).map(number).collect()
}
