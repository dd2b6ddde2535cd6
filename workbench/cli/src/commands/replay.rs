//! `contender replay`: recorded games on the board, or compared with the rules.

use crate::args::ReplayArgs;
use crate::terminal::coloured;
use contender_replay::{self as replay, Source};
use std::io::Write;
use std::process::ExitCode;

/// How many problems of a file are printed.
const SHOWN: usize = 20;

pub fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let mut is_fine = true;
    let mut out = std::io::stdout().lock();
    for path in &args.files {
        if !args.check {
            replay::show(Source::open(path)?, args.game, |caption, judge| {
                let [zero, one] = judge.points();
                Ok(writeln!(out, "{caption}, points {zero}-{one}\n{}", coloured(judge.board(None)))?)
            })?;
            continue;
        }
        let outcome = replay::check(Source::open(path)?, args.game)?;
        writeln!(out, "{}: {} games equal, {}", path.display(), outcome.equal, outcome.compared)?;
        for note in &outcome.notes {
            writeln!(out, "  {note}")?;
        }
        for problem in outcome.problems.iter().take(SHOWN) {
            eprintln!("error: {problem}");
        }
        if outcome.problems.len() > SHOWN {
            eprintln!("error: and {} more", outcome.problems.len() - SHOWN);
        }
        // A file without games is a mistake, not a success.
        is_fine &= outcome.problems.is_empty() && outcome.equal > 0;
    }
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
