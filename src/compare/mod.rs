//! Where two rungs part, in which view, and whether the candidate is better or worse by the record.

mod classify;
mod divergence;
mod evidence;
mod findings;
mod outcome;
mod side;
mod views;

pub use divergence::{Code, Divergence, Severity, View};
pub use outcome::{Comparison, Ladder, Outcome};
