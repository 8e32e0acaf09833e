//! From a judged difference to its code: one match that can be read aloud.

use super::divergence::Code;

/// A difference between control and candidate, judged by the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    Chain(ChainChange),
    Tools(ToolChange),
    Errors(ErrorChange),
    Pointers(PointerChange),
    Head(Judged),
    Cards(Judged),
    Attachments(Judged),
    Siblings(Judged),
    Fields(Judged),
}

/// What happened to a message of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChainChange {
    /// Only control shows it, and rightly.
    Lost,
    /// Only the candidate shows it, against the record.
    Leaked,
    /// Only the candidate shows it, and nothing speaks against it.
    GapHealed,
    /// Only control shows it, against the record.
    ControlLeaked,
    /// Both show it, in another order.
    Reordered,
    /// Both show it; control's order is against the record, the candidate's is not.
    OrderHealed,
}

/// What happened to a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ToolChange {
    Lost,
    Moved,
    Healed,
}

/// Which side has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrorChange {
    Candidate,
    Control,
}

/// What happened to a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointerChange {
    Changed,
    Filled,
    Healed,
}

/// Away from the record, or where it is silent; or towards it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    Worse,
    Better,
}

impl Judged {
    pub(super) fn better(better: bool) -> Self {
        if better { Judged::Better } else { Judged::Worse }
    }
}

/// The code of a difference.
pub(super) fn classify(difference: Difference) -> Code {
    match difference {
        Difference::Chain(ChainChange::Lost) => Code::HistoryTruncated,
        Difference::Chain(ChainChange::Leaked) => Code::BranchLeak,
        Difference::Chain(ChainChange::GapHealed) => Code::HistoryExtended,
        Difference::Chain(ChainChange::ControlLeaked) => Code::LeakHealed,
        Difference::Chain(ChainChange::Reordered) => Code::HistoryReordered,
        Difference::Chain(ChainChange::OrderHealed) => Code::OrderHealed,
        Difference::Tools(ToolChange::Lost) => Code::ToolCallLost,
        Difference::Tools(ToolChange::Moved) => Code::ToolCallMoved,
        Difference::Tools(ToolChange::Healed) => Code::ToolCallHealed,
        Difference::Errors(ErrorChange::Candidate) => Code::CandidateError,
        Difference::Errors(ErrorChange::Control) => Code::ControlErrorHealed,
        Difference::Pointers(PointerChange::Changed) => Code::PointerChanged,
        Difference::Pointers(PointerChange::Filled) => Code::PointerFilled,
        Difference::Pointers(PointerChange::Healed) => Code::PointerHealed,
        Difference::Head(Judged::Worse) => Code::HeadMoved,
        Difference::Head(Judged::Better) => Code::HeadHealed,
        Difference::Cards(Judged::Worse) => Code::CardChanged,
        Difference::Cards(Judged::Better) => Code::CardHealed,
        Difference::Attachments(Judged::Worse) => Code::AttachmentMoved,
        Difference::Attachments(Judged::Better) => Code::AttachmentHealed,
        Difference::Siblings(Judged::Worse) => Code::SiblingsChanged,
        Difference::Siblings(Judged::Better) => Code::SiblingsHealed,
        Difference::Fields(Judged::Worse) => Code::FieldChanged,
        Difference::Fields(Judged::Better) => Code::FieldHealed,
    }
}
