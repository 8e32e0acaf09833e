//! Tells runs to stop at their deadline, and gives up the threads of those that do not.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::pool::Shared;

/// Between two looks at what runs, at least.
const SHORTEST: Duration = Duration::from_millis(1);

/// Watches until the pool is closed.
pub(super) fn run<I: Send + Sync + 'static, O: Send + Sync + 'static>(shared: &Arc<Shared<I, O>>) {
    let (deadline, grace) = (shared.limits.deadline, shared.limits.grace);
    let mut state = shared.lock();
    while !state.closed {
        let now = Instant::now();
        let age = |started: Instant| now.saturating_duration_since(started);
        while let Some(hung) = state.running.iter().position(|running| age(running.started) >= deadline + grace) {
            shared.give_up(&mut state, hung);
        }
        for running in state.running.iter().filter(|running| age(running.started) >= deadline) {
            running.cancel.cancel();
        }
        let due = |started: Instant| if age(started) < deadline { deadline - age(started) } else { deadline + grace - age(started) };
        state = match state.running.iter().map(|running| due(running.started)).min() {
            Some(pause) => {
                // A run that begins meanwhile is due later than this one: its deadline is as long.
                shared.woken.wait_timeout(state, pause.max(SHORTEST)).unwrap_or_else(PoisonError::into_inner).0
            }
            None => {
                state.unwatched = true;
                let mut state = shared.woken.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.unwatched = false;
                state
            }
        };
    }
}
