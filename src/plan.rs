//! Toggles and breaker states → what to do for one load. Pure and total: after this no choices are left.

use crate::flags::Toggles;
use crate::step::{Rung, Step};

/// The state of a step's breaker as a load finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Breaker {
    /// The step may be served.
    #[default]
    Closed,
    /// The step failed too often and is tried again with this load.
    HalfOpen,
    /// The step failed too often: nobody runs it.
    Open,
}

/// Why a load is served the rung that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The flags say so.
    Flags,
    /// The kill switch is on.
    KillSwitch,
    /// The breaker of this step is open: the rung below it is served.
    Breaker(Step),
}

/// What to do for one load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The rung to serve.
    pub serve: Rung,
    /// Why.
    pub reason: Reason,
    shadow: [bool; 5],
    /// A step is on though the one before it is not: the first such. The rungs below it are served, and it is counted.
    pub violation: Option<Step>,
}

/// Decides. The rung served is the top of the longest prefix of steps that are on and whose breakers are not open.
pub fn plan(toggles: &Toggles, breakers: &[Breaker; 4]) -> Plan {
    let on = |step: Step| toggles.steps[step.index()];
    let open = |step: Step| breakers[step.index()] == Breaker::Open;
    let wanted = Step::ALL.into_iter().take_while(|step| on(*step)).last().map_or(Rung::Ground, Step::after);
    let violation = Step::ALL.into_iter().find(|step| on(*step) && wanted < step.after());
    if toggles.kill {
        return Plan { serve: Rung::Ground, reason: Reason::KillSwitch, shadow: [false; 5], violation };
    }
    let broken = Step::ALL.into_iter().find(|step| open(*step));
    let top = broken.map_or(Rung::D, Step::before);
    let (serve, reason) = match broken {
        Some(step) if top < wanted => (top, Reason::Breaker(step)),
        Some(_) | None => (wanted, Reason::Flags),
    };
    let shadow = Rung::ALL.map(|rung| toggles.shadow && rung != serve && rung <= top);
    Plan { serve, reason, shadow, violation }
}

impl Plan {
    /// The rungs to run beside the served one, lowest first. Those above an open breaker are not among them.
    pub fn shadow(&self) -> impl Iterator<Item = Rung> + use<> {
        Rung::ALL.into_iter().zip(self.shadow).filter_map(|(rung, runs)| runs.then_some(rung))
    }
}
