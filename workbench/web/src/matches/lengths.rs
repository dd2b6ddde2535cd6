//! The lengths of games, and the number of pairs that fit in a short match.

use crate::App;
use contender_game::contest::{Contest, Limits};
use contender_referee::{Entrant, Fixture, Referee};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The numbers of answers in a typical game by contest. They are kept because a game must be played to know them.
#[derive(Default)]
pub struct Lengths(Mutex<HashMap<&'static str, usize>>);

impl Lengths {
    /// Returns the number of answers of both players in a game between the two fastest bundled bots.
    pub fn of(&self, contest: &'static dyn Contest) -> Option<usize> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().get(contest.name()) {
            return Some(*known);
        }
        let bots = contest.info().bots.first_chunk::<2>()?;
        let bots = [&bots[0], &bots[1]].map(|bot| Entrant::parse(contest, bot.name));
        let [Ok(one), Ok(other)] = bots else { return None };
        let fixture = Fixture::between([&one, &other], 1, [1, 2]);
        let record = Referee::of(contest).play(contest, &fixture, &AtomicBool::new(false)).ok()?;
        let answers = record.seats.iter().map(|seat| seat.times.len()).sum();
        kept().insert(contest.name(), answers);
        Some(answers)
    }
}

/// Returns the seconds that a game of this many answers takes if the bots use all of their time; `None` without limits.
pub fn longest(limits: &Limits, answers: Option<usize>) -> Option<f64> {
    let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
    let by_turn = seconds(limits.turn).zip(answers).map(|(turn, answers)| {
        2.0 * seconds(limits.first_turn).unwrap_or(turn) + (answers as f64 - 2.0).max(0.0) * turn
    });
    let by_game = seconds(limits.game).map(|game| 2.0 * game);
    by_turn.into_iter().chain(by_game).reduce(f64::min)
}

/// Maximum time in seconds of the match that the form suggests, and its minimum and maximum number of pairs.
const USUAL_TIME: f64 = 1200.0;
const USUAL_PAIRS: [u32; 2] = [10, 100];

/// Returns the number of pairs that the form suggests: as many as fit in [`USUAL_TIME`] with this number of games at
/// once, if the bots use all of their time.
pub fn usual_pairs(app: &App, contest: &'static dyn Contest, games_at_once: usize) -> u32 {
    let game = longest(&contest.info().limits, app.matches.lengths.of(contest));
    let pairs = game.map_or(f64::INFINITY, |game| USUAL_TIME * games_at_once as f64 / (2.0 * game));
    let [least, most] = USUAL_PAIRS;
    // A multiple of ten is easier to read.
    ((pairs / 10.0).floor() * 10.0).clamp(least.into(), most.into()) as u32
}
