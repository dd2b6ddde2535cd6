//! Replays a battle of a bundled game with the game's rules. The battle's record then contains moves, like the record
//! of any other game.

use contender_game::{contest::Contest, rules::Player, settings::Options};
use contender_play::{Record, RecordError};

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
    let (mut judge, rules) =
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
    let mut turns = [0; 2];
    loop {
        let questions = judge.ask();
        if questions.is_empty() {
            break;
        }
        for question in questions {
            let seat = question.player.index();
            let answer = record.seats[seat].outputs.get(turns[seat]).filter(|answer| !answer.is_empty());
            turns[seat] += 1;
            let Some(answer) = answer else {
                if record.seats[seat].ending.is_failure() {
                    judge.fail(question.player);
                    continue;
                }
                return Err(RulesError::NoAnswer { turn: turns[seat], seat });
            };
            let lines: Vec<String> = answer.lines().map(str::to_string).collect();
            if let Err(reason) = judge.answer(question.player, &lines) {
                if !record.seats[seat].ending.is_failure() {
                    let (turn, answer) = (turns[seat], answer.clone());
                    return Err(RulesError::Answer { turn, seat, answer, reason });
                }
                judge.fail(question.player);
            }
        }
    }
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
    let mut rules = contender_play::log::rules_of(&record.rules)?;
    let mut judge = contest.judge(record.seed, &mut rules).map_err(RulesError::Rule)?;
    let mut turns = vec![0; record.seats.len()];
    let mut text = String::new();
    loop {
        let questions = judge.ask();
        if questions.is_empty() {
            return Err(RulesError::Over { turn, seat });
        }
        let own = questions.iter().find(|question| question.player.index() == seat);
        if let Some(question) = own {
            text += &question.text;
            if turns[seat] + 1 == turn {
                return Ok(text);
            }
        }
        for question in &questions {
            let at = question.player.index();
            let answer = record.seats[at].outputs.get(turns[at]).map_or("", String::as_str);
            turns[at] += 1;
            let lines: Vec<String> = answer.lines().map(str::to_string).collect();
            judge.answer(question.player, &lines).map_err(|reason| RulesError::Answer {
                turn: turns[at],
                seat: at,
                answer: answer.to_string(),
                reason,
            })?;
        }
    }
}
