//! One node file's text → its spine.

use super::super::attach::attach_text;
use super::super::json::{Kind, Notes, Raw, Scanner, SyntaxError, strip};
use super::super::node::{Marks, Role, Spine, Stored, ToolCalls};
use super::super::number::Number;
use super::super::outline::{Outline, Outlines};
use super::super::snapshot::Refusal;
use super::super::symbol::Span;

/// What a node file's text turned out to be.
#[derive(Clone, Copy)]
pub(in crate::dag) struct Parsed {
    /// The spine; `None` if the text is no JSON object.
    pub(in crate::dag) spine: Option<Spine<Span>>,
    /// Where the members of the object end.
    pub(in crate::dag) outline: Outline,
    /// `seq` is a boolean: a number for the legacy program alone.
    pub(in crate::dag) seq_is_bool: bool,
    /// `metadata` is truthy and no object.
    pub(in crate::dag) bad_metadata: bool,
    /// The file holds a value that ordinary tools do not keep or of a type that no writer uses.
    pub(in crate::dag) odd: bool,
    /// Why the legacy program refuses the whole session for this file.
    pub(in crate::dag) refusal: Option<Refusal>,
}

impl Parsed {
    /// A file that gives no node.
    pub(super) fn none(odd: bool, refusal: Option<Refusal>) -> Self {
        Parsed { spine: None, outline: Outline::default(), seq_is_bool: false, bad_metadata: false, odd, refusal }
    }
}

/// Turns words into places behind the files of a chunk.
pub(super) struct Places<'a> {
    pub(super) text: &'a str,
    pub(super) decoded: &'a mut String,
    pub(super) outlines: &'a mut Outlines,
}

impl Places<'_> {
    /// The place of a slice of this chunk.
    pub(super) fn slice(&self, part: &str) -> Span {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        self.at(start, part.len())
    }

    /// The place of a text that stands nowhere yet.
    pub(super) fn decoded(&mut self, text: &str) -> Span {
        let start = self.text.len() + self.decoded.len();
        self.decoded.push_str(text);
        self.at(start, text.len())
    }

    fn at(&self, start: usize, length: usize) -> Span {
        let number = |value| u32::try_from(value).unwrap_or(u32::MAX);
        Span { start: number(start), length: number(length) }
    }

    /// A string's text; anything else stands as its JSON text.
    fn word(&mut self, raw: Raw<'_>) -> Span {
        self.decoded(&raw.string().unwrap_or(raw.as_text().into()))
    }

    fn truthy_word(&mut self, raw: Option<Raw<'_>>) -> Option<Span> {
        raw.filter(|raw| raw.truthy()).map(|raw| self.word(raw))
    }

    fn stored(&mut self, raw: Option<Raw<'_>>) -> Stored<Span> {
        match raw {
            None => Stored::Absent,
            Some(raw) if raw.is_null() => Stored::Null,
            Some(raw) => Stored::Text(self.word(raw)),
        }
    }
}

/// Stands in for a missing id until it gets a number.
const NO_ID: Raw<'static> = Raw::EMPTY;

#[derive(Default)]
struct Fields<'a> {
    id: Option<Raw<'a>>,
    seq: Option<Raw<'a>>,
    role: Option<Raw<'a>>,
    name: Option<Raw<'a>>,
    output: Option<Raw<'a>>,
    called_by: Option<Raw<'a>>,
    caller: Option<Raw<'a>>,
    predecessor: Option<Raw<'a>>,
    created_at: Option<Raw<'a>>,
    bad_metadata: bool,
    metadata: Metadata<'a>,
}

#[derive(Default)]
struct Metadata<'a> {
    parent_id: Option<Raw<'a>>,
    id: Option<Raw<'a>>,
    role: Option<Raw<'a>>,
    called_by: Option<Raw<'a>>,
    forked_from: Option<Raw<'a>>,
    function: Option<Raw<'a>>,
    display: Option<Raw<'a>>,
    kind: Option<Raw<'a>>,
    source: Option<Raw<'a>>,
    rewound: Option<Raw<'a>>,
    spawn_branch_root: Option<Raw<'a>>,
    tool_calls: Option<Raw<'a>>,
    content: Option<Raw<'a>>,
    created_at: Option<Raw<'a>>,
    timestamp: Option<Raw<'a>>,
    duration: Option<Raw<'a>>,
    extra: Option<Raw<'a>>,
    attach: Option<Raw<'a>>,
    /// A key that no walk needs has a type that no writer uses.
    odd: bool,
}

/// Reads one file's text.
pub(super) fn parse(file: &str, places: &mut Places<'_>) -> Parsed {
    let mut scanner = Scanner::new(file);
    let start = places.outlines.start();
    match scan(&mut scanner, places) {
        Ok(Some(fields)) => Parsed { outline: places.outlines.finish(start), ..interpret(&fields, scanner.notes(), places) },
        Ok(None) => Parsed::none(scanner.notes().odd, Some(Refusal::NotAnObject)),
        Err(_) => {
            let notes = scanner.notes();
            Parsed::none(notes.odd, notes.beyond_legacy.then_some(Refusal::BeyondLimits))
        }
    }
}

/// `None`: well-formed, but no object.
fn scan<'a>(scanner: &mut Scanner<'a>, places: &mut Places<'_>) -> Result<Option<Fields<'a>>, SyntaxError> {
    if !scanner.take(b'{') {
        scanner.value()?;
        scanner.end()?;
        return Ok(None);
    }
    let mut fields = Fields::default();
    let mut first = true;
    scanner.set_outer(1);
    while let Some(key) = scanner.next_key(first)? {
        first = false;
        if key == "metadata" {
            places.outlines.start_metadata(scanner.token_at());
            fields.metadata = Metadata::default();
            fields.bad_metadata = scan_metadata(scanner, &mut fields.metadata, places)?;
            places.outlines.add(scanner.offset());
            continue;
        }
        let value = scanner.value()?;
        places.outlines.add(scanner.offset());
        let place = match key.as_ref() {
            "id" => &mut fields.id,
            "seq" => &mut fields.seq,
            "role" => &mut fields.role,
            "name" => &mut fields.name,
            "output" => &mut fields.output,
            "called_by" => &mut fields.called_by,
            "caller" => &mut fields.caller,
            "predecessor" => &mut fields.predecessor,
            "created_at" => &mut fields.created_at,
            _ => continue,
        };
        *place = Some(value);
    }
    scanner.set_outer(0);
    scanner.end()?;
    Ok(Some(fields))
}

/// Whether the metadata is truthy and no object.
fn scan_metadata<'a>(scanner: &mut Scanner<'a>, fields: &mut Metadata<'a>, places: &mut Places<'_>) -> Result<bool, SyntaxError> {
    if !scanner.take(b'{') {
        return Ok(scanner.value()?.truthy());
    }
    let mut first = true;
    scanner.set_outer(2);
    while let Some(key) = scanner.next_key(first)? {
        first = false;
        let value = scanner.value()?;
        places.outlines.add_metadata(scanner.offset());
        let place = match key.as_ref() {
            "parent_id" => &mut fields.parent_id,
            "id" => &mut fields.id,
            "role" => &mut fields.role,
            "called_by" => &mut fields.called_by,
            "forked_from" => &mut fields.forked_from,
            "function" => &mut fields.function,
            "display" => &mut fields.display,
            "type" => &mut fields.kind,
            "source" => &mut fields.source,
            "rewound" => &mut fields.rewound,
            "spawn_branch_root" => &mut fields.spawn_branch_root,
            "tool_calls" => &mut fields.tool_calls,
            "content" => &mut fields.content,
            "created_at" => &mut fields.created_at,
            "timestamp" => &mut fields.timestamp,
            "duration_seconds" => &mut fields.duration,
            "extra" => &mut fields.extra,
            "attach" => &mut fields.attach,
            "caller" | "session_id" | "tool_call_id" | "token_model" => {
                fields.odd |= !text_or_null(Some(value));
                continue;
            }
            _ => continue,
        };
        *place = Some(value);
    }
    scanner.set_outer(1);
    Ok(false)
}

fn text_or_null(raw: Option<Raw<'_>>) -> bool {
    raw.is_none_or(|raw| matches!(raw.kind(), Kind::Null | Kind::String))
}

fn number_or_null(raw: Option<Raw<'_>>) -> bool {
    raw.is_none_or(|raw| matches!(raw.kind(), Kind::Null | Kind::Number))
}

fn is(raw: Option<Raw<'_>>, word: &str) -> bool {
    raw.and_then(Raw::string).is_some_and(|text| text == word)
}

fn interpret(fields: &Fields<'_>, notes: Notes, places: &mut Places<'_>) -> Parsed {
    let metadata = &fields.metadata;
    let role_text = fields.role.and_then(Raw::string);
    let role = match role_text.as_deref() {
        Some("user") => Role::User,
        Some("llm") => Role::Llm,
        Some("code") => Role::Code,
        Some(_) | None => Role::Other,
    };
    let id = fields.id.filter(|id| !id.is_null());
    let spine = Spine {
        id: places.word(id.unwrap_or(NO_ID)),
        numbered: id.is_none(),
        role,
        other_role: if role == Role::Other { places.truthy_word(fields.role) } else { None },
        letter: role_text.as_deref().and_then(|role| role.chars().next()).unwrap_or('\0'),
        seq: fields.seq.and_then(stored_seq),
        called_by: places.truthy_word(fields.called_by),
        caller: places.truthy_word(fields.caller),
        parent_id: places.stored(metadata.parent_id),
        predecessor: places.stored(fields.predecessor),
        forked_from: places.truthy_word(metadata.forked_from),
        row_id: places.stored(metadata.id),
        row_role: places.stored(metadata.role),
        row_called_by: places.truthy_word(metadata.called_by),
        commit: commit(fields, places),
        tool_calls: match metadata.tool_calls.map(Raw::kind) {
            None => ToolCalls::Absent,
            Some(Kind::List) => ToolCalls::List,
            Some(Kind::Null | Kind::Bool | Kind::Number | Kind::String | Kind::Object) => ToolCalls::Other,
        },
        marks: marks(fields, role),
    };
    Parsed {
        seq_is_bool: fields.seq.is_some_and(|seq| seq.kind() == Kind::Bool),
        spine: Some(spine),
        outline: Outline::default(),
        bad_metadata: fields.bad_metadata,
        odd: notes.odd || odd_types(fields),
        refusal: refusal(fields, notes),
    }
}

/// The sequence number as the legacy program counts it: booleans are numbers.
fn stored_seq(raw: Raw<'_>) -> Option<Number> {
    match raw.kind() {
        Kind::Bool => Some(Number::Int(i64::from(raw.truthy()))),
        Kind::Null | Kind::Number | Kind::String | Kind::List | Kind::Object => Number::read(raw),
    }
}

fn marks(fields: &Fields<'_>, role: Role) -> Marks {
    let metadata = &fields.metadata;
    let name = fields.name.and_then(Raw::string).unwrap_or_default();
    let content = match role {
        Role::User | Role::Llm => metadata.content.or(fields.output),
        Role::Code => metadata.content,
        Role::Other => None,
    };
    Marks {
        display_root: is(metadata.display, "root"),
        display_runtime: is(metadata.display, "runtime"),
        type_status: is(metadata.kind, "status"),
        function_attach: is(metadata.function, "attach"),
        function_present: metadata.function.is_some(),
        name_attach: name == "attach",
        context_row: name.starts_with("context/") && name != "context/summary",
        summary: is(metadata.kind, "compactionSummary") || name == "context/summary",
        rewound: metadata.rewound.is_some_and(Raw::truthy),
        source_spawn: is(metadata.source, "agent_spawn"),
        source_followup: is(metadata.source, "task_followup"),
        spawn_branch_root: metadata.spawn_branch_root.is_some_and(Raw::truthy),
        content_not_text: content.is_some_and(|content| content.kind() != Kind::String && content.truthy()),
        created_override: metadata.created_at.is_some(),
        extra: metadata.extra.is_some(),
        endless: metadata.duration.is_some_and(endless),
    }
}

/// Whether Python's `float()` of a duration is infinite.
fn endless(duration: Raw<'_>) -> bool {
    duration.number().is_infinite()
        || duration.string().is_some_and(|text| strip(&text).replace('_', "").parse::<f64>().is_ok_and(f64::is_infinite))
}

/// `legacy.md` §8: the commit that an attach card names.
fn commit(fields: &Fields<'_>, places: &mut Places<'_>) -> Option<Span> {
    let metadata = &fields.metadata;
    let attach = is(metadata.function, "attach") || (metadata.function.is_none() && is(fields.name, "attach"));
    let id = attach.then(|| attach_text(metadata.attach, metadata.extra, "source_commit_id")).flatten()?;
    (!id.is_empty()).then(|| places.decoded(&id))
}

/// Types that make a session odd (`legacy.md`, "Plain and odd").
fn odd_types(fields: &Fields<'_>) -> bool {
    let metadata = &fields.metadata;
    let texts = [
        fields.id,
        fields.role,
        fields.name,
        fields.called_by,
        metadata.id,
        metadata.role,
        metadata.parent_id,
        metadata.called_by,
        metadata.function,
        metadata.display,
        metadata.kind,
        metadata.source,
        metadata.forked_from,
    ];
    let numbers = [fields.created_at, metadata.created_at, metadata.timestamp, metadata.duration];
    let seq = fields.seq.is_none_or(|seq| seq.is_null() || Number::read(seq).is_some_and(Number::is_integer));
    metadata.odd
        || !texts.into_iter().all(text_or_null)
        || !numbers.into_iter().all(number_or_null)
        || !seq
        || metadata.tool_calls.is_some_and(|calls| calls.kind() != Kind::List)
}

/// `legacy.md` §1.7: the type errors that cost the whole session.
fn refusal(fields: &Fields<'_>, notes: Notes) -> Option<Refusal> {
    let unhashable = |raw: Option<Raw<'_>>| raw.is_some_and(|raw| matches!(raw.kind(), Kind::List | Kind::Object));
    let truthy_unhashable = |raw: Option<Raw<'_>>| unhashable(raw.filter(|raw| raw.truthy()));
    if notes.beyond_legacy {
        Some(Refusal::BeyondLimits)
    } else if fields.bad_metadata {
        Some(Refusal::Metadata)
    } else if fields.seq.is_some_and(|seq| !seq.is_null() && stored_seq(seq).is_none()) {
        Some(Refusal::Seq)
    } else if unhashable(fields.id) || truthy_unhashable(fields.metadata.parent_id) || truthy_unhashable(fields.called_by) {
        Some(Refusal::Unhashable)
    } else {
        None
    }
}
