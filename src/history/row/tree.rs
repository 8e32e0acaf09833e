//! The call tree on a card (`legacy.md` §7), written without recursion.

use std::borrow::Cow;
use std::sync::Arc;

use super::source::{Source, json_text, object_text, str_text};
use crate::dag::json::{Kind, Raw, json_string};
use crate::dag::{Node, NodeIx, Number, Place, Role, Snapshot, Sym};
use crate::history::cancel::Cancel;
use crate::history::ground::sequence;
use crate::history::groups::{Groups, follow};
use crate::history::kinds::Kind as NodeKind;

/// Levels of nesting that readers of JSON can be trusted with. What is called deeper stands on this level.
const DEEPEST: usize = 490;

/// Who was called by whom, in the order of a card.
pub(in crate::history) struct Calls {
    called: Groups<NodeIx>,
    /// The node of each id; of copies the last one in this order.
    node: Vec<Option<NodeIx>>,
}

impl Calls {
    /// The calls of a snapshot: all of them, as the legacy path has it, or for the rungs above only what belongs inside a card.
    pub(super) fn of(snapshot: &Snapshot, own: bool) -> Arc<Calls> {
        struct Own;
        if own { snapshot.memo::<Own, _>(|| Calls::inside(snapshot)) } else { Calls::legacy(snapshot) }
    }

    /// Every call edge of generation 1, by sequence number, hidden and rewound rows included.
    pub(in crate::history) fn legacy(snapshot: &Snapshot) -> Arc<Calls> {
        struct Legacy;
        snapshot.memo::<Legacy, _>(|| {
            let numbers = sequence(snapshot);
            let mut order: Vec<NodeIx> = snapshot.list().collect();
            let by_number = |a: &NodeIx, b: &NodeIx| Number::compare(numbers[a.index()], numbers[b.index()]);
            if !order.is_sorted_by(|a, b| by_number(a, b).is_le()) {
                order.sort_by(by_number);
            }
            let called = order.iter().filter_map(|ix| Some((snapshot.node(*ix).called_by?, *ix)));
            Calls::new(snapshot, order.iter().copied(), called)
        })
    }

    /// The Internal nodes that are not rewound, by key; rings are cut.
    fn inside(snapshot: &Snapshot) -> Calls {
        let Ok(target) = crate::history::target(snapshot, &Cancel::new()) else {
            return Calls::new(snapshot, std::iter::empty(), std::iter::empty());
        };
        let edges = snapshot.edges();
        let rewound = |place: Place| snapshot.at(place).marks.rewound;
        // A step whose caller is rewound is shown under the nearest caller that is not.
        let shows = |place: Place| (!rewound(place) || target.kinds.kind(place).is_message()).then_some(place);
        let shown = follow(edges.len(), |place| target.kinds.caller(place), shows);
        let internal = edges.places().filter(|place| target.kinds.kind(*place) == NodeKind::Internal && !rewound(*place));
        let called = internal.filter_map(|place| {
            let caller = shown[target.kinds.caller(place)?.index()]?;
            Some((snapshot.at(caller).id, edges.node(place)))
        });
        Calls::new(snapshot, edges.places().map(|place| edges.node(place)), called)
    }

    /// Of `nodes` with one id the last one is the node of that id.
    fn new(snapshot: &Snapshot, nodes: impl Iterator<Item = NodeIx>, called: impl Iterator<Item = (Sym, NodeIx)>) -> Calls {
        let mut node = vec![None; snapshot.symbol_count()];
        for ix in nodes {
            node[snapshot.node(ix).id.index()] = Some(ix);
        }
        let called = called.map(|(caller, ix)| (caller.index(), ix)).collect();
        Calls { called: Groups::of_pairs(snapshot.symbol_count(), called), node }
    }

    /// The node with an id.
    fn node(&self, id: Sym) -> Option<NodeIx> {
        self.node[id.index()]
    }

    /// What a node called.
    pub(in crate::history) fn by(&self, caller: Sym) -> &[NodeIx] {
        self.called.under(caller.index())
    }
}

/// A list of calls that is being written.
struct Open<'a> {
    calls: &'a [NodeIx],
    next: usize,
    /// The list has brackets of its own; beyond the deepest level it continues the one around it.
    nested: bool,
}

/// The tree of the node with an id as JSON; `null` where there is none.
pub(super) fn context_tree(snapshot: &Snapshot, calls: &Calls, id: Option<Sym>) -> String {
    let Some(run) = id.and_then(|id| calls.node(id)) else { return "null".to_owned() };
    let mut out = String::new();
    let mut stack: Vec<Open<'_>> = Vec::new();
    let mut levels = 0;
    // Copies of a caller show what it called twice, and copies of copies again: that is bounded.
    let mut left = 4 * snapshot.nodes().len() + 1000;
    open(&mut out, snapshot, calls, run, &mut stack, &mut levels);
    while let Some(list) = stack.last_mut() {
        let Some(ix) = list.calls.get(list.next).copied().filter(|_| left > 0) else {
            if list.nested {
                out.push_str("]}");
                levels -= 1;
            }
            stack.pop();
            continue;
        };
        out.push_str(if list.next > 0 || !list.nested { ", " } else { "" });
        list.next += 1;
        left -= 1;
        open(&mut out, snapshot, calls, ix, &mut stack, &mut levels);
    }
    out
}

/// Writes a node, and opens the list of what it called.
fn open<'a>(out: &mut String, snapshot: &Snapshot, calls: &'a Calls, ix: NodeIx, stack: &mut Vec<Open<'a>>, levels: &mut usize) {
    let node = snapshot.node(ix);
    write_node(out, snapshot, node);
    let below = calls.by(node.id);
    let nested = !below.is_empty() && *levels < DEEPEST;
    if nested {
        out.push_str(", \"children\": [");
        *levels += 1;
    } else {
        out.push('}');
    }
    if !below.is_empty() {
        stack.push(Open { calls: below, next: 0, nested });
    }
}

/// A node's own fields, its brace left open.
fn write_node(out: &mut String, snapshot: &Snapshot, node: &Node) {
    let source = Source::of(snapshot, node);
    let plain = |raw: Raw<'_>| source.written(raw).into_owned();
    let first = |values: [Option<String>; 2], or: &str| values.into_iter().flatten().next().unwrap_or_else(|| json_string(or));
    let truthy = |raw: Option<Raw<'_>>| raw.filter(|raw| raw.truthy()).map(plain);
    let status = source.meta("status").filter(|status| status.truthy());
    out.push('{');
    let mut add = |key: &str, json: &str| {
        out.push_str(if out.ends_with('{') { "" } else { ", " });
        out.push_str(&json_string(key));
        out.push_str(": ");
        out.push_str(json);
    };
    add("path", &json_string(snapshot.text(node.id)));
    add("name", &first([truthy(source.name), truthy(source.role)], "node"));
    add("status", &first([status.map(plain), None], "completed"));
    if let Some(milliseconds) = source.meta("duration_seconds").and_then(milliseconds) {
        add("duration_ms", &milliseconds);
    }
    if status.and_then(Raw::string).as_deref() == Some("error") {
        let error = source.output.filter(|output| output.truthy()).or_else(|| source.meta("error"));
        add("error", &json_string(&str_text(error)));
    }
    if node.role == Role::Llm {
        let compound = source.input.filter(|input| matches!(input.kind(), Kind::List | Kind::Object));
        let text = compound.map_or_else(|| str_text(source.input), json_text);
        add("node_type", "\"exec\"");
        add("params", &format!("{{\"_content\": {}}}", json_string(&text)));
        add("raw_reply", &json_string(&str_text(source.output)));
    } else {
        if let Some(input) = source.input.filter(|input| input.kind() == Kind::Object) {
            add("params", &params(&source, input));
        }
        let output = source.output_text().string().map_or_else(String::new, Cow::into_owned);
        add("output", &json_string(&output));
    }
}

/// A function's arguments without what the program passes for itself.
fn params(source: &Source<'_>, input: Raw<'_>) -> String {
    let passed = |key: &str| key != "runtime" && key != "callback";
    object_text(input.members().filter(|(key, _)| passed(key)).map(|(key, value)| (key, source.written(value))))
}

/// A duration in whole milliseconds, as Python's `int(float(value) * 1000)`.
fn milliseconds(duration: Raw<'_>) -> Option<String> {
    let seconds = match duration.string() {
        Some(text) => crate::dag::json::strip(&text).replace('_', "").parse().ok()?,
        None if matches!(duration.kind(), Kind::Number | Kind::Bool) => duration.number(),
        None => return None,
    };
    let milliseconds: f64 = seconds * 1000.0;
    milliseconds.is_finite().then(|| format!("{:.0}", milliseconds.trunc() + 0.0))
}
