//! A session as read at one instant: frozen, indexed, digested.

use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::edges::{Edges, Place};
use super::fault::Fault;
use super::json::Raw;
use super::names::Names;
use super::node::{Node, NodeIx};
use super::read::{Meta, Records};
use super::symbol::{Chunks, Sym, Symbols, Text};

/// Why the legacy program refuses to open a session (`legacy.md` §1): it answers with its stub frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A file is not UTF-8.
    InvalidUtf8,
    /// A file is nested too deep or holds an integer of more than 4 300 digits.
    BeyondLimits,
    /// A node file holds JSON that is no object.
    NotAnObject,
    /// `metadata` is truthy and no object.
    Metadata,
    /// `seq` is no number.
    Seq,
    /// An id or edge is a list or an object.
    Unhashable,
    /// `meta.json` is truthy and no object.
    Meta,
}

/// What a snapshot is made from.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) chunks: Chunks,
    pub(super) names: Names,
    pub(super) records: Records,
    pub(super) meta: Meta,
    pub(super) commits: BTreeMap<String, Option<Text>>,
}

/// The stored head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredHead {
    /// The id.
    pub id: Sym,
    /// It is a list or object, on which the legacy program fails.
    pub unhashable: bool,
}

/// What was derived from a snapshot, by key type.
type Memo = Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>;

/// One session as read at one instant. No rung can alter it.
pub struct Snapshot {
    pub(super) session_id: String,
    pub(super) directory: PathBuf,
    pub(super) chunks: Chunks,
    pub(super) symbols: Symbols,
    pub(super) names: Names,
    pub(super) nodes: Vec<Node>,
    pub(super) last: Vec<Option<NodeIx>>,
    pub(super) edges: Edges,
    pub(super) meta: Option<Text>,
    pub(super) head: Option<StoredHead>,
    pub(super) commits: BTreeMap<String, Option<Text>>,
    pub(super) faults: Vec<Fault>,
    pub(super) refusal: Option<Refusal>,
    pub(super) odd: bool,
    pub(super) digest: u128,
    pub(super) now: f64,
    pub(super) memo: Memo,
}

impl Snapshot {
    /// Indexes what was read.
    pub(super) fn index(session_id: String, directory: PathBuf, sources: Sources, no_git: bool, unstable: bool) -> Self {
        super::index::index(session_id, directory, sources, no_git, unstable)
    }

    pub(super) fn memo_slot() -> Memo {
        Mutex::new(HashMap::new())
    }

    /// The session's id.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The directory it was read from; empty for one in memory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Every node of every readable file, in list order (by file name), copies of an id included.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node.
    pub fn node(&self, at: NodeIx) -> &Node {
        &self.nodes[at.index()]
    }

    /// The nodes' places in list order.
    pub fn list(&self) -> impl DoubleEndedIterator<Item = NodeIx> + ExactSizeIterator + use<> {
        (0..self.nodes.len()).map(NodeIx::new)
    }

    /// The nodes that count (one an id) by key, with their edges resolved.
    pub fn edges(&self) -> &Edges {
        &self.edges
    }

    /// The node that counts at a place in key order.
    pub fn at(&self, place: Place) -> &Node {
        self.node(self.edges.node(place))
    }

    /// The last copy in list order of the node with an id.
    pub fn last_with_id(&self, id: Sym) -> Option<NodeIx> {
        self.last[id.index()]
    }

    /// The place of the node with an id.
    pub fn place(&self, id: Sym) -> Option<Place> {
        self.edges.place(self.last_with_id(id)?)
    }

    /// A symbol's text.
    pub fn text(&self, sym: Sym) -> &str {
        self.symbols.text(&self.chunks, sym)
    }

    /// The symbol of a text, if any node or edge has it.
    pub fn symbol(&self, text: &str) -> Option<Sym> {
        self.symbols.find(&self.chunks, text)
    }

    /// How many symbols there are; their numbers are smaller.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// A node's whole JSON object.
    pub fn body(&self, node: &Node) -> Raw<'_> {
        Raw::known(self.chunks.text(node.body))
    }

    /// Whether a node's file holds values that plain JSON can not carry.
    pub fn is_odd_node(&self, node: &Node) -> bool {
        node.odd
    }

    /// The name of a node's file.
    pub fn file_name(&self, node: &Node) -> Cow<'_, str> {
        self.names.text(node.file as usize)
    }

    /// `meta.json`'s object, if there is one.
    pub fn meta(&self) -> Option<Raw<'_>> {
        Some(Raw::known(self.chunks.text(self.meta?)))
    }

    /// The head that the session stores, if it is not empty.
    pub fn head(&self) -> Option<StoredHead> {
        self.head
    }

    /// The JSON value in the commit file that a card refers to.
    pub fn commit(&self, id: &str) -> Option<Raw<'_>> {
        Some(Raw::known(self.chunks.text((*self.commits.get(id)?)?)))
    }

    /// What is wrong with the files, in order. (`history::faults` adds what the walks find.)
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Why the legacy program refuses the session, if it does.
    pub fn refusal(&self) -> Option<Refusal> {
        self.refusal
    }

    /// Whether the session holds odd values: its trials are `unsupported`.
    pub fn is_odd(&self) -> bool {
        self.odd
    }

    /// A fast 128-bit hash of the names and bytes of all files.
    pub fn digest(&self) -> u128 {
        self.digest
    }

    /// When the snapshot was taken, in seconds since 1970; stands in for times that nodes do not have. Not part of the digest.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// The same snapshot with another stored head. An id that no node or edge has is no head: `None`.
    pub fn with_head(mut self, id: &str) -> Option<Self> {
        let id = self.symbol(id).filter(|id| self.last_with_id(*id).is_some())?;
        self.head = Some(StoredHead { id, unhashable: false });
        self.memo = Self::memo_slot();
        Some(self)
    }

    /// A value derived from this snapshot alone, made at the first call for the key type `K` and kept.
    pub fn memo<K: Any, T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let made: Result<_, Infallible> = self.try_memo::<K, T, _>(|| Ok(make()));
        match made {
            Ok(kept) => kept,
        }
    }

    /// The same for what can fail. A failure is not kept.
    pub fn try_memo<K: Any, T: Any + Send + Sync, E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let kept = || self.memo.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept().get(&TypeId::of::<K>()).cloned().and_then(|kept| kept.downcast::<T>().ok()) {
            return Ok(found);
        }
        let made = Arc::new(make()?);
        kept().insert(TypeId::of::<K>(), made.clone());
        Ok(made)
    }
}
