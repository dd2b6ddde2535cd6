//! Recorded games. They can be replayed, compared with their records, and reviewed. Each file format has a module.

#[cfg(feature = "games")]
pub mod cellularena;
pub mod codecup;
mod error;
mod exchange;
mod games;
mod outcome;
mod records;
mod review;
mod source;
#[cfg(feature = "games")]
pub mod uttt;

pub use error::ReplayError;
pub use exchange::{Asked, questions, stand_ins};
pub use games::ReplayedGame;
pub use outcome::Outcome;
pub use review::{Findings, Judged, LossGroup, Review, Valued, cost_before, deciders, parts};
pub use source::Source;

use contender_game::contest::Contest;

/// Checks recorded games. The first line of the source determines the format.
///
/// # Errors
/// Returns an error if the text cannot be read or has an unknown format.
pub fn check(mut source: Source, game: Option<&'static dyn Contest>) -> anyhow::Result<Outcome> {
    match Form::of(&source.peek()?) {
        Form::CodeCup => codecup::check(source, game),
        #[cfg(feature = "games")]
        Form::Cellularena => cellularena::check(source),
        #[cfg(feature = "games")]
        Form::Uttt => uttt::check(source),
        Form::Records => records::check(source, game),
    }
}

/// Returns the games in a file, which can be replayed one by one. Skips the first `skipped` games.
///
/// # Errors
/// Returns an error if the file cannot be read or has no games to replay. A single game that is malformed or cannot
/// start is an error item with the reason.
pub fn games(
    mut source: Source,
    game: Option<&'static dyn Contest>,
    skipped: usize,
) -> anyhow::Result<Box<dyn Iterator<Item = Result<ReplayedGame, ReplayError>>>> {
    Ok(match Form::of(&source.peek()?) {
        Form::CodeCup => Box::new(codecup::games(source, game, skipped)?),
        #[cfg(feature = "games")]
        Form::Cellularena => Box::new(cellularena::games(source, skipped)),
        #[cfg(feature = "games")]
        Form::Uttt => anyhow::bail!(
            "{}: no games to show: this file contains check values\n\
             hint: use `--check` to compare them with the rules",
            source.name
        ),
        Form::Records => Box::new(records::games(source, game, skipped)),
    })
}

/// Returns whether a table that starts with this line contains recorded games.
#[must_use]
pub fn is_table_of_games(first_line: &str) -> bool {
    match Form::of(first_line) {
        Form::CodeCup => true,
        #[cfg(feature = "games")]
        Form::Cellularena => true,
        _ => false,
    }
}

/// The formats of recorded games.
enum Form {
    /// Games that CodeCup published.
    CodeCup,
    /// Games of Cellularena with the state after every turn.
    #[cfg(feature = "games")]
    Cellularena,
    /// Test files of Ultimate Tic-Tac-Toe.
    #[cfg(feature = "games")]
    Uttt,
    /// JSON lines, one game per line. Files in unknown formats are also read in this way, because this reader has
    /// helpful error messages.
    Records,
}

impl Form {
    fn of(first_line: &str) -> Form {
        #[cfg(feature = "games")]
        if cellularena::is_first_line(first_line) {
            return Form::Cellularena;
        } else if uttt::is_first_line(first_line) {
            return Form::Uttt;
        }
        if first_line.starts_with("Game,") { Form::CodeCup } else { Form::Records }
    }
}
