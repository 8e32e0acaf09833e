//! One line a message: role, short id, first words or their length.

use clap::ArgAction;
use clap::builder::BoolishValueParser;

use super::terminal::first_words;
use crate::dag::{Role, Snapshot};
use crate::history::{Form, History};

/// Whether text is shown.
#[derive(clap::Args, Clone, Copy)]
pub(super) struct Texts {
    /// Show the length of each text instead of its first words
    #[arg(long, env = "PARALLAX_NO_TEXT", value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true,
          value_parser = BoolishValueParser::new(), action = ArgAction::Set)]
    pub(super) no_text: bool,
}

/// Whether a document is printed.
#[derive(clap::Args, Clone, Copy)]
pub(super) struct Json {
    /// Print one JSON document instead of lines for people
    #[arg(long, env = "PARALLAX_JSON", value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true,
          value_parser = BoolishValueParser::new(), action = ArgAction::Set)]
    pub(super) json: bool,
}

/// What a command prints of a session.
#[derive(clap::Args, Clone, Copy)]
pub(super) struct Output {
    #[command(flatten)]
    pub(super) json: Json,
    #[command(flatten)]
    pub(super) texts: Texts,
}

/// Ids are cut to this many characters.
const ID_WIDTH: usize = 18;
/// Texts are cut to this many characters.
const TEXT_WIDTH: usize = 60;

/// A message of a history in one line.
pub(super) fn message(snapshot: &Snapshot, history: &History, index: usize, texts: &Texts) -> String {
    let message = &history.messages[index];
    let row = history.row(snapshot, index);
    let role = row.text("role").unwrap_or_default();
    let role = if message.form == Form::Card { "card".to_owned() } else { first_words(&role, 9) };
    let content = row.text("content").unwrap_or_default();
    // A function's name is no text of a conversation; what metadata says of another row may be.
    let is_name = !texts.no_text || snapshot.node(message.node).role == Role::Code;
    let name = row
        .text("function")
        .filter(|name| !name.is_empty() && is_name)
        .map_or(String::new(), |name| format!("{} ", first_words(&name, 24)));
    let tools = message.tools(history).len();
    let tools = if tools == 0 { String::new() } else { format!(" [{tools} tool calls]") };
    let words = text(&content, texts);
    format!("{role:<9} {:<ID_WIDTH$} {name}{words}{tools}", id(snapshot.text(snapshot.node(message.node).id)))
}

/// A text, or how long it is.
pub(super) fn text(content: &str, texts: &Texts) -> String {
    if texts.no_text { format!("({} characters)", content.chars().count()) } else { first_words(content, TEXT_WIDTH) }
}

/// A short form of an id that keeps both ends apart.
pub(super) fn id(id: &str) -> String {
    let clean = first_words(id, 400);
    let length = clean.chars().count();
    if length <= ID_WIDTH {
        return clean;
    }
    let keep = ID_WIDTH - 1;
    clean.chars().take(keep / 2).chain(['…']).chain(clean.chars().skip(length - (keep - keep / 2))).collect()
}
