//! A recorded game on the board, whatever form it was recorded in.

use crate::ReplayError;
use crate::exchange::stand_ins;
use contender_game::contest::{Contest, Judge};
use contender_play::Record;

/// A recorded game that is being replayed.
pub struct Game {
    /// Its place: `file:line`.
    pub place: String,
    /// Its name there and its players, in one line; may be empty.
    pub title: String,
    /// The game it is.
    pub contest: &'static dyn Contest,
    /// All that is known of it, if it is of one of our own logs.
    pub record: Option<Box<Record>>,
    /// The moves after the start, in the judge's notation.
    pub moves: Vec<String>,
    judge: Box<dyn Judge>,
    turn: usize,
}

impl Game {
    /// Creates a game at its start.
    pub(crate) fn new(
        place: String,
        title: String,
        contest: &'static dyn Contest,
        judge: Box<dyn Judge>,
        moves: Vec<String>,
    ) -> Game {
        Game { place, title, contest, record: None, moves, judge, turn: 0 }
    }

    /// Returns the position after the moves that were played so far.
    #[must_use]
    pub fn judge(&self) -> &dyn Judge {
        self.judge.as_ref()
    }

    /// Returns the number of moves played.
    #[must_use]
    pub fn turn(&self) -> usize {
        self.turn
    }

    /// Returns, for every move, whether the judge made it for a bot that had failed.
    ///
    /// # Errors
    /// A record that its own judge does not take.
    pub fn stand_ins(&self) -> Result<Vec<bool>, ReplayError> {
        self.record.as_ref().map_or(Ok(vec![false; self.moves.len()]), |record| stand_ins(record))
    }

    /// Plays the next move; `None` if there is none left.
    ///
    /// # Errors
    /// Why the move is not legal, with its place.
    pub fn step(&mut self) -> Option<Result<(), ReplayError>> {
        let text = self.moves.get(self.turn)?;
        self.turn += 1;
        let played = self.judge.replay(text);
        let (place, turn) = (&self.place, self.turn);
        Some(
            played
                .map_err(|reason| ReplayError::Malformed(format!("{place}: turn {turn} `{text}`: {reason}"))),
        )
    }

    /// Goes to the position after `turn` moves, or after the last one.
    ///
    /// # Errors
    /// The first move that is not legal, with its place.
    pub fn go_to(&mut self, turn: usize) -> Result<(), ReplayError> {
        while self.turn < turn {
            let Some(played) = self.step() else { break };
            played?;
        }
        Ok(())
    }
}
