//! Plays a match: deals games out to worker threads and collects what they bring back.

use crate::report::{MatchEnd, MatchReport};
use crate::tally::{PlayedGame, Tally};
use contender_game::{Contest, mix};
use contender_referee::{Entrant, GamePlan, GameRecord, Referee};
use contender_stats::Summary;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// So many games in a row that could not be played, through no fault of a bot, end a match.
pub const ERRORS_IN_A_ROW: u32 = 3;

/// A number of pairs of games between two bots, A and B.
#[derive(Clone, Copy)]
pub struct Match<'a> {
    /// What is played.
    pub contest: &'a dyn Contest,
    /// Under which limits and rules.
    pub referee: &'a Referee,
    /// A and B.
    pub bots: [&'a Entrant; 2],
    /// How many pairs.
    pub pairs: u32,
    /// How many games are played at once; 0 is taken as 1.
    pub jobs: usize,
    /// The seed of all luck, of the judge's as of the bots'.
    pub seed: u64,
}

/// What an observer of a match hears of.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A game was played to its end.
    Game {
        /// The number of its pair, from 0.
        pair: u32,
        /// 0 with A in seat 0, 1 with B in seat 0.
        game: usize,
        /// All that is known of it.
        record: &'a GameRecord,
    },
    /// Both games of a pair were played; follows the second one's [`Game`](Event::Game).
    Pair {
        /// Its number, from 0.
        pair: u32,
        /// A's points minus B's, mean of the two games.
        difference: f64,
    },
    /// A game could not be played, through no fault of a bot; it counts for nothing.
    Error {
        /// The number of its pair, from 0.
        pair: u32,
        /// 0 with A in seat 0, 1 with B in seat 0.
        game: usize,
        /// Why.
        error: &'a str,
    },
}

/// How far a match is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    /// Games to play in all: two a pair.
    pub games: u64,
    /// Games done with, those that could not be played included.
    pub games_done: u64,
    /// Pairs of which both games were played.
    pub pairs_done: u64,
    /// A's points minus B's, one mean of two games for each of those pairs.
    pub difference: Summary,
    /// Games in which A failed and in which B failed.
    pub failures: [u64; 2],
    /// Games that could not be played.
    pub errors: u64,
}

/// The place of a game in a match.
#[derive(Clone, Copy)]
struct Slot {
    pair: u32,
    game: usize,
}

impl Slot {
    fn of(index: u64) -> Slot {
        Slot { pair: (index / 2) as u32, game: (index % 2) as usize }
    }
}

impl Match<'_> {
    /// Plays the match and returns what came out, however it ended: nothing that was played is lost.
    ///
    /// `stop` ends it early from another thread: games under way are broken off and count for nothing. Every finished game is
    /// written to `log` at once, as one line of JSON, and flushed; a log that cannot be written ends the match, as do
    /// [`ERRORS_IN_A_ROW`] games that could not be played. `observer` is called on this thread, in the order in which games end.
    ///
    /// # Panics
    /// If `observer` panics.
    pub fn run(
        &self,
        stop: &AtomicBool,
        mut log: Option<&mut dyn Write>,
        observer: &mut dyn FnMut(Event<'_>, &Progress),
    ) -> MatchReport {
        let games = u64::from(self.pairs) * 2;
        let next = AtomicU64::new(0);
        let halt = AtomicBool::new(false);
        let mut tally = Tally::default();
        let mut progress = Progress { games, ..Progress::default() };
        let mut errors_in_a_row = 0;
        let mut failure = None;
        thread::scope(|scope| {
            // One result may wait, so that no worker stands still until this thread gets a core; more would let the workers run
            // ahead of the end of a match.
            let (sender, results) = mpsc::sync_channel(1);
            for _ in 0..games.min(self.jobs.max(1) as u64) {
                let (sender, next, halt) = (sender.clone(), &next, &halt);
                scope.spawn(move || self.work(next, [stop, halt], &sender));
            }
            drop(sender);
            for (Slot { pair, game }, result) in results {
                match result {
                    Ok(record) if record.interrupted => {}
                    Ok(record) => {
                        errors_in_a_row = 0;
                        if let Some(Err(error)) = log.as_mut().map(|log| record.write_to(log)) {
                            failure.get_or_insert(format!("the log of games cannot be written: {error}"));
                            log = None;
                            halt.store(true, Ordering::Relaxed);
                        }
                        let played = PlayedGame::new(&record, game);
                        progress.games_done += 1;
                        for bot in 0..2 {
                            progress.failures[bot] += u64::from(played.failures[bot].is_some());
                        }
                        let difference = tally.add(pair, game, played);
                        if let Some(difference) = difference {
                            progress.pairs_done += 1;
                            progress.difference.push(difference);
                        }
                        observer(Event::Game { pair, game, record: &record }, &progress);
                        if let Some(difference) = difference {
                            observer(Event::Pair { pair, difference }, &progress);
                        }
                    }
                    Err(error) => {
                        progress.games_done += 1;
                        progress.errors += 1;
                        observer(Event::Error { pair, game, error: &error }, &progress);
                        errors_in_a_row += 1;
                        if errors_in_a_row == ERRORS_IN_A_ROW {
                            failure.get_or_insert(error);
                            halt.store(true, Ordering::Relaxed);
                        }
                    }
                }
            }
        });
        let end = match failure {
            Some(error) => MatchEnd::Failed { error },
            None if progress.games_done < games => MatchEnd::Interrupted,
            None => MatchEnd::Complete,
        };
        tally.report(self, end, progress.errors)
    }

    /// Plays one game after the other until there is none left or one of the flags is set.
    fn work(
        &self,
        next: &AtomicU64,
        [stop, halt]: [&AtomicBool; 2],
        results: &mpsc::SyncSender<(Slot, Result<GameRecord, String>)>,
    ) {
        while !stop.load(Ordering::Relaxed) && !halt.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= u64::from(self.pairs) * 2 {
                return;
            }
            let slot = Slot::of(index);
            // A panic is a bug of a judge or the referee; it must not take down what has been played.
            let result = catch_unwind(AssertUnwindSafe(|| {
                self.referee.play(self.contest, self.plan(slot), stop).map_err(|error| error.to_string())
            }))
            .unwrap_or_else(|_| Err("the referee panicked; this is a bug".to_string()));
            if results.send((slot, result)).is_err() {
                return;
            }
        }
    }

    /// Both games of a pair have the same luck; the bots' own luck is new in every game, so that a bot against itself does not play
    /// the same game twice.
    fn plan(&self, Slot { pair, game }: Slot) -> GamePlan<'_> {
        let seed = |part: u64| mix(&[self.seed, u64::from(pair), part]);
        GamePlan {
            players: [self.bots[game], self.bots[1 - game]],
            luck: seed(0),
            bot_seeds: [0, 1].map(|seat| seed(1 + 2 * game as u64 + seat)),
        }
    }
}
