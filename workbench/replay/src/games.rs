//! A recorded game in any format, which can be replayed on the board.

use crate::ReplayError;
use crate::exchange::stand_ins;
use contender_game::contest::{Contest, Judge, Question};
use contender_play::Record;

/// A recorded game that is being replayed.
pub struct ReplayedGame {
    /// The place of the game: `file:line`.
    pub place: String,
    /// The game's name in the file, and its players, in one line; may be empty.
    pub title: String,
    /// The contest of the game.
    pub contest: &'static dyn Contest,
    /// The complete record, if the game comes from one of our own logs.
    pub record: Option<Box<Record>>,
    /// The moves after the setup, in the judge's notation.
    pub moves: Vec<String>,
    judge: Box<dyn Judge>,
    turn: usize,
}

impl ReplayedGame {
    /// Creates a game at its start.
    pub(crate) fn new(
        place: String,
        title: String,
        contest: &'static dyn Contest,
        judge: Box<dyn Judge>,
        moves: Vec<String>,
    ) -> ReplayedGame {
        ReplayedGame { place, title, contest, record: None, moves, judge, turn: 0 }
    }

    /// Returns the judge after the replayed moves.
    #[must_use]
    pub fn judge(&self) -> &dyn Judge {
        self.judge.as_ref()
    }

    /// Returns the judge after the replayed moves, for a move that the game does not have. The game cannot be replayed
    /// further after such a move.
    pub fn judge_mut(&mut self) -> &mut dyn Judge {
        self.judge.as_mut()
    }

    /// Returns the judge's questions after the replayed moves. The list is empty if the game is over.
    pub fn ask(&mut self) -> Vec<Question> {
        self.judge.ask()
    }

    /// Returns the number of replayed moves.
    #[must_use]
    pub fn turn(&self) -> usize {
        self.turn
    }

    /// Returns for every move whether the judge made it for a bot that had failed.
    ///
    /// # Errors
    /// Returns an error if the game's judge does not accept the record.
    pub fn stand_ins(&self) -> Result<Vec<bool>, ReplayError> {
        self.record.as_ref().map_or(Ok(vec![false; self.moves.len()]), |record| stand_ins(record))
    }

    /// Makes the next move. Returns `None` if there are no more moves.
    ///
    /// # Errors
    /// Returns an error with the place of the move if the move is illegal.
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

    /// Advances to the position after `turn` moves, or after the last move.
    ///
    /// # Errors
    /// Returns an error with the place of the first illegal move.
    pub fn go_to(&mut self, turn: usize) -> Result<(), ReplayError> {
        while self.turn < turn {
            let Some(played) = self.step() else { break };
            played?;
        }
        Ok(())
    }
}
