//! Plays a batch of pairs on all cores.

use crate::log::Outcome;
use crate::{Batch, Bot, Played, Space};
use anyhow::{Result, anyhow};
use contender_arena::{Event, Match, MatchReport, RankedBy};
use contender_foreign::{Bot as Other, ForeignReferee, Record, Series};
use contender_game::{Contest, mix};
use contender_referee::{Referee, share_out};
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Who referees.
pub enum Host<'a> {
    /// We do, a game of the catalogue.
    Ours(&'a dyn Contest, Box<Referee>),
    /// Another program.
    Other(Box<ForeignReferee>),
}

/// By whom and how pairs are played.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    pub host: &'a Host<'a>,
    pub bot: &'a Bot,
    pub space: &'a Space,
    /// Pairs at once.
    pub jobs: usize,
    /// Of all luck.
    pub seed: u64,
}

impl Table<'_> {
    /// Plays all pairs of a batch and returns how they ended, in their order; `None` if `stop` was set meanwhile.
    /// `hear` is told of every pair, on this thread.
    ///
    /// # Errors
    /// A pair that could not be played, through no fault of a bot.
    pub fn play(
        &self,
        batch: &Batch,
        stop: &AtomicBool,
        hear: &mut dyn FnMut(),
    ) -> Result<Option<Vec<Played>>> {
        let mut results: Vec<Option<Played>> = vec![None; batch.duels.len()];
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
            Some(error) => Err(anyhow!("a pair cannot be played: {error}")),
            None => Ok(results.into_iter().collect()),
        }
    }

    fn pair(&self, batch: &Batch, at: usize, stop: &AtomicBool) -> Result<Option<Played>, String> {
        let points = &batch.duels[at].points;
        // Fresh luck for every pair of every phase.
        let seed = mix(&[self.seed, batch.phase as u64, batch.number, at as u64]);
        let (contest, referee) = match self.host {
            Host::Ours(contest, referee) => (*contest, referee),
            Host::Other(referee) => return self.pair_of_others(referee, points, seed, stop),
        };
        let bot = |side: usize| self.bot.at(contest, self.space, &points[side]);
        let bots = [bot(0)?, bot(1)?];
        let planned =
            Match { contest, referee, bots: [&bots[0], &bots[1]], pairs: 1, jobs: 1, seed, test: None };
        let (mut error, mut games) = (None, [0; 2]);
        let report = planned.run(stop, None, &mut |event, _| match event {
            Event::Game { game, record, .. } => {
                games[game] = hash((
                    &record.setup,
                    &record.moves,
                    record.points().iter().map(|points| points.to_bits()).collect::<Vec<_>>(),
                ));
            }
            Event::Error { error: words, .. } => {
                error.get_or_insert_with(|| words.to_string());
            }
            Event::Pair { .. } => {}
        });
        match error {
            Some(error) => Err(error),
            None => Ok(played(&report, RankedBy::of(contest))
                .map(|played| Played { games: Some(hash(games)), ..played })),
        }
    }

    /// Two games by a referee of others, with the same luck and exchanged seats.
    fn pair_of_others(
        &self,
        referee: &ForeignReferee,
        points: &[Vec<f64>; 2],
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Option<Played>, String> {
        let bots = [0, 1].map(|side| Other {
            name: ["A", "B"][side].to_string(),
            command: self.bot.command(self.space, &points[side]),
        });
        let series = Series { referee, bots: &bots, players: 2, rounds: 1, seed, jobs: 1, test: None };
        let mut error = None;
        let course = series.run(&[], stop, None, &mut |event, _| {
            if let contender_foreign::Event::Void { reason, .. } = event {
                error.get_or_insert_with(|| reason.to_string());
            }
        });
        match error {
            Some(error) => Err(error),
            None => Ok(played_by_others(course.games.values())),
        }
    }
}

/// The same of a pair that a referee of others has played: A's share of the points less a half.
fn played_by_others<'a>(games: impl Iterator<Item = &'a Record>) -> Option<Played> {
    let (mut signal, mut failed, mut count) = (-0.5, [None, None], 0);
    // What was done is not known; scores tell most games apart.
    let mut scores: Option<Vec<u64>> = Some(Vec::new());
    for game in games {
        scores = scores.zip(game.scores.as_ref()).map(|(mut all, scores)| {
            all.extend(scores.iter().map(|score| score.to_bits()));
            all
        });
        let a = usize::from(game.players[0] != "A");
        signal += match game.ranks[a].cmp(&game.ranks[1 - a]) {
            Ordering::Less => 0.5,
            Ordering::Equal => 0.25,
            Ordering::Greater => 0.0,
        };
        for (side, seat) in [(0, a), (1, 1 - a)] {
            if game.end[seat] != "normal" {
                let words = game.words.get(seat).map_or("", String::as_str);
                failed[side].get_or_insert_with(|| format!("{}: {words}", game.end[seat]));
            }
        }
        count += 1;
    }
    (count == 2).then_some(Played { signal, failed: Outcome(failed), games: scores.map(hash) })
}

fn hash(games: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    games.hash(&mut hasher);
    hasher.finish()
}

/// What counts of a pair; `None` if it was broken off.
fn played(report: &MatchReport, ranked_by: RankedBy) -> Option<Played> {
    let signal = match ranked_by {
        RankedBy::Points => report.difference.mean?,
        RankedBy::Wins => report.pentanomial.scores().mean()? - 0.5,
    };
    let failed = [0, 1].map(|side| report.bots[side].first_failures.first().map(|first| first.words.clone()));
    Some(Played { signal, failed: Outcome(failed), games: None })
}
