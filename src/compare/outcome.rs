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
        let [old, new] = [control, candidate].map(|rung| (&**self.history(rung), self.target(rung)));
        compare(self.snapshot, &self.whole, step, old, new)
    }

    fn target(&self, rung: Rung) -> &Target {
        match rung {
            Rung::Ground | Rung::A | Rung::B | Rung::C => &self.whole,
            Rung::D => &self.bare,
        }
    }
}

impl Comparison {
    /// What differs between the two rungs of a step, each with what it shows.
    pub fn of(snapshot: &Snapshot, step: Step, control: &History, candidate: &History, cancel: &Cancel) -> Result<Self, Cancelled> {
        let whole = history::target(snapshot, cancel)?;
        let after = if step == Step::D { history::bare(snapshot, cancel)? } else { whole.clone() };
        Ok(compare(snapshot, &whole, step, (control, &*whole), (candidate, &*after)))
    }
}

/// A history with the reading of the record that it comes from.
type Read<'a> = (&'a History, &'a Target);

fn compare(snapshot: &Snapshot, whole: &Target, step: Step, old: Read<'_>, new: Read<'_>) -> Comparison {
    let divergences = divergences(snapshot, whole, step, old, new);
    let outcome = if snapshot.is_odd() {
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

fn divergences(snapshot: &Snapshot, whole: &Target, step: Step, old: Read<'_>, new: Read<'_>) -> Vec<Divergence> {
    let mut findings = Findings::new(step);
    match (old.0.error, new.0.error) {
        (None, None) if same(old.0, new.0) => {}
        (None, None) => {
            let evidence = Evidence::new(snapshot, whole);
            let side = |(history, target)| Side::new(snapshot, history, target);
            views::compare(&evidence, &side(old), &side(new), &mut findings);
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

/// Whether two histories above Ground are the same to the last decision; their rows then are, too.
fn same(old: &History, new: &History) -> bool {
    old.rung != Rung::Ground && old.head == new.head && old.tools == new.tools && old.messages == new.messages && new.rung != Rung::D
}
