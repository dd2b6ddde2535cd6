//! Plays a batch of pairs on all cores.

use crate::log::Outcome;
use crate::{Batch, PairResult, Space, TunedBot};
use anyhow::{Result, anyhow};
use contender_arena::{Event, Match, MatchReport, Seating};
use contender_game::{contest::Contest, rules::mix};
use contender_input::fingerprint;
use contender_play::{Host, RankedBy, Record, share_out};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The bot and the host that play the pairs.
#[derive(Clone, Copy)]
pub struct PairPlayer<'a> {
    pub host: &'a dyn Host,
    /// The contest; `None` with an external referee.
    pub contest: Option<&'a dyn Contest>,
    pub bot: &'a TunedBot,
    pub space: &'a Space,
    /// Number of pairs at a time.
    pub jobs: usize,
    /// The random seed.
    pub seed: u64,
}

impl PairPlayer<'_> {
    /// Plays all pairs of a batch, and returns the results in order, or `None` if `stop` was set. Calls `hear` on this
    /// thread after every pair.
    ///
    /// # Errors
    /// Returns an error if a pair could not be played (a bot's failure is not an error).
    pub fn play(
        &self,
        batch: &Batch,
        stop: &AtomicBool,
        hear: &mut dyn FnMut(),
    ) -> Result<Option<Vec<PairResult>>> {
        let mut results: Vec<Option<PairResult>> = vec![None; batch.duels.len()];
        let mut failure = None;
        let play = |at: u64| Some(self.pair(batch, at as usize, stop));
        share_out(self.jobs, batch.duels.len() as u64, stop, play, |at, result| match result {
            Ok(played) => {
                results[at as usize] = played;
                hear();
                ControlFlow::Continue(())
            }
            Err(error) => {
                failure.get_or_insert(error);
                ControlFlow::Break(())
            }
        });
        match failure {
            Some(error) => Err(error.context("a pair has no result")),
            None => Ok(results.into_iter().collect()),
        }
    }

    fn pair(&self, batch: &Batch, at: usize, stop: &AtomicBool) -> Result<Option<PairResult>> {
        let points = &batch.duels[at].points;
        // Every pair of every phase has its own seed.
        let seed = mix(&[self.seed, batch.phase as u64, batch.number, at as u64]);
        let bot = |side: usize| self.bot.at(self.contest, self.space, &points[side]);
        let bots = [bot(0)?, bot(1)?];
        let planned = Match {
            host: self.host,
            bots: [&bots[0], &bots[1]],
            seating: Seating::Exchange,
            pairs: 1,
            jobs: 1,
            seed,
            test: None,
        };
        let (mut error, mut games) = (None, [Some(0); 2]);
        let report = planned.run(stop, None, &mut |event, _| match event {
            Event::Game { game, record, .. } => games[game] = course(record),
            Event::Error { error: words, .. } => {
                error.get_or_insert_with(|| anyhow!(words.to_string()));
            }
            Event::Pair { .. } => {}
        });
        match error {
            Some(error) => Err(error),
            None => Ok(played(&report).map(|played| {
                let games = games[0].zip(games[1]).map(|(one, other)| mix(&[one, other]));
                PairResult { games, ..played }
            })),
        }
    }
}

/// Returns a fingerprint of a game, or `None` if only the result is known.
fn course(record: &Record) -> Option<u64> {
    let is_known = !record.moves.is_empty() || record.digest.is_some() || record.has_points();
    is_known.then(|| {
        let points: Vec<String> = record.points().iter().map(f64::to_string).collect();
        fingerprint(record.setup.iter().chain(&record.moves).chain(&points).map(String::as_str))
    })
}

/// Returns the result of a pair, or `None` if the pair was stopped.
fn played(report: &MatchReport) -> Option<PairResult> {
    // The report leaves out a pair in which a bot lost on time because of the machine's delays.
    if report.pairs == 0 && report.games == 2 {
        return Some(PairResult { is_overloaded: true, endless: report.endless, ..PairResult::default() });
    }
    let signal = match report.ranked_by {
        RankedBy::Points | RankedBy::Rank => report.difference.mean?,
        RankedBy::Wins => report.pentanomial.scores().mean()? - 0.5,
    };
    let failed = [0, 1].map(|side| report.bots[side].first_failures.first().map(|first| first.words.clone()));
    let failed = Outcome(failed);
    Some(PairResult { signal, failed, games: None, endless: report.endless, is_overloaded: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_catalogue::find;
    use contender_play::read_log;

    /// Returns the result of a pair in which the first bot loses both games, the second one with this ending.
    fn pair(ending: &str) -> Option<PairResult> {
        let game = |at: u32, players: &str, scores: &str, end: &str| {
            format!(
                r#"{{"game":"uttt","seed":1,"players":{players},"scores":{scores},"end":{end},"match":{{"plan":"0","game":{at}}}}}"#
            ) + "\n"
        };
        let log = game(1, r#"["a","b"]"#, "[0,2]", r#"["normal","normal"]"#)
            + &game(2, r#"["b","a"]"#, "[2,0]", &format!(r#"["normal",{ending}]"#));
        let report = MatchReport::from_log(find, read_log(log.as_bytes()).map(Result::unwrap), None);
        played(&report.unwrap())
    }

    #[test]
    fn a_pair_that_a_busy_machine_decided_does_not_count() {
        let fair = pair(r#""normal""#).unwrap();
        assert_eq!((fair.signal, fair.failed.is_fine(), fair.is_overloaded), (-0.5, true, false));
        let late = pair(r#"{"timeout":{"limit_ms":100,"overrun_ms":12}}"#).unwrap();
        assert_eq!((late.signal, late.failed.is_fine(), late.is_overloaded), (-0.5, false, false));
        let busy = pair(r#"{"overloaded":{"limit_ms":100,"delay_ms":90,"stolen_ms":0}}"#).unwrap();
        assert_eq!((busy.signal, busy.failed.is_fine(), busy.is_overloaded), (0.0, true, true));
    }
}
