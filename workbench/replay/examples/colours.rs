//! Guesses of the opponent's colour in recorded games of Box, as the contest publishes them (CSV, also gzipped):
//! `cargo run --release -p contender-replay --example colours -- FILE... [--best N]`. With `--best` only the N players
//! with the best mean of points in these games guess.

use contender_replay::Source;
use contender_replay::boxes::{Guesses, colours};
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut best = None;
    if let Some(at) = files.iter().position(|word| word == "--best") {
        best = files.get(at + 1).and_then(|number| number.parse().ok());
        anyhow::ensure!(best.is_some(), "--best takes a number of players");
        files.drain(at..at + 2);
    }
    anyhow::ensure!(!files.is_empty(), "which files? FILE... [--best N]");
    let sources = files.iter().map(|file| Source::open(Path::new(file))).collect::<anyhow::Result<_>>()?;
    let guesses = colours(sources, best)?;
    anyhow::ensure!(guesses.players > 0, "no player's games are in these files");
    print!("{}", table(&guesses));
    Ok(())
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
