//! Differences gathered by code and cause, each cause with its signature and first occurrence.

use serde_json::Value;

use super::classify::{Difference, classify};
use super::divergence::{Code, Divergence};
use crate::step::Step;

/// A cause in words that hold no id and no content; empty ones are left out.
pub(super) type Cause = [&'static str; 2];

/// What one comparison has found so far.
pub(super) struct Findings {
    step: Step,
    found: Vec<(Code, Cause, Divergence)>,
}

impl Findings {
    pub(super) fn new(step: Step) -> Self {
        Findings { step, found: Vec::new() }
    }

    /// Adds an occurrence; `sides` is what control and candidate have, asked for at the first one only.
    pub(super) fn add(&mut self, difference: Difference, cause: Cause, sides: impl FnOnce() -> (Value, Value)) -> &mut Divergence {
        let code = classify(difference);
        let known = self.found.iter().position(|(known, because, _)| (*known, *because) == (code, cause));
        let at = known.unwrap_or_else(|| {
            let (control, candidate) = sides();
            let signature = signature(self.step, code, cause);
            let divergence = Divergence { code, step: self.step, signature, count: 0, ambiguous: false, control, candidate };
            self.found.push((code, cause, divergence));
            self.found.len() - 1
        });
        let divergence = &mut self.found[at].2;
        divergence.count += 1;
        divergence
    }

    /// The divergences, worst first.
    pub(super) fn finish(self) -> Vec<Divergence> {
        let mut found: Vec<Divergence> = self.found.into_iter().map(|(.., divergence)| divergence).collect();
        found.sort_by(|a, b| b.code.severity().cmp(&a.code.severity()).then_with(|| a.signature.cmp(&b.signature)));
        found
    }
}

/// The cause of a divergence with ids and content taken out: `step/code/words`.
fn signature(step: Step, code: Code, cause: Cause) -> String {
    let mut signature = format!("{step}/{code}");
    for word in cause.into_iter().filter(|word| !word.is_empty()) {
        signature.push('/');
        signature.push_str(word);
    }
    signature
}
