//! Random sessions: every 24 bytes become one node, with edges, flags and damage of every kind.
//!
//! The property tests and the fuzz crate both include this file. Zero bytes give the plainest node, so that a
//! smaller input is a simpler session.

use std::fmt::Write;

/// Bytes that make one node; as many in front make `meta.json`.
pub(crate) const NODE: usize = 24;

/// What may occur in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wild {
    /// Any shape of graph; every file is what the writer could have written.
    Shapes,
    /// Broken files and odd values too.
    Everything,
}

/// A session in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Session {
    /// `meta.json`
    pub(crate) meta: Option<Vec<u8>>,
    /// Name and bytes of each file in `history/`.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

/// Makes the session that some bytes stand for.
pub(crate) fn session(bytes: &[u8], wild: Wild) -> Session {
    let (head, rest) = bytes.split_at(bytes.len().min(NODE));
    let nodes: Vec<&[u8]> = rest.chunks(NODE).collect();
    let make = |(at, bytes): (usize, &&[u8])| node(&Draw(bytes), at, nodes.len(), wild);
    Session { meta: meta(&Draw(head), nodes.len(), wild), files: nodes.iter().enumerate().map(make).collect() }
}

/// Bytes to choose by; there is a zero behind every end.
struct Draw<'a>(&'a [u8]);

impl Draw<'_> {
    fn byte(&self, at: usize) -> usize {
        usize::from(self.0.get(at).copied().unwrap_or(0))
    }

    fn pick<T: Copy>(&self, at: usize, choices: &[T]) -> T {
        choices[self.byte(at) % choices.len()]
    }

    /// Once in `rarely`, and not for a zero.
    fn chance(&self, at: usize, rarely: usize) -> bool {
        self.byte(at) % rarely == rarely - 1
    }

    /// The id of some node; now and then of one that is not there.
    fn id(&self, at: usize, count: usize) -> String {
        format!("\"n{}\"", self.byte(at) % (count + 1))
    }
}

fn meta(draw: &Draw<'_>, count: usize, wild: Wild) -> Option<Vec<u8>> {
    let odd = wild == Wild::Everything && draw.chance(5, 16);
    let head = |at: usize| match (draw.byte(at) % 8, odd) {
        (0, _) => format!("\"n{}\"", count.saturating_sub(1)),
        (1..=4, _) => draw.id(at + 1, count),
        (5, false) => "null".to_owned(),
        (5, true) => draw.pick(at + 1, &["7", "true", "[\"n0\"]", "{\"a\": 1}", "NaN"]).to_owned(),
        (6, _) => "\"ROOT\"".to_owned(),
        _ => "\"\"".to_owned(),
    };
    let mut text = format!("{{\"title\": \"t\", \"head_id\": {}", head(0));
    if draw.chance(2, 4) {
        write!(text, ", \"last_node_id\": {}", head(3)).ok();
    }
    text.push('}');
    match draw.byte(6) % 16 {
        13 => None,
        14 if wild == Wild::Everything => Some(damage(text, draw.byte(7))),
        15 if wild == Wild::Everything => Some(draw.pick(7, &["", "null", "[]", "[\"ab\"]", "1", "\"x\""]).as_bytes().to_vec()),
        _ => Some(text.into_bytes()),
    }
}

fn node(draw: &Draw<'_>, at: usize, count: usize, wild: Wild) -> (String, Vec<u8>) {
    let odd = wild == Wild::Everything && draw.chance(17, 8);
    let role = draw.pick(0, &["llm", "user", "code", "llm", "user", "code", "llm", "user"]);
    let id = id(draw, at, count);
    let seq = seq(draw, at, odd);
    let mut fields = vec![format!("\"id\": {id}"), format!("\"created_at\": {}.5", 1_700_000_000 + at), format!("\"seq\": {seq}")];
    let role = if draw.chance(16, 32) { draw.pick(18, &["", "tool", "assistant", "Über"]) } else { role };
    fields.push(format!("\"role\": \"{role}\""));
    let names = ["", "m", "read", "attach", "context/x", "context/summary"];
    fields.push(format!("\"name\": \"{}\"", if draw.chance(12, 4) { draw.pick(13, &names) } else { "m" }));
    fields.push(format!(
        "\"output\": {}",
        draw.pick(19, &["\"text\"", "\"\"", "null", "\"\\ud83d\\ude00\\n\"", "{\"a\": 1}", "[1, 2.5]", "0"])
    ));
    edge(&mut fields, "called_by", draw, 3, count, Absence::Told);
    if draw.chance(5, 6) {
        edge(&mut fields, "caller", draw, 6, count, Absence::Told);
    }
    if draw.chance(8, 6) {
        edge(&mut fields, "predecessor", draw, 9, count, Absence::Told);
    }
    fields.push(format!("\"metadata\": {{{}}}", metadata(draw, at, count).join(", ")));
    if draw.chance(20, 4) {
        fields.push("\"later\": {\"kept\": [true]}".to_owned());
    }
    if odd {
        fields.push(oddity(draw).to_owned());
    }
    let text = format!("{{{}}}", fields.join(", "));
    let letter = role.chars().next().unwrap_or('x');
    let name = match draw.byte(22) % 16 {
        14 => format!("x{at}.json"),
        15 => format!("{:04}-{letter}-again{at}.json", draw.byte(2)),
        _ => format!("{:04}-{letter}-n{at}.json", leading(&seq, at)),
    };
    let broken = wild == Wild::Everything && draw.chance(23, 12);
    (name, if broken { damage(text, draw.byte(18)) } else { text.into_bytes() })
}

fn leading(seq: &str, at: usize) -> usize {
    seq.parse().unwrap_or(at)
}

/// The node's own id, now and then that of another.
fn id(draw: &Draw<'_>, at: usize, count: usize) -> String {
    match draw.byte(1) {
        0..=223 => format!("\"n{at}\""),
        224..=235 => draw.id(2, count),
        236..=240 => "\"ROOT\"".to_owned(),
        241..=244 => "null".to_owned(),
        245..=247 => "\"\"".to_owned(),
        248..=250 => "\"auto-id-1\"".to_owned(),
        _ => format!("\"\\u00fc{at}\""),
    }
}

fn seq(draw: &Draw<'_>, at: usize, odd: bool) -> String {
    match draw.byte(2) {
        0..=199 => at.to_string(),
        200..=215 => (at + 9_995).to_string(),
        216..=235 => (draw.byte(21) % 8).to_string(),
        236..=243 => "null".to_owned(),
        _ if odd => {
            draw.pick(21, &["1e300", "Infinity", "NaN", "true", "\"3\"", "2.5", "-4.0", &"9".repeat(50), "-Infinity", "1e301"]).to_owned()
        }
        _ => "-1".to_owned(),
    }
}

/// How an edge is left out.
enum Absence {
    /// Empty, `null` or no key.
    Told,
    /// No key.
    Untold,
}

/// One edge: to the node before, to any node, or none in one of the ways to say so.
fn edge(fields: &mut Vec<String>, key: &str, draw: &Draw<'_>, at: usize, count: usize, absence: Absence) {
    let value = match (draw.byte(at) % 12, absence) {
        (0, Absence::Told) => "\"ROOT\"".to_owned(),
        (1, Absence::Told) => "\"\"".to_owned(),
        (2, Absence::Told) => "null".to_owned(),
        (3, Absence::Told) | (0..=3, Absence::Untold) => return,
        (4 | 5, Absence::Untold) => draw.pick(at + 1, &["null", "\"ROOT\"", "\"\"", "null"]).to_owned(),
        _ => draw.id(at + 1, count),
    };
    fields.push(format!("\"{key}\": {value}"));
}

fn metadata(draw: &Draw<'_>, at: usize, count: usize) -> Vec<String> {
    let mut fields = Vec::new();
    edge(&mut fields, "parent_id", draw, 7, count, Absence::Untold);
    if draw.chance(10, 5) {
        fields.push(format!("\"forked_from\": {}", draw.id(11, count)));
    }
    let flags = [
        (0, "\"rewound\": true"),
        (1, "\"source\": \"agent_spawn\""),
        (2, "\"spawn_branch_root\": true"),
        (3, "\"display\": \"root\""),
        (4, "\"type\": \"status\", \"display\": \"runtime\""),
        (5, "\"type\": \"compactionSummary\""),
        (6, "\"function\": \"attach\""),
        (7, "\"source\": \"task_followup\""),
        (8, "\"function\": \"deploy\""),
        (9, "\"tool_calls\": [{\"id\": \"c1\"}]"),
        (10, "\"extra\": \"{\\\"blocks\\\": []}\""),
        (11, "\"attach\": {\"source_commit_id\": \"c0\"}"),
        (12, "\"id\": \"renamed\""),
        (13, "\"rewound\": false"),
    ];
    if draw.chance(14, 2) {
        fields.extend(
            flags
                .iter()
                .filter(|(number, _)| draw.byte(15) % 14 == *number || draw.byte(13) % 32 == *number)
                .map(|(_, flag)| (*flag).to_owned()),
        );
    }
    if draw.chance(20, 16) {
        fields.push(format!("\"created_at\": {at}"));
    }
    fields
}

/// A member with a value that ordinary JSON tools do not keep.
fn oddity(draw: &Draw<'_>) -> &'static str {
    draw.pick(
        18,
        &[
            "\"reads\": NaN",
            "\"reads\": [-Infinity]",
            "\"reads\": 123456789012345678901234567890",
            "\"reads\": \"\\ud800\"",
            "\"id\": 5",
            "\"id\": [1]",
            "\"role\": null",
            "\"called_by\": {\"a\": 1}",
            "\"metadata\": []",
            "\"metadata\": [1]",
            "\"seq\": false",
            "\"name\": 1",
            "\"created_at\": \"x\"",
            "\"metadata\": {\"parent_id\": 3, \"tool_calls\": 1}",
        ],
    )
}

/// What disks and interrupted writers do to a file.
fn damage(text: String, by: usize) -> Vec<u8> {
    let half = text.len() / 2;
    let mut bytes = text.into_bytes();
    match by % 10 {
        0 => bytes.truncate(half),
        1 => bytes.clear(),
        2 => bytes.push(b'}'),
        3 => bytes.insert(half, 0xff),
        4 => bytes.splice(0..0, *b"\xef\xbb\xbf").for_each(drop),
        5 => bytes.insert(half, b'\n'),
        6 => bytes = b"null".to_vec(),
        7 => bytes = [b"[".repeat(1_200), b"]".repeat(1_200)].concat(),
        8 => bytes.truncate(half.saturating_sub(1).max(1)),
        _ => bytes = format!("{{\"id\": \"deep\", \"metadata\": {{\"x\": {}{}}}}}", "[".repeat(200), "]".repeat(200)).into_bytes(),
    }
    bytes
}
