//! Moves and boards as text.

use crate::{
    board::Picture,
    rules::{Game, Player},
};

/// A game whose players move in turn, with its moves as text: those that bots answer, and those of the record, which
/// may tell more.
pub trait Notation: Game {
    /// Reads a move as a bot answers it.
    ///
    /// # Errors
    /// The reason why the text is not a move, or why the move is not legal here.
    fn read(&self, text: &str) -> Result<Self::Move, String>;

    /// Returns the move as a bot answers it; the state is before the move.
    fn write(&self, mv: Self::Move) -> String;

    /// Returns the move as the record of the game has it, with what chance decided before it; the state is before the
    /// move. By default what a bot answers.
    fn write_record(&self, mv: Self::Move) -> String {
        self.write(mv)
    }

    /// Reads a move as [`write_record`](Notation::write_record) writes it, and lets chance decide what it says; the
    /// move is not played yet.
    ///
    /// # Errors
    /// The reason why the text is not a move, or why the move is not legal here. The state is unchanged then.
    fn read_record(&mut self, text: &str) -> Result<Self::Move, String> {
        self.read(text)
    }

    /// Reads a recorded move and plays it.
    ///
    /// # Errors
    /// See [`read_record`](Notation::read_record); the state is unchanged then.
    fn play_record(&mut self, text: &str) -> Result<Self::Move, String> {
        let mv = self.read_record(text)?;
        self.play(mv);
        Ok(mv)
    }

    /// Returns the state after these recorded moves.
    ///
    /// # Errors
    /// The first move that cannot be played, with its number.
    fn after(mut self, moves: &[String]) -> Result<Self, String> {
        numbered(moves, |text| self.play_record(text).map(|_| ()))?;
        Ok(self)
    }

    /// Returns the position for [`Judge::picture`](crate::contest::Judge::picture), after the move `last`, if it is
    /// known.
    fn picture(&self, last: Option<Self::Move>, viewer: Option<Player>) -> Picture;
}

/// Does something with each of the moves.
///
/// # Errors
/// The first one, with the move's number.
pub fn numbered(moves: &[String], mut play: impl FnMut(&str) -> Result<(), String>) -> Result<(), String> {
    for (at, text) in moves.iter().enumerate() {
        play(text).map_err(|error| format!("move {}: {error}", at + 1))?;
    }
    Ok(())
}
