//! Adds up the games of a match.

use crate::failures::Failure;
use crate::plan::{Match, Slot};
use crate::report::{BotReport, CONFIDENCE, MatchEnd, MatchReport, PlayedUnder, RankedBy, TestReport};
use crate::score::Score;
use crate::text::{count, shorten};
use contender_referee::{Record, available_cores};
use contender_stats::{Decision, Summary, percentile};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// What a match keeps of a game; arrays are by bot, A and B, not by seat.
pub(crate) struct PlayedGame {
    points: [f64; 2],
    /// The name of the failure, if any.
    pub failures: [Option<&'static str>; 2],
    wall: [Duration; 2],
    slowest: [Duration; 2],
    left_running: [bool; 2],
    /// Tells different games apart. A game with a failure is like no other: why a bot failed need not show in the
    /// moves.
    fingerprint: u64,
}

impl PlayedGame {
    /// A record of game 0 of a pair, with A in seat 0, or of game 1, with B in seat 0.
    pub fn new(record: &Record, game: usize) -> PlayedGame {
        let seats = [game, 1 - game];
        let mut hasher = DefaultHasher::new();
        (&record.setup, &record.moves).hash(&mut hasher);
        record.points().iter().for_each(|points| points.to_bits().hash(&mut hasher));
        let endings = seats.map(|seat| &record.seats[seat].ending);
        let failures = endings.map(|ending| ending.is_failure().then(|| ending.name()));
        if failures.iter().any(Option::is_some) {
            record.seed.hash(&mut hasher);
        }
        PlayedGame {
            points: seats.map(|seat| record.seats[seat].points.unwrap_or_default()),
            failures,
            wall: seats.map(|seat| record.seats[seat].wall),
            slowest: seats.map(|seat| record.seats[seat].slowest),
            left_running: seats.map(|seat| record.seats[seat].left_running),
            fingerprint: hasher.finish(),
        }
    }
}

/// The games of a match by pair. They are added up in the order of the pairs, so the sums do not depend on which ended
/// first.
#[derive(Default)]
pub(crate) struct Tally {
    /// Up to the last pair of which a game was played.
    pairs: Vec<[Option<PlayedGame>; 2]>,
    /// The first failure of each kind of A and of B.
    failures: [BTreeMap<String, Failure>; 2],
}

impl Tally {
    /// Takes a game; returns the points of A and B in the games of its pair if that is complete now.
    pub fn add(&mut self, slot: Slot, record: &Record, played: PlayedGame) -> Option<[[f64; 2]; 2]> {
        let Slot { pair, game } = slot;
        for (first, seat) in self.failures.iter_mut().zip([game, 1 - game]) {
            let Some(failure) = Failure::of(record, slot, seat) else { continue };
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

    /// The points of A and B in the games of a pair if that is complete.
    pub fn pair(&self, pair: u32) -> Option<[[f64; 2]; 2]> {
        self.pairs.get(pair as usize).and_then(complete).map(points)
    }

    /// Forgets all pairs from here on.
    pub fn truncate(&mut self, pairs: u32) {
        self.pairs.truncate(pairs as usize);
        for failures in &mut self.failures {
            failures.retain(|_, failure| failure.game <= 2 * u64::from(pairs));
        }
    }

    /// How many different complete pairs there are among the first ones.
    pub fn distinct_pairs(&self, among: u32) -> u64 {
        let complete = self.pairs.iter().take(among as usize).filter_map(complete);
        let distinct: HashSet<[u64; 2]> = complete.map(|pair| pair.map(|game| game.fingerprint)).collect();
        distinct.len() as u64
    }

    pub fn report(&self, plan: &Match<'_>, end: MatchEnd, errors: u64, decision: Decision) -> MatchReport {
        let complete: Vec<[&PlayedGame; 2]> = self.pairs.iter().filter_map(complete).collect();
        let ranked_by = RankedBy::of(plan.contest);
        let mut score = Score::new(ranked_by);
        complete.iter().for_each(|&pair| score.push(points(pair)));
        let Score { results, pentanomial, .. } = score;
        let distinct_pairs = self.distinct_pairs(u32::MAX);
        let mut report = MatchReport {
            game: plan.contest.name().to_string(),
            seats: plan.contest.info().seats.map(str::to_string),
            seed: plan.seed,
            conditions: PlayedUnder::of(plan),
            pairs_planned: u64::from(plan.pairs),
            pairs: complete.len() as u64,
            games: self.games().count() as u64,
            distinct_pairs,
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
            bots: [0, 1].map(|bot| self.bot(bot, &plan.bots[bot].name, &complete)),
            steadiness: None,
            notes: Vec::new(),
        };
        report.notes = notes(&report);
        report
    }

    /// For every complete pair, in their order, the points of A and B in its two games.
    pub fn points(&self) -> Vec<[[f64; 2]; 2]> {
        self.pairs.iter().filter_map(complete).map(points).collect()
    }

    /// Every finished game with its number in its pair.
    fn games(&self) -> impl Iterator<Item = (usize, &PlayedGame)> {
        self.pairs.iter().flat_map(|pair| {
            pair.iter().enumerate().filter_map(|(game, played)| Some((game, played.as_ref()?)))
        })
    }

    /// The first failures of a bot in the order of their games.
    fn first_failures(&self, bot: usize) -> Vec<Failure> {
        let mut failures: Vec<Failure> = self.failures[bot].values().cloned().collect();
        failures.sort_by_key(|failure| failure.game);
        failures
    }

    fn bot(&self, bot: usize, name: &str, complete: &[[&PlayedGame; 2]]) -> BotReport {
        let mut by_seat = [Summary::default(); 2];
        let mut failures = BTreeMap::new();
        let mut seconds = Vec::new();
        let mut slowest = None;
        let mut left_running = 0;
        for (game, played) in self.games() {
            by_seat[bot ^ game].push(played.points[bot]);
            if let Some(name) = played.failures[bot] {
                *failures.entry(name.to_string()).or_insert(0) += 1;
            }
            seconds.push(played.wall[bot].as_secs_f64());
            slowest = slowest.max(Some(played.slowest[bot]));
            left_running += u64::from(played.left_running[bot]);
        }
        let points: Summary = complete.iter().flatten().map(|game| game.points[bot]).collect();
        BotReport {
            name: name.to_string(),
            points: points.mean(),
            points_by_seat: by_seat.map(|points| points.mean()),
            failures,
            first_failures: self.first_failures(bot),
            seconds_per_game: seconds.iter().copied().collect::<Summary>().mean(),
            quartiles_seconds: quartiles(seconds),
            slowest_seconds: slowest.map(|slowest| slowest.as_secs_f64()),
            left_running,
        }
    }
}

/// Lower quartile, median and upper quartile; `None` of nothing.
fn quartiles(mut values: Vec<f64>) -> Option<[f64; 3]> {
    values.sort_by(f64::total_cmp);
    let [lower, median, upper] = [0.25, 0.5, 0.75].map(|share| percentile(&values, share));
    Some([lower?, median?, upper?])
}

fn complete(pair: &[Option<PlayedGame>; 2]) -> Option<[&PlayedGame; 2]> {
    Some([pair[0].as_ref()?, pair[1].as_ref()?])
}

fn points(pair: [&PlayedGame; 2]) -> [[f64; 2]; 2] {
    pair.map(|game| game.points)
}

/// What to bear in mind with the figures of a report.
fn notes(report: &MatchReport) -> Vec<String> {
    let mut notes = Vec::new();
    if report.distinct_pairs < report.pairs {
        let [distinct, pairs] = [report.distinct_pairs, report.pairs];
        notes.push(format!(
            "only {distinct} of the {pairs} pairs differ; games that repeat are no new evidence"
        ));
    }
    let without_partner = report.games - 2 * report.pairs;
    if without_partner > 0 {
        notes.push(format!(
            "{} without a partner: only in points by seat, failures and times",
            count(without_partner, "game")
        ));
    }
    if report.errors > 0 {
        notes
            .push(format!("{} could not be played, through no fault of a bot", count(report.errors, "game")));
    }
    let cores = available_cores();
    let is_late = report.bots.iter().any(|bot| bot.failures.contains_key("timeout"));
    if is_late && report.conditions.jobs > cores {
        let jobs = report.conditions.jobs;
        notes.push(format!(
            "{jobs} games at once on {}: time losses may be the machine's fault",
            count(cores as u64, "core")
        ));
    }
    for bot in &report.bots {
        if report.games > 0 && bot.failures.values().sum::<u64>() == report.games {
            notes.push(format!(
                "{} failed in every game: this says nothing of how it plays",
                shorten(&bot.name)
            ));
        }
    }
    for bot in report.bots.iter().filter(|bot| bot.left_running > 0) {
        notes.push(format!(
            "{} did not leave at the end of {}",
            shorten(&bot.name),
            count(bot.left_running, "game")
        ));
    }
    notes
}
