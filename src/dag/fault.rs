//! Faults: what is wrong with a stored session, as data that never stops a load.

use std::fmt;

/// A kind of corruption. The names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultCode {
    /// A node file holds no JSON object, or its metadata is none.
    BadJson,
    /// A node has no id; it got a numbered one.
    NoId,
    /// A node has no sequence number, or it is no number; the file name's leading number is taken.
    BadSeq,
    /// Two files hold one id; the one with the greater name counts.
    DuplicateId,
    /// Two nodes have one sequence number.
    DuplicateSeq,
    /// An edge names a node that is not there, or its own node.
    DanglingEdge,
    /// Edges form a ring; it is cut at its least key.
    Cycle,
    /// `meta.json` is no readable JSON object.
    BadMeta,
    /// A value that ordinary JSON tools do not keep; trials of the session are `unsupported`.
    OddValue,
    /// The session directory has no `.git`.
    NoGit,
    /// The files kept changing while they were read: the snapshot may mix two states.
    UnstableRead,
}

impl FaultCode {
    /// The code's kebab-case name.
    pub fn name(self) -> &'static str {
        match self {
            FaultCode::BadJson => "bad-json",
            FaultCode::NoId => "no-id",
            FaultCode::BadSeq => "bad-seq",
            FaultCode::DuplicateId => "duplicate-id",
            FaultCode::DuplicateSeq => "duplicate-seq",
            FaultCode::DanglingEdge => "dangling-edge",
            FaultCode::Cycle => "cycle",
            FaultCode::BadMeta => "bad-meta",
            FaultCode::OddValue => "odd-value",
            FaultCode::NoGit => "no-git",
            FaultCode::UnstableRead => "unstable-read",
        }
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One fault of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// What is wrong.
    pub code: FaultCode,
    /// The file, relative to the session directory.
    pub file: Option<String>,
    /// The node's id.
    pub node: Option<String>,
}
