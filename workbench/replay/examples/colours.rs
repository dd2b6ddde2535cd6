//! Guesses the opponent's colour in recorded games of Box, as published by the contest (CSV, optionally gzipped):
//! `cargo run --release -p contender-replay --example colours -- FILE... [--best N] [--players]`. With `--best`, only
//! the colours of the N players with the highest mean points in these games are guessed. `--players` shows how hard it
//! is to guess each player's colour.

use contender_replay::Source;
use contender_replay::codecup::{Guesses, Settled, colours};
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let by_player = files.iter().position(|word| word == "--players").map(|at| files.remove(at)).is_some();
    let mut best = None;
    if let Some(at) = files.iter().position(|word| word == "--best") {
        best = files.get(at + 1).and_then(|number| number.parse().ok());
        anyhow::ensure!(best.is_some(), "--best takes a number of players");
        files.drain(at..at + 2);
    }
    anyhow::ensure!(!files.is_empty(), "which files? FILE... [--best N] [--players]");
    let sources = files.iter().map(|file| Source::open(Path::new(file))).collect::<anyhow::Result<_>>()?;
    let guesses = colours(sources, best)?;
    anyhow::ensure!(guesses.players > 0, "no player's games are in these files");
    print!("{}", if by_player { players(&guesses) } else { table(&guesses) });
    Ok(())
}

/// Returns a table of the players, hardest to guess first: the share of games in which the classic bot's guess was
/// right at the end, and the number of the player's moves after which it stayed right.
fn players(guesses: &Guesses) -> String {
    let share = |settled: &Settled| settled.right as f64 / settled.games as f64;
    let moves = |settled: &Settled| settled.moves as f64 / settled.right as f64;
    let mut players: Vec<_> = guesses.by_player.iter().collect();
    players.sort_by(|(_, a), (_, b)| share(a).total_cmp(&share(b)).then(moves(b).total_cmp(&moves(a))));
    let mut text = "games  right at the end  after moves  player\n".to_string();
    for (name, settled) in players {
        let moves = if settled.right > 0 { format!("{:.1}", moves(settled)) } else { "-".to_string() };
        text += &format!("{:5}  {:15.1}%  {moves:>11}  {name}\n", settled.games, 100.0 * share(settled));
    }
    text
}

/// Returns a table of the guesses after each number of moves, and of how often colours with a certain predicted
/// probability were right.
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
