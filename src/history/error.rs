//! Errors that are part of an answer: a rung says why it shows nothing.

/// Why a rung answers without messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// The legacy program refuses to open the session and sends its stub frame.
    #[error("the legacy path does not open this session ({reason}): it shows an empty page titled \"New conversation\"")]
    Refused {
        /// What it stumbles over.
        reason: &'static str,
    },
    /// The legacy program raises while it builds the messages or the graph; the socket dies.
    #[error("the legacy path fails on this session ({reason}): the page never loads")]
    Raised {
        /// What it stumbles over.
        reason: &'static str,
    },
}

impl HistoryError {
    /// The kebab-case code.
    pub fn code(&self) -> &'static str {
        match self {
            HistoryError::Refused { .. } => "legacy-refused",
            HistoryError::Raised { .. } => "legacy-raised",
        }
    }
}
