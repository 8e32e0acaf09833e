//! What each rung shows of a snapshot.

mod assemble;
mod cancel;
mod error;
mod ground;
mod groups;
mod kinds;
mod message;
mod pred;
mod record;
mod row;
mod siblings;
mod spawned;
mod step_a;
mod step_b;
mod step_c;
mod step_d;
mod target;

use std::sync::Arc;

pub use cancel::{Cancel, Cancelled};
pub use error::HistoryError;
pub use groups::{Groups, Numbered, follow};
pub use kinds::{Kind, Kinds};
pub use message::{Form, History, Message, Pointer, Siblings, SpawnedFrom};
pub use pred::{Pred, Preds, Provenance};
pub use record::Record;
pub use row::{Field, Row};
pub use siblings::{Versions, spawn_origins};
pub use spawned::Origin;
pub use target::Target;

use crate::dag::{Fault, Snapshot};
use crate::step::Rung;

/// What a rung shows of a snapshot: the only entry. A pure function of its first two arguments.
pub fn history_at(snapshot: &Snapshot, rung: Rung, cancel: &Cancel) -> Result<Arc<History>, Cancelled> {
    cancel.check()?;
    Ok(match rung {
        Rung::Ground => ground_of(snapshot),
        Rung::A => Arc::new(step_a::history(snapshot, &*target(snapshot, cancel)?, &ground_of(snapshot))),
        Rung::B => Arc::new(step_b::history(snapshot, &*target(snapshot, cancel)?, || ground::branch_walk(snapshot))),
        Rung::C => Arc::new(step_c::history(snapshot, &*target(snapshot, cancel)?)),
        Rung::D => Arc::new(step_d::history(snapshot, &*bare(snapshot, cancel)?)),
    })
}

/// The target path's reading of the whole record; made once a snapshot.
pub fn target(snapshot: &Snapshot, cancel: &Cancel) -> Result<Arc<Target>, Cancelled> {
    struct Whole;
    snapshot.try_memo::<Whole, _, _>(|| Target::of(snapshot, Record::Whole, cancel))
}

/// The target path's reading of the record without `metadata.parent_id` and `forked_from`; made once a snapshot.
pub fn bare(snapshot: &Snapshot, cancel: &Cancel) -> Result<Arc<Target>, Cancelled> {
    struct Bare;
    snapshot.try_memo::<Bare, _, _>(|| Target::of(snapshot, Record::WithoutParentId, cancel))
}

fn ground_of(snapshot: &Snapshot) -> Arc<History> {
    struct Ground;
    snapshot.memo::<Ground, _>(|| ground::history(snapshot))
}

/// Everything that is wrong with a snapshot: its files, and the rings that the target path cuts.
pub fn faults(snapshot: &Snapshot, cancel: &Cancel) -> Result<Vec<Fault>, Cancelled> {
    let mut faults = snapshot.faults().to_vec();
    faults.extend(target(snapshot, cancel)?.faults(snapshot));
    faults.sort_unstable();
    Ok(faults)
}
