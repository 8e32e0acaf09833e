//! `flags`: the set of flags that holds, and putting our flags into an Unleash server.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::Outcome;
use super::exit::{Exit, Failure};
use super::lines::Json;
use super::terminal::{self, DIM, GOOD, STRONG, paint};
use crate::flags::{Admin, AdminError, Connection, FlagState, Flags, Origin, Source, Status};
use crate::metrics::Metrics;

/// Arguments of `flags`.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Print the set of flags: who gets which step
    List(ListArgs),
    /// Put the flags into an Unleash server; what is there already is left alone
    Install(InstallArgs),
}

/// Where the flags are.
#[derive(clap::Args)]
struct SourceArgs {
    /// A local file, or the address of an Unleash API (…/api; its client token is in PARALLAX_UNLEASH_TOKEN) [default: the built-in set]
    #[arg(long, value_name = "FILE|URL", env = "PARALLAX_FLAGS")]
    flags: Option<String>,
}

#[derive(clap::Args)]
struct ListArgs {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    json: Json,
}

#[derive(clap::Args)]
struct InstallArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The project in Unleash
    #[arg(long, default_value = "default", env = "PARALLAX_PROJECT")]
    project: String,
    /// The environment in Unleash [default: all of the project's]
    #[arg(long, env = "PARALLAX_ENVIRONMENT")]
    environment: Option<String>,
    /// Only say what would be changed
    #[arg(long, env = "PARALLAX_DRY_RUN", value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true,
          value_parser = clap::builder::BoolishValueParser::new(), action = clap::ArgAction::Set)]
    dry_run: bool,
    #[command(flatten)]
    json: Json,
}

/// Runs the sub-command.
pub(super) fn run(args: &Args) -> Outcome {
    match &args.command {
        Command::List(args) => list(args),
        Command::Install(args) => install(args),
    }
}

impl SourceArgs {
    fn url(&self) -> Option<&str> {
        self.flags.as_deref().filter(|flags| flags.starts_with("http://") || flags.starts_with("https://"))
    }

    /// The source that is named.
    fn source(&self) -> anyhow::Result<Source> {
        Ok(match (&self.flags, self.url()) {
            (_, Some(url)) => Source::Unleash(Connection::new(url, &secret("PARALLAX_UNLEASH_TOKEN", "a client token")?), None),
            (Some(file), None) => Source::File(PathBuf::from(file)),
            (None, None) => Source::Bootstrap,
        })
    }
}

/// A secret stands in a variable: what is on a command line can be seen by everybody on the machine.
fn secret(variable: &str, what: &str) -> anyhow::Result<String> {
    let found = std::env::var(variable).ok().filter(|token| !token.is_empty());
    Ok(found.ok_or_else(|| Failure::usage(format!("{variable} is not set: it holds {what} of the Unleash server")))?)
}

fn list(args: &ListArgs) -> Outcome {
    let flags = Flags::start(&args.source.source()?, Arc::new(Metrics::new()?));
    let status = flags.status();
    let own = matches!(status.set.as_ref().map(|set| set.origin), Some(Origin::Unleash | Origin::File));
    if let (Some(trouble), false) = (&status.trouble, own) {
        let unreachable = args.source.url().is_some();
        return Err(if unreachable { Failure::service(trouble.clone()) } else { Failure::usage(trouble.clone()) }.into());
    }
    print_set(&status, &flags.states(), args.json.json)?;
    Ok(Exit::Fine)
}

fn print_set(status: &Status, states: &[FlagState], as_json: bool) -> anyhow::Result<()> {
    let set = status.set.as_deref();
    let (source, hash) = (set.map_or(Origin::Nothing, |set| set.origin).name(), set.map_or("", |set| set.hash.as_str()));
    if as_json {
        let flags: Vec<Value> = states.iter().map(document).collect();
        let age = status.age(Instant::now()).map(|age| age.as_secs_f64());
        super::json::print(&json!({"source": source, "hash": hash, "age_seconds": age, "flags": flags}))?;
    } else {
        let mut out = terminal::stdout();
        writeln!(out, "{} {}", paint(STRONG, source), paint(DIM, hash))?;
        for state in states {
            let on = if state.enabled { paint(GOOD, "on ") } else { paint(DIM, "off") };
            writeln!(out, "  {:<20} {on} {}", state.name, shares(state))?;
        }
        out.flush()?;
    }
    Ok(())
}

fn shares(state: &FlagState) -> String {
    let share = |strategy: &crate::flags::StrategyState| {
        let share = strategy.rollout.map_or_else(|| strategy.name.clone(), |rollout| format!("{rollout} %"));
        let of = if strategy.constraints == 0 { String::new() } else { format!(" of a cohort ({} constraints)", strategy.constraints) };
        format!("{share}{of}")
    };
    if state.strategies.is_empty() { "everybody".to_owned() } else { state.strategies.iter().map(share).collect::<Vec<_>>().join(" or ") }
}

fn document(state: &FlagState) -> Value {
    let strategy = |strategy: &crate::flags::StrategyState| {
        json!({"name": strategy.name, "rollout": strategy.rollout, "stickiness": strategy.stickiness, "group": strategy.group,
            "constraints": strategy.constraints})
    };
    let strategies: Vec<Value> = state.strategies.iter().map(strategy).collect();
    json!({"name": state.name, "enabled": state.enabled, "strategies": strategies})
}

fn install(args: &InstallArgs) -> Outcome {
    let url = args.source.url().ok_or_else(|| Failure::usage("--flags must be the address of an Unleash API (…/api)".to_owned()))?;
    let token = secret("PARALLAX_UNLEASH_ADMIN_TOKEN", "an admin token")?;
    let admin = Admin::new(url, &token, &args.project, args.environment.as_deref());
    let changes = admin.missing().map_err(failure)?;
    let mut out = terminal::stdout();
    if !args.json.json {
        let will = if args.dry_run { "would be changed" } else { "to change" };
        match changes.len() {
            0 => writeln!(out, "nothing {will}: every flag is there")?,
            count => writeln!(out, "{count} things {will} at {url}, project {}:", args.project)?,
        }
        changes.iter().try_for_each(|change| writeln!(out, "  {}", change.what))?;
        out.flush()?;
    }
    for (done, change) in changes.iter().enumerate().filter(|_| !args.dry_run) {
        admin.apply(change).map_err(|error| {
            super::session::note(&format!("{done} of {} changes were made; run the command again to go on", changes.len()));
            failure(error)
        })?;
    }
    if args.json.json {
        let list: Vec<&str> = changes.iter().map(|change| change.what.as_str()).collect();
        super::json::print(&json!({"changes": list, "applied": !args.dry_run}))?;
    } else if !args.dry_run && !changes.is_empty() {
        writeln!(out, "{}", paint(GOOD, "done"))?;
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn failure(error: AdminError) -> anyhow::Error {
    match error {
        AdminError::Environment { .. } | AdminError::Project { .. } => Failure::usage(error.to_string()).into(),
        AdminError::Transport(_) | AdminError::Refused { .. } | AdminError::Answer { .. } => Failure::service(error.to_string()).into(),
    }
}
