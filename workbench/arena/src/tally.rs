//! Counting of the games in a match.

use crate::failures::Failure;
use crate::plan::{Match, Slot};
use crate::report::{BotReport, CONFIDENCE, MatchEnd, MatchReport, TestReport};
use crate::score::Score;
use crate::text::{count, shorten};
use contender_play::{PlayedUnder, Record};
use contender_referee::available_cores;
use contender_stats::{Decision, Summary, percentile};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// The data that a match keeps about each game. Arrays are indexed by bot (A and B), not by seat.
pub(crate) struct PlayedGame {
    /// The points that count for the match. A bot that does not play in the game has 0 points.
    points: [f64; 2],
    /// The seat of each bot, or `None` for a bot that does not play in the game.
    seats: [Option<usize>; 2],
    /// The name of the failure, if any.
    pub failures: [Option<&'static str>; 2],
    /// The total time of all answers and the time of the slowest answer, if the referee reports times.
    times: [Option<[Duration; 2]>; 2],
    left_running: [bool; 2],
    /// Whether a bot lost on time because of the machine's delays. Such a game does not show the bots' strength, so
    /// its pair does not count.
    pub is_overloaded: bool,
    is_endless: bool,
    /// Duration in seconds, if an external referee played the game.
    seconds: Option<f64>,
    /// Number of earlier attempts in which the referee failed.
    again: usize,
    /// A hash that distinguishes different games. A game with a failure counts as different from every other game,
    /// because the moves do not always show why a bot failed. So does a game of which only the result is known.
    fingerprint: u64,
}

impl PlayedGame {
    /// Extracts the data from the record of a game in which A and B have these seats.
    pub fn new(record: &Record, seats: [Option<usize>; 2]) -> PlayedGame {
        let mut hasher = DefaultHasher::new();
        (&record.setup, &record.moves).hash(&mut hasher);
        record.points().iter().for_each(|points| points.to_bits().hash(&mut hasher));
        record.seats.iter().for_each(|seat| seat.rank.hash(&mut hasher));
        let seat = |seat: Option<usize>| seat.map(|seat| &record.seats[seat]);
        let failures = seats.map(|at| seat(at)?.ending.failure_name());
        record.digest.hash(&mut hasher);
        let is_course_known = !record.moves.is_empty() || record.digest.is_some();
        if !is_course_known || record.seats.iter().any(|seat| seat.ending.is_failure()) {
            record.seed.hash(&mut hasher);
        }
        let is_external = record.repeat.is_some();
        let is_substitution = seats.contains(&None);
        // Some external referees do not give fewer points to a bot that failed.
        let points = |at: Option<usize>| match seat(at) {
            None => 0.0,
            Some(seat) if is_substitution => record.normalised_rank(seat),
            Some(seat) if is_external => -f64::from(seat.rank),
            Some(seat) => seat.points.unwrap_or_default(),
        };
        PlayedGame {
            points: seats.map(points),
            seats,
            failures,
            times: seats.map(|at| seat(at).filter(|_| !is_external).map(|seat| [seat.wall, seat.slowest])),
            left_running: seats.map(|at| seat(at).is_some_and(|seat| seat.left_running)),
            is_overloaded: record.is_overloaded(),
            is_endless: record.is_endless(),
            seconds: record.seconds,
            again: record.again.len(),
            fingerprint: hasher.finish(),
        }
    }
}

/// The games of a match, grouped by pair. Sums are computed in the order of the pairs, so that they do not depend on
/// which game finished first.
#[derive(Default)]
pub(crate) struct Tally {
    /// All pairs up to the last pair with a finished game.
    pairs: Vec<[Option<PlayedGame>; 2]>,
    /// The first failures of A and of B, one of each kind.
    failures: [BTreeMap<String, Failure>; 2],
}

impl Tally {
    /// Adds a game. If the game completes its pair, returns the points of A and B in both games.
    pub fn add(&mut self, slot: Slot, record: &Record, played: PlayedGame) -> Option<[[f64; 2]; 2]> {
        let Slot { pair, game } = slot;
        for (first, seat) in self.failures.iter_mut().zip(played.seats) {
            let Some(failure) = seat.and_then(|seat| Failure::of(record, slot, seat)) else { continue };
            let known = first.entry(failure.name.clone()).or_insert_with(|| failure.clone());
            if failure.game < known.game {
                *known = failure;
            }
        }
        let index = pair as usize;
        if index >= self.pairs.len() {
            self.pairs.resize_with(index + 1, || [None, None]);
        }
        let pair = &mut self.pairs[index];
        pair[game] = Some(played);
        complete(pair).map(points)
    }

    /// Returns the points of A and B in the games of a pair, if the pair is complete.
    pub fn pair(&self, pair: u32) -> Option<[[f64; 2]; 2]> {
        self.pairs.get(pair as usize).and_then(complete).map(points)
    }

    /// Keeps only the first `pairs` pairs.
    pub fn truncate(&mut self, pairs: u32) {
        self.pairs.truncate(pairs as usize);
        for failures in &mut self.failures {
            failures.retain(|_, failure| failure.game <= 2 * u64::from(pairs));
        }
    }

    /// Returns the number of different complete pairs among the first `among` pairs.
    pub fn distinct_pairs(&self, among: u32) -> u64 {
        let complete = self.pairs.iter().take(among as usize).filter_map(complete);
        let distinct: HashSet<[u64; 2]> = complete.map(|pair| pair.map(|game| game.fingerprint)).collect();
        distinct.len() as u64
    }

    pub fn report(&self, plan: &Match<'_>, end: MatchEnd, errors: u64, decision: Decision) -> MatchReport {
        let complete: Vec<[&PlayedGame; 2]> = self.pairs.iter().filter_map(complete).collect();
        let ranked_by = plan.ranked_by();
        let mut score = Score::new(ranked_by);
        complete.iter().for_each(|&pair| score.push(points(pair)));
        let Score { results, pentanomial, .. } = score;
        let distinct_pairs = self.distinct_pairs(u32::MAX);
        let mut report = MatchReport {
            game: plan.host.game().to_string(),
            seats: (0..plan.players()).map(|seat| plan.host.seat_name(seat)).collect(),
            has_points: plan.host.has_points(),
            seed: Some(plan.seed),
            conditions: PlayedUnder { jobs: plan.jobs.max(1), ..plan.host.conditions(&plan.bots) },
            pairs_planned: u64::from(plan.pairs),
            pairs: complete.len() as u64,
            games: self.games().count() as u64,
            distinct_pairs,
            endless: self.games().filter(|game| game.is_endless).count() as u64,
            errors,
            end,
            ranked_by,
            verdict: score.verdict(distinct_pairs),
            difference: score.difference(),
            results,
            pentanomial,
            win_rate: results.win_rate(),
            win_rate_interval: score.win_rate().interval,
            elo: pentanomial.elo(CONFIDENCE),
            test: plan.test.map(|test| TestReport {
                test,
                log_likelihood_ratio: score.log_likelihood_ratio(&test),
                bounds: test.bounds(),
                decision,
            }),
            bots: [0, 1].map(|bot| self.bot(bot, plan, &complete)),
            steadiness: None,
            notes: Vec::new(),
        };
        let uncounted = self.pairs.iter().filter(|pair| pair.iter().flatten().any(|game| game.is_overloaded));
        let uncounted: Vec<usize> = uncounted.map(|pair| pair.iter().flatten().count()).collect();
        report.notes = notes(&report, &uncounted);
        report.notes.extend(self.notes_of_referee());
        report.notes.extend(plan.host.notes());
        report
    }

    /// Returns the points of A and B in the two games of every complete pair, in order.
    pub fn points(&self) -> Vec<[[f64; 2]; 2]> {
        self.pairs.iter().filter_map(complete).map(points).collect()
    }

    /// Returns all finished games.
    fn games(&self) -> impl Iterator<Item = &PlayedGame> {
        self.pairs.iter().flatten().flatten()
    }

    /// Returns notes about an external referee's times and failures.
    fn notes_of_referee(&self) -> Vec<String> {
        let seconds: Summary = self.games().filter_map(|game| game.seconds).collect();
        let mut notes: Vec<String> = seconds
            .mean()
            .map(|mean| format!("the referee took {mean:.1} s per game, including its start"))
            .into_iter()
            .collect();
        let again: usize = self.games().map(|game| game.again).sum();
        if again > 0 {
            notes.push(format!("the referee failed {}; these games were retried", times(again as u64)));
        }
        notes
    }

    /// Returns the first failures of a bot, in the order in which the games were played.
    fn first_failures(&self, bot: usize) -> Vec<Failure> {
        let mut failures: Vec<Failure> = self.failures[bot].values().cloned().collect();
        failures.sort_by_key(|failure| failure.game);
        failures
    }

    fn bot(&self, bot: usize, plan: &Match<'_>, complete: &[[&PlayedGame; 2]]) -> BotReport {
        let mut by_seat = vec![Summary::default(); plan.players()];
        let mut failures = BTreeMap::new();
        let mut seconds = Vec::new();
        let mut slowest = None;
        let mut left_running = 0;
        for played in self.games() {
            let Some(seat) = played.seats[bot] else { continue };
            if !played.is_overloaded {
                by_seat[seat].push(played.points[bot]);
            }
            if let Some(name) = played.failures[bot] {
                *failures.entry(name.to_string()).or_insert(0) += 1;
            }
            if let Some([wall, slowest_answer]) = played.times[bot] {
                seconds.push(wall.as_secs_f64());
                slowest = slowest.max(Some(slowest_answer));
            }
            left_running += u64::from(played.left_running[bot]);
        }
        let own = complete.iter().flatten().filter(|game| game.seats[bot].is_some());
        let points: Summary = own.map(|game| game.points[bot]).collect();
        BotReport {
            name: plan.bots[bot].name.clone(),
            points: points.mean(),
            points_by_seat: by_seat.iter().map(Summary::mean).collect(),
            failures,
            first_failures: self.first_failures(bot),
            seconds_per_game: seconds.iter().copied().collect::<Summary>().mean(),
            quartiles_seconds: quartiles(seconds),
            slowest_seconds: slowest.map(|slowest| slowest.as_secs_f64()),
            left_running,
        }
    }
}

/// Returns a note about endless games, if there are any.
pub(crate) fn endless(games: u64) -> Option<String> {
    (games > 0).then(|| format!("{} did not end and count as draws", count(games, "game")))
}

/// Formats a number of times, such as `once` or `3 times`.
fn times(number: u64) -> String {
    if number == 1 { "once".to_string() } else { format!("{number} times") }
}

/// Returns the lower quartile, median and upper quartile, or `None` if there are no values.
fn quartiles(mut values: Vec<f64>) -> Option<[f64; 3]> {
    values.sort_by(f64::total_cmp);
    let [lower, median, upper] = [0.25, 0.5, 0.75].map(|share| percentile(&values, share));
    Some([lower?, median?, upper?])
}

/// Returns the games of a pair that counts: both games have ended, and none was lost because of the machine's delays.
fn complete(pair: &[Option<PlayedGame>; 2]) -> Option<[&PlayedGame; 2]> {
    let games = [pair[0].as_ref()?, pair[1].as_ref()?];
    (!games.iter().any(|game| game.is_overloaded)).then_some(games)
}

fn points(pair: [&PlayedGame; 2]) -> [[f64; 2]; 2] {
    pair.map(|game| game.points)
}

/// Returns notes that help interpret the numbers in a report. `uncounted` contains the numbers of finished games in the
/// pairs in which a bot lost on time because of the machine's delays.
fn notes(report: &MatchReport, uncounted: &[usize]) -> Vec<String> {
    let mut notes = Vec::new();
    if !uncounted.is_empty() {
        let (pairs, do_not) = match uncounted.len() {
            1 => ("1 pair".to_string(), "does not"),
            pairs => (format!("{pairs} pairs"), "do not"),
        };
        notes.push(format!("{pairs} {do_not} count, because a bot lost on time on a busy machine"));
    }
    if report.distinct_pairs < report.pairs {
        let [distinct, pairs] = [report.distinct_pairs, report.pairs];
        notes.push(format!(
            "only {distinct} of the {pairs} pairs differ; repeated games are not new evidence"
        ));
    }
    let without_partner = report.games - 2 * report.pairs - uncounted.iter().sum::<usize>() as u64;
    if without_partner > 0 {
        notes.push(format!(
            "{} without a partner: included only in the points by seat, the failures and the times",
            count(without_partner, "game")
        ));
    }
    notes.extend(endless(report.endless));
    if report.errors > 0 {
        notes
            .push(format!("{} without a result, through no fault of the bots", count(report.errors, "game")));
    }
    let cores = available_cores();
    let is_late = report.bots.iter().any(|bot| bot.failures.contains_key("timeout"));
    if is_late && report.conditions.jobs > cores {
        let jobs = report.conditions.jobs;
        notes.push(format!(
            "{jobs} games at a time on {}: losses on time may be caused by the machine",
            count(cores as u64, "core")
        ));
    }
    for bot in &report.bots {
        if report.games > 0 && bot.failures.values().sum::<u64>() == report.games {
            notes.push(format!("{} failed in every game, so its strength is unknown", shorten(&bot.name)));
        }
    }
    for bot in report.bots.iter().filter(|bot| bot.left_running > 0) {
        notes.push(format!(
            "{} kept running after the end of {}",
            shorten(&bot.name),
            count(bot.left_running, "game")
        ));
    }
    notes
}
