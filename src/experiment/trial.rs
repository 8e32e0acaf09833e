//! All runs of one load over one input, put together as they come in.

use std::sync::{Mutex, PoisonError};

use super::observation::Observation;
use super::rungs::Rungs;

/// All runs of one load.
#[derive(Debug)]
pub struct Trial<O> {
    /// The run that was served.
    pub control: Observation<O>,
    /// The runs beside it, in the order in which they were asked for.
    pub shadow: Vec<Observation<O>>,
}

/// Whoever compares.
type Finish<O> = Box<dyn FnOnce(Trial<O>) + Send>;

/// A trial whose runs are not all in.
pub(super) struct Pending<I, O> {
    pub(super) input: std::sync::Arc<I>,
    /// The rungs to run.
    pub(super) rungs: Rungs,
    pub(super) class: &'static str,
    open: Mutex<Option<(Trial<O>, Finish<O>)>>,
}

impl<I, O> Pending<I, O> {
    pub(super) fn new(input: std::sync::Arc<I>, rungs: Rungs, class: &'static str, control: Observation<O>, finish: Finish<O>) -> Self {
        let trial = Trial { control, shadow: Vec::new() };
        Pending { input, rungs, class, open: Mutex::new(Some((trial, finish))) }
    }

    /// Adds the run at a place in the order; one that is in already (its thread was given up) is not added again.
    pub(super) fn settle(&self, at: usize, observation: Observation<O>) {
        if let Some((trial, _)) = self.open.lock().unwrap_or_else(PoisonError::into_inner).as_mut()
            && trial.shadow.len() == at
        {
            trial.shadow.push(observation);
        }
    }

    /// Hands the trial over, once.
    pub(super) fn finish(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((trial, finish)) = open {
            finish(trial);
        }
    }
}
