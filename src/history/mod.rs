//! What each rung shows of a snapshot.

mod error;
mod ground;
mod message;

pub use error::HistoryError;
pub use message::{Form, History, Message, Pointer, Siblings, SpawnedFrom};
