//! `contender analyse colours`: guesses of the opponent's colour in recorded games of Box.

use clap::Args as ClapArgs;
use contender_replay::Source;
use contender_replay::boxes::{Guesses, colours};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// `contender analyse colours`
#[derive(ClapArgs)]
pub struct ColoursArgs {
    /// Games of Box as the contest publishes them (CSV, also gzipped)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Guess only the N players with the best mean of points in these games
    #[arg(long, value_name = "N")]
    pub best: Option<usize>,
}

pub fn run(args: &ColoursArgs) -> anyhow::Result<ExitCode> {
    let sources: Vec<Source> =
        args.files.iter().map(|path| Source::open(path)).collect::<anyhow::Result<_>>()?;
    let guesses = colours(sources, args.best)?;
    std::io::stdout().write_all(table(&guesses).as_bytes())?;
    Ok(if guesses.players > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The guesses after so many moves, and how often what was thought so likely was true.
fn table(guesses: &Guesses) -> String {
    let mut text = format!("{} players of games\n\n", guesses.players);
    text += "opponent's moves  players  classic's guess right  champion's  its surprise (nats)\n";
    for (number, after) in (1..).zip(&guesses.after) {
        if after.count > 0 {
            let count = after.count as f64;
            let percent = |right: u64| format!("{:.1}%", 100.0 * right as f64 / count);
            text += &format!(
                "{number:16}  {:7}  {:>21}  {:>10}  {:19.3}\n",
                after.count,
                percent(after.classic),
                percent(after.champion),
                after.surprise / count
            );
        }
    }
    text += "\nchampion thought  colours  on the mean    true\n";
    for (at, tenth) in guesses.calibration.iter().enumerate() {
        if tenth.count > 0 {
            let count = tenth.count as f64;
            text += &format!(
                "{:>16}  {:7}  {:10.1}%  {:5.1}%\n",
                format!("{} to {}%", 10 * at, 10 * at + 10),
                tenth.count,
                100.0 * tenth.predicted / count,
                100.0 * tenth.right as f64 / count
            );
        }
    }
    text
}
