//! A match: pairs of games between two bots, and what came of them.

use crate::plan::{Match, Slot};
use crate::report::{MatchEnd, MatchReport};
use crate::score::{Score, pair_difference};
use crate::tally::{PlayedGame, Tally};
use contender_play::{GameError, InMatch, Record};
use contender_referee::Watch;
use contender_stats::{Decision, MIN_PAIRS};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Number of games in a row without a result, through no fault of a bot, that ends a match.
pub const ERRORS_IN_A_ROW: u32 = 3;

/// An event for the observer of a match.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A game was played to its end.
    Game {
        /// The number of its pair, from 0.
        pair: u32,
        /// 0 with A in seat 0, 1 with B in seat 0.
        game: usize,
        /// The game's record.
        record: &'a Record,
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

/// The progress of a match.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    /// Games to play in all: two a pair.
    pub games: u64,
    /// Games done with, those that could not be played included.
    pub games_done: u64,
    /// Pairs of which both games were played.
    pub pairs_done: u64,
    /// The score of these pairs, or with a sequential test of those that the test has looked at; empty for several
    /// matches at once.
    pub score: Score,
    /// Games in which A failed and in which B failed.
    pub failures: [u64; 2],
    /// Games that could not be played.
    pub errors: u64,
    /// The log-likelihood ratio of the sequential test, if there is a test and a pair was played.
    pub log_likelihood_ratio: Option<f64>,
}

impl Progress {
    /// Counts an event of a match among several; whose failure it was and by how much pairs differ make no sense there.
    pub(crate) fn count(&mut self, event: &Event<'_>) {
        match event {
            Event::Game { .. } => self.games_done += 1,
            Event::Pair { .. } => self.pairs_done += 1,
            Event::Error { .. } => {
                self.games_done += 1;
                self.errors += 1;
            }
        }
    }
}

impl<'a> Match<'a> {
    /// Plays the match and returns what came out, however it ended: nothing that was played is lost.
    ///
    /// `stop` ends it early from another thread: games under way are broken off and count for nothing. Every finished
    /// game is written to `log` at once, as one line of JSON, and flushed; a log that cannot be written ends the match,
    /// as do [`ERRORS_IN_A_ROW`] games that could not be played. `observer` is called on this thread, in the order in
    /// which games end.
    ///
    /// # Panics
    /// If `observer` panics.
    pub fn run(
        &self,
        stop: &AtomicBool,
        log: Option<&mut dyn Write>,
        observer: &mut dyn FnMut(Event<'_>, &Progress),
    ) -> MatchReport {
        self.begin().run(stop, log, observer)
    }

    /// Returns the match before its first game, to which those can be added that were played before.
    #[must_use]
    pub fn begin(&self) -> RunningMatch<'a> {
        RunningMatch {
            course: MatchState::of(*self),
            fingerprint: self.fingerprint(),
            done: HashSet::new(),
            watch: Watch::host(self.host),
        }
    }
}

/// Games of matches that were played before, by the numbers that the games of a match have in common.
#[derive(Clone, Default, Debug)]
pub struct Known(HashMap<String, Vec<Record>>);

impl Known {
    /// Adds a game; one of no match is left out.
    pub fn add(&mut self, record: Record) {
        if let Some(place) = &record.in_match {
            self.0.entry(place.plan.clone()).or_default().push(record);
        }
    }

    /// Takes out the games of a match, and begins it after them. Games that do not fit, such as a second copy, do not
    /// count.
    pub(crate) fn begin<'a>(&mut self, plan: &Match<'a>) -> RunningMatch<'a> {
        let mut begun = plan.begin();
        for record in self.0.remove(&begun.fingerprint).unwrap_or_default() {
            let _ = begun.add(record);
        }
        begun
    }
}

/// A running match: games that were played before count, the others are still to be played.
pub struct RunningMatch<'a> {
    pub(crate) course: MatchState<'a>,
    /// The fingerprint that all games of the match share.
    pub(crate) fingerprint: String,
    /// The numbers of games that need not be played.
    pub(crate) done: HashSet<u64>,
    watch: Watch<'a>,
}

impl RunningMatch<'_> {
    /// Counts a game that was played before, in any order.
    ///
    /// # Errors
    /// The reason why it is not a game of this match, or why it counts already, in words for the user.
    pub fn add(&mut self, record: Record) -> Result<(), String> {
        let Some(place) = &record.in_match else { return Err("not a game of a match".to_string()) };
        if place.plan != self.fingerprint {
            return Err("a game of another match (other bots, seed, limits or rules)".to_string());
        }
        let index = place.game.checked_sub(1).filter(|&index| index < self.course.plan.games());
        let Some(index) = index else {
            return Err(format!(
                "game {}, but the match has only {} pairs",
                place.game, self.course.plan.pairs
            ));
        };
        if !self.done.insert(index) {
            return Err(format!("a duplicate of game {}", place.game));
        }
        self.watch.add(&record);
        self.course.take(Slot::of(index), Ok(record), &mut |_, _| {});
        Ok(())
    }

    /// Returns the number of games that were played before.
    #[must_use]
    pub fn games(&self) -> usize {
        self.done.len()
    }

    /// Plays the rest, as [`Match::run`] does.
    ///
    /// # Panics
    /// If `observer` panics.
    pub fn run(
        self,
        stop: &AtomicBool,
        mut log: Option<&mut dyn Write>,
        observer: &mut dyn FnMut(Event<'_>, &Progress),
    ) -> MatchReport {
        let RunningMatch { mut course, fingerprint, done, mut watch } = self;
        let planned = course.plan;
        let games = if course.is_over() { 0 } else { planned.games() };
        let fixture = |index| (!done.contains(&index)).then(|| planned.fixture(Slot::of(index)));
        planned.host.play_all(planned.jobs, games, &fixture, stop, &mut |index, mut result| {
            let slot = Slot::of(index);
            if let Ok(record) = &mut result {
                record.in_match = Some(InMatch { plan: fingerprint.clone(), game: index + 1 });
                watch.add(record);
            }
            if let Err(error) = write_to(&mut log, &result) {
                course.failure.get_or_insert(error);
            }
            course.take(slot, result, observer);
            if course.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        MatchReport { steadiness: watch.end(), ..course.report() }
    }
}

/// Writes a finished game to the log. After an error the log is given up: what follows would be read as part of a torn
/// line.
///
/// # Errors
/// Why the log cannot be written, in words for the user.
pub(crate) fn write_to(
    log: &mut Option<&mut dyn Write>,
    result: &Result<Record, GameError>,
) -> Result<(), String> {
    let (Some(file), Ok(record)) = (log.as_mut(), result) else { return Ok(()) };
    record.write_to(file).map_err(|error| {
        *log = None;
        format!("cannot write the log of games: {error}")
    })
}

/// A match under way: what has come of it so far.
pub(crate) struct MatchState<'a> {
    plan: Match<'a>,
    tally: Tally,
    progress: Progress,
    errors_in_a_row: u32,
    /// Why the match cannot go on.
    pub failure: Option<String>,
    /// Whether all pairs of a long start were identical, so that a test learns nothing from more.
    is_repeating: bool,
    /// Number of pairs that the sequential test has looked at, in their order, so that its end does not depend on which
    /// games end first.
    tested: u32,
    /// Pairs that stay incomplete, because a game of them could not be played.
    incomplete: BTreeSet<u32>,
    /// The decision of the sequential test.
    decision: Decision,
}

impl<'a> MatchState<'a> {
    pub fn of(plan: Match<'a>) -> MatchState<'a> {
        let score = Score::new(plan.ranked_by());
        let progress = Progress { games: plan.games(), score, ..Progress::default() };
        MatchState {
            plan,
            tally: Tally::default(),
            progress,
            errors_in_a_row: 0,
            failure: None,
            is_repeating: false,
            tested: 0,
            incomplete: BTreeSet::new(),
            decision: Decision::PlayOn,
        }
    }

    /// Counts a game and tells the observer.
    pub fn take(
        &mut self,
        Slot { pair, game }: Slot,
        result: Result<Record, GameError>,
        observer: &mut dyn FnMut(Event<'_>, &Progress),
    ) {
        let progress = &mut self.progress;
        progress.games_done += 1;
        match result {
            Ok(record) => {
                self.errors_in_a_row = 0;
                let played = PlayedGame::new(&record, self.plan.seats(Slot { pair, game }));
                for bot in 0..2 {
                    progress.failures[bot] += u64::from(played.failures[bot].is_some());
                }
                let points = self.tally.add(Slot { pair, game }, &record, played);
                if let Some(points) = points {
                    progress.pairs_done += 1;
                    if self.plan.test.is_none() {
                        progress.score.push(points);
                    }
                }
                self.test();
                let progress = &self.progress;
                observer(Event::Game { pair, game, record: &record }, progress);
                if let Some(difference) = points.map(|points| pair_difference(self.plan.ranked_by(), points))
                {
                    observer(Event::Pair { pair, difference }, progress);
                }
            }
            Err(error) => {
                let error = error.to_string();
                progress.errors += 1;
                self.incomplete.insert(pair);
                self.test();
                observer(Event::Error { pair, game, error: &error }, &self.progress);
                self.errors_in_a_row += 1;
                if self.errors_in_a_row == ERRORS_IN_A_ROW {
                    self.failure.get_or_insert(error);
                }
            }
        }
    }

    /// Lets the sequential test look at the pairs whose turn it is.
    fn test(&mut self) {
        let Some(test) = self.plan.test else { return };
        while self.decision == Decision::PlayOn && !self.is_repeating {
            let points = self.tally.pair(self.tested);
            if points.is_none() && !self.incomplete.contains(&self.tested) {
                return;
            }
            self.tested += 1;
            let Some(points) = points else { continue };
            let score = &mut self.progress.score;
            score.push(points);
            // Bots without randomness in a game without luck play on and on the same.
            let is_due = score.pairs() == MIN_PAIRS;
            self.is_repeating = is_due && self.tally.distinct_pairs(self.tested) == 1;
            let ratio = score.log_likelihood_ratio(&test);
            if !self.is_repeating {
                self.decision = test.decide(ratio, score.pairs());
            }
            self.progress.log_likelihood_ratio = Some(ratio);
        }
    }

    /// For every complete pair, in their order, the points of A and B in its two games.
    pub fn points(&self) -> Vec<[[f64; 2]; 2]> {
        self.tally.points()
    }

    /// Returns whether no further game is needed.
    pub fn is_over(&self) -> bool {
        self.failure.is_some() || self.is_repeating || self.decision != Decision::PlayOn
    }

    /// Returns the report. If a sequential test ended the match, pairs after the last one that it looked at do not
    /// count.
    pub fn report(mut self) -> MatchReport {
        if self.decision != Decision::PlayOn || self.is_repeating {
            self.tally.truncate(self.tested);
        }
        let end = match self.failure {
            Some(error) => MatchEnd::Failed { error },
            None if self.decision != Decision::PlayOn => MatchEnd::Decided,
            None if self.is_repeating => MatchEnd::Repeating,
            None if self.progress.games_done < self.progress.games => MatchEnd::Interrupted,
            None => MatchEnd::Complete,
        };
        self.tally.report(&self.plan, end, self.progress.errors, self.decision)
    }
}
