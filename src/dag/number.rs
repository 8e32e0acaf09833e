//! Sequence numbers: exact for integers, ordered across integers and floats.

use std::cmp::Ordering;

use super::json::{Kind, Raw};

/// A number as the writer stored it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer; beyond 127 bits it is clamped.
    Int(i128),
    /// A float, possibly infinite or `NaN`.
    Float(f64),
}

impl Number {
    /// Reads a JSON number; `None` for other values, booleans included.
    pub(super) fn read(raw: Raw<'_>) -> Option<Self> {
        if raw.kind() != Kind::Number {
            return None;
        }
        let text = raw.as_text();
        let digits = text.strip_prefix('-').unwrap_or(text);
        Some(if digits.bytes().all(|b| b.is_ascii_digit()) { Number::Int(clamped(text)) } else { Number::Float(raw.number()) })
    }

    /// The number at the start of a file name; after every other where there is none.
    pub(super) fn leading(name: &str) -> Self {
        let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        Number::Int(if digits == 0 { i128::MAX } else { clamped(&name[..digits]) })
    }

    /// Whether the number has a place in an order.
    pub fn ordered(self) -> bool {
        match self {
            Number::Int(_) => true,
            Number::Float(value) => !value.is_nan(),
        }
    }

    /// Compares by value; `NaN` is equal to everything, as in a stable sort that never finds it lower.
    pub fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a.cmp(&b),
            (Number::Float(a), Number::Float(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
            (Number::Int(a), Number::Float(b)) => int_to_float(a, b),
            (Number::Float(a), Number::Int(b)) => int_to_float(b, a).reverse(),
        }
    }
}

fn clamped(text: &str) -> i128 {
    text.parse().unwrap_or(if text.starts_with('-') { i128::MIN } else { i128::MAX })
}

/// 2^127: floats from here on are above every integer, clamped ones too, and floats below its negative under every one.
/// Were they equal to a clamped integer, two floats that differ would be, and there would be no order.
const BEYOND: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;

#[expect(clippy::cast_possible_truncation, reason = "the float is within the range of i128")]
fn int_to_float(int: i128, float: f64) -> Ordering {
    if float.is_nan() {
        return Ordering::Equal;
    }
    if float >= BEYOND {
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
    fn order_is_exact_beyond_the_precision_of_floats() {
        let big = 1_152_921_504_606_846_977;
        assert_eq!(Number::Int(big).compare(Number::Float(1_152_921_504_606_846_976.0)), Ordering::Greater);
        assert_eq!(Number::Int(2).compare(Number::Float(2.5)), Ordering::Less);
        assert_eq!(Number::Float(2.0).compare(Number::Int(2)), Ordering::Equal);
        assert_eq!(Number::Float(f64::INFINITY).compare(Number::Int(big)), Ordering::Greater);
    }

    #[test]
    fn numbers_beyond_integers_have_one_order() {
        let rising = [Number::Float(f64::NEG_INFINITY), Number::Float(-1e40), Number::Int(i128::MIN), Number::Int(0), Number::Int(i128::MAX), Number::Float(1e39), Number::Float(f64::INFINITY)];
        for (at, low) in rising.iter().enumerate() {
            for high in &rising[at + 1..] {
                assert_eq!((low.compare(*high), high.compare(*low)), (Ordering::Less, Ordering::Greater), "{low:?} {high:?}");
            }
        }
    }

    #[test]
    fn a_file_name_leads_with_a_number_or_goes_last() {
        assert_eq!(Number::leading("0012-u-x.json"), Number::Int(12));
        assert_eq!(Number::leading("x.json"), Number::Int(i128::MAX));
    }
}
