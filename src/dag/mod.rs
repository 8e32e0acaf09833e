//! The stored conversation: nodes, faults, and the frozen snapshot that every rung reads.

mod attach;
mod dense;
mod edges;
mod fault;
mod index;
pub mod json;
mod names;
mod node;
mod number;
mod outline;
mod read;
mod snapshot;
mod store;
mod symbol;

pub use edges::{Call, Edges, Place, Recorded};
pub use fault::{Fault, FaultCode};
pub use node::{Marks, Node, NodeIx, Role, Spine, Stored, ToolCalls};
pub use number::{Number, compare_floats};
pub(crate) use read::digest;
pub use read::{ReadError, ReadOptions, read_session, snapshot_of_texts};
pub use snapshot::{Refusal, Snapshot, StoredHead};
pub use store::{SessionIdError, Store, StoreError};
pub use symbol::Sym;
