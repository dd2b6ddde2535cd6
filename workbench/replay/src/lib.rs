//! Recorded games: replayed and compared with what was recorded, one file for each form they come in; and reviewed.

pub mod boxes;
pub mod cellularena;
mod outcome;
mod records;
mod review;
mod source;
pub mod uttt;

pub use outcome::Outcome;
pub use review::{Findings, Judged, Part, Review, parts};
pub use source::Source;

use contender_game::{Contest, Judge};

/// Checks recorded games; their form is told by the first line.
///
/// # Errors
/// What cannot be read, or is of no known form.
pub fn check(mut source: Source, game: Option<&'static dyn Contest>) -> anyhow::Result<Outcome> {
    match Form::of(&source.peek()?) {
        Form::Box => boxes::check(source),
        Form::Cellularena => cellularena::check(source),
        Form::Uttt => uttt::check(source),
        Form::Records => records::check(source, game),
    }
}

/// Walks through recorded games: `visit` gets a caption and the position before the first move and after every move.
///
/// # Errors
/// What cannot be read, or holds no games that can be shown.
pub fn show(
    mut source: Source,
    game: Option<&'static dyn Contest>,
    visit: impl FnMut(&str, &dyn Judge) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    match Form::of(&source.peek()?) {
        Form::Box => boxes::show(source, visit),
        Form::Cellularena => cellularena::show(source, visit),
        Form::Uttt => anyhow::bail!(
            "{}: a check text has no games to show; compare it with the rules by --check",
            source.name
        ),
        Form::Records => records::show(source, game, visit),
    }
}

/// The forms that recorded games come in.
enum Form {
    /// The published competitions of Box.
    Box,
    /// Games of Cellularena with every state.
    Cellularena,
    /// Check texts of Ultimate Tic-Tac-Toe.
    Uttt,
    /// JSON lines, one game a line; also what is of no known form, for the words that its reader has for it.
    Records,
}

impl Form {
    fn of(first_line: &str) -> Form {
        if first_line.starts_with("Game,") {
            Form::Box
        } else if cellularena::is_first_line(first_line) {
            Form::Cellularena
        } else if uttt::is_first_line(first_line) {
            Form::Uttt
        } else {
            Form::Records
        }
    }
}
