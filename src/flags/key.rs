//! Every flag, by the name that Unleash knows it by.

use crate::step::Step;

/// A flag of the rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flag {
    /// Serves a step to a share of the sessions.
    Step(Step),
    /// Runs the other rungs beside the served one for a share of the sessions.
    Shadow,
    /// On: the legacy path for everyone, at once.
    KillSwitch,
}

impl Flag {
    /// All of them.
    pub const ALL: [Flag; 6] =
        [Flag::Step(Step::A), Flag::Step(Step::B), Flag::Step(Step::C), Flag::Step(Step::D), Flag::Shadow, Flag::KillSwitch];

    /// The name in Unleash.
    pub fn name(self) -> &'static str {
        match self {
            Flag::Step(Step::A) => "history-step-a",
            Flag::Step(Step::B) => "history-step-b",
            Flag::Step(Step::C) => "history-step-c",
            Flag::Step(Step::D) => "history-step-d",
            Flag::Shadow => "history-shadow",
            Flag::KillSwitch => "history-kill-switch",
        }
    }

    /// The flag with a name.
    pub fn named(name: &str) -> Option<Flag> {
        Flag::ALL.into_iter().find(|flag| flag.name() == name)
    }

    /// What sessions are drawn by: flags of one group draw the same sessions, so that who has a step has those before it. The
    /// shadow has a group of its own, or its sample would be the served cohort.
    pub fn group(self) -> &'static str {
        match self {
            Flag::Step(_) => "history-steps",
            Flag::Shadow => "history-shadow",
            Flag::KillSwitch => "history-kill-switch",
        }
    }
}
