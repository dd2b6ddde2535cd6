//! A match's report as text.

use crate::failures::Failure;
use crate::report::{BotReport, CONFIDENCE, MatchEnd, MatchReport, Results, TestReport, Verdict};
use crate::score::Score;
use crate::text::{count, line, shorten, wrapped};
use contender_play::{PlayedUnder, RankedBy};
use contender_stats::{Decision, Interval};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Width of the column of labels.
const LABEL: usize = 18;

impl MatchReport {
    /// Formats the report as lines of at most 100 characters, each ending in a newline.
    #[must_use]
    pub fn text(&self) -> String {
        let names = self.short_names();
        let mut text = String::new();
        self.heading(&mut text);
        text.push('\n');
        self.columns(&mut text, &names);
        text.push('\n');
        self.statistics(&mut text, &names);
        text.push('\n');
        let failures = first_failures([self]);
        if !failures.is_empty() {
            text += &failures;
            text.push('\n');
        }
        if self.test.is_some() {
            self.engine_lines(&mut text);
            text.push('\n');
        }
        self.conclusion(&mut text);
        text
    }

    /// Returns the verdict as one sentence, without a newline.
    #[must_use]
    pub fn verdict_line(&self) -> String {
        let [a, b] = self.short_names();
        match self.verdict {
            Verdict::ABetter => format!("{a} is better than {b} (95% confidence)."),
            Verdict::BBetter => format!("{b} is better than {a} (95% confidence)."),
            Verdict::NoDifferenceShown if self.pairs < 2 => {
                "No difference shown: at least two pairs are needed.".to_string()
            }
            Verdict::NoDifferenceShown if self.is_too_short() => format!(
                "{} are too few to show a difference between {a} and {b}, even if one bot wins all games.",
                count(self.pairs, "pair")
            ),
            Verdict::NoDifferenceShown => {
                format!("No difference shown between {a} and {b} (95% confidence).")
            }
        }
    }

    /// Returns whether there are too few pairs to show a difference even if one bot won all games. Always returns
    /// `false` if the contest counts points instead of wins.
    fn is_too_short(&self) -> bool {
        if self.ranked_by != RankedBy::Wins {
            return false;
        }
        let mut sweep = Score::new(RankedBy::Wins);
        (0..self.pairs).for_each(|_| sweep.push([[1.0, 0.0]; 2]));
        sweep.verdict(self.pairs) == Verdict::NoDifferenceShown
    }

    fn heading(&self, text: &mut String) {
        let pairs = match self.pairs_planned {
            planned if planned == self.pairs => count(self.pairs, "pair"),
            planned => format!("{} of {}", self.pairs, count(planned, "pair")),
        };
        let seed = self.seed.map_or(String::new(), |seed| format!(", seed {}", seed.cast_signed()));
        line(text, &format!("{}: {pairs}, {}{seed}", self.game, count(self.games, "game")));
        let conditions = phrases(&self.conditions);
        if !conditions.is_empty() {
            wrapped(text, &conditions.join(", "));
        }
    }

    /// Writes a table with the results of both bots side by side.
    fn columns(&self, text: &mut String, names: &[String; 2]) {
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(12);
        let mut row = |label: &str, cells: [String; 2]| {
            line(text, &format!("{label:<LABEL$}{:>width$}  {:>width$}", cells[0], cells[1]));
        };
        row("", names.clone());
        let points = match self.ranked_by {
            RankedBy::Rank => Some("rank (1 = first)"),
            _ => self.has_points.then_some("points per game"),
        };
        if let Some(label) = points {
            row(label, self.bots.each_ref().map(|bot| optional(bot.points, decimal)));
        }
        for (seat, name) in self.seats.iter().enumerate().filter(|_| points.is_some()) {
            row(
                &format!("  as {name}"),
                self.bots.each_ref().map(|bot| optional(bot.points_by_seat[seat], decimal)),
            );
        }
        let won = if self.ranked_by == RankedBy::Rank { "pairs ahead" } else { "games won" };
        row(won, [self.results.wins, self.results.losses].map(|games| games.to_string()));
        if self.results.draws > 0 {
            let tied = if self.ranked_by == RankedBy::Rank { "pairs tied" } else { "games drawn" };
            row(tied, [self.results.draws; 2].map(|games| games.to_string()));
        }
        row("games failed", self.bots.each_ref().map(|bot| bot.failures.values().sum::<u64>().to_string()));
        let kinds: BTreeSet<&String> = self.bots.iter().flat_map(|bot| bot.failures.keys()).collect();
        for kind in kinds {
            row(
                &format!("  {kind}"),
                self.bots.each_ref().map(|bot| bot.failures.get(kind).copied().unwrap_or(0).to_string()),
            );
        }
        if self.bots.iter().all(|bot| bot.seconds_per_game.is_none()) && self.games > 0 {
            return;
        }
        row("time per game", self.bots.each_ref().map(|bot| optional(bot.seconds_per_game, time)));
        for (at, label) in ["  lower quartile", "  median", "  upper quartile"].into_iter().enumerate() {
            let quartile = |bot: &BotReport| bot.quartiles_seconds.map(|quartiles| quartiles[at]);
            row(label, self.bots.each_ref().map(|bot| optional(quartile(bot), time)));
        }
        row("slowest answer", self.bots.each_ref().map(|bot| optional(bot.slowest_seconds, time)));
    }

    fn statistics(&self, text: &mut String, names: &[String; 2]) {
        let mut row = |label: &str, value: String| line(text, &format!("{label:<LABEL$}{value}"));
        if self.ranked_by == RankedBy::Rank {
            row("rank difference", self.difference_text("", signed_rank));
            let [a, b] = names;
            row(
                "",
                format!(
                    "{a}'s rank minus {b}'s rank in the same seat against the same opponents (1: \
                first, 0: last)"
                ),
            );
            return;
        }
        if self.has_points {
            row("pair difference", self.difference_text(" points per game", signed));
            row("", format!("A's lead in points, averaged over each pair; A is {}", names[0]));
        }
        let [ll, ld, even, wd, ww] = self.pentanomial.counts;
        row("pairs by result", format!("LL {ll}, LD {ld}, WL+DD {even}, WD {wd}, WW {ww}"));
        row("", "A's results in the two games of a pair: won (W), drew (D), lost (L)".to_string());
        if self.ranked_by == RankedBy::Wins {
            if let (Some(rate), Some(interval)) = (self.win_rate, self.win_rate_interval) {
                row("win rate", format!("{}, 95% interval {}", percent(rate), range(interval, percent)));
            }
            if let Some(elo) = self.elo {
                let mut value = whole(elo.elo);
                if let (Some(interval), Some(los)) = (elo.interval, elo.los) {
                    let _ =
                        write!(value, ", 95% interval {}, LOS {}", range(interval, whole), likelihood(los));
                }
                row("Elo", value);
            }
        }
    }

    /// Formats the mean pair difference with its interval and standard deviation.
    fn difference_text(&self, unit: &str, number: fn(f64) -> String) -> String {
        let difference = &self.difference;
        let mut value = optional(difference.mean, |mean| format!("{}{unit}", number(mean)));
        if let (Some(deviation), Some(interval)) = (difference.standard_deviation, difference.interval) {
            // If wins decide, the interval is printed with the win rate instead.
            if self.ranked_by != RankedBy::Wins {
                let _ = write!(value, ", 95% interval {}", range(interval, number));
            }
            let _ = write!(value, ", sd {deviation:.2}");
        } else if difference.standard_deviation.is_some() {
            value += ", the same in all pairs";
        }
        value
    }

    /// Writes the result in the lines that tools for chess engines expect.
    fn engine_lines(&self, text: &mut String) {
        let games = self.results.games();
        if games == 0 {
            return;
        }
        if self.ranked_by == RankedBy::Rank {
            return self.ratio_line(text);
        }
        let plus_minus = |mean: f64, interval: Option<Interval>| {
            let reach = interval.map_or(f64::INFINITY, Interval::reach);
            format!("{mean:.2} +/- {reach:.2}")
        };
        let mut first = Vec::new();
        if let Some(elo) = self.elo {
            first.push(format!("Elo: {}", plus_minus(elo.elo, elo.interval)));
            first.extend(
                self.pentanomial
                    .normalized_elo(CONFIDENCE)
                    .map(|normalized| format!("nElo: {}", plus_minus(normalized.elo, normalized.interval))),
            );
            first.extend(elo.los.map(|los| format!("LOS: {:.2} %", 100.0 * los)));
        }
        let [ll, ld, even, wd, ww] = self.pentanomial.counts;
        let pairs = self.pentanomial.pairs() as f64;
        if ll + ld > 0 {
            first.push(format!("PairsRatio: {:.2}", (wd + ww) as f64 / (ll + ld) as f64));
        }
        first.push(format!("DrawRatio: {:.2} %", 100.0 * even as f64 / pairs));
        line(text, &first.join(", "));
        let Results { wins, draws, losses } = self.results;
        let score = self.results.score();
        line(
            text,
            &format!(
                "Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {score:.1} ({:.2} %)",
                100.0 * score / games as f64
            ),
        );
        line(text, &format!("Ptnml(0-2): [{ll}, {ld}, {even}, {wd}, {ww}]"));
        self.ratio_line(text);
    }

    fn ratio_line(&self, text: &mut String) {
        if let Some(TestReport { test, log_likelihood_ratio, bounds, .. }) = self.test {
            let [h0, h1] = test.hypotheses();
            let unit = match self.ranked_by {
                RankedBy::Wins => "",
                RankedBy::Points => " points",
                RankedBy::Rank => " in rank",
            };
            line(
                text,
                &format!(
                    "LLR: {log_likelihood_ratio:.2} ({:.2}, {:.2}) [{h0:.2}, {h1:.2}]{unit}",
                    bounds.low, bounds.high
                ),
            );
        }
    }

    fn conclusion(&self, text: &mut String) {
        for note in &self.notes {
            wrapped(text, &format!("Note: {note}."));
        }
        if let Some(steadiness) = &self.steadiness {
            wrapped(text, &steadiness.text());
        }
        match &self.end {
            MatchEnd::Complete | MatchEnd::Decided => {}
            MatchEnd::Repeating => {
                line(text, "Stopped: all pairs are identical, so more pairs would show nothing new.");
            }
            MatchEnd::Interrupted => line(text, "Interrupted before all pairs were played."),
            MatchEnd::Failed { error } => wrapped(text, &format!("Ended early: {error}")),
        }
        line(text, &self.verdict_line());
        if let Some(report) = &self.test {
            let [h0, h1] = report.test.hypotheses();
            let unit = match self.ranked_by {
                RankedBy::Wins => "Elo",
                RankedBy::Points => "points per game",
                RankedBy::Rank => "in rank",
            };
            let [a, b] = self.short_names();
            wrapped(
                text,
                &match report.decision {
                    Decision::AcceptH1 => {
                        format!("The test accepts that {a} leads {b} by {h1} {unit} rather than {h0}.")
                    }
                    Decision::AcceptH0 => {
                        format!("The test accepts that {a} leads {b} by {h0} {unit} rather than {h1}.")
                    }
                    Decision::PlayOn if self.end == MatchEnd::Repeating => {
                        "The test cannot reach a decision.".to_string()
                    }
                    Decision::PlayOn if self.verdict != Verdict::NoDifferenceShown => format!(
                        "The test has not decided: {h0:+} and {h1:+} {unit} are so close that even this \
                         result is weak evidence. Choose hypotheses that are further apart, or play without \
                         --sprt."
                    ),
                    Decision::PlayOn => "The test has not decided; it needs more pairs.".to_string(),
                },
            );
        }
    }

    /// Returns shortened, distinct names of the bots for the table.
    fn short_names(&self) -> [String; 2] {
        let names = self.bots.each_ref().map(|bot| shorten(&bot.name));
        if names[0] == names[1] {
            let [a, b] = names;
            return [format!("{a} (A)"), format!("{b} (B)")];
        }
        names
    }
}

/// Returns a short phrase for each condition. Omits limits that are not set and conditions with their usual value.
fn phrases(of: &PlayedUnder) -> Vec<String> {
    let mut phrases = Vec::new();
    let mut limit = |what: &str, seconds: Option<f64>| {
        let seconds = seconds.filter(|_| of.timed.contains(&true));
        phrases.extend(seconds.map(|seconds| format!("{} {what}", time(seconds))));
    };
    limit("for the first answer", of.first_turn_seconds);
    limit("per answer", of.turn_seconds);
    limit("per game", of.game_seconds);
    limit("tolerance", Some(of.margin_seconds).filter(|&margin| margin > 0.0));
    phrases.extend(of.nodes.map(|nodes| format!("{} per move", count(nodes, "node"))));
    if of.timed.contains(&true) && of.timed.contains(&false) {
        phrases.push("no time limit for the bundled bot".to_string());
    }
    if !of.rules.is_empty() {
        phrases.push(format!("rules {}", of.rules));
    }
    if !of.play_on {
        phrases.push("games end at the first failure".to_string());
    }
    phrases
}

fn optional(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or("-".to_string(), text)
}

fn decimal(value: f64) -> String {
    format!("{value:.2}")
}

fn signed(value: f64) -> String {
    // Adding 0 turns -0 into 0.
    format!("{:+.2}", (value * 100.0).round() / 100.0 + 0.0)
}

fn signed_rank(value: f64) -> String {
    format!("{:+.3}", (value * 1000.0).round() / 1000.0 + 0.0)
}

fn whole(value: f64) -> String {
    if value.is_infinite() {
        if value > 0.0 { "+inf" } else { "-inf" }.to_string()
    } else {
        format!("{:+.0}", value.round() + 0.0)
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// Formats a probability as a percentage that is never exactly 0% or 100%.
fn likelihood(share: f64) -> String {
    match share {
        share if share > 0.999 => ">99.9%".to_string(),
        share if share < 0.001 => "<0.1%".to_string(),
        share => percent(share),
    }
}

fn range(interval: Interval, text: impl Fn(f64) -> String) -> String {
    format!("{} to {}", text(interval.low), text(interval.high))
}

fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds >= 100.0 || seconds >= 1.0 && seconds.fract() == 0.0 => format!("{seconds:.0} s"),
        seconds if seconds >= 1.0 => format!("{seconds:.2} s"),
        seconds if seconds >= 0.1 => format!("{:.0} ms", seconds * 1e3),
        seconds if seconds >= 0.000_1 => format!("{:.2} ms", seconds * 1e3),
        seconds => format!("{:.0} µs", seconds * 1e6),
    }
}

/// Formats every bot's first failure of each kind in these matches, as lines that each end in a newline.
#[must_use]
pub fn first_failures<'a>(reports: impl IntoIterator<Item = &'a MatchReport>) -> String {
    let mut text = String::new();
    let mut told = BTreeSet::new();
    for report in reports {
        for bot in &report.bots {
            for failure in &bot.first_failures {
                if told.insert((bot.name.clone(), failure.name.clone())) {
                    tell(&mut text, report, bot, failure);
                }
            }
        }
    }
    text
}

fn tell(text: &mut String, report: &MatchReport, bot: &BotReport, failure: &Failure) {
    let Failure { game, seed, seat, words, stderr, repeat, .. } = failure;
    let [name, seat] = [&shorten(&bot.name), &report.seats[*seat]];
    let said = if stderr.is_empty() { String::new() } else { format!("; stderr: {stderr}") };
    let seed = seed.cast_signed();
    wrapped(text, &format!("{name}, game {game} (seed {seed}, as {seat}): {words}{said}"));
    if let Some(repeat) = repeat {
        // A command to copy must stay on one line.
        line(text, &format!("  again: {repeat}"));
    }
}
