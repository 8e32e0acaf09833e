//! A breaker: opens after too many failures, tries again later. Pure: the time is passed in.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// When a breaker opens and how it closes again.
#[derive(Clone, Debug)]
pub struct BreakerPolicy {
    /// So many failures ...
    pub failures: usize,
    /// ... within this time open it.
    pub window: Duration,
    /// So long it stays open before it is tried again.
    pub rest: Duration,
    /// So many loads are let through then; if all go well it closes, if one fails it opens again.
    pub probes: usize,
}

impl Default for BreakerPolicy {
    fn default() -> Self {
        BreakerPolicy { failures: 5, window: Duration::from_secs(60), rest: Duration::from_secs(30), probes: 3 }
    }
}

/// How a breaker stands for one load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakerState {
    /// Loads go through.
    Closed,
    /// This load goes through, to try.
    HalfOpen,
    /// This load does not go through.
    Open,
}

#[derive(Debug)]
enum State {
    Closed,
    Open { since: Instant },
    HalfOpen { since: Instant, let_through: usize, well: usize },
}

/// A breaker.
#[derive(Debug)]
pub struct Breaker {
    policy: BreakerPolicy,
    state: State,
    failures: VecDeque<Instant>,
}

impl Breaker {
    /// A closed breaker.
    pub fn new(policy: BreakerPolicy) -> Self {
        Breaker { policy, state: State::Closed, failures: VecDeque::new() }
    }

    /// How it stands for the load that asks. A half-open breaker counts whom it lets through.
    pub fn admit(&mut self, now: Instant) -> BreakerState {
        if let State::Open { since } = self.state
            && now.saturating_duration_since(since) >= self.policy.rest
        {
            self.state = State::HalfOpen { since: now, let_through: 0, well: 0 };
        }
        match &mut self.state {
            State::Closed => BreakerState::Closed,
            State::Open { .. } => BreakerState::Open,
            State::HalfOpen { since, let_through, .. } => {
                // Of those let through some may never report, as when they were shed: others are let through in time.
                if *let_through >= self.policy.probes && now.saturating_duration_since(*since) >= self.policy.rest {
                    (*since, *let_through) = (now, 0);
                }
                if *let_through < self.policy.probes {
                    *let_through += 1;
                    BreakerState::HalfOpen
                } else {
                    BreakerState::Open
                }
            }
        }
    }

    /// How it stands, for display: nobody is let through by this.
    pub fn peek(&self) -> BreakerState {
        match self.state {
            State::Closed => BreakerState::Closed,
            State::Open { .. } => BreakerState::Open,
            State::HalfOpen { .. } => BreakerState::HalfOpen,
        }
    }

    /// A run went well or failed. True if the breaker opens or closes by it.
    pub fn record(&mut self, now: Instant, well: bool) -> bool {
        match (&mut self.state, well) {
            (State::Closed, true) | (State::Open { .. }, _) => false,
            (State::Closed, false) => {
                self.failures.push_back(now);
                let window = self.policy.window;
                while self.failures.front().is_some_and(|failure| now.saturating_duration_since(*failure) > window) {
                    self.failures.pop_front();
                }
                self.failures.len() >= self.policy.failures.max(1) && self.turn(State::Open { since: now })
            }
            (State::HalfOpen { .. }, false) => self.turn(State::Open { since: now }),
            (State::HalfOpen { well, .. }, true) => {
                *well += 1;
                *well >= self.policy.probes.max(1) && self.turn(State::Closed)
            }
        }
    }

    fn turn(&mut self, state: State) -> bool {
        self.failures.clear();
        self.state = state;
        true
    }
}
