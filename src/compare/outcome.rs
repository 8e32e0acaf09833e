//! The outcome of a comparison, and the ladder compared step by step.

use std::sync::Arc;

use serde_json::{Value, json};

use super::classify::{Difference, ErrorChange};
use super::divergence::Divergence;
use super::evidence::Evidence;
use super::findings::Findings;
use super::side::Side;
use super::views;
use crate::dag::Snapshot;
use crate::history::{self, Cancel, Cancelled, History, HistoryError, Target, history_at};
use crate::step::{Rung, Step};

/// What a comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// No difference.
    Match,
    /// Differences, all of them improvements.
    Improved,
    /// Differences that were accepted by name.
    Known,
    /// Any other difference.
    Diverged,
    /// The session holds odd values: nothing is claimed.
    Unsupported,
}

impl Outcome {
    /// The outcome's name.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Match => "match",
            Outcome::Improved => "improved",
            Outcome::Known => "known",
            Outcome::Diverged => "diverged",
            Outcome::Unsupported => "unsupported",
        }
    }
}

/// Control and candidate over one snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What it comes to.
    pub outcome: Outcome,
    /// What differs, worst first.
    pub divergences: Vec<Divergence>,
}

/// All five rungs of one snapshot.
pub struct Ladder<'a> {
    snapshot: &'a Snapshot,
    histories: [Arc<History>; 5],
    whole: Arc<Target>,
    bare: Arc<Target>,
}

impl<'a> Ladder<'a> {
    /// Climbs every rung.
    pub fn climb(snapshot: &'a Snapshot, cancel: &Cancel) -> Result<Self, Cancelled> {
        let [ground, a, b, c, d] = Rung::ALL.map(|rung| history_at(snapshot, rung, cancel));
        let histories = [ground?, a?, b?, c?, d?];
        Ok(Ladder { snapshot, histories, whole: history::target(snapshot, cancel)?, bare: history::bare(snapshot, cancel)? })
    }

    /// What a rung shows.
    pub fn history(&self, rung: Rung) -> &Arc<History> {
        match rung {
            Rung::Ground => &self.histories[0],
            Rung::A => &self.histories[1],
            Rung::B => &self.histories[2],
            Rung::C => &self.histories[3],
            Rung::D => &self.histories[4],
        }
    }

    /// What changes at a step.
    pub fn compare(&self, step: Step) -> Comparison {
        self.compare_pair(step, step.before(), step.after())
    }

    /// What differs between any two rungs, as if `step` had brought it.
    pub fn compare_pair(&self, step: Step, control: Rung, candidate: Rung) -> Comparison {
        let divergences = self.divergences(step, control, candidate);
        let outcome = if self.snapshot.is_odd() {
            Outcome::Unsupported
        } else if divergences.is_empty() {
            Outcome::Match
        } else if divergences.iter().all(|divergence| divergence.code.is_improvement()) {
            Outcome::Improved
        } else {
            Outcome::Diverged
        };
        Comparison { outcome, divergences }
    }

    fn divergences(&self, step: Step, control: Rung, candidate: Rung) -> Vec<Divergence> {
        let (old, new) = (self.history(control), self.history(candidate));
        let mut findings = Findings::new(step);
        match (old.error, new.error) {
            (None, None) if same(old, new) => {}
            (None, None) => {
                let evidence = Evidence::new(self.snapshot, &self.whole);
                let side = |history, rung| Side::new(self.snapshot, history, self.target(rung));
                views::compare(&evidence, &side(old, control), &side(new, candidate), &mut findings);
            }
            (Some(_), Some(_)) => {}
            (control, candidate) => {
                let change = if control.is_some() { ErrorChange::Control } else { ErrorChange::Candidate };
                let code = |error: Option<HistoryError>| error.map_or("", |error| error.code());
                let show = |error: Option<HistoryError>| error.map_or(Value::Null, |error| json!(error.code()));
                findings.add(Difference::Errors(change), [code(control), code(candidate)], || (show(control), show(candidate)));
            }
        }
        findings.finish()
    }

    fn target(&self, rung: Rung) -> &Target {
        match rung {
            Rung::Ground | Rung::A | Rung::B | Rung::C => &self.whole,
            Rung::D => &self.bare,
        }
    }
}

/// Whether two histories above Ground are the same to the last decision; their rows then are, too.
fn same(old: &History, new: &History) -> bool {
    old.rung != Rung::Ground && old.head == new.head && old.tools == new.tools && old.messages == new.messages && new.rung != Rung::D
}
