//! A tournament's report as text.

use crate::match_text::first_failures;
use crate::report::MatchEnd;
use crate::tally::endless;
use crate::text::{count, shorten, wrapped};
use crate::tournament::{Format, TournamentReport};
use contender_play::RankedBy;
use std::fmt::Write;

/// Maximum number of bot columns in the cross table.
const WIDEST: usize = 14;

impl TournamentReport {
    /// Formats the standings and the cross table as lines that each end in a newline.
    #[must_use]
    pub fn text(&self) -> String {
        let games: u64 = self.meetings.iter().map(|meeting| meeting.report.games).sum();
        let format = match self.format {
            Format::RoundRobin => "round robin".to_string(),
            Format::Gauntlet { challengers } => {
                format!("gauntlet of {}", count(challengers as u64, "challenger"))
            }
            Format::Swiss { rounds } => format!("Swiss, {}", count(rounds.into(), "round")),
        };
        let mut text = format!(
            "{}: {format}, {} per pairing, {}, seed {}\n\n",
            self.game,
            count(self.pairs.into(), "pair"),
            count(games, "game"),
            self.seed.cast_signed()
        );
        self.standings(&mut text);
        if self.standings.len() <= WIDEST {
            text.push('\n');
            self.cross_table(&mut text);
        }
        let failures = first_failures(self.meetings.iter().map(|meeting| &meeting.report));
        if !failures.is_empty() {
            text.push('\n');
            text += &failures;
        }
        if let Some(note) = endless(self.meetings.iter().map(|meeting| meeting.report.endless).sum()) {
            text.push('\n');
            wrapped(&mut text, &format!("Note: {note}."));
        }
        if let Some(steadiness) = &self.steadiness {
            text.push('\n');
            wrapped(&mut text, &steadiness.text());
        }
        match &self.end {
            MatchEnd::Complete | MatchEnd::Decided | MatchEnd::Repeating => {}
            MatchEnd::Interrupted => text += "\nInterrupted: not all games were played.\n",
            MatchEnd::Failed { error } => {
                let _ = writeln!(text, "\nNot all games could be played: {error}");
            }
        }
        text
    }

    fn standings(&self, text: &mut String) {
        let width =
            self.standings.iter().map(|of| shorten(&of.name).chars().count()).max().unwrap_or(0).max(4);
        let unit = match self.ranked_by {
            RankedBy::Points | RankedBy::Rank => "points",
            RankedBy::Wins => "Elo",
        };
        let _ = writeln!(
            text,
            "     {:<width$}  {unit:>7}  {:>17}  {:>6}  {:>7}  {:>5} {:>5} {:>5}  {:>6}",
            "bot", "95% interval", "ahead", "a game", "won", "drawn", "lost", "failed"
        );
        for (rank, of) in self.standings.iter().enumerate() {
            let text_of = |strength: f64| match self.ranked_by {
                RankedBy::Points | RankedBy::Rank => format!("{strength:+.1}"),
                RankedBy::Wins => format!("{:+.0}", strength.round() + 0.0),
            };
            let interval = of
                .interval
                .map_or("-".to_string(), |of| format!("{} to {}", text_of(of.low), text_of(of.high)));
            let strength = text_of(of.strength);
            let ahead = of.ahead_of_next.map_or("-".to_string(), |ahead| match 100.0 * ahead {
                ahead if ahead > 99.0 => ">99%".to_string(),
                ahead => format!("{ahead:.0}%"),
            });
            let points = of.points.map_or("-".to_string(), |points| format!("{points:.2}"));
            let _ = writeln!(
                text,
                "{:>3}. {:<width$}  {strength:>7}  {interval:>17}  {ahead:>6}  {points:>7}  {:>5} {:>5} {:>5}  {:>6}",
                rank + 1,
                shorten(&of.name),
                of.results.wins,
                of.results.draws,
                of.results.losses,
                of.failures
            );
        }
        let what = match self.ranked_by {
            RankedBy::Points | RankedBy::Rank => "contest points per game",
            RankedBy::Wins => "Elo",
        };
        let _ = writeln!(
            text,
            "\nStrength is in {what}, relative to the mean of all bots; ahead: probability of being \
             stronger than the next bot."
        );
        if self.standings.iter().all(|of| of.interval.is_none()) {
            text.push_str("No intervals: there are too few pairs, or all pairs are equal.\n");
        }
    }

    /// Writes the result of each row's bot against each column's bot: points per game, or the percentage of games won,
    /// counting a draw as half a win.
    fn cross_table(&self, text: &mut String) {
        let bots = self.standings.len();
        // Sums and numbers of pairs, because two bots may have met more than once.
        let mut cells = vec![(0.0, 0_u64); bots * bots];
        for meeting in &self.meetings {
            let [a, b] = meeting.bots.map(|bot| {
                let place = self.standings.iter().position(|standing| standing.bot == bot);
                place.expect("every bot is in the standings")
            });
            let (pairs, rate) = (meeting.report.pairs, meeting.report.win_rate.unwrap_or_default());
            let sums = match self.ranked_by {
                RankedBy::Points | RankedBy::Rank => {
                    let sum = meeting.differences().sum::<f64>();
                    [sum, -sum]
                }
                RankedBy::Wins => [rate, 1.0 - rate].map(|rate| 100.0 * rate * pairs as f64),
            };
            for (cell, sum) in [a * bots + b, b * bots + a].into_iter().zip(sums) {
                cells[cell].0 += sum;
                cells[cell].1 += pairs;
            }
        }
        let width =
            self.standings.iter().map(|of| shorten(&of.name).chars().count()).max().unwrap_or(0).max(4);
        let _ = write!(text, "     {:<width$}", "");
        for rank in 1..=bots {
            let _ = write!(text, "{:>7}", format!("{rank}."));
        }
        text.push('\n');
        for (row, of) in self.standings.iter().enumerate() {
            let _ = write!(text, "{:>3}. {:<width$}", row + 1, shorten(&of.name));
            for column in 0..bots {
                let cell = match cells[row * bots + column] {
                    _ if row == column => String::new(),
                    (_, 0) => "-".to_string(),
                    (sum, pairs) if self.ranked_by == RankedBy::Wins => format!("{:.0}%", sum / pairs as f64),
                    (sum, pairs) => format!("{:+.1}", sum / pairs as f64),
                };
                let _ = write!(text, "{cell:>7}");
            }
            let line = text.trim_end().len();
            text.truncate(line);
            text.push('\n');
        }
    }
}
