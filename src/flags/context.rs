//! What is known of a session when its flags are evaluated: cohorts are made of it.

use std::fmt;

use crate::dag::{Node, Place, Role, Snapshot};

/// The name of the property that a flag is sticky by.
pub const STICKINESS: &str = "sessionId";

/// Which formats a session's nodes have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generation {
    /// Generation 1 only.
    First,
    /// Generation 2 only.
    Second,
    /// Both.
    Mixed,
}

/// How many nodes a session has, up to a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Size {
    /// At most 100.
    Hundred,
    /// At most 1 000.
    Thousand,
    /// At most 10 000.
    TenThousand,
    /// More.
    More,
}

impl Size {
    /// Every class, smallest first.
    pub const ALL: [Size; 4] = [Size::Hundred, Size::Thousand, Size::TenThousand, Size::More];

    /// The class of a number of nodes.
    pub fn of(nodes: usize) -> Size {
        match nodes {
            0..=100 => Size::Hundred,
            101..=1_000 => Size::Thousand,
            1_001..=10_000 => Size::TenThousand,
            10_001.. => Size::More,
        }
    }

    /// Its name as a property and as a label.
    pub fn name(self) -> &'static str {
        match self {
            Size::Hundred => "100",
            Size::Thousand => "1000",
            Size::TenThousand => "10000",
            Size::More => "more",
        }
    }
}

impl Generation {
    /// Its name as a property.
    pub fn name(self) -> &'static str {
        match self {
            Generation::First => "1",
            Generation::Second => "2",
            Generation::Mixed => "mixed",
        }
    }
}

/// The context of one load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The session's id: the same session is always drawn the same way.
    pub session_id: String,
    /// Where the conversation is held; `unknown` where the session does not say.
    pub channel: String,
    /// The formats of its nodes.
    pub generation: Generation,
    /// How many nodes it has.
    pub size: Size,
    /// A node follows one that another one follows, too, or replaces another.
    pub has_forks: bool,
    /// A function was run from the conversation itself.
    pub has_runs: bool,
    /// A sub-agent was spawned.
    pub has_spawns: bool,
    /// A model called tools.
    pub has_tools: bool,
    /// Whether the last comparison of this very state of the session found nothing from Ground to D; `None` without one.
    pub same_at_d: Option<bool>,
}

impl Context {
    /// The context of a load of a snapshot. Looks at the spines only, and once a snapshot.
    pub fn of(snapshot: &Snapshot, same_at_d: Option<bool>) -> Self {
        struct Known;
        let known = snapshot.memo::<Known, _>(|| Context::look(snapshot));
        Context { same_at_d, ..Context::clone(&known) }
    }

    fn look(snapshot: &Snapshot) -> Self {
        let edges = snapshot.edges();
        let word = |key| snapshot.meta()?.member(key)?.string().filter(|word| !word.is_empty()).map(|word| word.into_owned());
        let newer = |node: &Node| node.caller.is_some() || node.predecessor.present();
        let older = |node: &Node| node.called_by.is_some() || node.parent_id.present();
        let generation = match (snapshot.nodes().iter().any(older), snapshot.nodes().iter().any(newer)) {
            (true, true) => Generation::Mixed,
            (false, true) => Generation::Second,
            (_, false) => Generation::First,
        };
        let called_by = |place| edges.call(place).live().map(|caller| snapshot.at(caller).role);
        let code = |place: &Place| snapshot.at(*place).role == Role::Code;
        let mut followed = vec![false; edges.len()];
        let mut again = |place: Place| std::mem::replace(&mut followed[place.index()], true);
        Context {
            session_id: snapshot.session_id().to_owned(),
            channel: word("channel").or_else(|| word("source")).unwrap_or_else(|| "unknown".to_owned()),
            generation,
            size: Size::of(snapshot.nodes().len()),
            has_forks: edges
                .places()
                .any(|place| edges.forked_from(place).is_some() || edges.recorded(place).target().is_some_and(&mut again)),
            has_runs: edges.places().filter(code).any(|place| matches!(called_by(place), None | Some(Role::User))),
            has_spawns: snapshot.nodes().iter().any(|node| node.marks.source_spawn || node.marks.spawn_branch_root),
            has_tools: edges.places().filter(code).any(|place| called_by(place) == Some(Role::Llm)),
            same_at_d: None,
        }
    }

    /// The properties by name, beside the session's id.
    pub fn properties(&self) -> [(&'static str, &str); 8] {
        let yes = |flag: bool| if flag { "yes" } else { "no" };
        [
            ("channel", &self.channel),
            ("generation", self.generation.name()),
            ("size", self.size.name()),
            ("hasForks", yes(self.has_forks)),
            ("hasRuns", yes(self.has_runs)),
            ("hasSpawns", yes(self.has_spawns)),
            ("hasTools", yes(self.has_tools)),
            ("sameAtD", self.same_at_d.map_or("unknown", yes)),
        ]
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
