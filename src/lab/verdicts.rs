//! Which states of sessions are the same at D as at Ground: what the last comparisons found, by digest.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// So many states are remembered for sure; at most twice as many.
const REMEMBERED: usize = 100_000;

/// What was found, young and old. When the young are many, the old are forgotten and the young grow old.
#[derive(Default)]
pub(super) struct Verdicts(Mutex<[HashMap<u128, bool>; 2]>);

impl Verdicts {
    /// Whether this state of a session is the same at D; `None` if it was not compared, or long ago.
    pub(super) fn same_at_d(&self, digest: u128) -> Option<bool> {
        let mut maps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let [young, old] = &mut *maps;
        let found = young.get(&digest).or_else(|| old.get(&digest)).copied()?;
        young.insert(digest, found);
        Some(found)
    }

    /// Remembers what a comparison found.
    pub(super) fn note(&self, digest: u128, same: bool) {
        let mut maps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let [young, old] = &mut *maps;
        if young.len() >= REMEMBERED {
            *old = std::mem::take(young);
        }
        young.insert(digest, same);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_young_and_what_is_asked_for_are_kept() {
        let verdicts = Verdicts::default();
        verdicts.note(0, true);
        for digest in 1..=3 * REMEMBERED as u128 {
            verdicts.note(digest, false);
            assert_eq!(verdicts.same_at_d(0), Some(true), "{digest}");
        }
        assert_eq!(verdicts.same_at_d(1), None);
        assert_eq!(verdicts.same_at_d(3 * REMEMBERED as u128), Some(false));
        let maps = verdicts.0.lock().expect("sound");
        assert!(maps.iter().map(HashMap::len).sum::<usize>() <= 2 * REMEMBERED + 2);
    }
}
