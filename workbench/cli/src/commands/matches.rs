//! `contender match`: which of two bots is better.

use crate::arguments::{BOT_HELP, game_parser, two_numbers};
use crate::error::UsageError;
use crate::interrupt::stop_flag;
use crate::progress::progress_bar;
use crate::setup::{Series, entrants, exit_code, open_log, say_silence};
use clap::Args as ClapArgs;
use contender_arena::{Event, Match, MatchReport, Progress, RankedBy};
use contender_game::Contest;
use contender_referee::GameRecord;
use contender_stats::{LEAST_PAIRS, SequentialTest};
use indicatif::ProgressBar;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// `contender match`
#[derive(ClapArgs)]
#[command(after_help = BOT_HELP)]
pub struct MatchArgs {
    /// The game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// The first bot
    pub a: String,
    /// The second bot
    pub b: String,
    /// Pairs to play: two games with the same luck and exchanged seats; with --sprt the most pairs
    #[arg(short = 'n', long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub pairs: u32,
    /// Stop as soon as a sequential test decides between "the first bot is ahead by LO" and "by HI": in Elo where the contest counts
    /// wins, else in points per game
    #[arg(long, value_name = "LO,HI", value_parser = two_numbers, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// Probability that the test accepts HI where LO is true
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_name = "P")]
    pub alpha: f64,
    /// Probability that the test accepts LO where HI is true
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_name = "P")]
    pub beta: f64,
    #[command(flatten)]
    pub series: Series,
    /// Append every finished game to this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Stop the game at a bot's failure instead of letting the judge move at random in its place
    #[arg(long)]
    pub stop_at_failure: bool,
}

pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let contest = args.game;
    if args.sprt.is_some() && u64::from(args.pairs) < LEAST_PAIRS {
        let words = format!(
            "a sequential test decides on no fewer than {LEAST_PAIRS} pairs: `-n {}` is too few",
            args.pairs
        );
        return Err(UsageError(words).into());
    }
    let bots = entrants(contest, [&args.a, &args.b])?;
    let mut referee = args.series.referee(contest, &bots)?;
    referee.play_on &= !args.stop_at_failure;
    let planned = Match {
        contest,
        referee: &referee,
        bots: [&bots[0], &bots[1]],
        pairs: args.pairs,
        jobs: args.series.jobs.count(),
        seed: args.series.conditions.seed,
        test: args
            .sprt
            .map(|[h0, h1]| SequentialTest::new(h0, h1, args.alpha, args.beta))
            .transpose()
            .map_err(UsageError)?,
    };
    let mut log = args.log.as_ref().map(|path| open_log(path)).transpose()?;
    let stop = stop_flag()?;
    let bar = progress_bar(args.series.quiet);
    bar.set_length(2 * u64::from(args.pairs));
    let mut results = Results::default();
    let mut silent = BTreeSet::new();
    let report =
        planned.run(&stop, log.as_mut().map(|file| file as &mut dyn Write), &mut |event, progress| {
            match event {
                Event::Error { pair, error, .. } => {
                    bar.suspend(|| say!("error: a game of pair {} cannot be played: {error}", pair + 1));
                }
                Event::Game { game, record, .. } => {
                    results.add(record, game);
                    let seats = record.players.iter().zip(&record.seats);
                    silent.extend(seats.filter(|(_, seat)| seat.is_silent()).map(|(name, _)| name.clone()));
                }
                Event::Pair { .. } => {}
            }
            let ahead = match RankedBy::of(contest) {
                RankedBy::Points => points_ahead(progress),
                RankedBy::Wins => results.to_string(),
            };
            show_progress(&bar, progress, ahead);
        });
    bar.finish_and_clear();
    for bot in bots.iter().filter(|bot| silent.contains(&bot.name)) {
        say_silence(contest, &referee, bot, args.series.conditions.seed, &stop);
    }
    print(&report, args.series.json)?;
    Ok(exit_code(&report.end))
}

fn print(report: &MatchReport, as_json: bool) -> anyhow::Result<()> {
    let text = if as_json { serde_json::to_string_pretty(report)? + "\n" } else { report.text() };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn show_progress(bar: &ProgressBar, progress: &Progress, ahead: String) {
    bar.set_length(progress.games);
    bar.set_position(progress.games_done);
    let failures: u64 = progress.failures.iter().sum();
    let mut message = ahead;
    if let Some(ratio) = progress.log_likelihood_ratio {
        message += &format!("  LLR {ratio:.2}");
    }
    if failures > 0 {
        message += &format!("  {failures} failures");
    }
    bar.set_message(message);
}

fn points_ahead(progress: &Progress) -> String {
    match (progress.difference.mean(), progress.difference.interval(0.95)) {
        (Some(mean), Some(interval)) => format!("{mean:+.1} [{:+.1}, {:+.1}]", interval.low, interval.high),
        (Some(mean), None) => format!("{mean:+.1}"),
        _ => String::new(),
    }
}

/// The first bot's games so far.
#[derive(Default)]
struct Results {
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Results {
    fn add(&mut self, record: &GameRecord, seat: usize) {
        let count = match record.points[seat].cmp(&record.points[1 - seat]) {
            Ordering::Greater => &mut self.wins,
            Ordering::Equal => &mut self.draws,
            Ordering::Less => &mut self.losses,
        };
        *count += 1;
    }
}

impl std::fmt::Display for Results {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Results { wins, draws, losses } = self;
        let games = (wins + draws + losses).max(1);
        let percent = 50.0 * (2 * wins + draws) as f64 / games as f64;
        write!(f, "W{wins} D{draws} L{losses}  {percent:.1}%")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_half_wins() {
        let results = Results { wins: 5, draws: 2, losses: 3 };
        assert_eq!(results.to_string(), "W5 D2 L3  60.0%");
        assert_eq!(Results::default().to_string(), "W0 D0 L0  0.0%");
    }
}
