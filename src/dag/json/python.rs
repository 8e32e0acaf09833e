//! Text forms of Python: `json.dumps(ensure_ascii=False)`, `str()`, `repr()` and `str.strip()`.

use std::fmt::Write;

use super::value::Value;

/// `json.dumps(value, ensure_ascii=False)` with the default separators.
pub fn dumps(value: &Value<'_>) -> String {
    let mut out = String::new();
    write_value(&mut out, value, Style::Json);
    out
}

/// `str(value)`: a string is itself, everything else its `repr()`.
pub fn str_of(value: &Value<'_>) -> String {
    if let Value::Str(text) = value {
        return text.clone().into_owned();
    }
    let mut out = String::new();
    write_value(&mut out, value, Style::Repr);
    out
}

/// A JSON string literal; other characters than `"`, `\` and the control characters stay as they are.
pub fn json_string(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// `text.strip()`: Python's idea of white space, which counts the separators U+001C to U+001F.
pub fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Json,
    Repr,
}

fn write_value(out: &mut String, value: &Value<'_>, style: Style) {
    let json = style == Style::Json;
    match value {
        Value::Null => out.push_str(if json { "null" } else { "None" }),
        Value::Bool(true) => out.push_str(if json { "true" } else { "True" }),
        Value::Bool(false) => out.push_str(if json { "false" } else { "False" }),
        Value::Int(digits) => out.push_str(if *digits == "-0" { "0" } else { digits }),
        Value::Float(float) => write_float(out, *float, style),
        Value::Str(text) => write_string(out, text, style),
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                write_value(out, item, style);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (at, (key, member)) in members.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                write_string(out, key, style);
                out.push_str(": ");
                write_value(out, member, style);
            }
            out.push('}');
        }
    }
}

fn write_string(out: &mut String, text: &str, style: Style) {
    match style {
        Style::Json => out.push_str(&json_string(text)),
        Style::Repr => write_repr(out, text),
    }
}

fn write_float(out: &mut String, value: f64, style: Style) {
    let word = |json: &'static str, repr: &'static str| if style == Style::Json { json } else { repr };
    if value.is_nan() {
        out.push_str(word("NaN", "nan"));
    } else if value.is_infinite() {
        out.push_str(if value > 0.0 { word("Infinity", "inf") } else { word("-Infinity", "-inf") });
    } else {
        out.push_str(&float_repr(value));
    }
}

/// `repr()` of a finite float: the shortest digits that read back as the same float.
fn float_repr(value: f64) -> String {
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let plain = format!("{value}");
    if plain.contains('.') { plain } else { plain + ".0" }
}

fn write_repr(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if c == quote => {
                out.push('\\');
                out.push(c);
            }
            _ if printable(c) => out.push(c),
            _ => {
                let code = u32::from(c);
                let _infallible = match code {
                    0..=0xff => write!(out, "\\x{code:02x}"),
                    0x100..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
        }
    }
    out.push(quote);
}

/// Whether Python would print the character. The standard library escapes the same Unicode categories;
/// behind another character it does so for no other reason. (Its tables are newer than Python 3.11's.)
fn printable(c: char) -> bool {
    c == ' ' || c == '\'' || c == '"' || {
        let mut buffer = [0; 5];
        buffer[0] = b'a';
        let length = 1 + c.encode_utf8(&mut buffer[1..]).len();
        str::from_utf8(&buffer[..length]).is_ok_and(|pair| pair.escape_debug().nth(1) == Some(c))
    }
}

#[cfg(test)]
mod tests {
    use super::super::raw::Raw;
    use super::*;

    fn both(text: &str) -> (String, String) {
        let value = Raw::checked(text).and_then(Raw::parse).expect("valid JSON");
        (dumps(&value), str_of(&value))
    }

    #[test]
    fn text_forms_are_pythons() {
        for (text, json, repr) in [
            (
                "{\"a\":[1,2.50,true,null],\"a\\u00e9\":\"x\"}",
                "{\"a\": [1, 2.5, true, null], \"aé\": \"x\"}",
                "{'a': [1, 2.5, True, None], 'aé': 'x'}",
            ),
            (
                "[1e16, 1e15, 1e-4, 1e-5, -0.0, -0, 2.5e300, 100.0]",
                "[1e+16, 1000000000000000.0, 0.0001, 1e-05, -0.0, 0, 2.5e+300, 100.0]",
                "[1e+16, 1000000000000000.0, 0.0001, 1e-05, -0.0, 0, 2.5e+300, 100.0]",
            ),
            ("[NaN, -Infinity]", "[NaN, -Infinity]", "[nan, -inf]"),
            ("{\"a\":1,\"b\":2,\"a\":3}", "{\"a\": 3, \"b\": 2}", "{'a': 3, 'b': 2}"),
            (
                "[\"it's\", \"a\\\"b'\", \"\\u007f\\u2028\\u0301\\n\\u0001\"]",
                "[\"it's\", \"a\\\"b'\", \"\u{7f}\u{2028}\u{301}\\n\\u0001\"]",
                "[\"it's\", 'a\"b\\'', '\\x7f\\u2028\u{301}\\n\\x01']",
            ),
            ("\"plain\"", "\"plain\"", "plain"),
        ] {
            assert_eq!(both(text), (json.to_owned(), repr.to_owned()), "{text}");
        }
    }

    #[test]
    fn strip_knows_pythons_blanks() {
        assert_eq!(strip("\u{1c}\u{a0}\u{3000} a b\u{85}\n"), "a b");
        assert_eq!(strip("\u{200b}a"), "\u{200b}a");
    }
}
