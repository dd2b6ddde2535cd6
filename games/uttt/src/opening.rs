//! Openings: the first moves of a game, played by the judge.

use crate::{Move, State};
use contender_game::{
    contest::{excerpt, Notation},
    rules::{Game, Rng, Turn},
};
use std::fmt;
use std::str::FromStr;

/// The moves of an opening, which do not end the game. An example of their text form is `44-35`.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    moves: Vec<Move>,
    state: State,
}

impl Opening {
    /// Draws `moves` random moves.
    #[must_use]
    pub fn draw(moves: u32, rng: &mut Rng) -> Opening {
        let mut opening = Opening::default();
        for _ in 0..moves {
            let mv = opening.state.random_move(rng, &mut Vec::new());
            opening.state.play(mv);
            opening.moves.push(mv);
        }
        opening
    }

    /// Returns the moves.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the state after the moves.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// Adds a move, given in the notation of the record.
    ///
    /// # Errors
    /// Returns an error if the text is not a move, or if the move is illegal.
    pub fn play(&mut self, text: &str) -> Result<(), String> {
        self.moves.push(self.state.play_record(text)?);
        Ok(())
    }
}

impl FromStr for Opening {
    type Err = String;

    fn from_str(text: &str) -> Result<Opening, String> {
        let mut opening = Opening::default();
        for pair in text.split('-') {
            match pair.as_bytes() {
                [_, _] if pair.is_ascii() => opening.play(&format!("{} {}", &pair[..1], &pair[1..]))?,
                _ => return Err(format!("`{}` is not a row and a column, for example 44", excerpt(pair))),
            }
        }
        match opening.state.turn() {
            Turn::Over => Err("the game is over after these moves".to_string()),
            _ => Ok(opening),
        }
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<String> = self.moves.iter().map(|mv| mv.to_string().replace(' ', "")).collect();
        f.write_str(&moves.join("-"))
    }
}
