//! Steps of the migration and the rungs one stands on after taking them.

use std::fmt;
use std::str::FromStr;

/// A change of the migration. Steps are promoted in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// `parent_id` follows the order of the conversation.
    A,
    /// The walk uses `parent_id`; the fallback still fires.
    B,
    /// The fallback goes.
    C,
    /// `parent_id` is deprecated.
    D,
}

impl Step {
    /// Every step, in order of promotion.
    pub const ALL: [Step; 4] = [Step::A, Step::B, Step::C, Step::D];

    /// The rung below the step.
    pub fn before(self) -> Rung {
        match self {
            Step::A => Rung::Ground,
            Step::B => Rung::A,
            Step::C => Rung::B,
            Step::D => Rung::C,
        }
    }

    /// The rung that the step leads to.
    pub fn after(self) -> Rung {
        match self {
            Step::A => Rung::A,
            Step::B => Rung::B,
            Step::C => Rung::C,
            Step::D => Rung::D,
        }
    }

    /// Its place among the steps, from 0.
    pub fn index(self) -> usize {
        match self {
            Step::A => 0,
            Step::B => 1,
            Step::C => 2,
            Step::D => 3,
        }
    }

    /// The step's letter.
    pub fn name(self) -> &'static str {
        match self {
            Step::A => "A",
            Step::B => "B",
            Step::C => "C",
            Step::D => "D",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where one stands on the ladder: `Ground < A < B < C < D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rung {
    /// The legacy path, quirks included.
    Ground,
    /// After step A.
    A,
    /// After step B.
    B,
    /// After step C.
    C,
    /// After step D.
    D,
}

impl Rung {
    /// Every rung, from the ground up.
    pub const ALL: [Rung; 5] = [Rung::Ground, Rung::A, Rung::B, Rung::C, Rung::D];

    /// Its place on the ladder, from 0.
    pub fn index(self) -> usize {
        match self {
            Rung::Ground => 0,
            Rung::A => 1,
            Rung::B => 2,
            Rung::C => 3,
            Rung::D => 4,
        }
    }

    /// The rung's name, as the command line and the metrics write it.
    pub fn name(self) -> &'static str {
        match self {
            Rung::Ground => "ground",
            Rung::A => "a",
            Rung::B => "b",
            Rung::C => "c",
            Rung::D => "d",
        }
    }
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no rung.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no rung: use ground, a, b, c or d")]
pub struct UnknownRung(String);

impl FromStr for Rung {
    type Err = UnknownRung;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Rung::ALL.into_iter().find(|rung| rung.name().eq_ignore_ascii_case(word)).ok_or_else(|| UnknownRung(word.to_owned()))
    }
}
