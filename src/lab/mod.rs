//! One load: flags, plan, the served history, and everything else beside it. The only place where they meet.

mod breakers;
mod load;
mod trials;
mod verdicts;

pub use breakers::Breakers;
pub use load::{Lab, Load, LoadError, rungs};
