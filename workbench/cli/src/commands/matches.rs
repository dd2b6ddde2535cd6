//! `contender match`: plays two bots against each other and decides which one is better.

use super::failures::Failures;
use super::ghosts::{self, Ghosts};
use crate::arguments::BOT_HELP;
use crate::error::UsageError;
use crate::progress::{ProgressDisplay, progress_bar};
use crate::setup::{Opened, SeriesOptions, Sprt, exit_code, external_bots, open_log, say_silence};
use crate::signals::{end_with_input, stop_flag};
use anyhow::Context;
use clap::Args as ClapArgs;
use contender_arena::{
    AddError, Estimate, Event, KnownGames, LogReportError, Match, MatchReport, Progress, Rotation,
    RotationReport, Score, Seating,
};
use contender_catalogue::find;
use contender_play::log::{begins_game, mend, open_to_resume, read_log};
use contender_play::{Entrant, RankedBy, Record};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// `contender match`
#[derive(ClapArgs)]
#[command(
    after_help = BOT_HELP,
    override_usage = "contender match [OPTIONS] <GAME> <BOT> <BOT>\n       contender match [OPTIONS] --referee <REFEREE> <BOT> <BOT>...\n       contender match --report <LOG> [--sprt <LO,HI>] [--json]"
)]
pub struct MatchArgs {
    /// Game and two or more bots; with --referee, only the bots
    #[arg(required_unless_present = "report", num_args = 1.., value_name = "GAME|BOT")]
    pub words: Vec<String>,
    /// Number of pairs (with --sprt the maximum), or of rounds if there are more than two bots [default: 100 pairs or
    /// 20 rounds]
    #[arg(short = 'n', long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub pairs: Option<u32>,
    /// With --referee: number of bots per game [default: all bots; with --pool the referee's minimum]
    #[arg(long, value_name = "N", requires = "referee", value_parser = clap::value_parser!(u16).range(2..=8))]
    pub players: Option<u16>,
    /// Opponents, drawn at random for each pair; both bots play the same seat against the same opponents
    #[arg(long, value_name = "BOT,BOT...", requires = "referee", value_delimiter = ',')]
    pub pool: Vec<String>,
    #[command(flatten)]
    pub sprt: Sprt,
    #[command(flatten)]
    pub series: SeriesOptions,
    /// Log file, to which every finished game is appended; the same command resumes from it
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Print the report of the games in this log so far, without playing; also while the match runs
    #[arg(long, value_name = "LOG", conflicts_with_all = NOT_WITH_REPORT)]
    pub report: Option<PathBuf>,
    /// Log of battles to replay; one bot plays in your seat, and the other players answer as recorded
    #[arg(long, value_name = "LOG", requires = "referee", conflicts_with_all = ["pool", "players"])]
    pub ghosts: Option<PathBuf>,
    /// With --ghosts: turn at which two bots take over both seats
    #[arg(long, value_name = "N", requires = "ghosts", value_parser = clap::value_parser!(u32).range(1..))]
    pub from: Option<u32>,
    /// With --ghosts: your name in the battles [default: the name given with --me at the import]
    #[arg(long, value_name = "NAME", requires = "ghosts")]
    pub me: Option<String>,
    /// End a game when a bot fails, instead of playing random moves for the bot
    #[arg(long, conflicts_with = "referee")]
    pub stop_at_failure: bool,
    /// Exit when standard input is closed, for programs that start this command
    #[arg(long, hide = true)]
    pub end_with_input: bool,
}

/// The options that only matter for playing, as far as a user would expect an effect.
const NOT_WITH_REPORT: [&str; 7] = ["words", "pairs", "players", "pool", "log", "ghosts", "referee"];

pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    if let Some(log) = &args.report {
        return report(args, log);
    }
    let log = args.log.as_deref();
    let opened = match &args.ghosts {
        Some(battles) => {
            let (words, me) = (&args.words, args.me.as_deref());
            let in_battles = Ghosts { words, battles, me, log, series: &args.series };
            match args.from {
                None => return ghosts::play(&in_battles, stop_flag()?.as_ref()),
                Some(turn) => ghosts::from_turn(&in_battles, turn as usize)?,
            }
        }
        None => args
            .series
            .open(&args.words, log, |referee| referee.conditions.play_on &= !args.stop_at_failure)?,
    };
    let pool = external_bots(&args.pool)?;
    let players = players(args, &opened, &pool)?;
    let stop = stop_flag()?;
    if args.end_with_input {
        end_with_input(&stop);
    }
    if opened.bots.len() > 2 || players > 2 && pool.is_empty() {
        return rotate(args, &opened, players, &stop);
    }
    let pairs = args.pairs.unwrap_or(100);
    let seating = match pool.as_slice() {
        [] => Seating::Exchange,
        pool => Seating::Substitution { players, pool },
    };
    let planned = Match {
        host: opened.host.as_ref(),
        bots: [&opened.bots[0], &opened.bots[1]],
        seating,
        pairs,
        jobs: opened.jobs,
        seed: args.series.conditions.seed,
        test: args.sprt.test(pairs)?,
    };
    compare(args, &opened, &planned, &stop)
}

/// Prints the report of the games in a log.
fn report(args: &MatchArgs, path: &Path) -> anyhow::Result<ExitCode> {
    let name = path.display();
    let file = contender_input::open(path).with_context(|| format!("cannot read {name}"))?;
    let mut problem = None;
    let records = read_log(BufReader::new(file)).map_while(|record| match record {
        Ok(record) => Some(record),
        // The running match has not finished this line yet.
        Err(error) if error.is_torn => None,
        Err(error) => {
            problem = Some(error);
            None
        }
    });
    let report = MatchReport::from_log(find, records, args.sprt.test(u32::MAX)?);
    if let Some(error) = problem {
        return Err(UsageError(format!("{name}: {error}")).into());
    }
    let report = report.map_err(|error| {
        let remedy =
            "repeat the command that created this log: if all games are over, it only prints its report";
        let hint = if error == LogReportError::NoGames { String::new() } else { format!("\nhint: {remedy}") };
        UsageError(format!("{name}: {error}{hint}"))
    })?;
    print(&report, MatchReport::text, args.series.json)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the number of bots per game, which depends on the options, the bots and the referee.
fn players(args: &MatchArgs, opened: &Opened, pool: &[Entrant]) -> anyhow::Result<usize> {
    let (bots, seats) = (opened.bots.len(), opened.host.seats());
    let (least, most) = (*seats.start(), *seats.end());
    let given = args.players.map(usize::from);
    let players = given.unwrap_or(if pool.is_empty() { bots } else { least.max(2) });
    let name = opened.host.game();
    let problem = if bots < 2 {
        Some(format!("a match needs two bots, not {bots}"))
    } else if !seats.contains(&players) {
        let takes = if least == most { least.to_string() } else { format!("{least} to {most}") };
        Some(format!("invalid number of players {players}: {name} takes {takes}"))
    } else if !pool.is_empty() && bots > 2 {
        Some(format!("--pool compares two bots, not {bots}"))
    } else if pool.is_empty() && bots < players {
        Some(format!("{bots} bots are too few for games of {players} players"))
    } else if args.sprt.sprt.is_some() && pool.is_empty() && (bots > 2 || players > 2) {
        Some("--sprt compares two bots".to_string())
    } else {
        None
    };
    let Some(problem) = problem else { return Ok(players) };
    let hint = "give one bot per seat, or compare two bots among other opponents with `--pool A,B,C`";
    let hint = if opened.contest.is_none() { format!("\nhint: {hint}") } else { String::new() };
    Err(UsageError(problem + &hint).into())
}

/// Plays pairs of games between two bots and reports which one is better.
fn compare(
    args: &MatchArgs,
    opened: &Opened,
    planned: &Match<'_>,
    stop: &AtomicBool,
) -> anyhow::Result<ExitCode> {
    let mut under_way = planned.begin();
    let game = opened.host.game();
    let mut log =
        args.log.as_ref().map(|path| go_on(path, game, &mut |record| under_way.add(record))).transpose()?;
    say_resumed(args, under_way.games());
    let bar = progress_bar(args.series.quiet);
    bar.set_length(2 * u64::from(planned.pairs));
    let mut silent = BTreeSet::new();
    let mut failures = Failures::after(args.log.as_deref())?;
    let report =
        under_way.run(stop, log.as_mut().map(|file| file as &mut dyn Write), &mut |event, progress| {
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
    if let Some(contest) = opened.contest {
        for bot in opened.bots.iter().filter(|bot| silent.contains(&bot.name)) {
            let (referee, _) = args.series.referee_with_warnings(contest, &opened.bots)?;
            say_silence(contest, referee, bot, planned.seed, stop);
        }
    }
    print(&report, MatchReport::text, args.series.json)?;
    failures.say(args.log.as_deref());
    Ok(exit_code(&report.end))
}

/// Plays rounds of games between more than two bots and ranks them.
fn rotate(args: &MatchArgs, opened: &Opened, players: usize, stop: &AtomicBool) -> anyhow::Result<ExitCode> {
    let planned = Rotation {
        host: opened.host.as_ref(),
        bots: &opened.bots,
        players,
        rounds: args.pairs.unwrap_or(20),
        jobs: opened.jobs,
        seed: args.series.conditions.seed,
    };
    play_rotation(&planned, &args.series, args.log.as_deref(), stop)
}

/// Plays a rotation and prints its report.
pub fn play_rotation(
    planned: &Rotation<'_>,
    series: &SeriesOptions,
    log: Option<&Path>,
    stop: &AtomicBool,
) -> anyhow::Result<ExitCode> {
    let mut begun = planned.begin();
    let game = planned.host.game();
    let mut file = log.map(|path| go_on(path, game, &mut |record| begun.add(record))).transpose()?;
    if begun.played() > 0 && !series.quiet {
        say!("resuming the match: {} games have already been played", begun.played());
    }
    let bar = progress_bar(series.quiet);
    bar.set_length(begun.planned());
    let report = begun.run(stop, file.as_mut().map(|file| file as &mut dyn Write), &mut |result, done| {
        if let Err(error) = result {
            bar.suspend(|| say!("error: a game cannot be played: {error}"));
        }
        bar.set_position(done);
    });
    bar.finish_and_clear();
    print(&report, RotationReport::text, series.json)?;
    Ok(exit_code(&report.end))
}

fn say_resumed(args: &MatchArgs, games: usize) {
    if games > 0 && !args.series.quiet {
        say!("resuming the match: the log already contains {games} games");
    }
}

/// Maximum time to wait for the lock of a log. A match that has just ended may still hold the lock.
const LOCK_WAIT: Duration = Duration::from_secs(3);

/// Opens a match's log for appending, and passes each game in the log to `add`.
fn go_on(
    path: &Path,
    game: &str,
    add: &mut dyn FnMut(Record) -> Result<(), AddError>,
) -> anyhow::Result<File> {
    // A pipe or a device contains no games.
    if path.metadata().is_ok_and(|meta| !meta.is_file()) {
        return open_log(path);
    }
    let name = path.display();
    let mut log = open_to_resume(path).with_context(|| format!("cannot write {name}"))?;
    let start = Instant::now();
    loop {
        match log.try_lock() {
            // If a match is killed while it starts a bot, the bot keeps the log locked for another moment.
            Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_WAIT => {
                std::thread::sleep(LOCK_WAIT / 100);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(UsageError(format!("{name}: another match is writing to this log")).into());
            }
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => break,
        }
    }
    // The log is not changed before it is known to belong to this match.
    let remedy = "repeat the exact command that created this log, or choose another file with `--log`";
    for (record, line) in read_log(BufReader::new(&log)).zip(1..) {
        let record = match record {
            Err(error) if error.is_torn && (line > 1 || begins_with_game(path, game)?) => {
                break;
            }
            record => record.map_err(|error| UsageError(format!("{name}: {error}; {remedy}")))?,
        };
        let added = add(record);
        added.map_err(|reason| UsageError(format!("{name}: line {line} is {reason}\nhint: {remedy}")))?;
    }
    mend(&mut log).with_context(|| format!("cannot write {name}"))?;
    Ok(log)
}

/// Opens a log for appending. Returns the games that it already contains, and the file. Lines that are not games are
/// ignored and stay in the log.
pub fn known_games(path: Option<&Path>) -> anyhow::Result<(KnownGames, Option<File>)> {
    let mut known = KnownGames::default();
    let Some(path) = path else { return Ok((known, None)) };
    // A pipe or a device contains no games.
    if path.is_file() {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        read_log(BufReader::new(file)).flatten().for_each(|record| known.add(record));
    }
    Ok((known, Some(open_log(path)?)))
}

/// Returns whether a log's first line, which is incomplete, is the beginning of a game of this contest.
fn begins_with_game(path: &Path, game: &str) -> anyhow::Result<bool> {
    let mut begin = Vec::new();
    std::fs::File::open(path)?.take(100).read_to_end(&mut begin)?;
    Ok(begins_game(&begin, game))
}

fn print<R: Serialize>(report: &R, text: fn(&R) -> String, as_json: bool) -> anyhow::Result<()> {
    let text = if as_json { serde_json::to_string_pretty(report)? + "\n" } else { text(report) };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn show_progress(bar: &ProgressDisplay, progress: &Progress) {
    let failures: u64 = progress.failures.iter().sum();
    let mut message = match progress.score.ranked_by {
        RankedBy::Points | RankedBy::Rank => points_ahead(&progress.score),
        RankedBy::Wins => progress.score.results.to_string(),
    };
    if let Some(ratio) = progress.log_likelihood_ratio {
        message += &format!("  LLR {ratio:.2}");
    }
    if failures > 0 {
        message += &format!("  {failures} failures");
    }
    bar.set_length(progress.games);
    bar.set_message(message);
    bar.set_position(progress.games_done);
}

fn points_ahead(score: &Score) -> String {
    let Estimate { mean, interval, .. } = score.estimate();
    let interval = interval.map_or(String::new(), |of| format!(" [{:+.1}, {:+.1}]", of.low, of.high));
    mean.map_or(String::new(), |mean| format!("{mean:+.1}{interval}"))
}
