//! Filling gaps: a message without an edge stands behind what was written before it.

use super::super::cancel::{Cancel, Cancelled};
use super::super::groups::follow;
use super::super::kinds::Kinds;
use super::lines::Line;
use super::tour::Tour;
use super::trees::{Tips, Trees};
use super::{Pred, Provenance};
use crate::dag::{Place, Snapshot};

/// Messages between two looks at the cancel flag.
const LOOK: usize = 1 << 14;

/// Every message's predecessor, in one pass by key over the gaps.
///
/// A gap's candidate must not descend from the gap. While the gap is open its message is the root of its tree, so a
/// candidate descends from it exactly if it hangs in that tree. A retry counts as one with what it replaces.
pub(super) fn fill(snapshot: &Snapshot, kinds: &Kinds, lines: &[Line], cancel: &Cancel) -> Result<Vec<Option<Pred>>, Cancelled> {
    let mut filling = Filling::new(snapshot, kinds, lines);
    for place in snapshot.edges().places() {
        if place.index() % LOOK == 0 {
            cancel.check()?;
        }
        match lines[place.index()] {
            Line::Gap(provenance) => filling.fill_gap(place, provenance),
            Line::RunOf(turn) => filling.place_run(place, turn),
            Line::None => continue,
            Line::Edge(..) | Line::Fork(_) | Line::Called(_) | Line::Start(_) => {}
        }
        filling.meet(place);
    }
    Ok(filling.pred)
}

struct Filling<'a> {
    snapshot: &'a Snapshot,
    kinds: &'a Kinds,
    pred: Vec<Option<Pred>>,
    trees: Trees,
    tips: Tips,
    /// Retries that wait for the gap of what they replace.
    waiting: Vec<(Place, Place)>,
    /// Messages met so far that can be followed: organic ones, and those of the spawn lane.
    lanes: [Lane; 2],
    /// The last search that found a message not to follow its turn.
    ruled_out: Vec<Option<Place>>,
    /// Steps that searches behind turns may still take; when they are used up, a tour answers.
    steps_left: usize,
    tour: Option<Tour>,
    /// For a rewound message, one further back to go on from: those in between are rewound, too.
    rewound_up_to: Vec<Option<Place>>,
}

#[derive(Default)]
struct Lane {
    met: Vec<Place>,
    /// For each of `met`, the start of a run of messages that are known to hang in one tree.
    run: Vec<usize>,
}

impl<'a> Filling<'a> {
    fn new(snapshot: &'a Snapshot, kinds: &'a Kinds, lines: &[Line]) -> Self {
        let count = lines.len();
        let mut trees = Trees::new(count);
        let mut pred = vec![None; count];
        let mut forks = Vec::new();
        for place in snapshot.edges().places() {
            let (before, provenance) = match lines[place.index()] {
                Line::Edge(to, provenance) => (Some(to), provenance),
                Line::Called(turn) => (Some(turn), Provenance::Called),
                Line::Start(provenance) => (None, provenance),
                Line::Fork(replaced) => {
                    forks.push(place);
                    trees.hang(place, replaced);
                    continue;
                }
                Line::None | Line::RunOf(_) | Line::Gap(_) => continue,
            };
            if let Some(before) = before {
                trees.hang(place, before);
            }
            pred[place.index()] = Some(Pred { place: before, provenance, ambiguous: false });
        }
        let mut filling = Filling {
            snapshot,
            kinds,
            pred,
            trees,
            tips: Tips::new(count),
            waiting: Vec::new(),
            lanes: Default::default(),
            ruled_out: vec![None; count],
            steps_left: 4096 + 8 * count,
            tour: None,
            rewound_up_to: vec![None; count],
        };
        filling.place_forks(lines, forks);
        filling
    }

    /// A retry stands where the node at the end of its chain of forks stands; rings of forks are cut by now.
    fn place_forks(&mut self, lines: &[Line], forks: Vec<Place>) {
        let origin = follow(
            lines.len(),
            |place: Place| match lines[place.index()] {
                Line::Fork(replaced) => Some(replaced),
                Line::None | Line::Edge(..) | Line::Called(_) | Line::Start(_) | Line::RunOf(_) | Line::Gap(_) => None,
            },
            |place| (!matches!(lines[place.index()], Line::Fork(_))).then_some(place),
        );
        for fork in forks {
            let Some(origin) = origin[fork.index()] else { continue };
            match self.pred[origin.index()] {
                Some(pred) => self.pred[fork.index()] = Some(Pred { provenance: Provenance::ForkOf, ..pred }),
                None => self.waiting.push((origin, fork)),
            }
        }
        self.waiting.sort_unstable();
    }

    fn fill_gap(&mut self, place: Place, provenance: Provenance) {
        let before = self.latest_outside(place);
        let provenance = if before.is_some() { provenance } else { Provenance::First };
        self.settle(place, Pred { place: before, provenance, ambiguous: before.is_some() && self.tips.open > 1 });
    }

    /// A function called by a turn stands behind the latest message of its own lane among the turn and what follows it.
    fn place_run(&mut self, place: Place, turn: Place) {
        let found = if self.steps_left > 0 { self.search_behind(place, turn) } else { self.ask_behind(place, turn) };
        // Two ways to one answer: tests, whose sessions are small, hold each against the other.
        debug_assert!(self.pred.len() > 2000 || self.ask_behind(place, turn) == found);
        if self.trees.root(found) == place {
            return self.fill_gap(place, Provenance::Sequence);
        }
        self.settle(place, Pred { place: Some(found), provenance: Provenance::Called, ambiguous: false });
    }

    fn search_behind(&mut self, place: Place, turn: Place) -> Place {
        let lane = self.lane(place);
        for at in (0..self.lanes[lane].met.len()).rev() {
            let met = self.lanes[lane].met[at];
            self.steps_left = self.steps_left.saturating_sub(1);
            if met <= turn || self.follows(met, turn, place) {
                return met.max(turn);
            }
        }
        turn
    }

    /// The same by the tour, which is made when it is first needed.
    fn ask_behind(&mut self, place: Place, turn: Place) -> Place {
        let lane = self.lane(place);
        let tour = self.tour.get_or_insert_with(|| {
            let mut tour = Tour::new(&self.pred);
            for (lane, own) in self.lanes.iter().enumerate() {
                own.met.iter().for_each(|met| tour.meet(*met, lane));
            }
            tour
        });
        tour.latest(turn, lane).map_or(turn, |latest| latest.max(turn))
    }

    /// Whether a message follows a turn; each is climbed from once a search.
    fn follows(&mut self, message: Place, turn: Place, search: Place) -> bool {
        let mut at = Some(message);
        while let Some(place) = at.filter(|place| self.ruled_out[place.index()] != Some(search)) {
            if place == turn {
                return true;
            }
            self.ruled_out[place.index()] = Some(search);
            self.steps_left = self.steps_left.saturating_sub(1);
            at = self.pred[place.index()].and_then(|pred| pred.place);
        }
        false
    }

    /// The latest message of the same lane that does not descend from the gap.
    fn latest_outside(&mut self, gap: Place) -> Option<Place> {
        let lane = &mut self.lanes[usize::from(self.kinds.on_spawn_lane(gap))];
        let last = lane.met.len().checked_sub(1)?;
        loop {
            // The run up to here stands in one tree: the gap's, or another one.
            let start = lane.run[last];
            if self.trees.root(lane.met[start]) != gap {
                return Some(lane.met[last]);
            }
            let below = start.checked_sub(1)?;
            if self.trees.root(lane.met[below]) != gap {
                return Some(lane.met[below]);
            }
            // Trees only grow together: what hangs in the gap's tree with its neighbour does so for good.
            lane.run[last] = lane.run[below];
        }
    }

    fn settle(&mut self, gap: Place, pred: Pred) {
        if let Some(before) = pred.place {
            self.trees.hang(gap, before);
        }
        self.set(gap, pred);
        let from = self.waiting.partition_point(|(origin, _)| *origin < gap);
        for at in from..self.waiting.len() {
            let (origin, fork) = self.waiting[at];
            if origin != gap {
                break;
            }
            self.set(fork, Pred { provenance: Provenance::ForkOf, ambiguous: false, ..pred });
            if self.tips.has_met(fork) {
                self.follow(fork);
            }
        }
    }

    fn set(&mut self, place: Place, pred: Pred) {
        self.pred[place.index()] = Some(pred);
        if let (Some(tour), Some(before)) = (&mut self.tour, pred.place) {
            tour.hang(place, before);
        }
    }

    fn lane(&self, place: Place) -> usize {
        usize::from(self.kinds.on_spawn_lane(place))
    }

    /// From here on the message is below those that come.
    fn meet(&mut self, place: Place) {
        if !self.kinds.in_lane(place) {
            return;
        }
        let lane = self.lane(place);
        let own = &mut self.lanes[lane];
        own.run.push(own.met.len());
        own.met.push(place);
        if let Some(tour) = &mut self.tour {
            tour.meet(place, lane);
        }
        if lane == 0 {
            self.tips.meet(place);
            self.follow(place);
        }
    }

    /// Tells the tips what a message follows, through rewound ones.
    fn follow(&mut self, place: Place) {
        let mut before = self.pred[place.index()].and_then(|pred| pred.place);
        let mut passed = Vec::new();
        while let Some(at) = before.filter(|at| self.snapshot.at(*at).marks.rewound) {
            passed.push(at);
            let last = self.rewound_up_to[at.index()].unwrap_or(at);
            before = if last == at { self.pred[at.index()].and_then(|pred| pred.place) } else { Some(last) };
        }
        // The last of them may not know yet what it follows; those before it need not be passed again.
        if let Some(last) = passed.pop() {
            passed.iter().for_each(|at| self.rewound_up_to[at.index()] = Some(last));
        }
        if let Some(before) = before.filter(|before| self.lane(*before) == 0) {
            self.tips.follow(before);
        }
    }
}
