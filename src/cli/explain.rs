//! `explain`: what each node of a session is, what it follows, and how that is known.

use std::io::Write as _;

use serde_json::{Map, Value, json};

use super::Outcome;
use super::exit::Exit;
use super::lines::Output;
use super::session::{SessionArgs, check_readable, write_faults};
use super::tree::Tree;
use super::{json, terminal};
use crate::compare::Ladder;
use crate::dag::{Fault, Number, Place, Recorded, Snapshot, Sym};
use crate::history::{self, Cancel, History, Kind, Target};
use crate::step::Rung;

/// Arguments of `explain`.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    session: SessionArgs,
    #[command(flatten)]
    output: Output,
}

/// Explains the session.
pub(super) fn run(args: &Args) -> Outcome {
    let snapshot = args.session.read()?;
    let cancel = Cancel::new();
    let ladder = Ladder::climb(&snapshot, &cancel)?;
    let target = history::target(&snapshot, &cancel)?;
    let faults = history::faults(&snapshot, &cancel)?;
    if args.output.json.json {
        let explained = Explained { snapshot: &snapshot, target: &target };
        json::print(&explained.document(&ladder, &faults))?;
    } else {
        let mut out = terminal::stdout();
        Tree::new(&snapshot, &target, &args.output.texts).write(&mut out)?;
        write_faults(&mut out, &faults)?;
        out.flush()?;
    }
    check_readable(&snapshot, &faults)?;
    Ok(Exit::Fine)
}

struct Explained<'a> {
    snapshot: &'a Snapshot,
    target: &'a Target,
}

impl Explained<'_> {
    fn document(&self, ladder: &Ladder<'_>, faults: &[Fault]) -> Value {
        let edges = self.snapshot.edges();
        let kind = |kind: Kind| move |place: &Place| self.target.kinds.kind(*place) == kind;
        let shown = |place: &Place| !self.snapshot.at(*place).marks.rewound;
        let lists = |places: &mut dyn Iterator<Item = Place>, items: &dyn Fn(Place) -> Value| -> Map<String, Value> {
            places.map(|place| (self.text(place).to_owned(), items(place))).collect()
        };
        let stored = self.snapshot.head().map(|head| self.snapshot.text(head.id));
        let target_head = self.target.head(self.snapshot).map(|head| self.text(head));
        let chains: Map<String, Value> =
            Rung::ALL.into_iter().map(|rung| (rung.name().to_owned(), self.chain(ladder.history(rung)))).collect();
        json!({
            "head": {"stored": stored, "target": target_head},
            "nodes": edges.places().map(|place| self.node(place)).collect::<Vec<_>>(),
            "chains": chains,
            "siblings": lists(&mut edges.places().filter(|place| self.target.kinds.in_lane(*place)), &|place| self.siblings(place)),
            "tools": lists(&mut edges.places().filter(kind(Kind::Reply)).filter(|reply| !self.target.tools(*reply).is_empty()), &|reply| self.ids(self.target.tools(reply))),
            "cards": lists(&mut edges.places().filter(kind(Kind::Run)).filter(shown), &|run| self.ids(self.target.steps(run))),
            "attachments": self.attachments(),
            "faults": json::faults(faults),
        })
    }

    fn text(&self, place: Place) -> &str {
        self.snapshot.text(self.snapshot.at(place).id)
    }

    fn ids(&self, places: &[Place]) -> Value {
        places.iter().map(|place| json!(self.text(*place))).collect()
    }

    fn chain(&self, history: &History) -> Value {
        let shown = history.messages.iter().filter(|message| message.on_chain);
        shown.map(|message| json!(self.snapshot.text(self.snapshot.node(message.node).id))).collect()
    }

    fn node(&self, place: Place) -> Value {
        let node = self.snapshot.at(place);
        let word = |sym: Sym| self.snapshot.text(sym);
        let (state, recorded) = match self.snapshot.edges().recorded(place) {
            Recorded::Absent => ("absent", None),
            Recorded::Null => ("null", None),
            Recorded::Root => ("root", Some("ROOT")),
            Recorded::To(to) => ("id", Some(self.text(to))),
            Recorded::Dangling(id) => ("dangling", Some(word(id))),
        };
        let pred = self.target.preds.get(place);
        json!({
            "id": self.text(place),
            "kind": self.target.kinds.kind(place).name(),
            "seq": number(node.seq),
            "called_by": node.called_by.or(node.caller).map(word),
            "recorded": recorded,
            "recorded_state": state,
            "predecessor": pred.and_then(|pred| pred.place).map(|place| self.text(place)),
            "provenance": pred.map(|pred| pred.provenance.name()),
            "ambiguous": pred.is_some_and(|pred| pred.ambiguous),
            "rewound": node.marks.rewound,
        })
    }

    fn siblings(&self, place: Place) -> Value {
        let siblings = self.target.versions.siblings(self.snapshot, place);
        let word = |leaf: Option<Sym>| leaf.map(|leaf| self.snapshot.text(leaf));
        json!([siblings.index, siblings.total, word(siblings.previous), word(siblings.next)])
    }

    fn attachments(&self) -> Map<String, Value> {
        let edges = self.snapshot.edges();
        let beside = edges.places().flat_map(|owner| self.target.attached(owner).iter().map(move |place| (*place, owner)));
        beside.map(|(place, owner)| (self.text(place).to_owned(), json!(self.text(owner)))).collect()
    }
}

fn number(number: Number) -> Value {
    match number {
        Number::Int(int) => json!(int),
        Number::Large(int) => json!(int),
        Number::Float(float) => json!(float),
    }
}
