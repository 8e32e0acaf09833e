//! Colours and widths: the only file that names the terminal crates, `exit` apart.

use anstyle::{AnsiColor, Style};

/// Something got worse, or went wrong.
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
/// Something got better.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// Worth a look.
pub(super) const WARN: Style = AnsiColor::Yellow.on_default();
/// Beside the point.
pub(super) const DIM: Style = Style::new().dimmed();
/// What the eye should find first.
pub(super) const STRONG: Style = Style::new().bold();

/// A text in a style; the stream takes the style out where there is no terminal.
pub(super) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{}{text}{}", style.render(), style.render_reset())
}

/// Standard output that keeps colours on a terminal only, buffered and locked.
pub(super) fn stdout() -> impl std::io::Write {
    std::io::BufWriter::with_capacity(1 << 16, anstream::stdout().lock())
}

/// Standard output as it is: documents for programs are not a terminal's.
pub(super) fn raw_stdout() -> impl std::io::Write {
    std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock())
}

/// A name or message that is harmless to a terminal: what it would obey or not show becomes `�`; lines stay.
pub(super) fn harmless(text: &str) -> String {
    text.chars().map(|c| if (c.is_control() && c != '\n') || is_invisible(c) { '\u{fffd}' } else { c }).collect()
}

/// A text on one line and harmless to a terminal: control characters become blanks, and long texts are cut.
pub(super) fn first_words(text: &str, width: usize) -> String {
    let blank = |c: char| if c.is_control() || is_invisible(c) { ' ' } else { c };
    let clean: String = text.chars().take(width * 8).map(blank).collect();
    let words = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= width {
        return words;
    }
    words.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Characters that turn the direction of text around, or that nobody sees.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}
