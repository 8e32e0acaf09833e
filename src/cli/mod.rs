//! The command line: one file a sub-command; exit codes are part of the interface.

mod compare;
mod completions;
mod demo;
mod diff;
mod exit;
mod explain;
mod flags;
mod history;
mod json;
mod lines;
mod options;
mod session;
mod terminal;
mod tree;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use exit::Exit;

/// See what each step of the history migration would change, before anybody is harmed.
#[derive(Parser)]
#[command(name = "parallax", version, after_help = exit::HELP, max_term_width = 100)]
struct Cli {
    /// A TOML file with options: a key an option, a table for what holds for one command only
    #[arg(long, global = true, value_name = "FILE", env = "PARALLAX_CONFIG")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the messages that a rung shows of a session
    History(history::Args),
    /// Draw a session as a tree: what each node is, what it follows, and how that is known
    Explain(explain::Args),
    /// Show at which step a session's history changes, how, and why
    Compare(compare::Args),
    /// Run the comparison over sample sessions: a healed gap, a retry, a leak at step D, a corrupt file
    Demo(demo::Args),
    /// Look at the flags that decide who is served which step, and put them into an Unleash server
    Flags(flags::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let cli = match options::parse(std::env::args_os().collect()) {
        Ok(cli) => cli,
        Err(refusal) => return exit::refuse(&refusal),
    };
    exit::run(move || match cli.command {
        Command::History(args) => history::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Flags(args) => flags::run(&args),
        Command::Completions(args) => completions::run(&args, &mut Cli::command()),
    })
}

/// What a sub-command comes to.
type Outcome = anyhow::Result<Exit>;
