//! A match: pairs of games between two bots, and their results.

use crate::add::{self, AddError};
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

/// Number of consecutive games without a result (through no fault of the bots) after which a match is abandoned.
pub const ERRORS_IN_A_ROW: u32 = 3;

/// An event that is reported to a match's observer.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A game was played to the end.
    Game {
        /// The number of the game's pair, starting at 0.
        pair: u32,
        /// The game's index in the pair: 0 if A has seat 0, 1 if B has seat 0.
        game: usize,
        /// The game's record.
        record: &'a Record,
    },
    /// Both games of a pair have been played. This event follows the [`Game`](Event::Game) event of the pair's second
    /// game.
    Pair {
        /// The number of the pair, starting at 0.
        pair: u32,
        /// A's points minus B's points, averaged over the two games.
        difference: f64,
    },
    /// A game could not be played, through no fault of the bots. It does not count.
    Error {
        /// The number of the game's pair, starting at 0.
        pair: u32,
        /// The game's index in the pair: 0 if A has seat 0, 1 if B has seat 0.
        game: usize,
        /// The reason.
        error: &'a str,
    },
}

/// The progress of a match.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    /// Total number of games to play, two per pair.
    pub games: u64,
    /// Number of games processed, including those that could not be played.
    pub games_done: u64,
    /// Number of complete pairs.
    pub pairs_done: u64,
    /// The score of the complete pairs or, if there is a sequential test, of the pairs that the test has processed. The
    /// score is empty for the progress of several matches.
    pub score: Score,
    /// Numbers of games in which A failed and in which B failed.
    pub failures: [u64; 2],
    /// Number of games that could not be played.
    pub errors: u64,
    /// The log-likelihood ratio of the sequential test, if there is a test and at least one complete pair.
    pub log_likelihood_ratio: Option<f64>,
}

impl Progress {
    /// Counts an event for the progress of several matches. Does not count failures and pair differences, because A and
    /// B are different bots in each match.
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
    /// Plays the match and returns its report. The report includes all finished games, even if the match ends early.
    ///
    /// Another thread can set `stop` to end the match early. Running games are then aborted and do not count. Every
    /// finished game is immediately written to `log` as a line of JSON. The match ends early if the log cannot be
    /// written, or if [`ERRORS_IN_A_ROW`] games in a row cannot be played. `observer` is called on this thread, in the
    /// order in which games end.
    ///
    /// # Panics
    /// Panics if `observer` panics.
    pub fn run(
        &self,
        stop: &AtomicBool,
        log: Option<&mut dyn Write>,
        observer: &mut dyn FnMut(Event<'_>, &Progress),
    ) -> MatchReport {
        self.begin().run(stop, log, observer)
    }

    /// Creates the running match before its first game. Games from earlier runs can be added to it.
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

/// Games from earlier runs, grouped by the fingerprint of their match.
#[derive(Clone, Default, Debug)]
pub struct KnownGames(HashMap<String, Vec<Record>>);

impl KnownGames {
    /// Adds a game. Ignores a game that does not belong to a match.
    pub fn add(&mut self, record: Record) {
        if let Some(place) = &record.in_match {
            self.0.entry(place.plan.clone()).or_default().push(record);
        }
    }

    /// Takes the games of a match out of the known games, and creates the running match with these games counted.
    /// Ignores games that cannot be added, such as a second copy of a game.
    pub(crate) fn begin<'a>(&mut self, plan: &Match<'a>) -> RunningMatch<'a> {
        let mut begun = plan.begin();
        for record in self.0.remove(&begun.fingerprint).unwrap_or_default() {
            let _ = begun.add(record);
        }
        begun
    }
}

/// A match that has started. Games from earlier runs are already counted; the other games remain to be played.
pub struct RunningMatch<'a> {
    pub(crate) course: MatchState<'a>,
    /// The fingerprint of the match, which is part of the record of each game.
    pub(crate) fingerprint: String,
    /// The indices of the games that have already been played.
    pub(crate) done: HashSet<u64>,
    watch: Watch<'a>,
}

impl RunningMatch<'_> {
    /// Counts a game from an earlier run. Games can be added in any order.
    ///
    /// # Errors
    /// Returns an error if the game does not belong to this match or has already been counted.
    pub fn add(&mut self, record: Record) -> Result<(), AddError> {
        let index = add::index(&record, &self.fingerprint, self.course.plan.games())?;
        if !self.done.insert(index) {
            return Err(AddError::Duplicate { game: index + 1 });
        }
        self.watch.add(&record);
        self.course.take(Slot::of(index), Ok(record), &mut |_, _| {});
        Ok(())
    }

    /// Returns the number of games from earlier runs.
    #[must_use]
    pub fn games(&self) -> usize {
        self.done.len()
    }

    /// Plays the remaining games like [`Match::run`].
    ///
    /// # Panics
    /// Panics if `observer` panics.
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

/// Writes a finished game to the log. After an error, writes no more games, because the next one could be appended to
/// an incomplete line.
///
/// # Errors
/// Returns an error if the log cannot be written.
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

/// The state of a running match.
pub(crate) struct MatchState<'a> {
    plan: Match<'a>,
    tally: Tally,
    progress: Progress,
    errors_in_a_row: u32,
    /// The reason why the match cannot continue.
    pub failure: Option<String>,
    /// Whether all pairs up to the first possible decision were identical, so that more pairs would not help the test.
    is_repeating: bool,
    /// Number of pairs that the sequential test has processed. Pairs are processed in order, so that the result does
    /// not depend on which games finish first.
    tested: u32,
    /// Pairs that do not count, because one of their games could not be played or was lost because of the machine's
    /// delays.
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

    /// Counts a game and calls the observer.
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
                if played.is_overloaded {
                    self.incomplete.insert(pair);
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

    /// Passes the next complete pairs to the sequential test, in order.
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
            // Bots without randomness would repeat the same game forever, if the game has no randomness either.
            let is_due = score.pairs() == MIN_PAIRS;
            self.is_repeating = is_due && self.tally.distinct_pairs(self.tested) == 1;
            let ratio = score.log_likelihood_ratio(&test);
            if !self.is_repeating {
                self.decision = test.decide(ratio, score.pairs());
            }
            self.progress.log_likelihood_ratio = Some(ratio);
        }
    }

    /// Returns the points of A and B in the two games of every complete pair, in order.
    pub fn points(&self) -> Vec<[[f64; 2]; 2]> {
        self.tally.points()
    }

    /// Returns whether no more games are needed.
    pub fn is_over(&self) -> bool {
        self.failure.is_some() || self.is_repeating || self.decision != Decision::PlayOn
    }

    /// Creates the report. If a sequential test ended the match, pairs after the deciding pair do not count.
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
