//! Dense numbers that cost no more when they are optional.

use std::num::NonZeroU32;

/// A number from 0 up; `Option` of it takes the same four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Dense(NonZeroU32);

impl Dense {
    /// The number `index`; what is beyond 32 bits is clamped.
    pub(super) const fn new(index: usize) -> Self {
        let shifted = if index < u32::MAX as usize { index as u32 + 1 } else { u32::MAX };
        match NonZeroU32::new(shifted) {
            Some(number) => Dense(number),
            None => Dense(NonZeroU32::MAX),
        }
    }

    /// The number.
    pub(super) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl std::fmt::Debug for Dense {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.index())
    }
}
