//! Persons as players. The referee asks a person in the same way as a bot, but without a clock, and asks again after an
//! illegal move.

use contender_game::{
    board::Picture,
    contest::{Judge, Question},
    rules::Player,
};
use std::time::Duration;

/// The person's name in records.
pub const PERSON: &str = "you";

/// The interface to a person who plays. It shows the game and reads the person's moves.
pub trait Person: Send {
    /// Asks for an answer with the prompt's number of lines. Returns `None` if the person leaves the game.
    fn answer(&mut self, prompt: Prompt) -> Option<Vec<String>>;

    /// Receives the other player's answer.
    fn hear(&mut self, other: Player, answer: &[String]) {
        let _ = (other, answer);
    }
}

/// The view of a person who must answer.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// The player who must answer.
    pub player: Player,
    /// The position, without information that is hidden from this player.
    pub picture: Picture,
    /// One line that describes the request and the format of the answer.
    pub request: String,
    /// All legal answers, or all legal single lines if an answer has several lines. Empty if there are too many to
    /// list.
    pub choices: Vec<String>,
    /// Number of lines of the answer.
    pub answer_lines: usize,
    /// All moves of the game up to this position, in the judge's notation.
    pub moves: Vec<String>,
    /// The current contest points of both players.
    pub points: [i32; 2],
    /// The thinking time that each player has used.
    pub used: [Duration; 2],
    /// The reason why the person's last answer to this question was rejected.
    pub rejected: Option<String>,
}

impl Prompt {
    /// Returns the view of the player who must answer this question.
    #[must_use]
    pub fn of(
        judge: &dyn Judge,
        question: &Question,
        used: [Duration; 2],
        rejected: Option<String>,
    ) -> Prompt {
        let player = question.player;
        Prompt {
            player,
            picture: judge.picture(Some(player)),
            request: judge.prompt(player),
            choices: judge.choices(player),
            answer_lines: question.answer_lines,
            moves: judge.moves().to_vec(),
            points: judge.points(),
            used,
            rejected,
        }
    }
}
