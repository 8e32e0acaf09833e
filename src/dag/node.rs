//! A node's spine: the fields that walks need, read once; everything else stays text.

use super::dense::Dense;
use super::number::Number;
use super::outline::Outline;
use super::symbol::{Sym, Text};

/// Who wrote a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A message of the user, or an answer that a function asked for.
    User,
    /// A model call.
    Llm,
    /// A function call.
    Code,
    /// A role that this reader does not know.
    Other,
}

/// A key that can be absent, `null` or a string, where the three differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stored<S> {
    /// No such key.
    #[default]
    Absent,
    /// The key with value `null`.
    Null,
    /// The key with a string, which may be empty or `ROOT`. (An odd value stands as its JSON text.)
    Text(S),
}

impl<S> Stored<S> {
    fn map<T>(self, intern: &mut impl FnMut(S) -> T) -> Stored<T> {
        match self {
            Stored::Absent => Stored::Absent,
            Stored::Null => Stored::Null,
            Stored::Text(text) => Stored::Text(intern(text)),
        }
    }

    /// Whether the key is there, `null` or not.
    pub fn present(&self) -> bool {
        !matches!(self, Stored::Absent)
    }
}

/// What `metadata.tool_calls` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ToolCalls {
    /// No such key.
    #[default]
    Absent,
    /// A list, to which the legacy path appends.
    List,
    /// Anything else, on which it fails.
    Other,
}

/// Yes-or-no facts of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Marks {
    /// `metadata.display` is `root`.
    pub display_root: bool,
    /// `metadata.display` is `runtime`.
    pub display_runtime: bool,
    /// `metadata.type` is `status`.
    pub type_status: bool,
    /// `metadata.function` is `attach`.
    pub function_attach: bool,
    /// `metadata.function` is there, whatever it says.
    pub function_present: bool,
    /// The node's name is `attach`.
    pub name_attach: bool,
    /// The name is `context/…` other than `context/summary`.
    pub context_row: bool,
    /// A compaction summary.
    pub summary: bool,
    /// `metadata.rewound` is truthy.
    pub rewound: bool,
    /// `metadata.source` is `agent_spawn`.
    pub source_spawn: bool,
    /// `metadata.source` is `task_followup`.
    pub source_followup: bool,
    /// `metadata.spawn_branch_root` is truthy.
    pub spawn_branch_root: bool,
    /// The row's content would be neither a string nor falsy.
    pub content_not_text: bool,
    /// `metadata.created_at` is there.
    pub created_override: bool,
    /// `metadata.extra` is there.
    pub extra: bool,
    /// `metadata.duration_seconds` is infinite.
    pub endless: bool,
}

/// The fields of a node that decide where it stands. `S` is a place in the chunk while files are read, a symbol afterwards.
#[derive(Clone, Copy, Debug)]
pub struct Spine<S> {
    /// The id.
    pub id: S,
    /// The id was made up, for the file has none.
    pub numbered: bool,
    /// The role.
    pub role: Role,
    /// The role's name where this reader does not know it; `None` if it is empty.
    pub other_role: Option<S>,
    /// The first letter of the role; NUL where there is none.
    pub letter: char,
    /// The sequence number as stored.
    pub seq: Option<Number>,
    /// Generation 1: the call edge; `None` if absent, `null` or empty.
    pub called_by: Option<S>,
    /// Generation 2: the call edge.
    pub caller: Option<S>,
    /// Generation 1: the recorded conversation edge, `metadata.parent_id`.
    pub parent_id: Stored<S>,
    /// Generation 2: the recorded conversation edge.
    pub predecessor: Stored<S>,
    /// `metadata.forked_from`; `None` if absent, `null` or empty.
    pub forked_from: Option<S>,
    /// `metadata.id`, which renames a legacy row.
    pub row_id: Stored<S>,
    /// `metadata.role`, which renames a legacy row's role.
    pub row_role: Stored<S>,
    /// `metadata.called_by`.
    pub row_called_by: Option<S>,
    /// The commit that an attach card embeds.
    pub commit: Option<S>,
    /// `metadata.tool_calls`.
    pub tool_calls: ToolCalls,
    /// Yes-or-no facts.
    pub marks: Marks,
}

impl<S> Spine<S> {
    /// The same spine with every text replaced.
    pub(super) fn map<T>(self, intern: &mut impl FnMut(S) -> T) -> Spine<T> {
        Spine {
            id: intern(self.id),
            numbered: self.numbered,
            role: self.role,
            other_role: self.other_role.map(&mut *intern),
            letter: self.letter,
            seq: self.seq,
            called_by: self.called_by.map(&mut *intern),
            caller: self.caller.map(&mut *intern),
            parent_id: self.parent_id.map(intern),
            predecessor: self.predecessor.map(intern),
            forked_from: self.forked_from.map(&mut *intern),
            row_id: self.row_id.map(intern),
            row_role: self.row_role.map(intern),
            row_called_by: self.row_called_by.map(&mut *intern),
            commit: self.commit.map(&mut *intern),
            tool_calls: self.tool_calls,
            marks: self.marks,
        }
    }
}

/// A node of a snapshot.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The fields that walks need.
    pub spine: Spine<Sym>,
    /// The sequence number that orders the node: the stored one, or the file name's.
    pub seq: Number,
    /// The whole JSON object.
    pub(super) body: Text,
    /// Where the members of that object end.
    pub(super) outline: Outline,
    /// Which file it came from.
    pub(super) file: u32,
    /// The file holds values that ordinary JSON can not carry.
    pub(super) odd: bool,
}

impl std::ops::Deref for Node {
    type Target = Spine<Sym>;

    fn deref(&self) -> &Spine<Sym> {
        &self.spine
    }
}

/// A node's place in the list of files: every copy of an id has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeIx(Dense);

impl NodeIx {
    /// The place with a dense number.
    pub(super) fn new(index: usize) -> Self {
        NodeIx(Dense::new(index))
    }

    /// The dense number.
    pub fn index(self) -> usize {
        self.0.index()
    }
}
