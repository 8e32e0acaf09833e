//! Run several ways to do one thing beside each other, serve one of them, and never be in its way.
//!
//! A [`Ladder`] names the ways, the safe one first. [`Experiment::run`] runs the chosen one at once and answers with it; the
//! others run later, on a bounded pool of threads of low priority, over the same input. When all have run, the [`Trial`] goes
//! to whoever wants to compare. Whatever a way does beside the served one (panic, hang, take long), the answer is the served
//! one's; and if that itself fails or takes too long, the safe way answers in its stead within the same call.
//!
//! ```
//! use std::sync::Arc;
//! use parallax::experiment::{Choice, Experiment, Ladder, Limits, Outcome, Rungs};
//!
//! // Two ways to add up: the loop that we have and the formula that we would like.
//! let ladder = Ladder::new("loop", |n: &u64, _| Ok((1..=*n).sum::<u64>())).rung("formula", |n: &u64, _| Ok(n * (n + 1) / 2));
//! let experiment = Experiment::new(ladder, Limits::default());
//! let (tell, told) = std::sync::mpsc::channel();
//!
//! let choice = Choice { serve: 0, shadow: Rungs::one(1), class: "small" };
//! let served = experiment.run(Arc::new(100), &choice, move |trial| {
//!     let [Outcome::Done(served), Outcome::Done(tried)] = [&trial.control.outcome, &trial.shadow[0].outcome] else { return };
//!     tell.send(served == tried).expect("somebody listens");
//! });
//!
//! assert_eq!(*served.output.expect("an answer"), 5050);
//! assert!(told.recv().expect("a trial"), "the formula is as good");
//! ```

mod breaker;
mod isolate;
mod ladder;
mod lane;
mod limits;
mod observation;
mod os;
mod pool;
mod run;
mod rungs;
mod sample;
mod trial;
mod watchdog;

pub use crate::history::Cancel;
pub use breaker::{Breaker, BreakerPolicy, BreakerState};
pub use ladder::Ladder;
pub use limits::{Limits, ShedReason, Silent, Watch};
pub use observation::{Failure, Observation, Outcome};
pub use pool::Drained;
pub use run::{Choice, Experiment, Fate, Served};
pub use rungs::Rungs;
pub use sample::Share;
pub use trial::Trial;
