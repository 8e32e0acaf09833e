//! The threads beside the served path: few, of low priority, with a bounded queue; a thread that hangs is given up and replaced.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::isolate::{isolated, observe};
use super::limits::{Limits, ShedReason, Watch};
use super::os::step_back;
use super::trial::Pending;
use super::watchdog;
use super::{Cancel, Failure, Ladder, Observation, Outcome};

/// What was left when an experiment was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drained {
    /// Runs that were never begun.
    pub dropped: usize,
    /// Loads whose runs were under way and were told to stop.
    pub cancelled: usize,
}

/// A load's runs from a place in their order on. Behind the last one the trial is handed over.
pub(super) struct Job<I, O> {
    pub(super) pending: Arc<Pending<I, O>>,
    pub(super) at: usize,
}

/// A run, or the handing over of a trial, that is under way.
pub(super) struct Running<I, O> {
    id: u64,
    pub(super) job: Job<I, O>,
    pub(super) cancel: Cancel,
    pub(super) started: Instant,
}

pub(super) struct State<I, O> {
    pub(super) queue: VecDeque<Job<I, O>>,
    pub(super) running: Vec<Running<I, O>>,
    /// Jobs that threads work at; one that was given up is none.
    busy: usize,
    /// Threads that work or wait for work.
    pub(super) threads: usize,
    /// Threads that were given up and have not come back.
    pub(super) lost: usize,
    next_id: u64,
    /// The watchdog sleeps until something runs.
    pub(super) unwatched: bool,
    stopping: bool,
    pub(super) closed: bool,
}

pub(super) struct Shared<I, O> {
    pub(super) ladder: Arc<Ladder<I, O>>,
    pub(super) limits: Limits,
    pub(super) watch: Arc<dyn Watch>,
    state: Mutex<State<I, O>>,
    work: Condvar,
    pub(super) woken: Condvar,
    idle: Condvar,
}

/// The pool.
pub(super) struct Pool<I, O>(Arc<Shared<I, O>>);

impl<I: Send + Sync + 'static, O: Send + Sync + 'static> Pool<I, O> {
    pub(super) fn new(ladder: Arc<Ladder<I, O>>, limits: Limits, watch: Arc<dyn Watch>) -> Self {
        let state = State {
            queue: VecDeque::new(),
            running: Vec::new(),
            busy: 0,
            threads: 0,
            lost: 0,
            next_id: 0,
            unwatched: false,
            stopping: false,
            closed: false,
        };
        let (work, woken, idle) = (Condvar::new(), Condvar::new(), Condvar::new());
        let shared = Arc::new(Shared { ladder, limits, watch, state: Mutex::new(state), work, woken, idle });
        let watchdog = shared.clone();
        let watched = std::thread::Builder::new().name("shadow-watchdog".to_owned()).spawn(move || watchdog::run(&watchdog)).is_ok();
        // What nobody watches over is not begun.
        for _ in 0..if watched { shared.limits.threads } else { 0 } {
            shared.add_thread(&mut shared.lock());
        }
        Pool(shared)
    }

    /// Takes a load's runs, all or none.
    pub(super) fn submit(&self, pending: Pending<I, O>) -> Result<(), ShedReason> {
        let (shared, count, class) = (&self.0, pending.rungs.len(), pending.class);
        let mut state = shared.lock();
        let refused = if state.stopping {
            Some(ShedReason::Stopping)
        } else if state.threads == 0 || state.lost > shared.limits.lost {
            Some(ShedReason::Exhausted)
        } else if state.waiting() + count > shared.limits.queue {
            Some(ShedReason::QueueFull)
        } else {
            None
        };
        if let Some(reason) = refused {
            drop(state);
            shared.watch.shed(reason, class, count);
            return Err(reason);
        }
        state.queue.push_back(Job { pending: Arc::new(pending), at: 0 });
        let (waiting, somebody_waits) = (state.waiting(), state.busy < state.threads);
        drop(state);
        shared.watch.waiting(waiting);
        if somebody_waits {
            shared.work.notify_one();
        }
        Ok(())
    }

    /// Threads that are given up now.
    pub(super) fn lost(&self) -> usize {
        self.0.lock().lost
    }

    /// Takes nothing more and waits for what is under way, for `patience` at most.
    pub(super) fn drain(&self, patience: Duration) -> Drained {
        let shared = &self.0;
        let mut state = shared.lock();
        state.stopping = true;
        let busy = |state: &mut State<I, O>| !state.queue.is_empty() || state.busy > 0;
        let (mut state, _) = shared.idle.wait_timeout_while(state, patience, busy).unwrap_or_else(PoisonError::into_inner);
        let (dropped, cancelled) = (shared.shed_queue(&mut state, ShedReason::Stopping), state.running.len());
        state.close();
        drop(state);
        shared.wake_all();
        Drained { dropped, cancelled }
    }
}

impl<I, O> Drop for Pool<I, O> {
    fn drop(&mut self) {
        self.0.lock().close();
        self.0.wake_all();
    }
}

impl<I, O> State<I, O> {
    /// Runs that wait for a thread.
    fn waiting(&self) -> usize {
        self.queue.iter().map(|job| job.pending.rungs.len() - job.at).sum()
    }

    fn close(&mut self) {
        self.closed = true;
        self.queue.clear();
        self.running.iter().for_each(|running| running.cancel.cancel());
    }
}

impl<I, O> Shared<I, O> {
    pub(super) fn lock(&self) -> MutexGuard<'_, State<I, O>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake_all(&self) {
        self.work.notify_all();
        self.woken.notify_all();
    }

    /// Sheds what waits. A trial that only has to be handed over stays.
    pub(super) fn shed_queue(&self, state: &mut State<I, O>, reason: ShedReason) -> usize {
        let mut count = 0;
        state.queue.retain(|job| {
            let left = job.pending.rungs.len() - job.at;
            if left > 0 {
                self.watch.shed(reason, job.pending.class, left);
            }
            count += left;
            left == 0
        });
        count
    }
}

impl<I: Send + Sync + 'static, O: Send + Sync + 'static> Shared<I, O> {
    /// Starts one more thread. Where the system gives none, the pool is a thread smaller.
    pub(super) fn add_thread(self: &Arc<Self>, state: &mut State<I, O>) {
        let shared = self.clone();
        let work = move || {
            step_back();
            while let Some(job) = shared.next_job() {
                if !shared.run(job) {
                    break;
                }
            }
        };
        if std::thread::Builder::new().name("shadow".to_owned()).spawn(work).is_ok() {
            state.threads += 1;
        }
    }

    fn next_job(&self) -> Option<Job<I, O>> {
        let nothing = |state: &mut State<I, O>| state.queue.is_empty() && !state.closed;
        let mut state = self.work.wait_while(self.lock(), nothing).unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            state.threads -= 1;
            return None;
        }
        let job = state.queue.pop_front();
        state.busy += 1;
        self.watch.waiting(state.waiting());
        job
    }

    /// Makes all runs of a job and hands the trial over. False if this thread was given up and another has taken its place.
    fn run(&self, Job { pending, at }: Job<I, O>) -> bool {
        for at in at..=pending.rungs.len() {
            let cancel = Cancel::new();
            let id = self.begin(Job { pending: pending.clone(), at }, cancel.clone());
            let observation = match pending.rungs.get(at) {
                Some(rung) => Some(observe(&self.ladder, *rung, &pending.input, &cancel)),
                None => {
                    if let Err(place) = isolated(|| pending.finish()) {
                        self.watch.broken_trial(&place);
                    }
                    None
                }
            };
            let mut state = self.lock();
            let Some(own) = state.running.iter().position(|running| running.id == id) else { return self.come_back(&mut state) };
            state.running.swap_remove(own);
            if let Some(observation) = observation {
                pending.settle(at, observation);
            }
        }
        self.end_job(&mut self.lock());
        true
    }

    fn end_job(&self, state: &mut State<I, O>) {
        state.busy -= 1;
        if state.busy == 0 && state.queue.is_empty() {
            self.idle.notify_all();
        }
    }

    fn begin(&self, job: Job<I, O>, cancel: Cancel) -> u64 {
        let mut state = self.lock();
        let id = state.next_id;
        state.next_id += 1;
        if state.closed {
            cancel.cancel();
        }
        state.running.push(Running { id, job, cancel, started: Instant::now() });
        if state.unwatched {
            self.woken.notify_one();
        }
        id
    }

    /// A thread that was given up is there again: it works on if nobody took its place.
    fn come_back(&self, state: &mut State<I, O>) -> bool {
        state.lost -= 1;
        self.watch.lost(state.lost);
        let needed = state.threads < self.limits.threads;
        state.threads += usize::from(needed);
        needed
    }

    /// Gives up the thread of a run that does not stop. What is left of its job goes to another.
    pub(super) fn give_up(self: &Arc<Self>, state: &mut State<I, O>, at: usize) {
        let Running { job: Job { pending, at }, started, .. } = state.running.swap_remove(at);
        state.threads -= 1;
        state.lost += 1;
        self.watch.lost(state.lost);
        if let Some(rung) = pending.rungs.get(at) {
            let (name, outcome) = (self.ladder.name(*rung), Outcome::Failed(Failure::Lost));
            pending.settle(at, Observation { rung: *rung, name, outcome, wall: started.elapsed(), cpu: Duration::ZERO });
            state.queue.push_front(Job { pending, at: at + 1 });
        }
        self.end_job(state);
        if state.lost <= self.limits.lost {
            self.add_thread(state);
        } else {
            self.shed_queue(state, ShedReason::Exhausted);
        }
        self.work.notify_one();
    }
}
