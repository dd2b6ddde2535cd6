//! A person on a seat: asked as bots are, without a clock, and again after a move that is not legal.

use crate::{Entrant, GameRecord, Referee, RefereeError};
use contender_game::{Contest, Judge, Picture, Player, Question};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How much later than its limit a bot may answer: against a person that is no loss.
const MARGIN: Duration = Duration::from_secs(10);

/// What the person is called in records.
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

/// What a person is shown who is to answer.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Who is to answer.
    pub player: Player,
    /// The position as that player may see it.
    pub picture: Picture,
    /// What is asked and how to write it, in a line.
    pub request: String,
    /// All legal answers; of each line, where there are several. Empty where they are too many to list.
    pub choices: Vec<String>,
    /// How many lines the answer has.
    pub answer_lines: usize,
    /// All moves so far, in the judge's notation.
    pub moves: Vec<String>,
    /// Contest points as things stand.
    pub points: [i32; 2],
    /// How long each player has thought in all.
    pub used: [Duration; 2],
    /// Why the answer to the same question was not taken.
    pub rejected: Option<String>,
}

impl Prompt {
    /// What the judge shows the player whom it asks this.
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

impl Referee {
    /// Plays a game of a person on the seat `player` against a bot; `seed` is of all luck. A bot that fails ends the game, with the
    /// points of the position reached. Returns the record, interrupted if the person has left, and the last position.
    ///
    /// # Errors
    /// Only what is no bot's fault.
    pub fn play_person(
        &self,
        contest: &dyn Contest,
        person: Box<dyn Person>,
        player: Player,
        bot: &Entrant,
        seed: u64,
    ) -> Result<(GameRecord, Picture), RefereeError> {
        let referee = Referee { margin: self.margin.max(MARGIN), play_on: false, ..self.clone() };
        let (person, bot) = (Sitter::Person(person), Sitter::Bot(bot, seed));
        let sitters = if player == Player::Zero { [person, bot] } else { [bot, person] };
        let (record, judge) = referee.play_seats(contest, sitters, seed, &AtomicBool::new(false))?;
        Ok((record, judge.picture(None)))
    }
}

/// Who takes a seat.
pub(crate) enum Sitter<'a> {
    /// A bot with the seed of its random choices.
    Bot(&'a Entrant, u64),
    Person(Box<dyn Person>),
}

impl Sitter<'_> {
    pub fn name(&self) -> &str {
        match self {
            Sitter::Bot(entrant, _) => &entrant.name,
            Sitter::Person(_) => PERSON,
        }
    }

    /// Whether its moves come from another process.
    pub fn is_external(&self) -> bool {
        matches!(self, Sitter::Bot(entrant, _) if entrant.program.is_external())
    }
}
