//! Replays a battle of a bundled game with the game's rules. The battle's record then contains moves, like the record
//! of any other game. The rules also return a bot's input, and who was ahead after each turn.

use contender_game::contest::{Contest, Judge, Question};
use contender_game::{rules::Player, settings::Options};
use contender_play::{Record, RecordError};
use std::cmp::Ordering;

/// The rule that contains CodinGame's seed, for games whose maps are derived from it.
const MAP: &str = "map-seed";

/// The reason why a battle contradicts the rules.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// A record whose rules are invalid.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A rule that the game does not have.
    #[error("{0}")]
    Rule(String),
    /// A number of players that the game does not support.
    #[error("{0} players, but the game has 2")]
    Players(usize),
    /// A turn for which no answer is recorded, although the player did not fail.
    #[error("turn {turn}: no answer of player {seat} is recorded")]
    NoAnswer {
        /// The turn, counted from 1.
        turn: usize,
        /// The player.
        seat: usize,
    },
    /// An answer that is illegal.
    #[error("turn {turn}, player {seat}, `{answer}`: {reason}")]
    Answer {
        /// The turn, counted from 1.
        turn: usize,
        /// The player.
        seat: usize,
        /// The answer.
        answer: String,
        /// The reason according to the rules.
        reason: String,
    },
    /// A recorded result that differs from the replay.
    #[error("at the end: the rules give {}-{}, but a different result is recorded", points[0], points[1])]
    Result {
        /// The points after the replay.
        points: [i32; 2],
    },
    /// A game that is over before the requested turn.
    #[error("the game ends before turn {turn} of player {seat}")]
    Over {
        /// The turn, counted from 1.
        turn: usize,
        /// The player.
        seat: usize,
    },
}

/// Sets the moves, the setup and the name of the game, which are derived from the recorded answers.
///
/// # Errors
/// Returns an error for the first illegal answer, or if the replay ends with a different result.
pub(crate) fn replay(contest: &dyn Contest, record: &mut Record) -> Result<(), RulesError> {
    let mut rules = Options::rules();
    rules.add(MAP, &record.seed.cast_signed().to_string()).map_err(RulesError::Rule)?;
    let (judge, rules) =
        match contest.judge(record.seed, &mut rules).and_then(|judge| rules.finish().map(|()| judge)) {
            Ok(judge) => (judge, format!("{MAP}={}", record.seed.cast_signed())),
            // A game without maps.
            Err(_) => {
                (contest.judge(record.seed, &mut Options::rules()).map_err(RulesError::Rule)?, String::new())
            }
        };
    if record.seats.len() != 2 {
        return Err(RulesError::Players(record.seats.len()));
    }
    let mut game = Replay::new(judge, record);
    while !game.ask().is_empty() {
        game.answer()?;
    }
    let judge = game.judge;
    let points = judge.points();
    if points[0].cmp(&points[1]) != record.seats[1].rank.cmp(&record.seats[0].rank) {
        return Err(RulesError::Result { points });
    }
    for player in Player::BOTH {
        record.seats[player.index()].points = Some(points[player.index()].into());
    }
    record.game = contest.name().to_string();
    record.rules = rules;
    record.setup = judge.setup();
    record.moves = judge.moves().to_vec();
    Ok(())
}

/// Returns the input of a seat up to a turn, counted from 1.
///
/// # Errors
/// Returns an error if an answer is illegal, or if the game is over before the turn.
pub(crate) fn input(
    contest: &dyn Contest,
    record: &Record,
    seat: usize,
    turn: usize,
) -> Result<String, RulesError> {
    let mut game = Replay::start(contest, record)?;
    let mut text = String::new();
    loop {
        let questions = game.ask();
        if questions.is_empty() {
            return Err(RulesError::Over { turn, seat });
        }
        if let Some(question) = questions.iter().find(|question| question.player.index() == seat) {
            text += &question.text;
            if game.turns[seat] + 1 == turn {
                return Ok(text);
            }
        }
        game.answer()?;
    }
}

/// Returns who is ahead in points after each turn: `Greater` for seat 0. The last entry is the result.
///
/// # Errors
/// Returns an error if an answer is illegal.
pub(crate) fn leads(contest: &dyn Contest, record: &Record) -> Result<Vec<Ordering>, RulesError> {
    let mut game = Replay::start(contest, record)?;
    let mut leads = Vec::new();
    while !game.ask().is_empty() {
        game.answer()?;
        let [zero, one] = game.judge.points();
        leads.push(zero.cmp(&one));
    }
    Ok(leads)
}

/// A game whose questions are answered as in a record.
struct Replay<'a> {
    judge: Box<dyn Judge>,
    record: &'a Record,
    /// The questions of the current turn.
    questions: Vec<Question>,
    /// Number of questions that each seat has received before the current turn.
    turns: Vec<usize>,
}

impl<'a> Replay<'a> {
    fn new(judge: Box<dyn Judge>, record: &'a Record) -> Replay<'a> {
        Replay { judge, record, questions: Vec::new(), turns: vec![0; record.seats.len().max(2)] }
    }

    /// Starts the game of a record that already has the rules of the contest.
    fn start(contest: &dyn Contest, record: &'a Record) -> Result<Replay<'a>, RulesError> {
        if record.seats.len() != 2 {
            return Err(RulesError::Players(record.seats.len()));
        }
        let mut rules = contender_play::log::rules_of(&record.rules)?;
        let judge = contest.judge(record.seed, &mut rules).map_err(RulesError::Rule)?;
        Ok(Replay::new(judge, record))
    }

    /// Begins a turn and returns its questions. They are empty if the game is over.
    fn ask(&mut self) -> &[Question] {
        self.questions = self.judge.ask();
        &self.questions
    }

    /// Answers the questions of the turn. A player that failed in the battle fails when no legal answer is left.
    fn answer(&mut self) -> Result<(), RulesError> {
        for question in std::mem::take(&mut self.questions) {
            let seat = question.player.index();
            let recorded = &self.record.seats[seat];
            let answer = recorded.outputs.get(self.turns[seat]).filter(|answer| !answer.is_empty());
            self.turns[seat] += 1;
            let turn = self.turns[seat];
            let answered = match answer {
                None => Err(RulesError::NoAnswer { turn, seat }),
                Some(answer) => {
                    let lines: Vec<String> = answer.lines().map(str::to_string).collect();
                    let illegal = |reason| RulesError::Answer { turn, seat, answer: answer.clone(), reason };
                    self.judge.answer(question.player, &lines).map_err(illegal)
                }
            };
            if let Err(error) = answered {
                if !recorded.ending.is_failure() {
                    return Err(error);
                }
                self.judge.fail(question.player);
            }
        }
        Ok(())
    }
}
