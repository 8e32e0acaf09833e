//! Where options come from: the command line before variables before the configuration file.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};

use super::Cli;
use crate::config::{Config, ConfigError, Setting};
use crate::step::Rung;

/// Why no command can be run.
pub(super) enum Refusal {
    /// The command line, or a variable.
    Usage(clap::Error),
    /// The configuration file.
    Config(ConfigError),
    /// What the configuration file sets, by the options that it stands for.
    Set(clap::Error, PathBuf),
}

/// A rung by its name, so that a shell can offer the names.
pub(super) fn rungs() -> impl TypedValueParser<Value = Rung> {
    PossibleValuesParser::new(Rung::ALL.map(Rung::name)).try_map(|name| name.parse::<Rung>())
}

/// An empty variable is none.
fn without_empty_variables(command: Command) -> Command {
    let is_empty = |option: &Arg| option.get_env().is_some_and(|name| std::env::var_os(name).is_some_and(|value| value.is_empty()));
    let names: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    let command = command.mut_args(|option| if is_empty(&option) { option.env(None::<&'static str>) } else { option });
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, without_empty_variables))
}

/// Reads the options.
pub(super) fn parse(given: Vec<OsString>) -> Result<Cli, Refusal> {
    let command = without_empty_variables(Cli::command());
    // What is wrong on the command line is said further down; here it is only asked for the file and for what it sets by itself.
    let lenient = command.clone().ignore_errors(true).try_get_matches_from(&given).map_err(Refusal::Usage)?;
    let Some(path) = lenient.get_one::<PathBuf>("config").cloned() else { return strict(command, given).map_err(Refusal::Usage) };
    let config = Config::read(&path).map_err(Refusal::Config)?;
    let commands: Vec<(String, Vec<String>)> =
        command.get_subcommands().map(|command| (command.get_name().to_owned(), options(command))).collect();
    config.check(&commands).map_err(Refusal::Config)?;
    let Some((name, _)) = lenient.subcommand() else { return strict(command, given).map_err(Refusal::Usage) };
    let (names, called, own) = called(&command, &lenient);
    let mut settings = config.settings(name, &own_options(called)).map_err(Refusal::Config)?;
    settings.retain(|setting| !is_given(own, &setting.key));
    strict(command.clone(), with_settings(&given, &names, &settings)).map_err(|error| match strict(command, given) {
        Ok(_) => Refusal::Set(error, path),
        Err(own) => Refusal::Usage(own),
    })
}

fn strict(command: Command, given: Vec<OsString>) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&command.try_get_matches_from(given)?)
}

/// The command that is called, below the one that it belongs to if there is such, with the words that call it.
fn called<'a>(command: &'a Command, matches: &'a ArgMatches) -> (Vec<String>, &'a Command, &'a ArgMatches) {
    let (mut names, mut command, mut matches) = (Vec::new(), command, matches);
    while let Some((name, below)) = matches.subcommand() {
        let Some(found) = command.find_subcommand(name) else { break };
        names.push(name.to_owned());
        (command, matches) = (found, below);
    }
    (names, command, matches)
}

/// The long names of a command's options, and of those below it.
fn options(command: &Command) -> Vec<String> {
    let mut all: Vec<String> = command.get_subcommands().flat_map(options).chain(own_options(command)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The long names of a command's own options, which a file can set.
fn own_options(command: &Command) -> Vec<String> {
    command.get_arguments().filter_map(|option| Some(option.get_long()?.to_owned())).collect()
}

/// Whether the command line or a variable says it already.
fn is_given(matches: &ArgMatches, key: &str) -> bool {
    let source = matches.try_contains_id(&key.replace('-', "_")).is_ok().then(|| matches.value_source(&key.replace('-', "_"))).flatten();
    matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable))
}

/// The command line with the file's settings put right behind the command, where nothing can take them for anything else.
fn with_settings(given: &[OsString], names: &[String], settings: &[Setting]) -> Vec<OsString> {
    let is_value = |at: usize| given[at - 1] == "--config";
    let mut command = 0;
    for name in names {
        command = (command + 1..given.len()).find(|at| given[*at] == name.as_str() && !is_value(*at)).unwrap_or(given.len() - 1);
    }
    let set = settings.iter().map(|setting| format!("--{}={}", setting.key, setting.value).into());
    given[..=command].iter().cloned().chain(set).chain(given[command + 1..].iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(command: &Command) -> Vec<&Command> {
        std::iter::once(command).chain(command.get_subcommands().flat_map(all)).collect()
    }

    #[test]
    fn every_option_has_a_variable_of_its_name() {
        let whole = Cli::command();
        for command in all(&whole) {
            for option in command.get_arguments() {
                let Some(long) = option.get_long() else { continue };
                let wanted = format!("PARALLAX_{}", long.to_uppercase().replace('-', "_"));
                assert_eq!(option.get_env().and_then(|name| name.to_str()), Some(wanted.as_str()), "{} --{long}", command.get_name());
                assert_eq!(option.get_id().as_str(), long.replace('-', "_"));
            }
        }
    }
}
