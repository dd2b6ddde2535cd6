//! Text notations for moves and boards.

use crate::{
    board::Picture,
    rules::{Game, Player},
};

/// A game in which the players take turns, with a text notation for its moves. A game has two notations: one for the
/// bots' answers, and one for records, which may contain more information.
///
/// The [example of the module](crate::contest) implements this trait.
pub trait Notation: Game {
    /// Parses a move in the notation of the bots.
    ///
    /// # Errors
    /// Returns an error if the text is not a move, or if the move is illegal in this state.
    fn read(&self, text: &str) -> Result<Self::Move, String>;

    /// Formats a move in the notation of the bots. `self` is the state before the move.
    fn write(&self, mv: Self::Move) -> String;

    /// Formats a move in record notation, including any outcome of chance before the move. `self` is the state before
    /// the move. By default, record notation is the notation of the bots.
    fn write_record(&self, mv: Self::Move) -> String {
        self.write(mv)
    }

    /// Parses a move in the notation of [`write_record`](Notation::write_record), and applies the recorded outcomes of
    /// chance to the state. Does not play the move.
    ///
    /// # Errors
    /// Returns an error if the text is not a move, or if the move is illegal in this state. In that case the state does
    /// not change.
    fn read_record(&mut self, text: &str) -> Result<Self::Move, String> {
        self.read(text)
    }

    /// Parses a recorded move and plays it.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`read_record`](Notation::read_record). In that case the state does not
    /// change.
    fn play_record(&mut self, text: &str) -> Result<Self::Move, String> {
        let mv = self.read_record(text)?;
        self.play(mv);
        Ok(mv)
    }

    /// Returns the state after playing these recorded moves.
    ///
    /// # Errors
    /// Returns an error that contains the number of the first move that cannot be played.
    fn after(mut self, moves: &[String]) -> Result<Self, String> {
        numbered(moves, |text| self.play_record(text).map(|_| ()))?;
        Ok(self)
    }

    /// Returns the picture for [`Judge::picture`](crate::contest::Judge::picture). `last` is the latest move, if it is
    /// known.
    fn picture(&self, last: Option<Self::Move>, viewer: Option<Player>) -> Picture;
}

/// Calls `play` for each move in turn, and stops at the first error.
///
/// # Errors
/// Returns the first error, prefixed with the number of the move.
///
/// ```
/// use contender_game::contest::numbered;
///
/// let moves = ["4".to_string(), "x".to_string()];
/// let read = numbered(&moves, |text| text.parse::<u8>().map(|_| ()).map_err(|error| error.to_string()));
/// assert_eq!(read, Err("move 2: invalid digit found in string".to_string()));
/// ```
pub fn numbered(moves: &[String], mut play: impl FnMut(&str) -> Result<(), String>) -> Result<(), String> {
    for (at, text) in moves.iter().enumerate() {
        play(text).map_err(|error| format!("move {}: {error}", at + 1))?;
    }
    Ok(())
}
