//! One run of a rung whose panics stay where they are, and say nothing of the input.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Once};
use std::time::Instant;

use super::observation::{Failure, Observation, Outcome};
use super::os::cpu_time;
use super::{Cancel, Ladder};

thread_local! {
    static ISOLATED: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes panics inside a run leave their place behind in the stead of a message: that could quote what was being read.
/// Panics elsewhere are shown as before.
pub(super) fn keep_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if ISOLATED.get() {
                let place = panic.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
                PLACE.with_borrow_mut(|kept| *kept = Some(place));
            } else {
                before(panic);
            }
        }));
    });
}

/// Runs something; `Err` is the place where it panicked.
pub(super) fn isolated<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outer = ISOLATED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    ISOLATED.set(outer);
    // What was thrown is let go of unseen: it may quote the input, and even its own end may panic.
    result.map_err(|thrown| {
        std::mem::forget(thrown);
        PLACE.with_borrow_mut(Option::take).unwrap_or_else(|| "an unknown place".to_owned())
    })
}

/// Runs a rung on the calling thread.
pub(super) fn observe<I, O>(ladder: &Ladder<I, O>, rung: usize, input: &I, cancel: &Cancel, with_cpu: bool) -> Observation<O> {
    let (cpu, start) = (with_cpu.then(cpu_time), Instant::now());
    let outcome = match isolated(|| ladder.run(rung, input, cancel)) {
        Ok(Ok(output)) => Outcome::Done(Arc::new(output)),
        // A run that was told to stop and says no did what it was told.
        Ok(Err(_)) if cancel.check().is_err() => Outcome::Failed(Failure::Timeout),
        Ok(Err(code)) => Outcome::Failed(Failure::Error(code)),
        Err(place) => Outcome::Failed(Failure::Panic(place)),
    };
    let (wall, cpu) = (start.elapsed(), cpu.map(|before| cpu_time().saturating_sub(before)));
    Observation { rung, name: ladder.name(rung), outcome, wall, cpu }
}
