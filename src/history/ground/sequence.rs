//! Sequence numbers as the legacy program assigns them while it reads (`legacy.md` §1.7).

use std::cmp::Ordering;

use crate::dag::{Number, Snapshot};

/// Each node's number, in list order: a missing or negative one is counted up.
pub(in crate::history) fn sequence(snapshot: &Snapshot) -> Vec<Number> {
    let mut counter: i128 = 0;
    let mut float_counter: Option<f64> = None;
    let count = |counter: &mut i128, float: &mut Option<f64>| match float {
        Some(value) => {
            let now = *value;
            *value += 1.0;
            Number::Float(now)
        }
        None => {
            *counter = counter.saturating_add(1);
            Number::Int(*counter - 1)
        }
    };
    snapshot
        .nodes()
        .iter()
        .map(|node| match node.spine.seq {
            None => count(&mut counter, &mut float_counter),
            Some(seq) if seq.compare(Number::Int(0)) == Ordering::Less => count(&mut counter, &mut float_counter),
            Some(seq) => {
                let current = float_counter.map_or(Number::Int(counter), Number::Float);
                if seq.ordered() && seq.compare(current).is_ge() {
                    match seq {
                        Number::Int(int) => (counter, float_counter) = (int.saturating_add(1), None),
                        Number::Float(float) => float_counter = Some(float + 1.0),
                    }
                }
                seq
            }
        })
        .collect()
}
