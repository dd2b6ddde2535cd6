//! The `contender` command: parses, calls the crates that do the work, prints.
//!
//! Exit codes: 0 fine, 1 a check failed or a bot failed where that matters, 2 wrong usage, 130 broken off.

mod arguments;
mod commands;
mod error;
mod interrupt;
mod progress;
mod setup;
mod terminal;

use clap::Parser;
use error::{UsageError, is_broken_pipe};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words = arguments::with_single_dash_words(std::env::args_os());
    let args = commands::Args::try_parse_from(&words).unwrap_or_else(|error| {
        if let Some(word) =
            words.get(1).and_then(|word| word.to_str()).filter(|word| commands::is_of_league(word))
        {
            eprintln!("tip: it is a command of leagues: `contender league {word}`\n");
        }
        error.exit()
    });
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
