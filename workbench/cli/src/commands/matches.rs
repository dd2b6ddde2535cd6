//! `contender match`: which of two bots is better.

use super::{entrant, place, referee};
use crate::UsageError;
use crate::args::MatchArgs;
use crate::interrupt::stop_flag;
use anyhow::Context;
use contender_arena::{Event, Match, MatchEnd, MatchReport, Progress};
use contender_stats::SequentialTest;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let contest = args.game;
    let bots = [entrant(contest, &args.a)?, entrant(contest, &args.b)?];
    let mut referee = referee(contest, &args.conditions)?;
    referee.play_on &= !args.stop_at_failure;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, usize::from);
    place(&mut referee, contest, &bots, jobs, &args.conditions)?;
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
    let report =
        planned.run(&stop, log.as_mut().map(|file| file as &mut dyn Write), &mut |event, progress| {
            if let Event::Error { pair, error, .. } = event {
                bar.suspend(|| eprintln!("error: a game of pair {} cannot be played: {error}", pair + 1));
            }
            show_progress(&bar, progress);
        });
    bar.finish_and_clear();
    print(&report, args.json)?;
    Ok(match report.end {
        MatchEnd::Failed { .. } => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    })
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

/// A bar on standard error, or nothing where nobody would see it.
pub(super) fn progress_bar(is_quiet: bool) -> ProgressBar {
    if is_quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len} games  {per_sec}  {eta} left  {msg}")
        .expect("the template is well formed");
    let bar = ProgressBar::new(0).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn show_progress(bar: &ProgressBar, progress: &Progress) {
    bar.set_length(progress.games);
    bar.set_position(progress.games_done);
    let failures: u64 = progress.failures.iter().sum();
    let mut message = match (progress.difference.mean(), progress.difference.interval(0.95)) {
        (Some(mean), Some(interval)) => format!("{mean:+.1} [{:+.1}, {:+.1}]", interval.low, interval.high),
        (Some(mean), None) => format!("{mean:+.1}"),
        _ => String::new(),
    };
    if let Some(ratio) = progress.log_likelihood_ratio {
        message += &format!("  LLR {ratio:.2}");
    }
    if failures > 0 {
        message += &format!("  {failures} failures");
    }
    bar.set_message(message);
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
}
