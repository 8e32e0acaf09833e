//! A set of rungs, small enough to be passed by value.

/// Rungs of a ladder, counted from the ground; at most 32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rungs(u32);

impl Rungs {
    /// No rung.
    pub const NONE: Rungs = Rungs(0);

    /// One rung.
    pub fn one(rung: usize) -> Self {
        Rungs::from_iter([rung])
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The one at a place in their order, lowest first.
    pub fn nth(self, at: usize) -> Option<usize> {
        let mut left = self.0;
        for _ in 0..at {
            left &= left.checked_sub(1)?;
        }
        (left != 0).then(|| left.trailing_zeros() as usize)
    }
}

/// A rung that no ladder can have is left out.
impl FromIterator<usize> for Rungs {
    fn from_iter<T: IntoIterator<Item = usize>>(rungs: T) -> Self {
        let bit = |rung: usize| u32::try_from(rung).ok().and_then(|rung| 1_u32.checked_shl(rung)).unwrap_or(0);
        Rungs(rungs.into_iter().fold(0, |set, rung| set | bit(rung)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_come_lowest_first_each_once() {
        let rungs: Rungs = [4, 0, 31, 4, 32].into_iter().collect();
        assert_eq!(rungs.len(), 3);
        assert_eq!([0, 1, 2, 3, 9].map(|at| rungs.nth(at)), [Some(0), Some(4), Some(31), None, None]);
        assert_eq!((Rungs::NONE.nth(0), Rungs::NONE.is_empty(), Rungs::one(2).nth(0)), (None, true, Some(2)));
    }
}
