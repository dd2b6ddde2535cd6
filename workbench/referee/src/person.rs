//! A person on a seat: asked as bots are, without a clock, and again after a move that is not legal.

use contender_game::{
    board::Picture,
    contest::{Judge, Question},
    rules::Player,
};
use std::time::Duration;

/// The person's name in records.
pub const PERSON: &str = "you";

/// A person who plays: what shows the game and takes the moves.
pub trait Person: Send {
    /// Asks for an answer of as many lines as the prompt says; `None` if the person leaves the game.
    fn answer(&mut self, prompt: Prompt) -> Option<Vec<String>>;

    /// The other player has answered so.
    fn hear(&mut self, other: Player, answer: &[String]) {
        let _ = (other, answer);
    }
}

/// The view of a person who must answer.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// The player that must answer.
    pub player: Player,
    /// The position as that player may see it.
    pub picture: Picture,
    /// The request and the form of the answer, in one line.
    pub request: String,
    /// All legal answers, or all legal single lines if an answer has several. Empty if there are too many to list.
    pub choices: Vec<String>,
    /// Number of lines of the answer.
    pub answer_lines: usize,
    /// All moves so far, in the judge's notation.
    pub moves: Vec<String>,
    /// Contest points as things stand.
    pub points: [i32; 2],
    /// Thinking time of each player so far.
    pub used: [Duration; 2],
    /// Why the answer to the same question was not taken.
    pub rejected: Option<String>,
}

impl Prompt {
    /// Returns the view of the player whom the judge asks this.
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
