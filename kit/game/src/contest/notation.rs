//! Moves and boards as text.

use crate::{
    board::Picture,
    rules::{Game, Player},
};

/// A game in which the players take turns, with its moves as text. A game has two notations: one for the bots' answers,
/// and one for the record, which may contain more.
pub trait Notation: Game {
    /// Reads a move in the notation of the bots.
    ///
    /// # Errors
    /// Returns an error if the text is not a move, or if the move is illegal here.
    fn read(&self, text: &str) -> Result<Self::Move, String>;

    /// Returns a move in the notation of the bots. `self` is the state before the move.
    fn write(&self, mv: Self::Move) -> String;

    /// Returns a move in the notation of the record, including what chance decided before the move. `self` is the state
    /// before the move. By default this is the notation of the bots.
    fn write_record(&self, mv: Self::Move) -> String {
        self.write(mv)
    }

    /// Reads a move in the notation of [`write_record`](Notation::write_record), and applies the recorded outcomes of
    /// chance to the state. The move itself is not played.
    ///
    /// # Errors
    /// Returns an error if the text is not a move, or if the move is illegal here. In this case the state is unchanged.
    fn read_record(&mut self, text: &str) -> Result<Self::Move, String> {
        self.read(text)
    }

    /// Reads a recorded move and plays it.
    ///
    /// # Errors
    /// Returns an error as [`read_record`](Notation::read_record) does. In this case the state is unchanged.
    fn play_record(&mut self, text: &str) -> Result<Self::Move, String> {
        let mv = self.read_record(text)?;
        self.play(mv);
        Ok(mv)
    }

    /// Returns the state after these recorded moves.
    ///
    /// # Errors
    /// Returns an error with the number of the first move that cannot be played.
    fn after(mut self, moves: &[String]) -> Result<Self, String> {
        numbered(moves, |text| self.play_record(text).map(|_| ()))?;
        Ok(self)
    }

    /// Returns the picture for [`Judge::picture`](crate::contest::Judge::picture). `last` is the latest move, if known.
    fn picture(&self, last: Option<Self::Move>, viewer: Option<Player>) -> Picture;
}

/// Calls `play` for each move.
///
/// # Errors
/// Returns the first error, with the number of the move.
pub fn numbered(moves: &[String], mut play: impl FnMut(&str) -> Result<(), String>) -> Result<(), String> {
    for (at, text) in moves.iter().enumerate() {
        play(text).map_err(|error| format!("move {}: {error}", at + 1))?;
    }
    Ok(())
}
