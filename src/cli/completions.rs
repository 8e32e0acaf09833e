//! `completions`: a script that lets a shell complete commands and options.

use super::Outcome;
use super::exit::Exit;

/// Arguments of `completions`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The shell to complete in
    shell: clap_complete::Shell,
}

/// Prints the script.
pub(super) fn run(args: &Args, command: &mut clap::Command) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "parallax", &mut script);
    std::io::Write::write_all(&mut std::io::stdout().lock(), &script)?;
    Ok(Exit::Fine)
}
