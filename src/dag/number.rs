//! Sequence numbers: exact for integers, ordered across integers and floats.

use std::cmp::Ordering;

use super::json::{Kind, Raw};

/// A number as the writer stored it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer of at most 64 bits with a sign.
    Int(i64),
    /// An integer above those, of at most 64 bits without a sign.
    Large(u64),
    /// A float, possibly infinite or `NaN`, or an integer beyond 64 bits.
    Float(f64),
}

impl Number {
    /// Reads a JSON number; `None` for other values, booleans included.
    pub(super) fn read(raw: Raw<'_>) -> Option<Self> {
        if raw.kind() != Kind::Number {
            return None;
        }
        Some(Number::of_digits(raw.as_text()).unwrap_or_else(|| Number::Float(raw.number())))
    }

    fn of_digits(text: &str) -> Option<Self> {
        text.parse().map(Number::Int).or_else(|_| text.parse().map(Number::Large)).ok()
    }

    /// The number at the start of a file name; after every other where there is none.
    pub(super) fn leading(name: &str) -> Self {
        let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            return Number::Float(f64::INFINITY);
        }
        Number::of_digits(&name[..digits]).unwrap_or_else(|| Number::Float(name[..digits].parse().unwrap_or(f64::INFINITY)))
    }

    /// Whether it is an integer of at most 64 bits.
    pub(super) fn is_integer(self) -> bool {
        match self {
            Number::Int(_) | Number::Large(_) => true,
            Number::Float(_) => false,
        }
    }

    /// Whether the number has a place in an order.
    pub fn ordered(self) -> bool {
        match self {
            Number::Int(_) | Number::Large(_) => true,
            Number::Float(value) => !value.is_nan(),
        }
    }

    /// The number that comes next.
    pub fn next(self) -> Self {
        match self {
            Number::Int(int) => int.checked_add(1).map_or(Number::Large(i64::MAX as u64 + 1), Number::Int),
            Number::Large(int) => int.checked_add(1).map_or(Number::Float(u64::MAX as f64), Number::Large),
            Number::Float(float) => Number::Float(float + 1.0),
        }
    }

    /// Compares by value; `NaN` stands behind everything else, so that lists with it can be sorted at all.
    pub fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a.cmp(&b),
            (Number::Float(a), Number::Float(b)) => compare_floats(a, b),
            (Number::Float(a), Number::Int(_) | Number::Large(_)) => int_to_float(other.whole(), a).reverse(),
            (Number::Int(_) | Number::Large(_), Number::Float(b)) => int_to_float(self.whole(), b),
            (Number::Large(_), Number::Int(_) | Number::Large(_)) | (Number::Int(_), Number::Large(_)) => self.whole().cmp(&other.whole()),
        }
    }

    fn whole(self) -> i128 {
        match self {
            Number::Int(int) => int.into(),
            Number::Large(int) => int.into(),
            Number::Float(_) => 0,
        }
    }
}

/// 2^127: floats from here on are above every integer, and floats below its negative under every one.
const BEYOND: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;

/// Compares floats; `NaN` is equal to itself and stands behind everything else. Zeros are equal, whatever their sign.
pub fn compare_floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

#[expect(clippy::cast_possible_truncation, reason = "the float is within the range of i128")]
fn int_to_float(int: i128, float: f64) -> Ordering {
    if float.is_nan() || float >= BEYOND {
        return Ordering::Less;
    }
    if float < -BEYOND {
        return Ordering::Greater;
    }
    int.cmp(&(float.floor() as i128)).then(if float > float.floor() { Ordering::Less } else { Ordering::Equal })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_can_be_sorted() {
        let numbers = [Number::Float(f64::NAN), Number::Int(1), Number::Float(0.5), Number::Large(u64::MAX), Number::Float(f64::INFINITY)];
        let numbers = numbers.into_iter().chain([Number::Int(-1), Number::Float(-0.0), Number::Int(0), Number::Float(f64::NEG_INFINITY)]);
        let numbers: Vec<Number> = numbers.collect();
        for a in &numbers {
            for b in &numbers {
                assert_eq!(a.compare(*b), b.compare(*a).reverse(), "{a:?} {b:?}");
                for c in numbers.iter().filter(|c| a.compare(*b).is_le() && b.compare(**c).is_le()) {
                    assert!(a.compare(*c).is_le(), "{a:?} {b:?} {c:?}");
                }
            }
        }
    }

    #[test]
    fn order_is_exact_beyond_the_precision_of_floats() {
        let big = 1_152_921_504_606_846_977;
        assert_eq!(Number::Int(big).compare(Number::Float(1_152_921_504_606_846_976.0)), Ordering::Greater);
        assert_eq!(Number::Int(2).compare(Number::Float(2.5)), Ordering::Less);
        assert_eq!(Number::Float(2.0).compare(Number::Int(2)), Ordering::Equal);
        assert_eq!(Number::Float(f64::INFINITY).compare(Number::Int(big)), Ordering::Greater);
    }

    #[test]
    fn numbers_beyond_integers_have_one_order() {
        let rising = [
            Number::Float(f64::NEG_INFINITY),
            Number::Float(-1e40),
            Number::Int(i64::MIN),
            Number::Int(0),
            Number::Int(i64::MAX),
            Number::Large(u64::MAX),
            Number::Float(1e39),
            Number::Float(1e40),
            Number::Float(f64::INFINITY),
        ];
        for (at, low) in rising.iter().enumerate() {
            for high in &rising[at + 1..] {
                assert_eq!((low.compare(*high), high.compare(*low)), (Ordering::Less, Ordering::Greater), "{low:?} {high:?}");
            }
        }
    }

    #[test]
    fn a_file_name_leads_with_a_number_or_goes_last() {
        assert_eq!(Number::leading("0012-u-x.json"), Number::Int(12));
        assert_eq!(Number::leading("x.json"), Number::Float(f64::INFINITY));
        assert_eq!(Number::leading("18446744073709551615-u.json"), Number::Large(u64::MAX));
    }
}
