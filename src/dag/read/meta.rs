//! `meta.json`: which head the session has, and what else the chat app is told of it.

use std::io;

use super::super::json::{Kind, Raw, Scanner};
use super::super::snapshot::Refusal;
use super::super::symbol::{Chunks, Text};
use super::os::{Directory, is_shortage};
use super::unit::digest;

/// The head that a session stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dag) struct Head {
    /// Its text; an odd value stands as its JSON text.
    pub(in crate::dag) text: Text,
    /// A list or object, on which the legacy program fails.
    pub(in crate::dag) unhashable: bool,
}

/// What `meta.json` says.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::dag) struct Meta {
    /// The JSON object; `None` if there is none.
    pub(in crate::dag) body: Option<Text>,
    /// `head_id`, or `last_node_id` where that is falsy.
    pub(in crate::dag) head: Option<Head>,
    /// The file is there and holds no JSON object.
    pub(in crate::dag) bad: bool,
    /// It holds values that ordinary tools do not keep.
    pub(in crate::dag) odd: bool,
    /// Why the legacy program refuses the session.
    pub(in crate::dag) refusal: Option<Refusal>,
    /// The hash of the file's bytes, JSON or not; `None` if there is no file that can be read.
    pub(in crate::dag) digest: Option<u128>,
}

impl Meta {
    /// Reads the file of a session; a missing one is an empty store.
    pub(super) fn read(session: &Directory, chunks: &mut Chunks) -> io::Result<Self> {
        let mut bytes = Vec::new();
        match session.read(c"meta.json", &mut bytes) {
            Ok(_) => Ok(Meta::of_bytes(bytes, chunks)),
            Err(error) if is_shortage(&error) => Err(error),
            Err(_) => Ok(Meta { bad: session.has(c"meta.json"), ..Meta::default() }),
        }
    }

    /// Interprets the file's bytes.
    pub(super) fn of_bytes(bytes: Vec<u8>, chunks: &mut Chunks) -> Self {
        let digest = Some(digest(&bytes));
        Meta { digest, ..Meta::interpret(bytes, chunks) }
    }

    fn interpret(bytes: Vec<u8>, chunks: &mut Chunks) -> Self {
        let bad = Meta { bad: true, ..Meta::default() };
        let Ok(text) = String::from_utf8(bytes) else {
            return Meta { refusal: Some(Refusal::InvalidUtf8), ..bad };
        };
        let mut scanner = Scanner::new(&text);
        let whole = scanner.value().and_then(|value| scanner.end().map(|()| value));
        let notes = scanner.notes();
        let refusal = notes.beyond_legacy.then_some(Refusal::BeyondLimits);
        let Ok(value) = whole else {
            return Meta { refusal, ..bad };
        };
        match value.kind() {
            Kind::Object => {
                let (head, odd_head) = head(value);
                let odd =
                    notes.odd || odd_head || value.member("title").is_some_and(|title| !matches!(title.kind(), Kind::Null | Kind::String));
                let head = head.map(|(word, unhashable)| Head { text: chunks.push_whole(word), unhashable });
                let body = Some(chunks.push_whole(text));
                Meta { body, head, odd, refusal, ..Meta::default() }
            }
            // By accident the legacy program takes a list of pairs for an object; what is in it is not worth the trouble.
            Kind::List if value.truthy() => {
                let pairs = value.items().all(is_pair);
                Meta { odd: true, refusal: refusal.or((!pairs).then_some(Refusal::Meta)), ..bad }
            }
            Kind::Null | Kind::Bool | Kind::Number | Kind::String | Kind::List => {
                Meta { refusal: refusal.or(value.truthy().then_some(Refusal::Meta)), odd: notes.odd, ..bad }
            }
        }
    }
}

/// The head, whether it is unhashable, and whether one of its two keys is odd.
fn head(meta: Raw<'_>) -> (Option<(String, bool)>, bool) {
    let keys = ["head_id", "last_node_id"].map(|key| meta.member(key));
    let odd = keys.iter().flatten().any(|raw| !matches!(raw.kind(), Kind::Null | Kind::String));
    let head = keys.into_iter().flatten().find(|raw| raw.truthy()).map(|raw| {
        let word = raw.string().unwrap_or(raw.as_text().into()).into_owned();
        (word, matches!(raw.kind(), Kind::List | Kind::Object))
    });
    (head, odd)
}

/// Whether Python's `dict()` takes the item for a key and a value.
fn is_pair(item: Raw<'_>) -> bool {
    match item.kind() {
        Kind::List => item.items().count() == 2 && item.items().next().is_some_and(|key| !matches!(key.kind(), Kind::List | Kind::Object)),
        Kind::String => item.string().is_some_and(|text| text.chars().count() == 2),
        Kind::Object => {
            let mut keys: Vec<_> = item.members().map(|(key, _)| key).collect();
            keys.sort_unstable();
            keys.dedup();
            keys.len() == 2
        }
        Kind::Null | Kind::Bool | Kind::Number => false,
    }
}
