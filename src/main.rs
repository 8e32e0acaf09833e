//! The `parallax` command.

fn main() -> std::process::ExitCode {
    parallax::cli::main()
}
