//! Rounds of games between many bots, with any number of seats. In each round, every group of bots plays one game in
//! each rotation of the seats. All games of a round have the same seed, so that the effects of chance and seats cancel
//! out.

use crate::add::{self, AddError};
use crate::failures::Failure;
use crate::matches::{ERRORS_IN_A_ROW, write_to};
use crate::report::{CONFIDENCE, MatchEnd};
use crate::tally::endless;
use crate::text::{line, shorten, wrapped};
use contender_game::rules::mix;
use contender_play::{Entrant, Fixture, Host, InMatch, Record};
use contender_stats::Interval;
use contender_stats::ratings::{PlackettLuce, RankedGame};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// A series of games in which every group of bots plays in each rotation of the seats.
#[derive(Clone, Copy)]
pub struct Rotation<'a> {
    /// The host that plays the games, with its conditions.
    pub host: &'a dyn Host,
    /// The bots.
    pub bots: &'a [Entrant],
    /// Number of bots in a game, at least 2 and at most the number of bots in `bots`.
    pub players: usize,
    /// Number of rounds.
    pub rounds: u32,
    /// Number of games at a time; 0 counts as 1.
    pub jobs: usize,
    /// The random seed.
    pub seed: u64,
}

/// The report of a rotation. Later versions may add fields to its JSON, but the meaning of a field does not change.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RotationReport {
    /// The name of the game.
    pub game: String,
    /// Number of bots in a game.
    pub players: usize,
    /// Number of finished games.
    pub games: u64,
    /// Number of planned rounds.
    pub rounds: u32,
    /// Number of games that could not be played, through no fault of the bots.
    pub errors: u64,
    /// The random seed.
    #[serde(with = "contender_play::seed")]
    #[cfg_attr(feature = "schema", schemars(with = "contender_play::seed::Form"))]
    pub seed: u64,
    /// The way in which the rotation ended.
    pub end: MatchEnd,
    /// The bots, from strongest to weakest.
    pub bots: Vec<Ranked>,
    /// The advantage of each seat over the last seat, in Elo.
    pub seats: Vec<f64>,
    /// Notes about the figures.
    pub notes: Vec<String>,
}

/// The results of one bot in a rotation.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ranked {
    /// The bot's name.
    pub name: String,
    /// Strength in Elo according to the Plackett-Luce model. The mean of all bots is 0.
    pub elo: f64,
    /// The 95% interval of the strength.
    pub interval: Option<Interval>,
    /// Probability that the bot is stronger than the next bot in the ranking.
    pub ahead_of_next: Option<f64>,
    /// Number of games that the bot played.
    pub games: u64,
    /// Number of games in each place, starting with the first place.
    pub ranks: Vec<u64>,
    /// The bot's mean rank in each seat; 1 is first.
    pub by_seat: Vec<Option<f64>>,
    /// Number of games in which the bot failed, by kind of failure.
    pub failures: BTreeMap<String, u64>,
    /// The first failure of each kind.
    pub first_failures: Vec<Failure>,
}

/// A rotation that has started. Games from earlier runs are already counted; the other games remain to be played.
pub struct Rotating<'a> {
    plan: Rotation<'a>,
    sets: Vec<Vec<usize>>,
    fingerprint: String,
    games: BTreeMap<u64, Record>,
    errors: u64,
}

impl<'a> Rotation<'a> {
    /// Creates the running rotation before its first game.
    ///
    /// # Panics
    /// Panics if a game has fewer than two players, or more players than there are bots.
    #[must_use]
    pub fn begin(&self) -> Rotating<'a> {
        assert!(self.players >= 2 && self.players <= self.bots.len(), "there must be enough bots for a game");
        let bots: Vec<_> = self.bots.iter().map(|bot| (&bot.name, &bot.program)).collect();
        let decides =
            format!("({:?}, {})", (self.host.game(), bots, self.players, self.seed), self.host.identity());
        Rotating {
            plan: *self,
            sets: sets(self.bots.len(), self.players),
            fingerprint: format!(
                "{:016x}",
                decides.bytes().fold(0, |number, byte| mix(&[number, u64::from(byte)]))
            ),
            games: BTreeMap::new(),
            errors: 0,
        }
    }
}

impl Rotating<'_> {
    /// Returns the total number of games to play.
    #[must_use]
    pub fn planned(&self) -> u64 {
        u64::from(self.plan.rounds) * self.sets.len() as u64 * self.plan.players as u64
    }

    /// Returns the number of games played so far, including games from earlier runs.
    #[must_use]
    pub fn played(&self) -> usize {
        self.games.len()
    }

    /// Counts a game from an earlier run. Games can be added in any order.
    ///
    /// # Errors
    /// Returns an error if the game does not belong to this rotation or has already been counted.
    pub fn add(&mut self, record: Record) -> Result<(), AddError> {
        let index = add::index(&record, &self.fingerprint, self.planned())?;
        match self.games.insert(index, record) {
            Some(_) => Err(AddError::Duplicate { game: index + 1 }),
            None => Ok(()),
        }
    }

    /// Returns the indices of the bots in the seats of a game, and the game's seed.
    fn slot(&self, index: u64) -> (Vec<usize>, u64) {
        let (players, count) = (self.plan.players as u64, self.sets.len() as u64);
        let (rotation, rest) = ((index % players) as usize, index / players);
        let (set, round) = (&self.sets[(rest % count) as usize], rest / count);
        let number = set.iter().fold(0, |number, bot| number | 1_u64 << (bot % 64));
        let seats = (0..set.len()).map(|seat| set[(seat + rotation) % set.len()]).collect();
        (seats, self.plan.host.seed(mix(&[self.plan.seed, round, number])))
    }

    fn fixture(&self, index: u64) -> Fixture {
        let (seats, seed) = self.slot(index);
        let bot_seeds = (1..=seats.len() as u64).map(|seat| mix(&[seed, index, seat])).collect();
        Fixture { seats: seats.into_iter().map(|bot| self.plan.bots[bot].clone()).collect(), seed, bot_seeds }
    }

    /// Plays the remaining games and returns the report, even if the rotation ends early. For `stop` and `log`, see
    /// [`Match::run`](crate::Match::run). The observer receives each result and the number of results so far.
    pub fn run(
        mut self,
        stop: &AtomicBool,
        mut log: Option<&mut dyn Write>,
        observer: &mut dyn FnMut(Result<&Record, &str>, u64),
    ) -> RotationReport {
        let known: Vec<u64> = self.games.keys().copied().collect();
        let mut new: BTreeMap<u64, Record> = BTreeMap::new();
        let (mut end, mut in_a_row, mut errors) = (MatchEnd::Complete, 0, 0);
        let this = &self;
        let fixture = |index: u64| known.binary_search(&index).is_err().then(|| this.fixture(index));
        self.plan.host.play_all(self.plan.jobs, self.planned(), &fixture, stop, &mut |index, result| {
            let result = result.map(|record| {
                let in_match = Some(InMatch { plan: this.fingerprint.clone(), game: index + 1 });
                Record { in_match, ..record }
            });
            if let Err(error) = write_to(&mut log, &result) {
                end = MatchEnd::Failed { error };
            }
            let done = (known.len() + new.len()) as u64 + errors + 1;
            match result {
                Ok(record) => {
                    in_a_row = 0;
                    observer(Ok(&record), done);
                    new.insert(index, record);
                }
                Err(error) => {
                    let error = error.to_string();
                    errors += 1;
                    in_a_row += 1;
                    observer(Err(&error), done);
                    if in_a_row == ERRORS_IN_A_ROW {
                        end = MatchEnd::Failed { error };
                    }
                }
            }
            if end == MatchEnd::Complete { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        self.games.extend(new);
        self.errors = errors;
        if end == MatchEnd::Complete && (self.games.len() as u64 + errors) < self.planned() {
            end = MatchEnd::Interrupted;
        }
        self.report(end)
    }

    fn report(&self, end: MatchEnd) -> RotationReport {
        let Rotation { host, bots, players, rounds, seed, .. } = self.plan;
        let ranked = self.games.iter().map(|(&index, game)| RankedGame {
            players: self.slot(index).0,
            ranks: game.seats.iter().map(|seat| seat.rank).collect(),
        });
        let fit = PlackettLuce::fit(bots.len(), &ranked.collect::<Vec<_>>());
        let order = fit.strengths.ranking();
        let standing = |(place, &bot): (usize, &usize)| Ranked {
            elo: fit.strengths.values()[bot],
            interval: fit.strengths.interval(bot, CONFIDENCE),
            ahead_of_next: order.get(place + 1).and_then(|&next| fit.strengths.ahead(bot, next)),
            ..self.ranked(bot)
        };
        let standings: Vec<Ranked> = order.iter().enumerate().map(standing).collect();
        RotationReport {
            game: host.game().to_string(),
            players,
            games: self.games.len() as u64,
            rounds,
            errors: self.errors,
            seed,
            end,
            notes: self.notes(&standings),
            bots: standings,
            seats: fit.seats,
        }
    }

    /// Returns a bot's results without its strength.
    fn ranked(&self, bot: usize) -> Ranked {
        let players = self.plan.players;
        let mut ranks = vec![0; players];
        let mut by_seat = vec![(0, 0); players];
        let mut failures = BTreeMap::new();
        let mut first_failures: Vec<Failure> = Vec::new();
        for (&index, game) in &self.games {
            let Some(seat) = self.slot(index).0.iter().position(|&other| other == bot) else { continue };
            let rank = game.seats[seat].rank;
            if let Some(count) = ranks.get_mut(rank as usize) {
                *count += 1;
            }
            by_seat[seat] = (by_seat[seat].0 + 1, by_seat[seat].1 + rank + 1);
            if let Some(failure) = Failure::of_game(game, index + 1, seat) {
                *failures.entry(failure.name.clone()).or_insert(0) += 1;
                if first_failures.iter().all(|first| first.name != failure.name) {
                    first_failures.push(failure);
                }
            }
        }
        Ranked {
            name: self.plan.bots[bot].name.clone(),
            elo: 0.0,
            interval: None,
            ahead_of_next: None,
            games: ranks.iter().sum(),
            ranks,
            by_seat: by_seat
                .into_iter()
                .map(|(games, sum)| (games > 0).then(|| f64::from(sum) / f64::from(games)))
                .collect(),
            failures,
            first_failures,
        }
    }

    fn notes(&self, bots: &[Ranked]) -> Vec<String> {
        let mut notes = self.plan.host.notes();
        let broken_off = self.games.values().filter(|game| game.is_endless()).count();
        notes.extend(endless(broken_off as u64));
        if self.errors > 0 {
            notes.push(format!("{} games have no result, through no fault of the bots", self.errors));
        }
        let again: usize = self.games.values().map(|game| game.again.len()).sum();
        if again > 0 {
            notes.push(format!("the referee failed {again} times; these games were retried"));
        }
        for bot in bots {
            if bot.games > 0 && bot.failures.values().sum::<u64>() == bot.games {
                notes
                    .push(format!("{} failed in every game, so its strength is unknown", shorten(&bot.name)));
            }
        }
        let round_games = self.sets.len() as u64 * self.plan.players as u64;
        let mut rounds: BTreeMap<u64, u64> = BTreeMap::new();
        self.games.keys().for_each(|index| *rounds.entry(index / round_games).or_default() += 1);
        let partial = rounds.values().filter(|&&games| games < round_games).count();
        if partial > 0 {
            notes.push(format!(
                "{partial} rounds are incomplete; in these rounds, randomness and seat advantages do not \
                 cancel out"
            ));
        }
        notes
    }
}

impl RotationReport {
    /// Formats the report as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        line(
            &mut text,
            &format!(
                "{}: {} games of {} players, {} rounds planned, seed {}",
                self.game,
                self.games,
                self.players,
                self.rounds,
                self.seed.cast_signed()
            ),
        );
        text.push('\n');
        self.table(&mut text);
        text.push('\n');
        let last = self.players;
        wrapped(
            &mut text,
            &format!(
                "1. to {last}.: number of games that ended in this place; seat 0 to {}: mean place in this \
                 seat",
                last - 1
            ),
        );
        if let Some(best) = self.seats.iter().copied().reduce(f64::max).filter(|best| *best > 0.0) {
            let seats: Vec<String> = self.seats.iter().map(|elo| format!("{elo:+.0}")).collect();
            wrapped(&mut text, &format!("seat advantages in Elo: {} (largest {best:+.0})", seats.join(", ")));
        }
        for bot in &self.bots {
            for Failure { name, words, repeat, .. } in &bot.first_failures {
                text.push('\n');
                wrapped(
                    &mut text,
                    &format!(
                        "{}: {name} in {} of {} games: {words}",
                        bot.name, bot.failures[name], bot.games
                    ),
                );
                if let Some(repeat) = repeat {
                    line(&mut text, &format!("  again: {repeat}"));
                }
            }
        }
        for note in &self.notes {
            text.push('\n');
            wrapped(&mut text, &format!("Note: {note}."));
        }
        match &self.end {
            MatchEnd::Interrupted => {
                line(&mut text, "\nStopped; run the same command with the same log to resume.");
            }
            MatchEnd::Failed { error } => wrapped(&mut text, &format!("Ended early: {error}")),
            MatchEnd::Complete | MatchEnd::Decided | MatchEnd::Repeating => {}
        }
        text
    }

    fn table(&self, text: &mut String) {
        let width = self.bots.iter().map(|bot| shorten(&bot.name).chars().count()).max().unwrap_or(0).max(3);
        let ranks: String = (1..=self.players).map(|rank| format!("{:>6}", format!("{rank}."))).collect();
        let seats: String = (0..self.players).map(|seat| format!("{:>8}", format!("seat {seat}"))).collect();
        line(text, &format!("     {:<width$}      Elo  95% interval    ahead   games{ranks}{seats}", "bot"));
        for (place, bot) in self.bots.iter().enumerate() {
            let interval = bot.interval.map_or(String::new(), |i| format!("{:+.0} to {:+.0}", i.low, i.high));
            let ahead = bot.ahead_of_next.map_or(String::new(), |ahead| format!("{:.0}%", 100.0 * ahead));
            let ranks: String = bot.ranks.iter().map(|count| format!("{count:>6}")).collect();
            let mean = |mean: &Option<f64>| mean.map_or("-".to_string(), |mean| format!("{mean:.2}"));
            let seats: String = bot.by_seat.iter().map(|seat| format!("{:>8}", mean(seat))).collect();
            line(
                text,
                &format!(
                    "{:>3}. {:<width$} {:>8} {interval:>13}  {ahead:>7} {:>7}{ranks}{seats}",
                    place + 1,
                    shorten(&bot.name),
                    format!("{:+.0}", bot.elo),
                    bot.games
                ),
            );
        }
    }
}

/// Returns all sets of `size` numbers below `of`. The numbers in each set are in ascending order.
fn sets(of: usize, size: usize) -> Vec<Vec<usize>> {
    let mut sets = vec![Vec::new()];
    for _ in 0..size {
        sets = sets
            .into_iter()
            .flat_map(|set: Vec<usize>| {
                let first = set.last().map_or(0, |last| last + 1);
                (first..of).map(move |next| [set.as_slice(), &[next]].concat())
            })
            .collect();
    }
    sets
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_sets_of_a_size_are_there() {
        assert_eq!(super::sets(4, 2), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }
}
