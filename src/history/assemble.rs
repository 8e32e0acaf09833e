//! From a list of messages to what a reader sees: cards, tool calls, attachments, pointers, versions.

use super::kinds::Kind;
use super::message::{Form, History, Message, Pointer, Siblings, SpawnedFrom};
use super::target::Target;
use crate::dag::{Place, Snapshot, Sym};
use crate::step::Rung;

/// Whether `parent_id` is served.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pointers {
    /// As the target path has it.
    Served,
    /// Deprecated.
    Omitted,
}

/// Assembles the history of a rung above Ground.
pub(super) fn assemble(
    snapshot: &Snapshot,
    target: &Target,
    rung: Rung,
    head: Option<Sym>,
    chain: &[Place],
    pointers: Pointers,
) -> History {
    let mut history = History {
        rung,
        head,
        messages: Vec::with_capacity(chain.len()),
        tools: Vec::new(),
        spawned_from: Vec::new(),
        fallback_used: false,
        error: None,
    };
    let edges = snapshot.edges();
    let end = |history: &History| u32::try_from(history.tools.len()).unwrap_or(u32::MAX);
    for place in chain {
        let start = end(&history);
        history.tools.extend(target.tools(*place).iter().map(|tool| edges.node(*tool)));
        let before = target.preds.before(*place).map(|before| snapshot.at(before).id);
        let message = Message {
            node: edges.node(*place),
            form: if target.kinds.kind(*place) == Kind::Run { Form::Card } else { Form::Row },
            on_chain: true,
            tools: (start, end(&history)),
            pointer: pointers.pointer(before),
            siblings: target.versions.siblings(snapshot, *place),
        };
        for origin in target.origins(*place) {
            let attach = edges.node(origin.attach);
            history.spawned_from.push(SpawnedFrom { message: history.messages.len(), caller: origin.caller, attach });
        }
        history.messages.push(message);
        for beside in target.attached(*place) {
            let node = snapshot.at(*beside);
            let call = node.called_by.or(node.caller).unwrap_or(Sym::EMPTY);
            history.messages.push(Message {
                node: edges.node(*beside),
                form: Form::Row,
                on_chain: false,
                tools: (0, 0),
                pointer: pointers.pointer(Some(call)),
                siblings: Siblings::default(),
            });
        }
    }
    history
}

impl Pointers {
    fn pointer(self, id: Option<Sym>) -> Pointer {
        match self {
            Pointers::Served => Pointer::Is(id),
            Pointers::Omitted => Pointer::Omitted,
        }
    }
}
