//! The `contender` command: parses, calls the crates that do the work, prints.
//!
//! Exit codes: 0 fine, 1 a check failed or a bot failed where that matters, 2 wrong usage.

mod args;
mod commands;
mod interrupt;
mod terminal;

use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

/// An error of the user, in words for the user: exit code 2.
#[derive(Debug)]
pub struct UsageError(pub String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

fn main() -> ExitCode {
    let args = args::Args::parse_from(args::with_single_dash_words(std::env::args_os()));
    match commands::run(args.command) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Where nobody reads standard error either, the exit code has to do.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
        }
    }
}

/// Whether the reader of our output has gone, as `head` does: no error of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
