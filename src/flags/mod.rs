//! The flags that operators flip: what they are called, where they come from, and what they say for one load.

mod admin;
mod context;
mod definition;
mod document;
mod file;
mod key;
mod poll;
mod saved;
mod source;
mod state;
mod toggles;
mod unleash;

pub use admin::{Admin, AdminError, Change};
pub use context::{Context, Generation, STICKINESS, Size};
pub use definition::DEFINITION;
pub use document::{BadSet, FlagState, StrategyState};
pub use key::Flag;
pub use source::{BOOTSTRAP, Flags, Source, Status};
pub use toggles::{FlagSet, Origin, Toggles};
pub use unleash::{Connection, Prepared, TransportError};
