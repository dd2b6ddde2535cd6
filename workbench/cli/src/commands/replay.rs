//! `contender replay`: recorded games on the board, or compared with the rules.

use crate::arguments::game_parser;
use crate::terminal::coloured;
use clap::Args as ClapArgs;
use contender_game::Contest;
use contender_replay::{self as replay, Source};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// `contender replay`
#[derive(ClapArgs)]
pub struct ReplayArgs {
    /// Files of recorded games, also gzipped
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The game, where the file does not tell
    #[arg(long, value_parser = game_parser())]
    pub game: Option<&'static dyn Contest>,
    /// Compare every recorded state and score; exit code 1 on a difference
    #[arg(long)]
    pub check: bool,
}

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
