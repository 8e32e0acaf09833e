//! The `parallax` command.

/// Loads come and go in bulk: the C library's allocator gives their memory back to the system after each, and pays page by page for
/// the next one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    parallax::cli::main()
}
