//! The `contender` command: parses the arguments, calls the crates that do the work, and prints the results.
//!
//! [`main`] runs the whole command for a list of games. The `contender` program passes the games of this workspace; the
//! program of a custom game passes that game.
//!
//! Exit codes: 0 for success, 1 if a check or a bot failed, 2 for incorrect usage, 130 if interrupted.

/// Writes a line to standard error. If writing fails, for example because the disk is full, the command continues,
/// because its results are in files and in the exit code.
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

mod arguments;
mod commands;
mod error;
mod progress;
mod remote;
mod setup;
mod signals;
mod terminal;

#[cfg(feature = "games")]
pub use contender_catalogue::OWN as GAMES;
#[cfg(feature = "train")]
pub use contender_learn::{
    learns_features, learns_features_with,
    policy_value::{learns, learns_game, learns_simultaneous},
    treestrap::learns_weights,
    value_network::learns_values,
};

use clap::Parser;
use contender_game::contest::Contest;
use error::{UsageError, is_broken_pipe};
use std::process::ExitCode;

/// Runs the command line of this process with these games.
pub fn main(games: &[&'static dyn Contest]) -> ExitCode {
    #[cfg(feature = "train")]
    contender_trainings::register();
    if let Err(problem) = contender_catalogue::register(games) {
        say!("error: {problem}");
        return ExitCode::from(2);
    }
    let words = arguments::understood(std::env::args_os());
    let args = commands::Args::try_parse_from(&words).unwrap_or_else(|error| {
        // The hint follows the error, as for every error.
        let _ = error.print();
        if let Some(word) =
            words.get(1).and_then(|word| word.to_str()).filter(|word| commands::is_of_league(word))
        {
            say!(
                "hint: `{word}` is a league command; use `{} league {word}`",
                contender_input::this_program()
            );
        }
        std::process::exit(error.exit_code())
    });
    let code = match commands::run(args.command) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say!("error: {}", error::text(&error));
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
        }
    };
    // The work was interrupted. 130 is the exit code that shells use for Ctrl-C.
    if signals::was_interrupted() { ExitCode::from(130) } else { code }
}
