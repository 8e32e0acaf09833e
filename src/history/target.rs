//! The target path's reading of a snapshot: kinds, predecessors, and the lane as a reader walks it.

use super::cancel::{Cancel, Cancelled};
use super::groups::{Groups, follow};
use super::kinds::{Kind, Kinds};
use super::pred::Preds;
use super::record::Record;
use super::siblings::Versions;
use super::spawned::{Origin, origins};
use crate::dag::{Fault, FaultCode, Place, Role, Snapshot};

/// Everything about a snapshot that the rungs above Ground share.
#[derive(Debug)]
pub struct Target {
    /// What each node is.
    pub kinds: Kinds,
    /// Who precedes whom.
    pub preds: Preds,
    /// Versions and leaves.
    pub versions: Versions,
    lane_before: Vec<Option<Place>>,
    lane_count: usize,
    last_lane: Option<Place>,
    tools: Groups,
    steps: Groups,
    attached: Groups,
    /// By root.
    origins: Vec<Origin>,
}

impl Target {
    /// Reads a snapshot by a record.
    pub(super) fn of(snapshot: &Snapshot, record: Record, cancel: &Cancel) -> Result<Self, Cancelled> {
        let edges = snapshot.edges();
        let kinds = Kinds::of(snapshot, record);
        cancel.check()?;
        let preds = Preds::of(snapshot, &kinds, record, cancel)?;
        cancel.check()?;
        let lane_before = lane_before(snapshot, &preds);
        let organic = |place: &Place| kinds.in_lane(*place) && !kinds.on_spawn_lane(*place);
        let last_lane = edges.places().rev().find(organic).or_else(|| edges.places().rev().find(|place| kinds.in_lane(*place)));
        let versions = Versions::of(snapshot, &kinds, &lane_before, record);
        cancel.check()?;
        let shown = |place: Place| !snapshot.at(place).marks.rewound;
        let internal = |place: &Place| kinds.kind(*place) == Kind::Internal && shown(*place);
        let reply = |place: &Place| kinds.kind(*place) == Kind::Reply;
        let run = |place: &Place| kinds.kind(*place) == Kind::Run;
        let tool = |place: &Place| internal(place) && snapshot.at(*place).role == Role::Code;
        let beside = |place: &Place| matches!(kinds.kind(*place), Kind::Attach | Kind::Placeholder) && shown(*place);
        let count = edges.len();
        let tools = Groups::collect(count, |place| Some(place).filter(tool).and_then(|place| kinds.caller(place)).filter(reply));
        let steps = Groups::collect(count, |place| Some(place).filter(internal).and_then(|place| kinds.owner(place)).filter(run));
        let attached = Groups::collect(count, |place| Some(place).filter(beside).and_then(|place| kinds.owner(place)));
        let lane_count = edges.places().filter(|place| kinds.in_lane(*place)).count();
        let origins = origins(snapshot, &kinds, &lane_before);
        Ok(Target { origins, versions, lane_before, lane_count, last_lane, tools, steps, attached, kinds, preds })
    }

    /// How many nodes are of the conversation lane.
    pub fn lane_count(&self) -> usize {
        self.lane_count
    }

    /// The nearest predecessor that is not rewound.
    pub fn lane_before(&self, place: Place) -> Option<Place> {
        self.lane_before[place.index()]
    }

    /// The tool calls of a reply, in key order.
    pub fn tools(&self, reply: Place) -> &[Place] {
        self.tools.of(reply)
    }

    /// The steps inside a run's card, in key order.
    pub fn steps(&self, run: Place) -> &[Place] {
        self.steps.of(run)
    }

    /// The cards and placeholders that stand after a message, in key order.
    pub fn attached(&self, message: Place) -> &[Place] {
        self.attached.of(message)
    }

    /// From where the spawn lane that a turn begins started, by card.
    pub fn origins(&self, root: Place) -> &[Origin] {
        let start = self.origins.partition_point(|origin| origin.root < root);
        let end = self.origins.partition_point(|origin| origin.root <= root);
        &self.origins[start..end]
    }

    /// The head of the target path. `None` only where the lane is empty.
    pub fn head(&self, snapshot: &Snapshot) -> Option<Place> {
        self.stored_head(snapshot).or(self.last_lane)
    }

    /// The stored head, as far as it leads to a message that is not rewound.
    pub fn stored_head(&self, snapshot: &Snapshot) -> Option<Place> {
        let message = self.kinds.owner(snapshot.place(snapshot.head()?.id)?)?;
        if snapshot.at(message).marks.rewound { self.lane_before(message) } else { Some(message) }
    }

    /// The walk from a message back to where its conversation begins, first message first.
    pub fn chain(&self, head: Option<Place>) -> Vec<Place> {
        let mut chain: Vec<Place> = std::iter::successors(head, |place| self.lane_before(*place)).collect();
        chain.reverse();
        chain
    }

    /// The rings that were cut.
    pub(super) fn faults(&self, snapshot: &Snapshot) -> Vec<Fault> {
        self.kinds.cut.iter().chain(&self.preds.cut).map(|place| snapshot.fault_at(FaultCode::Cycle, *place)).collect()
    }
}

fn lane_before(snapshot: &Snapshot, preds: &Preds) -> Vec<Option<Place>> {
    let count = snapshot.edges().len();
    let rewound = |place: Place| snapshot.at(place).marks.rewound;
    let direct = |place: Place| preds.before(place);
    if !snapshot.edges().places().any(rewound) {
        return snapshot.edges().places().map(direct).collect();
    }
    let standing = follow(count, direct, |place| (!rewound(place)).then_some(place));
    snapshot.edges().places().map(|place| standing[direct(place)?.index()]).collect()
}
