//! The flags that operators flip: what they are called, where they come from, and what they say for one load.

mod context;
mod document;
mod file;
mod key;
mod poll;
mod saved;
mod source;
mod state;
mod toggles;
mod unleash;

pub use context::{Context, Generation, STICKINESS, Size};
pub use document::BadSet;
pub use key::Flag;
pub use source::{BOOTSTRAP, Flags, Source, Status};
pub use toggles::{FlagSet, Origin, Toggles};
pub use unleash::{Connection, Prepared, TransportError};
