//! From what was read to a snapshot: symbols, the copies that count, their order, faults, the digest.

use std::path::PathBuf;

use super::edges::{Call, Edges, Place, Recorded};
use super::fault::{Fault, FaultCode};
use super::names::Names;
use super::node::{Node, NodeIx};
use super::number::Number;
use super::read::{Records, digest};
use super::snapshot::{Snapshot, Sources, StoredHead};
use super::symbol::{Chunks, Sym, Symbols};

/// Makes the snapshot.
pub(super) fn index(session_id: String, directory: PathBuf, sources: Sources, no_git: bool, unstable: bool) -> Snapshot {
    let digest = sources.digest();
    let Sources { mut chunks, names, records, meta, commits } = sources;
    let mut symbols = Symbols::new(&mut chunks, records.len() + 16);
    let nodes = nodes(&names, &records, &mut chunks, &mut symbols);
    let head = meta.head.map(|head| StoredHead { id: symbols.intern(&chunks, head.text), unhashable: head.unhashable });
    let mut last: Vec<Option<NodeIx>> = vec![None; symbols.len()];
    for (at, node) in nodes.iter().enumerate() {
        last[node.id.index()] = Some(NodeIx::new(at));
    }
    let edges = Edges::resolve(&nodes, order(&nodes, &names, &chunks, &symbols), symbols.len());
    let odd = meta.odd || records.iter().any(|record| record.parsed.odd);
    let mut snapshot = Snapshot {
        session_id,
        directory,
        chunks,
        symbols,
        names,
        nodes,
        last,
        edges,
        meta: meta.body,
        head,
        commits,
        faults: Vec::new(),
        refusal: meta.refusal.or_else(|| records.iter().find_map(|record| record.parsed.refusal)),
        odd,
        digest,
        now: std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |since| since.as_secs_f64()),
        memo: Snapshot::memo_slot(),
    };
    let mut faults = file_faults(&snapshot, &records);
    faults.extend(node_faults(&snapshot));
    let whole = |code, file: Option<&str>| Fault { code, file: file.map(str::to_owned), node: None };
    faults.extend(meta.bad.then(|| whole(FaultCode::BadMeta, Some("meta.json"))));
    faults.extend(meta.odd.then(|| whole(FaultCode::OddValue, Some("meta.json"))));
    faults.extend(no_git.then(|| whole(FaultCode::NoGit, None)));
    faults.extend(unstable.then(|| whole(FaultCode::UnstableRead, None)));
    faults.sort_unstable();
    snapshot.faults = faults;
    snapshot
}

fn nodes(names: &Names, records: &Records, chunks: &mut Chunks, symbols: &mut Symbols) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(records.len());
    for (file, (record, name)) in (0..).zip(records.iter().zip(names.iter())) {
        let Some(spine) = record.parsed.spine else { continue };
        let seq =
            spine.seq.filter(|seq| seq.ordered() && !record.parsed.seq_is_bool).unwrap_or_else(|| Number::leading(&name.to_string_lossy()));
        let spine = spine.map(&mut |span| symbols.intern(chunks, span.in_chunk(record.body.chunk)));
        nodes.push(Node { spine, seq, body: record.body, outline: record.parsed.outline, file, odd: record.parsed.odd });
    }
    let mut number = 0;
    for node in nodes.iter_mut().filter(|node| node.spine.numbered) {
        node.spine.id = loop {
            number += 1;
            let id = format!("auto-id-{number}");
            if symbols.find(chunks, &id).is_none() {
                break symbols.intern_word(chunks, id);
            }
        };
    }
    nodes
}

/// The nodes that count, by key. Of two files with one id the one with the greater (leading number, name) counts.
fn order(nodes: &[Node], names: &Names, chunks: &Chunks, symbols: &Symbols) -> Vec<NodeIx> {
    let mut winner: Vec<Option<NodeIx>> = vec![None; symbols.len()];
    let name = |node: &Node| names.text(node.file as usize);
    let greater = |a: &Node, b: &Node| {
        let (a, b) = (name(a), name(b));
        Number::leading(&a).compare(Number::leading(&b)).then_with(|| a.cmp(&b)).is_ge()
    };
    for (at, node) in nodes.iter().enumerate() {
        let slot = &mut winner[node.id.index()];
        if slot.is_none_or(|old| greater(node, &nodes[old.index()])) {
            *slot = Some(NodeIx::new(at));
        }
    }
    let mut order: Vec<NodeIx> = (0..nodes.len()).map(NodeIx::new).filter(|at| winner[nodes[at.index()].id.index()] == Some(*at)).collect();
    let compare = |a: &NodeIx, b: &NodeIx| {
        let (a, b) = (&nodes[a.index()], &nodes[b.index()]);
        let ids = || symbols.text(chunks, a.id).cmp(symbols.text(chunks, b.id));
        a.seq.compare(b.seq).then(a.letter.cmp(&b.letter)).then_with(ids)
    };
    order.sort_by(compare);
    order
}

fn file_faults(snapshot: &Snapshot, records: &Records) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (record, name) in records.iter().zip(snapshot.names.iter()) {
        let parsed = &record.parsed;
        if parsed.spine.is_some() && !parsed.odd && !parsed.bad_metadata {
            continue;
        }
        let mut add = |code| faults.push(Fault { code, file: Some(format!("history/{}", name.to_string_lossy())), node: None });
        if parsed.spine.is_none() || parsed.bad_metadata {
            add(FaultCode::BadJson);
        }
        if parsed.odd {
            add(FaultCode::OddValue);
        }
    }
    for node in &snapshot.nodes {
        let record = &records.get(node.file as usize).parsed;
        if node.numbered || node.id == Sym::EMPTY {
            faults.push(fault(snapshot, FaultCode::NoId, node));
        }
        if node.spine.seq.is_none_or(|seq| !seq.ordered()) || record.seq_is_bool {
            faults.push(fault(snapshot, FaultCode::BadSeq, node));
        }
    }
    faults
}

fn node_faults(snapshot: &Snapshot) -> Vec<Fault> {
    let mut faults = Vec::new();
    let edges = &snapshot.edges;
    for (at, node) in snapshot.list().zip(&snapshot.nodes) {
        if edges.place(at).is_none_or(|place| edges.node(place) != at) {
            faults.push(fault(snapshot, FaultCode::DuplicateId, node));
        }
    }
    let mut before: Option<&Node> = None;
    for place in edges.places() {
        let node = snapshot.at(place);
        if before.is_some_and(|before| before.seq.compare(node.seq).is_eq()) {
            faults.push(fault(snapshot, FaultCode::DuplicateSeq, node));
        }
        before = Some(node);
        if matches!(edges.call(place), Call::Dangling(_)) {
            faults.push(fault(snapshot, FaultCode::DanglingEdge, node));
        }
        if matches!(edges.recorded(place), Recorded::Dangling(_)) {
            faults.push(fault(snapshot, FaultCode::DanglingEdge, node));
        }
    }
    faults
}

fn fault(snapshot: &Snapshot, code: FaultCode, node: &Node) -> Fault {
    Fault { code, file: Some(format!("history/{}", snapshot.file_name(node))), node: Some(snapshot.text(node.id).to_owned()) }
}

impl Snapshot {
    /// A fault of the node at a place.
    pub fn fault_at(&self, code: FaultCode, place: Place) -> Fault {
        fault(self, code, self.at(place))
    }
}

impl Sources {
    /// A fast 128-bit hash of the names and bytes of all files.
    pub(super) fn digest(&self) -> u128 {
        let mut bytes = Vec::with_capacity(self.records.len() * 40);
        let text = |text: Option<super::symbol::Text>| text.map_or(&b""[..], |text| self.chunks.text(text).as_bytes());
        let mut part = |name: &[u8], content: u128| {
            bytes.extend_from_slice(name);
            bytes.push(0);
            bytes.extend_from_slice(&content.to_le_bytes());
        };
        if let Some(content) = self.meta.digest {
            part(b"/meta.json", content);
        }
        for (name, record) in self.names.iter().zip(self.records.iter()) {
            part(name.to_bytes(), record.digest);
        }
        // No file is named with a slash: nothing in history/ is taken for what stands beside it.
        part(b"/commits", 0);
        for (id, commit) in &self.commits {
            part(id.as_bytes(), digest(text(*commit)));
        }
        digest(&bytes)
    }
}
