//! What a series says of its bots.

use crate::record::Record;
use crate::series::{Course, Series};
use contender_arena::{Estimate, MatchEnd, TestReport, Verdict};
use contender_stats::ratings::{PlackettLuce, RankedGame};
use contender_stats::{Decision, EloEstimate, Interval, Pentanomial};
use serde::Serialize;
use std::collections::BTreeMap;

/// All intervals hold with this probability.
const CONFIDENCE: f64 = 0.95;

/// A series in figures.
#[derive(Clone, Debug, Serialize)]
pub struct SeriesReport {
    /// Players of a game.
    pub players: usize,
    /// Finished games.
    pub games: u64,
    /// Rounds that were planned.
    pub rounds: u32,
    /// Games that could not be played.
    pub voids: u64,
    /// The seed of all luck.
    pub seed: u64,
    /// How it ended.
    pub end: MatchEnd,
    /// The bots, the strongest first.
    pub bots: Vec<BotStanding>,
    /// The advantage of each seat over the last one in Elo.
    pub seats: Vec<f64>,
    /// Of two bots: their pairs of games, from the view of the one that was named first.
    pub pairs: Option<PairReport>,
    /// Mean seconds of a game.
    pub seconds_per_game: Option<f64>,
    /// What to bear in mind.
    pub notes: Vec<String>,
}

/// A bot in a series.
#[derive(Clone, Debug, Serialize)]
pub struct BotStanding {
    /// Its name.
    pub name: String,
    /// Strength in Elo, by the model of Plackett and Luce; the mean of all bots is 0.
    pub elo: f64,
    /// 95% interval.
    pub interval: Option<Interval>,
    /// Probability that it is stronger than the next one.
    pub ahead: Option<f64>,
    /// How many games it has played.
    pub games: u64,
    /// How often it had each rank, the best first.
    pub ranks: Vec<u64>,
    /// Mean rank in each seat, the best being 1.
    pub by_seat: Vec<Option<f64>>,
    /// How often it failed in which way.
    pub failures: BTreeMap<String, u64>,
    /// Those of its timeouts that came on a busy machine.
    pub late_when_busy: u64,
    /// The first failure of each kind: the referee's words, and the command that shows it again.
    pub first_failures: BTreeMap<String, [String; 2]>,
}

/// Two bots in pairs of games with the same luck and exchanged seats.
#[derive(Clone, Debug, Serialize)]
pub struct PairReport {
    /// Pairs by their results.
    pub results: Pentanomial,
    /// The share of games won, draws as halves.
    pub win_rate: Estimate,
    /// What is shown; A is the one that was named first.
    pub verdict: Verdict,
    /// The difference in Elo.
    pub elo: Option<EloEstimate>,
    /// The sequential test, if there is one.
    pub test: Option<TestReport>,
}

impl SeriesReport {
    /// Adds a series up.
    #[must_use]
    pub fn of(series: &Series<'_>, course: &Course) -> SeriesReport {
        let ranked: Vec<RankedGame> = course
            .games
            .iter()
            .map(|(slot, game)| RankedGame { players: slot.seats.clone(), ranks: game.ranks.clone() })
            .collect();
        let fit = PlackettLuce::fit(series.bots.len(), &ranked);
        let order = fit.strengths.ranking();
        let standing = |(place, &bot): (usize, &usize)| BotStanding {
            elo: fit.strengths.values()[bot],
            interval: fit.strengths.interval(bot, CONFIDENCE),
            ahead: order.get(place + 1).and_then(|&next| fit.strengths.ahead(bot, next)),
            ..standing_of(series, course, bot)
        };
        let bots: Vec<BotStanding> = order.iter().enumerate().map(standing).collect();
        let seconds: f64 = course.games.values().map(|game| game.seconds).sum();
        let games = course.games.len() as u64;
        SeriesReport {
            players: series.players,
            games,
            rounds: series.rounds,
            voids: course.voids,
            seed: series.seed,
            end: course.end.clone(),
            notes: notes(series, course, &bots),
            bots,
            seats: fit.seats,
            pairs: (series.bots.len() == 2).then(|| pair_report(series, course)),
            seconds_per_game: (games > 0).then(|| seconds / games as f64),
        }
    }

    /// For people.
    #[must_use]
    pub fn text(&self) -> String {
        let width = self.bots.iter().map(|bot| bot.name.chars().count()).max().unwrap_or(0).max(3);
        let mut text = format!(
            "{} games of {} players, {} rounds planned with the same luck in every seat, seed {}\n\n",
            self.games, self.players, self.rounds, self.seed
        );
        let ranks: String = (1..=self.players).map(|rank| format!("{:>6}", format!("{rank}."))).collect();
        let seats: String = (0..self.players).map(|seat| format!("{:>8}", format!("seat {seat}"))).collect();
        text += &format!("     {:<width$}      Elo  95% interval    ahead   games{ranks}{seats}\n", "bot");
        for (place, bot) in self.bots.iter().enumerate() {
            let interval = bot.interval.map_or(String::new(), |i| format!("{:+.0} to {:+.0}", i.low, i.high));
            let ahead = bot.ahead.map_or(String::new(), |ahead| format!("{:.0}%", 100.0 * ahead));
            let ranks: String = bot.ranks.iter().map(|count| format!("{count:>6}")).collect();
            let seats =
                bot.by_seat.iter().map(|mean| mean.map_or("-".to_string(), |mean| format!("{mean:.2}")));
            let seats: String = seats.map(|mean| format!("{mean:>8}")).collect();
            text += &format!(
                "{:>3}. {:<width$} {:>8} {interval:>13}  {ahead:>7} {:>7}{ranks}{seats}\n",
                place + 1,
                bot.name,
                format!("{:+.0}", bot.elo),
                bot.games
            );
        }
        let (to, last) = (if self.players == 2 { "and" } else { "to" }, self.players);
        text += &format!(
            "\n1. {to} {last}.: games that it ended in that place; seat 0 {to} seat {}: its mean place from that seat\n",
            last - 1
        );
        if let Some(pairs) = &self.pairs {
            text +=
                &format!("\npairs of the first bot named [LL LD WL/DD WD WW]: {:?}\n", pairs.results.counts);
            match pairs.elo {
                Some(elo) if elo.elo.is_finite() => {
                    let interval =
                        elo.interval.map_or(String::new(), |i| format!(" [{:+.1}, {:+.1}]", i.low, i.high));
                    text += &format!("it is ahead by {:+.1} Elo{interval}\n", elo.elo);
                }
                // Its Elo has no bound.
                Some(elo) => {
                    let all = if elo.elo > 0.0 { "won" } else { "lost" };
                    let bound = elo.interval.map(|i| if elo.elo > 0.0 { i.low } else { i.high });
                    let most = if elo.elo > 0.0 { "least" } else { "most" };
                    let bound = bound.filter(|bound| bound.is_finite());
                    let bound =
                        bound.map_or(String::new(), |at| format!(": ahead by {at:+.1} Elo at {most}"));
                    text += &format!("it has {all} every game{bound}\n");
                }
                None => {}
            }
            if let Some(TestReport { test, log_likelihood_ratio, bounds, decision }) = &pairs.test {
                let [low, high] = test.hypotheses();
                let decision = match decision {
                    Decision::PlayOn => "not decided".to_string(),
                    Decision::AcceptH0 => format!("ahead by {low} Elo rather than by {high}"),
                    Decision::AcceptH1 => format!("ahead by {high} Elo rather than by {low}"),
                };
                text += &format!(
                    "LLR {log_likelihood_ratio:.2} ({:.2}, {:.2}): {decision}\n",
                    bounds.low, bounds.high
                );
            }
        }
        text += &self.failures();
        for note in &self.notes {
            text += &format!("\nnote: {note}\n");
        }
        match &self.end {
            MatchEnd::Complete | MatchEnd::Repeating => {}
            MatchEnd::Decided => {
                text += "\nThe test has decided; the games that were left were not played.\n";
            }
            MatchEnd::Interrupted => text += "\nIt was stopped; with the same log it goes on.\n",
            MatchEnd::Failed { error } => text += &format!("\nIt could not go on: {error}\n"),
        }
        text
    }

    /// Who failed how, each after an empty line, with the referee's words and the command that shows it again.
    #[must_use]
    pub fn failures(&self) -> String {
        let mut text = String::new();
        for bot in &self.bots {
            for (kind, count) in &bot.failures {
                let [words, repeat] = &bot.first_failures[kind];
                let words = if words.is_empty() { String::new() } else { format!(": \"{words}\"") };
                text += &format!(
                    "\n{}: {kind} in {count} of {} games{words}\n  again: {repeat}\n",
                    bot.name, bot.games
                );
            }
        }
        text
    }
}

/// All of a bot but its strength.
fn standing_of(series: &Series<'_>, course: &Course, bot: usize) -> BotStanding {
    let mut ranks = vec![0; series.players];
    let mut by_seat = vec![(0, 0); series.players];
    let mut failures = BTreeMap::new();
    let mut late_when_busy = 0;
    let mut first_failures = BTreeMap::new();
    for (slot, game) in &course.games {
        let Some(seat) = slot.seats.iter().position(|&other| other == bot) else { continue };
        let rank = game.ranks[seat];
        if let Some(count) = ranks.get_mut(rank as usize) {
            *count += 1;
        }
        by_seat[seat] = (by_seat[seat].0 + 1, by_seat[seat].1 + rank + 1);
        late_when_busy += u64::from(game.is_late_on_a_busy_machine(seat));
        if game.end[seat] != "normal" {
            *failures.entry(game.end[seat].clone()).or_insert(0) += 1;
            let words = game.words.get(seat).cloned().unwrap_or_default();
            first_failures.entry(game.end[seat].clone()).or_insert_with(|| [words, game.repeat.clone()]);
        }
    }
    BotStanding {
        name: series.bots[bot].name.clone(),
        elo: 0.0,
        interval: None,
        ahead: None,
        games: ranks.iter().sum(),
        ranks,
        by_seat: by_seat
            .into_iter()
            .map(|(games, sum)| (games > 0).then(|| f64::from(sum) / f64::from(games)))
            .collect(),
        failures,
        late_when_busy,
        first_failures,
    }
}

fn pair_report(series: &Series<'_>, course: &Course) -> PairReport {
    let score = series.score(course);
    PairReport {
        results: score.pentanomial,
        win_rate: score.estimate(),
        // Every round has luck of its own.
        verdict: score.verdict(score.pairs()),
        elo: score.pentanomial.elo(CONFIDENCE),
        test: series.test.map(|test| TestReport {
            test,
            log_likelihood_ratio: score.log_likelihood_ratio(&test),
            bounds: test.bounds(),
            decision: series.decision(course),
        }),
    }
}

fn notes(series: &Series<'_>, course: &Course, bots: &[BotStanding]) -> Vec<String> {
    let mut notes = Vec::new();
    if series.referee.is_seed_ignored() {
        notes.push(
            "the referee plays with seeds of its own: games of a round do not share their luck".to_string(),
        );
    }
    if course.voids > 0 {
        notes.push(format!("{} games could not be played, through no fault of a bot", course.voids));
    }
    let again: Vec<&String> = course.games.values().flat_map(|game| &game.again).collect();
    if let Some(last) = again.last() {
        notes.push(format!(
            "the referee itself failed {} times at games that were played again: {last}",
            again.len()
        ));
    }
    for bot in bots.iter().filter(|bot| bot.late_when_busy > 0) {
        notes.push(format!(
            "{} of {}'s timeouts came while other tasks of this machine waited for its cores: they may be the machine's fault; try fewer --jobs",
            bot.late_when_busy, bot.name
        ));
    }
    for bot in bots {
        if bot.games > 0 && bot.failures.values().sum::<u64>() == bot.games {
            notes.push(format!("{} failed in every game: this says nothing of how it plays", bot.name));
        }
    }
    let rounds: BTreeMap<u32, usize> = course.games.keys().fold(BTreeMap::new(), |mut rounds, slot| {
        *rounds.entry(slot.round).or_insert(0) += 1;
        rounds
    });
    let whole = rounds.values().max().copied().unwrap_or(0);
    let partial = rounds.values().filter(|&&games| games < whole).count();
    if partial > 0 {
        notes.push(format!("{partial} rounds are not whole: their luck and seats do not cancel"));
    }
    notes
}

/// How far a series is, for a line of progress.
#[must_use]
pub fn progress(series: &Series<'_>, course: &Course) -> String {
    let last: Option<&Record> = course.games.values().next_back();
    let mut text = format!("{} of {} games", course.games.len(), series.slots().len());
    if course.voids > 0 {
        text += &format!(", {} void", course.voids);
    }
    if let Some(record) = last {
        text += &format!(", {:.1} s a game", record.seconds);
    }
    text
}

#[cfg(test)]
mod tests;
