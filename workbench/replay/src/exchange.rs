//! The input of the bots in a recorded game, and the moves that the judge made for failed bots. This module finds them
//! by running the game's judge again.

use crate::ReplayError;
use contender_catalogue::{find, unknown_game};
use contender_game::{
    contest::{Contest, Judge, JudgeSite},
    rules::Player,
};
use contender_play::log::rules_of;
use contender_play::{Ending, Record, RecordError};

/// A question in a recorded game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Number of moves before the question.
    pub before: usize,
    /// The bot's input, as whole lines.
    pub text: String,
}

/// Returns the questions to the bot in a seat. If the bot failed, the last question is the one at which it failed. The
/// bot's whole input consists of these texts in order, followed by the farewell if the game was completed.
///
/// # Errors
/// Returns an error if the game's judge does not accept the record.
pub fn questions(record: &Record, seat: Player) -> Result<Vec<Asked>, ReplayError> {
    let contest = contest_of(record)?;
    record.check_seed(contest)?;
    let mut judge =
        contest.judge(record.seed, &mut rules_of(&record.rules)?).map_err(ReplayError::Unknown)?;
    let most = asked(record, seat);
    let mut found = Vec::new();
    for before in 0..=record.moves.len() {
        let questions = judge.ask();
        let of_seat = questions.into_iter().find(|question| question.player == seat);
        found.extend(
            of_seat.filter(|_| found.len() < most).map(|question| Asked { before, text: question.text }),
        );
        if let Some(text) = record.moves.get(before) {
            replay(&mut *judge, before, text)?;
        }
    }
    let is_played_out = !record.seats[seat.index()].ending.is_failure() && !record.interrupted;
    if is_played_out && !judge.farewell().is_empty() {
        found.push(Asked { before: record.moves.len(), text: judge.farewell().to_string() });
    }
    Ok(found)
}

/// Returns for every move whether the judge made it for a bot that had failed.
///
/// # Errors
/// Returns an error if the game's judge does not accept the record.
pub fn stand_ins(record: &Record) -> Result<Vec<bool>, ReplayError> {
    let contest = contest_of(record)?;
    let mut found = vec![false; record.moves.len()];
    if contest.info().site != JudgeSite::CodeCup {
        return Ok(found);
    }
    for seat in Player::BOTH.into_iter().filter(|&seat| record.seats[seat.index()].ending.is_failure()) {
        let mut judge =
            contest.recorded(&record.setup, &mut rules_of(&record.rules)?).map_err(RecordError::Setup)?;
        let mut left = answered(record, seat);
        for (before, text) in record.moves.iter().enumerate() {
            replay(&mut *judge, before, text)?;
            if judge.mover() == Some(seat) {
                found[before] = left == 0;
                left = left.saturating_sub(1);
            }
        }
    }
    Ok(found)
}

/// Returns how many answers from a seat the judge accepted.
fn answered(record: &Record, seat: Player) -> usize {
    let report = &record.seats[seat.index()];
    (report.answers as usize).saturating_sub(usize::from(matches!(report.ending, Ending::Illegal { .. })))
}

/// Returns how many questions a seat has read.
fn asked(record: &Record, seat: Player) -> usize {
    let report = &record.seats[seat.index()];
    match report.ending {
        // The bot did not fail while a question was open.
        Ending::Illegal { .. } | Ending::Pondered { .. } => report.answers as usize,
        Ending::Normal | Ending::Interrupted => usize::MAX,
        _ => report.answers as usize + 1,
    }
}

/// Makes the next move of a game in which `before` moves have been made.
fn replay(judge: &mut dyn Judge, before: usize, text: &str) -> Result<(), ReplayError> {
    judge.replay(text).map_err(|reason| ReplayError::Turn {
        turn: before + 1,
        text: Some(text.to_string()),
        reason,
    })
}

fn contest_of(record: &Record) -> Result<&'static dyn Contest, ReplayError> {
    find(&record.game).ok_or_else(|| ReplayError::Unknown(unknown_game(&record.game)))
}
