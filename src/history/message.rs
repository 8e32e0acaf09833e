//! What a rung makes of a snapshot: the list that is served, as decisions about nodes, before any text is read.

use std::ops::Range;

use crate::dag::{NodeIx, Sym};
use crate::step::Rung;

use super::error::HistoryError;

/// The compared and served value.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// The rung that made it.
    pub rung: Rung,
    /// The head as sent; `None` is `null`.
    pub head: Option<Sym>,
    /// What a reader sees, first message first.
    pub messages: Vec<Message>,
    /// The tool rows that were folded; each message names its part.
    pub tools: Vec<NodeIx>,
    /// `spawned_from` of messages, in their order; of several for one message the last counts.
    pub spawned_from: Vec<SpawnedFrom>,
    /// Whether the list came through the `get_branch` fallback.
    pub fallback_used: bool,
    /// The rung answers with this error instead of messages.
    pub error: Option<HistoryError>,
}

/// One message of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The node whose row it is: the very copy.
    pub node: NodeIx,
    /// What the row looks like.
    pub form: Form,
    /// The message is part of the conversation, not a card or placeholder set beside it.
    pub on_chain: bool,
    /// Where its folded tool rows stand in [`History::tools`].
    pub tools: (u32, u32),
    /// What is served as `parent_id`.
    pub pointer: Pointer,
    /// Its place among its versions.
    pub siblings: Siblings,
}

/// What a row looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A row after tool rows were folded.
    Row,
    /// A row that came through the fallback: without `tool_calls` and `blocks` of its own making.
    Unfolded,
    /// A function run as a card with its call tree.
    Card,
}

/// What is served as `parent_id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// As the legacy row has it: `called_by`, with the recorded edge on top; `""` on a card.
    Legacy,
    /// This id, or `null`.
    Is(Option<Sym>),
    /// No such key.
    Omitted,
}

/// A message's place among its versions, and where the arrows lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Siblings {
    /// From 1; 0 for a row that has no place.
    pub index: u32,
    /// How many there are.
    pub total: u32,
    /// The leaf of the version before.
    pub previous: Option<Sym>,
    /// The leaf of the version after.
    pub next: Option<Sym>,
}

/// From where a spawned branch started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpawnedFrom {
    /// The message, by index.
    pub message: usize,
    /// The row that started it.
    pub caller: Sym,
    /// The attach row that holds the label.
    pub attach: NodeIx,
}

impl History {
    /// From where the branch that begins with a message started.
    pub fn spawned_from(&self, index: usize) -> Option<&SpawnedFrom> {
        let end = self.spawned_from.partition_point(|from| from.message <= index);
        self.spawned_from[..end].last().filter(|from| from.message == index)
    }
}

impl Message {
    /// Its folded tool rows.
    pub fn tools<'h>(&self, history: &'h History) -> &'h [NodeIx] {
        let (start, end) = self.tools;
        history.tools.get(Range { start: start as usize, end: end as usize }).unwrap_or_default()
    }
}
