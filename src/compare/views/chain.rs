//! The messages shown, in order: what was lost, leaked, healed.

use super::super::classify::{ChainChange, Difference};
use super::super::evidence::Contradiction;
use super::super::findings::Findings;
use super::super::side::Side;
use super::Pair;
use crate::dag::{Place, Recorded};

pub(super) fn compare(pair: &Pair<'_>, findings: &mut Findings) {
    if pair.control.chain == pair.candidate.chain {
        return;
    }
    let control = read(pair, pair.control, pair.candidate);
    let candidate = read(pair, pair.candidate, pair.control);
    let report = |own: Vec<Only>, contradicted: ChainChange, else_: ChainChange, swap: bool, findings: &mut Findings| {
        for (change, against) in [(contradicted, true), (else_, false)] {
            let some: Vec<&Only> = own.iter().filter(|only| only.against.is_some() == against).collect();
            let Some(lowest) = some.first() else { continue };
            let places: Vec<Place> = some.iter().rev().map(|only| only.place).collect();
            let cause = [pair.kind(lowest.place), lowest.against.map_or(lowest.below, Contradiction::name)];
            let sides = || {
                let (own, other) = (pair.ids(&places), pair.ids(&[]));
                if swap { (other, own) } else { (own, other) }
            };
            let divergence = findings.add(Difference::Chain(change), cause, sides);
            divergence.count = places.len();
            divergence.ambiguous = some.iter().any(|only| only.guessed);
        }
    };
    let (order, twice) = (order(pair, &control, &candidate), (control.twice, candidate.twice));
    report(control.only, ChainChange::ControlLeaked, ChainChange::Lost, false, findings);
    report(candidate.only, ChainChange::Leaked, ChainChange::GapHealed, true, findings);
    let whole = || (pair.ids(&pair.control.chain), pair.ids(&pair.candidate.chain));
    if let Some(change) = order {
        findings.add(Difference::Chain(change), ["", ""], whole);
    }
    if twice.0 != twice.1 {
        let change = if twice.0 > twice.1 { ChainChange::ControlLeaked } else { ChainChange::Leaked };
        findings.add(Difference::Chain(change), ["shown-twice", ""], whole);
    }
}

/// One side's list read from the head up.
struct Reading {
    /// What the other side does not show, lowest first.
    only: Vec<Only>,
    contradicted: bool,
    twice: usize,
}

/// A message that one side shows alone.
struct Only {
    place: Place,
    /// What speaks against its being here: the nearest contradiction at or below it.
    against: Option<Contradiction>,
    /// What is recorded of the message right below it.
    below: &'static str,
    /// A join between it and the next message that both show is a guess.
    guessed: bool,
}

fn read(pair: &Pair<'_>, side: &Side<'_>, other: &Side<'_>) -> Reading {
    let chain = &side.chain;
    let evidence = pair.evidence;
    let mut position = vec![usize::MAX; pair.snapshot.edges().len()];
    for (at, place) in chain.iter().enumerate().rev() {
        position[place.index()] = at;
    }
    let head_elsewhere = evidence.head().zip(chain.last().copied()).is_some_and(|(head, last)| head != last);
    let mut against = head_elsewhere.then_some(Contradiction::Head);
    let mut contradicted = against.is_some();
    let mut reading = Reading { only: Vec::new(), contradicted: false, twice: 0 };
    let mut guessed = false;
    for (at, place) in chain.iter().enumerate().rev() {
        let below = chain.get(at + 1).copied();
        if let Some(below) = below {
            let replaced_above = pair.snapshot.edges().forked_from(below).is_some_and(|replaced| position[replaced.index()] <= at);
            let found = evidence.contradiction(*place, below, replaced_above);
            contradicted |= found.is_some();
            against = found.or(against);
            guessed |= side.target.preds.get(below).is_some_and(|pred| pred.ambiguous);
        }
        if position[place.index()] != at {
            reading.twice += 1;
        } else if other.shows(*place) {
            guessed = false;
        } else {
            let not_here = (!evidence.kinds().in_lane(*place)).then_some(Contradiction::Folded);
            let below = below.map_or("at-the-head", |below| record_word(pair.snapshot.edges().recorded(below)));
            reading.only.push(Only { place: *place, against: not_here.or(against), below, guessed });
        }
    }
    reading.contradicted = contradicted;
    reading
}

/// Whether the messages that both show stand in another order, and which order is right.
fn order(pair: &Pair<'_>, control: &Reading, candidate: &Reading) -> Option<ChainChange> {
    let shared = |side: &Side<'_>, other: &Side<'_>| -> Vec<Place> {
        let mut seen = vec![false; pair.snapshot.edges().len()];
        side.chain.iter().copied().filter(|place| other.shows(*place) && !std::mem::replace(&mut seen[place.index()], true)).collect()
    };
    if shared(pair.control, pair.candidate) == shared(pair.candidate, pair.control) {
        return None;
    }
    Some(if control.contradicted && !candidate.contradicted { ChainChange::OrderHealed } else { ChainChange::Reordered })
}

/// The state of a recorded edge, for signatures.
fn record_word(recorded: Recorded) -> &'static str {
    match recorded {
        Recorded::Absent => "below-absent",
        Recorded::Null => "below-null",
        Recorded::Root => "below-root",
        Recorded::To(_) => "below-recorded",
        Recorded::Dangling(_) => "below-dangling",
    }
}
