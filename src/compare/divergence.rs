//! The catalogue of divergence codes, and one divergence.

use std::fmt;

use crate::step::Step;

/// A part of a history that is compared by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// Which message is the head.
    Head,
    /// The messages shown, in order.
    Chain,
    /// What is served as `parent_id`.
    Pointers,
    /// Which tool calls are folded into which reply.
    Tools,
    /// Which runs are cards, and of which steps.
    Cards,
    /// After which message a card beside the conversation stands.
    Attachments,
    /// Versions and where their arrows lead.
    Siblings,
    /// Every key that no other view owns.
    Fields,
    /// Whether there is an answer at all.
    Errors,
}

impl View {
    /// The view's name.
    pub fn name(self) -> &'static str {
        match self {
            View::Head => "head",
            View::Chain => "chain",
            View::Pointers => "pointers",
            View::Tools => "tools",
            View::Cards => "cards",
            View::Attachments => "attachments",
            View::Siblings => "siblings",
            View::Fields => "fields",
            View::Errors => "errors",
        }
    }
}

/// How bad a divergence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The candidate is better.
    Improvement,
    /// Nothing that a reader sees.
    Minor,
    /// A reader sees it.
    Major,
    /// A reader misses something, or sees what is not theirs to see there.
    Critical,
}

impl Severity {
    /// The severity's name.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Improvement => "improvement",
            Severity::Minor => "minor",
            Severity::Major => "major",
            Severity::Critical => "critical",
        }
    }
}

macro_rules! codes {
    ($($(#[doc = $text:literal])+ $code:ident = $name:literal, $view:ident, $severity:ident;)+) => {
        /// A kind of difference. A code once shipped keeps its meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[doc = $text])+ $code,)+ }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Code::$code,)+];

            /// The kebab-case name.
            pub fn name(self) -> &'static str {
                match self { $(Code::$code => $name,)+ }
            }

            /// The view that it belongs to.
            pub fn view(self) -> View {
                match self { $(Code::$code => View::$view,)+ }
            }

            /// How bad it is.
            pub fn severity(self) -> Severity {
                match self { $(Code::$code => Severity::$severity,)+ }
            }

            /// What it means, in one line.
            pub fn description(self) -> &'static str {
                match self { $(Code::$code => concat!($($text),+).trim_ascii(),)+ }
            }
        }
    };
}

codes! {
    /// The candidate lacks a message that control shows.
    HistoryTruncated = "history-truncated", Chain, Critical;
    /// The candidate shows a message of another branch.
    BranchLeak = "branch-leak", Chain, Critical;
    /// The candidate shows the same messages in another order.
    HistoryReordered = "history-reordered", Chain, Critical;
    /// The candidate shows messages before a gap at which control stops.
    HistoryExtended = "history-extended", Chain, Improvement;
    /// The candidate no longer shows what does not belong here.
    LeakHealed = "leak-healed", Chain, Improvement;
    /// The candidate shows the same messages in the order of the record, control did not.
    OrderHealed = "order-healed", Chain, Improvement;
    /// A reply has lost a tool call that is its own.
    ToolCallLost = "tool-call-lost", Tools, Critical;
    /// A tool call stands with a reply that did not call it, or in another order.
    ToolCallMoved = "tool-call-moved", Tools, Critical;
    /// A tool call stands with the reply that called it, in control it did not.
    ToolCallHealed = "tool-call-healed", Tools, Improvement;
    /// The candidate answers with an error, control does not.
    CandidateError = "candidate-error", Errors, Critical;
    /// The candidate panicked.
    CandidatePanic = "candidate-panic", Errors, Critical;
    /// The candidate passed its deadline.
    CandidateTimeout = "candidate-timeout", Errors, Critical;
    /// Control answers with an error, the candidate does not.
    ControlErrorHealed = "control-error-healed", Errors, Improvement;
    /// The head is another message than the record says.
    HeadMoved = "head-moved", Head, Major;
    /// The head is the message that the record says, in control it was not.
    HeadHealed = "head-healed", Head, Improvement;
    /// A run is no card, or its card has other steps than its own.
    CardChanged = "card-changed", Cards, Major;
    /// A run is a card of its own steps, in control it was not.
    CardHealed = "card-healed", Cards, Improvement;
    /// A card beside the conversation is missing or stands after another message than its own.
    AttachmentMoved = "attachment-moved", Attachments, Major;
    /// A card beside the conversation stands after its own message, in control it did not.
    AttachmentHealed = "attachment-healed", Attachments, Improvement;
    /// A message has other versions than the record says, or an arrow leads elsewhere.
    SiblingsChanged = "siblings-changed", Siblings, Major;
    /// A message has the versions that the record says, in control it had not.
    SiblingsHealed = "siblings-healed", Siblings, Improvement;
    /// A field differs from what the node's file says.
    FieldChanged = "field-changed", Fields, Major;
    /// A field is what the node's file says, in control it was not.
    FieldHealed = "field-healed", Fields, Improvement;
    /// The served pointer differs from the record.
    PointerChanged = "pointer-changed", Pointers, Minor;
    /// A pointer is served where control had none.
    PointerFilled = "pointer-filled", Pointers, Improvement;
    /// The served pointer is the recorded one, in control it was not.
    PointerHealed = "pointer-healed", Pointers, Improvement;
}

impl Code {
    /// Whether the candidate is better.
    pub fn is_improvement(self) -> bool {
        self.severity() == Severity::Improvement
    }

    /// The heading of the runbook page; improvements need none.
    pub fn runbook(self) -> Option<&'static str> {
        (!self.is_improvement()).then(|| self.name())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A coded difference between control and candidate, with all its occurrences that have one cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// What kind it is.
    pub code: Code,
    /// The step that it belongs to.
    pub step: Step,
    /// Its cause, without ids and content.
    pub signature: String,
    /// How often it occurs in this comparison.
    pub count: usize,
    /// An extension that rests on a gap which was filled by a guess.
    pub ambiguous: bool,
    /// What control has, for the first occurrence: ids and shapes, never text.
    pub control: serde_json::Value,
    /// What the candidate has.
    pub candidate: serde_json::Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_kebab_case_and_unique() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
        assert_eq!(Code::BranchLeak.description(), "The candidate shows a message of another branch.");
    }
}
