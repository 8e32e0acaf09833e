//! The JSON dialect of Python's writer: read without recursion, kept as text until somebody asks.
//!
//! It differs from RFC 8259 in what it accepts: `NaN`, `Infinity` and `-Infinity`, integers of any
//! size, escapes that are lone surrogates, and equal keys (the last one wins).

mod outlined;
mod python;
mod raw;
mod scan;
mod string;
mod value;

pub use outlined::Outlined;
pub use python::{dumps, json_string, str_of, strip};
pub use raw::{Kind, Members, Raw};
pub use scan::{Notes, Scanner, SyntaxError};
pub use value::{MAX_TREE_DEPTH, Value};
