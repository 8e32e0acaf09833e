//! A session drawn as a tree: the conversation runs down, other branches are set in.

use std::io::{self, Write};

use super::lines::{self, Texts};
use super::terminal::{DIM, GOOD, STRONG, WARN, harmless, paint};
use crate::dag::{Place, Recorded, Snapshot};
use crate::history::{Groups, Target};

/// Branches are set in no further than this; deeper ones stand below each other.
const DEEPEST: usize = 24;

/// What is needed to draw.
pub(super) struct Tree<'a> {
    snapshot: &'a Snapshot,
    target: &'a Target,
    texts: &'a Texts,
    followers: Groups,
    folded: Groups,
    on_chain: Vec<bool>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, target: &'a Target, texts: &'a Texts) -> Self {
        let count = snapshot.edges().len();
        let mut on_chain = vec![false; count];
        for place in target.chain(target.head(snapshot)) {
            on_chain[place.index()] = true;
        }
        let followers = Groups::collect(count, |place| target.preds.before(place));
        let folded = Groups::collect(count, |place| target.kinds.owner(place).filter(|owner| *owner != place));
        Tree { snapshot, target, texts, followers, folded, on_chain }
    }

    /// Draws every node once.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let places = || self.snapshot.edges().places();
        let title = paint(STRONG, harmless(self.snapshot.session_id()));
        let shown = self.on_chain.iter().filter(|on| **on).count();
        writeln!(out, "{title}: {} nodes, {shown} in the conversation (●) from its head back", places().len())?;
        let is_start = |place: &Place| self.target.preds.get(*place).is_some_and(|pred| pred.place.is_none());
        let mut starts: Vec<Place> = places().filter(is_start).collect();
        starts.reverse();
        let mut open: Vec<(Place, usize)> = starts.into_iter().map(|place| (place, 0)).collect();
        while let Some((place, depth)) = open.pop() {
            self.write_node(out, place, depth)?;
            for folded in self.folded.of(place) {
                self.write_node(out, *folded, depth + 1)?;
            }
            let followers = self.followers.of(place);
            let main = followers.iter().find(|place| self.on_chain[place.index()]).or(followers.last()).copied();
            open.extend(main.map(|main| (main, depth)));
            open.extend(followers.iter().rev().filter(|place| Some(**place) != main).map(|place| (*place, depth + 1)));
        }
        let alone = |place: &Place| self.target.preds.get(*place).is_none() && self.target.kinds.owner(*place).is_none();
        for place in places().filter(alone) {
            self.write_node(out, place, 0)?;
        }
        Ok(())
    }

    fn write_node(&self, out: &mut impl Write, place: Place, depth: usize) -> io::Result<()> {
        let node = self.snapshot.at(place);
        let kind = self.target.kinds.kind(place);
        let mark = match (kind.is_message(), self.on_chain[place.index()]) {
            (true, true) => paint(GOOD, "●"),
            (true, false) => "○".to_owned(),
            (false, _) => paint(DIM, "·"),
        };
        let id = lines::id(self.snapshot.text(node.id));
        let content = self.snapshot.member(node, "output").and_then(|output| output.string().map(|text| text.into_owned()));
        let words = content.map_or(String::new(), |content| lines::text(&content, self.texts));
        let indent = "  ".repeat(depth.min(DEEPEST));
        writeln!(out, "{indent}{mark} {:<11} {id:<18} {}  {}", kind.name(), self.why(place), paint(DIM, words))
    }

    /// What a node follows, and how that is known.
    fn why(&self, place: Place) -> String {
        let name = |place: Place| lines::id(self.snapshot.text(self.snapshot.at(place).id));
        let mut why = match self.target.preds.get(place) {
            Some(pred) => {
                let before = pred.place.map_or("nothing".to_owned(), name);
                format!("after {before} ({}{})", pred.provenance, if pred.ambiguous { ", a guess" } else { "" })
            }
            None => self.target.kinds.owner(place).map_or("belongs to nothing".to_owned(), |owner| format!("in {}", name(owner))),
        };
        if let Recorded::Dangling(id) = self.snapshot.edges().recorded(place) {
            why += &paint(WARN, format!(" recorded after {}, which is not there", lines::id(self.snapshot.text(id))));
        }
        if self.snapshot.at(place).marks.rewound {
            why += " rewound";
        }
        if self.target.head(self.snapshot) == Some(place) {
            why += " ← head";
        }
        why
    }
}
