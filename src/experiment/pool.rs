//! The threads beside the served path: few, of low priority, with a bounded queue; a thread that hangs is given up and replaced.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::isolate::{isolated, observe};
use super::limits::{Limits, ShedReason, Watch};
use super::os::step_back;
use super::trial::Pending;
use super::watchdog;
use super::{Cancel, Failure, Ladder, Observation, Outcome};

/// How often a thread without work looks for some. The served path wakes nobody: that costs it more than all the rest, and a lock
/// that a thread of low priority may hold has no place there.
const LOOK: Duration = Duration::from_millis(4);

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
    /// Jobs as they came.
    incoming: Receiver<Job<I, O>>,
    /// Jobs whose thread was given up: they come first.
    again: VecDeque<Job<I, O>>,
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
    pub(super) closed: bool,
}

pub(super) struct Shared<I, O> {
    pub(super) ladder: Arc<Ladder<I, O>>,
    pub(super) limits: Limits,
    pub(super) watch: Arc<dyn Watch>,
    /// Runs that wait for a thread.
    waiting: AtomicUsize,
    stopping: AtomicBool,
    exhausted: AtomicBool,
    state: Mutex<State<I, O>>,
    work: Condvar,
    pub(super) woken: Condvar,
    idle: Condvar,
}

/// The pool.
pub(super) struct Pool<I, O> {
    shared: Arc<Shared<I, O>>,
    incoming: SyncSender<Job<I, O>>,
}

impl<I: Send + Sync + 'static, O: Send + Sync + 'static> Pool<I, O> {
    pub(super) fn new(ladder: Arc<Ladder<I, O>>, limits: Limits, watch: Arc<dyn Watch>) -> Self {
        let (sender, incoming) = sync_channel(limits.queue);
        let state = State {
            incoming,
            again: VecDeque::new(),
            running: Vec::new(),
            busy: 0,
            threads: 0,
            lost: 0,
            next_id: 0,
            unwatched: false,
            closed: false,
        };
        let (work, woken, idle) = (Condvar::new(), Condvar::new(), Condvar::new());
        let (waiting, stopping, exhausted) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicBool::new(false));
        let state = Mutex::new(state);
        let shared = Arc::new(Shared { ladder, limits, watch, waiting, stopping, exhausted, state, work, woken, idle });
        let watchdog = shared.clone();
        let watched = std::thread::Builder::new().name("shadow-watchdog".to_owned()).spawn(move || watchdog::run(&watchdog)).is_ok();
        // What nobody watches over is not begun.
        for _ in 0..if watched { shared.limits.threads } else { 0 } {
            shared.add_thread(&mut shared.lock());
        }
        shared.lock().note_exhaustion(&shared);
        Pool { shared, incoming: sender }
    }

    /// Takes a load's runs, all or none. Neither locks nor wakes.
    pub(super) fn submit(&self, pending: Pending<I, O>) -> Result<(), ShedReason> {
        let (shared, count, class) = (&self.shared, pending.rungs.len(), pending.class);
        let waiting = shared.waiting.fetch_add(count, Ordering::SeqCst) + count;
        let refused = if shared.stopping.load(Ordering::SeqCst) {
            Some(ShedReason::Stopping)
        } else if shared.exhausted.load(Ordering::SeqCst) {
            Some(ShedReason::Exhausted)
        } else if waiting > shared.limits.queue {
            Some(ShedReason::QueueFull)
        } else {
            match self.incoming.try_send(Job { pending: Arc::new(pending), at: 0 }) {
                Ok(()) => None,
                Err(TrySendError::Full(_)) => Some(ShedReason::QueueFull),
                Err(TrySendError::Disconnected(_)) => Some(ShedReason::Stopping),
            }
        };
        let Some(reason) = refused else { return Ok(()) };
        shared.waiting.fetch_sub(count, Ordering::SeqCst);
        shared.watch.shed(reason, class, count);
        Err(reason)
    }

    /// Runs that wait for a thread.
    pub(super) fn waiting(&self) -> usize {
        self.shared.waiting.load(Ordering::Relaxed)
    }

    /// Threads that are given up now.
    pub(super) fn lost(&self) -> usize {
        self.shared.lock().lost
    }

    /// Takes nothing more and waits for what is under way, for `patience` at most.
    pub(super) fn drain(&self, patience: Duration) -> Drained {
        let (shared, end) = (&self.shared, Instant::now() + patience);
        shared.stopping.store(true, Ordering::SeqCst);
        let mut state = shared.lock();
        while (shared.waiting.load(Ordering::SeqCst) > 0 || state.busy > 0) && Instant::now() < end {
            state = shared.idle.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        let (dropped, cancelled) = (shared.shed_waiting(&mut state, ShedReason::Stopping), state.running.len());
        state.close();
        drop(state);
        shared.wake_all();
        Drained { dropped, cancelled }
    }
}

impl<I, O> Drop for Pool<I, O> {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::SeqCst);
        self.shared.lock().close();
        self.shared.wake_all();
    }
}

impl<I, O> State<I, O> {
    fn next(&mut self) -> Option<Job<I, O>> {
        self.again.pop_front().or_else(|| self.incoming.try_recv().ok())
    }

    fn close(&mut self) {
        self.closed = true;
        while self.next().is_some() {}
        self.running.iter().for_each(|running| running.cancel.cancel());
    }

    fn note_exhaustion(&self, shared: &Shared<I, O>) {
        shared.exhausted.store(self.threads == 0 || self.lost > shared.limits.lost, Ordering::SeqCst);
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
    pub(super) fn shed_waiting(&self, state: &mut State<I, O>, reason: ShedReason) -> usize {
        let mut count = 0;
        let mut kept = VecDeque::new();
        while let Some(job) = state.next() {
            let left = job.left();
            if left == 0 {
                kept.push_back(job);
                continue;
            }
            self.waiting.fetch_sub(left, Ordering::SeqCst);
            self.watch.shed(reason, job.pending.class, left);
            count += left;
        }
        state.again = kept;
        count
    }
}

impl<I, O> Job<I, O> {
    /// Runs that are left of it.
    fn left(&self) -> usize {
        self.pending.rungs.len() - self.at
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
        let mut state = self.lock();
        loop {
            if state.closed {
                state.threads -= 1;
                return None;
            }
            if let Some(job) = state.next() {
                self.waiting.fetch_sub(job.left(), Ordering::SeqCst);
                state.busy += 1;
                return Some(job);
            }
            state = self.work.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Makes all runs of a job and hands the trial over. False if this thread was given up and another has taken its place.
    fn run(&self, Job { pending, at }: Job<I, O>) -> bool {
        for at in at..=pending.rungs.len() {
            let cancel = Cancel::new();
            let id = self.begin(Job { pending: pending.clone(), at }, cancel.clone());
            let observation = match pending.rungs.nth(at) {
                Some(rung) => Some(observe(&self.ladder, rung, &pending.input, &cancel, true)),
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
        if state.busy == 0 {
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
        state.note_exhaustion(self);
        needed
    }

    /// Gives up the thread of a run that does not stop. What is left of its job goes to another.
    pub(super) fn give_up(self: &Arc<Self>, state: &mut State<I, O>, at: usize) {
        let Running { job: Job { pending, at }, started, .. } = state.running.swap_remove(at);
        state.threads -= 1;
        state.lost += 1;
        self.watch.lost(state.lost);
        if let Some(rung) = pending.rungs.nth(at) {
            let (name, outcome) = (self.ladder.name(rung), Outcome::Failed(Failure::Lost));
            pending.settle(at, Observation { rung, name, outcome, wall: started.elapsed(), cpu: None });
            let rest = Job { pending, at: at + 1 };
            self.waiting.fetch_add(rest.left(), Ordering::SeqCst);
            state.again.push_front(rest);
        }
        self.end_job(state);
        if state.lost <= self.limits.lost {
            self.add_thread(state);
        }
        state.note_exhaustion(self);
        if self.exhausted.load(Ordering::SeqCst) {
            self.shed_waiting(state, ShedReason::Exhausted);
        }
    }
}
