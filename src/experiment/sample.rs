//! A share of all keys, the same ones in every process and at every time.

use crate::dag::digest;

/// A share in hundredths of a per cent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(u16);

impl Share {
    /// Nobody.
    pub const NONE: Share = Share(0);
    /// Everybody.
    pub const ALL: Share = Share(10_000);

    /// A share of so many hundredths of a per cent; more than all is all.
    pub fn of_ten_thousand(parts: u16) -> Self {
        Share(parts.min(Share::ALL.0))
    }

    /// Whether a key is in the share. Who is in a share is in every greater one with the same salt.
    pub fn holds(self, salt: &str, key: &str) -> bool {
        let drawn = digest(format!("{salt}:{key}").as_bytes()) % u128::from(Share::ALL.0);
        drawn < u128::from(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_sticky_nested_and_about_right() {
        let keys: Vec<String> = (0..10_000).map(|key| format!("session-{key}")).collect();
        let count = |share: Share| keys.iter().filter(|key| share.holds("salt", key)).count();
        let (tenth, half) = (Share::of_ten_thousand(1_000), Share::of_ten_thousand(5_000));
        // Five standard deviations of a binomial.
        assert!((850..=1150).contains(&count(tenth)), "{}", count(tenth));
        assert!((4750..=5250).contains(&count(half)), "{}", count(half));
        assert_eq!((count(Share::NONE), count(Share::ALL)), (0, keys.len()));
        assert!(keys.iter().filter(|key| tenth.holds("salt", key)).all(|key| half.holds("salt", key)));
        // The same in every process and build: these were drawn once and written down.
        let drawn: String = keys[..32].iter().map(|key| if half.holds("salt", key) { '1' } else { '0' }).collect();
        assert_eq!(drawn, "01111110010011010101111100010001");
    }
}
