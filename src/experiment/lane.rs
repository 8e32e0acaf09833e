//! Serving a rung that is not the ground: on a thread of its own, so that one that hangs can not hold the load.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::isolate::observe;
use super::{Cancel, Failure, Ladder, Observation, Outcome};

/// So many threads wait for the next load, at most.
const KEPT: usize = 32;

/// One run that somebody waits for.
struct Task<I, O> {
    input: Arc<I>,
    rung: usize,
    cancel: Cancel,
    answer: Arc<Answer<O>>,
}

/// Where the run leaves its observation.
struct Answer<O> {
    state: Mutex<Reply<O>>,
    there: Condvar,
}

enum Reply<O> {
    Awaited,
    There(Observation<O>),
    /// Nobody waits any more.
    Abandoned,
}

/// Where a waiting thread gets its next task.
struct Seat<I, O> {
    task: Mutex<Option<Task<I, O>>>,
    called: Condvar,
}

struct Shared<I, O> {
    ladder: Arc<Ladder<I, O>>,
    idle: Mutex<Vec<Arc<Seat<I, O>>>>,
    /// Runs that nobody waits for any more and that have not ended.
    hung: AtomicUsize,
    closed: AtomicBool,
}

/// The threads that serve.
pub(super) struct Lane<I, O> {
    shared: Arc<Shared<I, O>>,
    deadline: Duration,
    lost: usize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<I: Send + Sync + 'static, O: Send + Sync + 'static> Lane<I, O> {
    pub(super) fn new(ladder: Arc<Ladder<I, O>>, deadline: Duration, lost: usize) -> Self {
        let (idle, hung, closed) = (Mutex::new(Vec::new()), AtomicUsize::new(0), AtomicBool::new(false));
        Lane { shared: Arc::new(Shared { ladder, idle, hung, closed }), deadline, lost }
    }

    /// Runs a rung and waits for it until the deadline.
    pub(super) fn serve(&self, rung: usize, input: &Arc<I>) -> Observation<O> {
        let start = Instant::now();
        let failed = |failure| {
            let (name, outcome) = (self.shared.ladder.name(rung), Outcome::Failed(failure));
            Observation { rung, name, outcome, wall: start.elapsed(), cpu: None }
        };
        if self.shared.hung.load(Ordering::Relaxed) > self.lost {
            return failed(Failure::NoThread);
        }
        let (cancel, answer) = (Cancel::new(), Arc::new(Answer { state: Mutex::new(Reply::Awaited), there: Condvar::new() }));
        let task = Task { input: input.clone(), rung, cancel: cancel.clone(), answer: answer.clone() };
        if !self.shared.give(task) {
            return failed(Failure::NoThread);
        }
        let awaited = |reply: &mut Reply<O>| matches!(reply, Reply::Awaited);
        let (mut reply, _) =
            answer.there.wait_timeout_while(lock(&answer.state), self.deadline, awaited).unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *reply, Reply::Abandoned) {
            Reply::There(observation) => observation,
            Reply::Awaited | Reply::Abandoned => {
                self.shared.hung.fetch_add(1, Ordering::Relaxed);
                cancel.cancel();
                failed(Failure::Timeout)
            }
        }
    }

    /// Runs that were abandoned and have not ended.
    pub(super) fn hung(&self) -> usize {
        self.shared.hung.load(Ordering::Relaxed)
    }
}

impl<I, O> Drop for Lane<I, O> {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        for seat in lock(&self.shared.idle).drain(..) {
            // Taken before it is called, so that the thread can not miss it between its look and its sleep.
            let _seen = lock(&seat.task);
            seat.called.notify_one();
        }
    }
}

impl<I: Send + Sync + 'static, O: Send + Sync + 'static> Shared<I, O> {
    /// Gives a task to a thread that waits, or to a new one. False if the system gives none.
    fn give(self: &Arc<Self>, task: Task<I, O>) -> bool {
        let waiting = lock(&self.idle).pop();
        if let Some(seat) = waiting {
            *lock(&seat.task) = Some(task);
            seat.called.notify_one();
            return true;
        }
        let seat = Arc::new(Seat { task: Mutex::new(Some(task)), called: Condvar::new() });
        let shared = self.clone();
        std::thread::Builder::new().name("serve".to_owned()).spawn(move || shared.work(&seat)).is_ok()
    }

    fn work(&self, seat: &Arc<Seat<I, O>>) {
        loop {
            let nothing = |task: &mut Option<Task<I, O>>| task.is_none() && !self.closed.load(Ordering::Relaxed);
            let task = seat.called.wait_while(lock(&seat.task), nothing).unwrap_or_else(PoisonError::into_inner).take();
            let Some(Task { input, rung, cancel, answer }) = task else { return };
            let observation = observe(&self.ladder, rung, &input, &cancel, true);
            drop(input);
            // Back among the idle before the answer: whoever gets it may serve the next load at once.
            let mut idle = lock(&self.idle);
            let keep = idle.len() < KEPT && !self.closed.load(Ordering::Relaxed);
            if keep {
                idle.push(seat.clone());
            }
            drop(idle);
            let mut reply = lock(&answer.state);
            match *reply {
                Reply::Awaited => {
                    *reply = Reply::There(observation);
                    answer.there.notify_one();
                }
                Reply::There(_) | Reply::Abandoned => {
                    self.hung.fetch_sub(1, Ordering::Relaxed);
                }
            }
            drop(reply);
            if !keep {
                return;
            }
        }
    }
}
