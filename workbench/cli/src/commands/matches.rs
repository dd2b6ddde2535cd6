//! `contender match`: which of two bots is better.

use super::failures::Failures;
use crate::arguments::{BOT_HELP, game_parser};
use crate::error::UsageError;
use crate::interrupt::{end_with_input, stop_flag};
use crate::progress::progress_bar;
use crate::setup::{Series, Sprt, entrants, exit_code, open_log, say_silence};
use anyhow::Context;
use clap::Args as ClapArgs;
use contender_arena::{Estimate, Event, Match, MatchReport, Progress, RankedBy, Score, UnderWay};
use contender_game::Contest;
use contender_referee::log::{begins_game, mend, open_to_go_on, read_log};
use indicatif::ProgressBar;
use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

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
    /// Pairs of games to play: the games of a pair have the same luck and exchanged seats; with --sprt the most pairs
    #[arg(short = 'n', long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub pairs: u32,
    #[command(flatten)]
    pub sprt: Sprt,
    #[command(flatten)]
    pub series: Series,
    /// Append every finished game to this file, one JSON object a line; if it has games of this match already, they
    /// count, and the match goes on after them
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Stop the game at a bot's failure instead of letting the judge move at random in its place
    #[arg(long)]
    pub stop_at_failure: bool,
    /// End when standard input does: for programs that start matches
    #[arg(long, hide = true)]
    pub end_with_input: bool,
}

pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let contest = args.game;
    let test = args.sprt.test(args.pairs)?;
    let bots = entrants(contest, [&args.a, &args.b])?;
    let mut referee = args.series.referee(contest, &bots, args.log.as_deref())?;
    referee.play_on &= !args.stop_at_failure;
    let planned = Match {
        contest,
        referee: &referee,
        bots: [&bots[0], &bots[1]],
        pairs: args.pairs,
        jobs: args.series.jobs.count(),
        seed: args.series.conditions.seed,
        test,
    };
    let mut under_way = planned.begin();
    let mut log = args.log.as_ref().map(|path| go_on(path, contest, &mut under_way)).transpose()?;
    if under_way.games() > 0 && !args.series.quiet {
        say!("the match goes on: {} of its games were played before", under_way.games());
    }
    let stop = stop_flag()?;
    if args.end_with_input {
        end_with_input(&stop);
    }
    let bar = progress_bar(args.series.quiet);
    bar.set_length(2 * u64::from(args.pairs));
    let mut silent = BTreeSet::new();
    let mut failures = Failures::after(args.log.as_deref())?;
    let report =
        under_way.run(&stop, log.as_mut().map(|file| file as &mut dyn Write), &mut |event, progress| {
            match event {
                Event::Error { pair, error, .. } => {
                    bar.suspend(|| say!("error: a game of pair {} cannot be played: {error}", pair + 1));
                }
                Event::Game { record, .. } => {
                    failures.add(record);
                    let seats = record.seats.iter().filter(|seat| seat.is_silent());
                    silent.extend(seats.map(|seat| seat.bot.clone()));
                }
                Event::Pair { .. } => {}
            }
            show_progress(&bar, progress);
        });
    bar.finish_and_clear();
    for bot in bots.iter().filter(|bot| silent.contains(&bot.name)) {
        say_silence(contest, &referee, bot, args.series.conditions.seed, &stop);
    }
    print(&report, args.series.json)?;
    failures.say(args.log.as_deref());
    Ok(exit_code(&report.end))
}

/// So long may a log be kept by a match that has ended.
const LAST_BREATH: Duration = Duration::from_secs(3);

/// Opens a match's log and counts the games in it.
fn go_on(path: &Path, contest: &dyn Contest, match_of_log: &mut UnderWay<'_>) -> anyhow::Result<File> {
    // A pipe or a device has no games.
    if path.metadata().is_ok_and(|meta| !meta.is_file()) {
        return open_log(path);
    }
    let name = path.display();
    let mut log = open_to_go_on(path).with_context(|| format!("cannot write {name}"))?;
    let start = Instant::now();
    loop {
        match log.try_lock() {
            // A bot that a killed match was about to start keeps the log for a moment more.
            Err(TryLockError::WouldBlock) if start.elapsed() < LAST_BREATH => {
                std::thread::sleep(LAST_BREATH / 100);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(UsageError(format!("{name}: another match is writing it now")).into());
            }
            // Not every file system has locks.
            Ok(()) | Err(TryLockError::Error(_)) => break,
        }
    }
    // Nothing in it is changed before it is known to be this match's.
    let remedy = "repeat the command that began this log, or name another file with `--log`";
    for (record, line) in read_log(BufReader::new(&log)).zip(1..) {
        let record = match record {
            Err(error) if error.is_torn && (match_of_log.games() > 0 || begins_with_game(path, contest)?) => {
                break;
            }
            record => record.map_err(|error| UsageError(format!("{name}: {error}; {remedy}")))?,
        };
        let added = match_of_log.add(record);
        added.map_err(|reason| UsageError(format!("{name}: line {line} is {reason}; {remedy}")))?;
    }
    mend(&mut log).with_context(|| format!("cannot write {name}"))?;
    Ok(log)
}

/// Whether a log whose first line is torn was to be one of this contest's games.
fn begins_with_game(path: &Path, contest: &dyn Contest) -> anyhow::Result<bool> {
    let mut begin = Vec::new();
    std::fs::File::open(path)?.take(100).read_to_end(&mut begin)?;
    Ok(begins_game(&begin, contest.name()))
}

fn print(report: &MatchReport, as_json: bool) -> anyhow::Result<()> {
    let text = if as_json { serde_json::to_string_pretty(report)? + "\n" } else { report.text() };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn show_progress(bar: &ProgressBar, progress: &Progress) {
    bar.set_length(progress.games);
    bar.set_position(progress.games_done);
    let failures: u64 = progress.failures.iter().sum();
    let mut message = match progress.score.ranked_by {
        RankedBy::Points => points_ahead(&progress.score),
        RankedBy::Wins => progress.score.results.to_string(),
    };
    if let Some(ratio) = progress.log_likelihood_ratio {
        message += &format!("  LLR {ratio:.2}");
    }
    if failures > 0 {
        message += &format!("  {failures} failures");
    }
    bar.set_message(message);
}

fn points_ahead(score: &Score) -> String {
    let Estimate { mean, interval, .. } = score.estimate();
    let interval = interval.map_or(String::new(), |of| format!(" [{:+.1}, {:+.1}]", of.low, of.high));
    mean.map_or(String::new(), |mean| format!("{mean:+.1}{interval}"))
}
