//! `contender match`: which of two bots is better.

use super::progress::progress_bar;
use super::{distinguishable, entrant, place, referee};
use crate::UsageError;
use crate::args::MatchArgs;
use crate::interrupt::stop_flag;
use anyhow::Context;
use contender_arena::{Event, Match, MatchEnd, MatchReport, Progress, RankedBy};
use contender_referee::GameRecord;
use contender_stats::{LEAST_PAIRS, SequentialTest};
use indicatif::ProgressBar;
use std::cmp::Ordering;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;

pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let contest = args.game;
    if args.sprt.is_some() && u64::from(args.pairs) < LEAST_PAIRS {
        let words = format!(
            "a sequential test decides on no fewer than {LEAST_PAIRS} pairs: `-n {}` is too few",
            args.pairs
        );
        return Err(UsageError(words).into());
    }
    let bots = [entrant(contest, &args.a)?, entrant(contest, &args.b)?];
    distinguishable(&bots[0], &bots[1])?;
    let mut referee = referee(contest, &args.conditions)?;
    referee.play_on &= !args.stop_at_failure;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, usize::from);
    place(&mut referee, contest, &bots, jobs, &args.conditions, &args.processes)?;
    let planned = Match {
        contest,
        referee: &referee,
        bots: [&bots[0], &bots[1]],
        pairs: args.pairs,
        jobs,
        seed: args.conditions.seed,
        test: args
            .sprt
            .map(|[h0, h1]| SequentialTest::new(h0, h1, args.alpha, args.beta))
            .transpose()
            .map_err(UsageError)?,
    };
    let mut log = args.log.as_ref().map(|path| open_log(path)).transpose()?;
    let stop = stop_flag()?;
    let bar = progress_bar(args.quiet);
    bar.set_length(2 * u64::from(args.pairs));
    let mut results = Results::default();
    let report =
        planned.run(&stop, log.as_mut().map(|file| file as &mut dyn Write), &mut |event, progress| {
            match event {
                Event::Error { pair, error, .. } => {
                    bar.suspend(|| eprintln!("error: a game of pair {} cannot be played: {error}", pair + 1));
                }
                Event::Game { game, record, .. } => results.add(record, game),
                Event::Pair { .. } => {}
            }
            let ahead = match RankedBy::of(contest) {
                RankedBy::Points => points_ahead(progress),
                RankedBy::Wins => results.to_string(),
            };
            show_progress(&bar, progress, ahead);
        });
    bar.finish_and_clear();
    print(&report, args.json)?;
    Ok(exit_code(&report.end))
}

/// What the shell is told of how matches ended.
pub(super) fn exit_code(end: &MatchEnd) -> ExitCode {
    match end {
        MatchEnd::Failed { .. } => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

/// Opens a log to append to it. A last line that is torn, as by a power cut, is ended first, so that the next game is not lost with it.
pub(super) fn open_log(path: &Path) -> anyhow::Result<File> {
    let open = || -> std::io::Result<File> {
        let mut log = OpenOptions::new().create(true).append(true).open(path)?;
        // A pipe or a device has no last line.
        if log.metadata()?.is_file() && last_byte(path)?.is_some_and(|last| last != b'\n') {
            log.write_all(b"\n")?;
        }
        Ok(log)
    };
    open().with_context(|| format!("cannot write {}", path.display()))
}

fn last_byte(path: &Path) -> std::io::Result<Option<u8>> {
    let mut file = File::open(path)?;
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(None);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(Some(last[0]))
}

fn print(report: &MatchReport, as_json: bool) -> anyhow::Result<()> {
    let text = if as_json { serde_json::to_string_pretty(report)? + "\n" } else { report.table() };
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
    fn a_torn_line_is_ended_before_the_next_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        for (before, after) in [("", "next\n"), ("whole\n", "whole\nnext\n"), ("to", "to\nnext\n")] {
            std::fs::write(&path, before).unwrap();
            open_log(&path).unwrap().write_all(b"next\n").unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), after);
        }
        open_log(&folder.path().join("new.jsonl")).unwrap();
        assert!(open_log(Path::new("/dev/null")).is_ok());
        assert!(open_log(folder.path()).is_err());
    }

    #[test]
    fn draws_are_half_wins() {
        let results = Results { wins: 5, draws: 2, losses: 3 };
        assert_eq!(results.to_string(), "W5 D2 L3  60.0%");
        assert_eq!(Results::default().to_string(), "W0 D0 L0  0.0%");
    }
}
