//! `contender-nnue`: samples by self-play, and networks from samples.

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use contender_game::mix;
use contender_nnue::play::{self, Play, Who};
use contender_nnue::sample::{BYTES, Sample};
use contender_nnue::train::{Training, train};
use contender_uttt::net;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(about = "Trains the network of Ultimate Tic-Tac-Toe by games of a bot against itself")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays games and writes their positions.
    Play {
        /// The file to write.
        file: PathBuf,
        /// How many games.
        #[arg(short = 'n', default_value_t = 1000)]
        games: u64,
        /// Stop after so many seconds, whatever the number of games.
        #[arg(long)]
        seconds: Option<u64>,
        /// Who plays.
        #[arg(long, value_enum, default_value_t = Who::Solver)]
        bot: Who,
        /// Iterations per move.
        #[arg(long, default_value_t = 300)]
        iterations: u64,
        /// At most so many random moves begin a game.
        #[arg(long, default_value_t = 12)]
        opening: u32,
        /// Probability of a random move after that.
        #[arg(long, default_value_t = 0.05)]
        blunder: f64,
        /// Seed of the games.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Fits a network to the positions of files and writes it as bytes.
    Train {
        /// The file to write.
        net: PathBuf,
        /// Files of positions.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Passes over the positions.
        #[arg(long, default_value_t = 10)]
        epochs: u32,
        /// Positions of a step.
        #[arg(long, default_value_t = 256)]
        batch: usize,
        /// Step size at the start.
        #[arg(long, default_value_t = 0.001)]
        rate: f32,
        /// Share of the game's result in the target; the rest is the search's value.
        #[arg(long, default_value_t = 0.5)]
        result: f32,
        /// Seed of the weights and the order.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

/// The positions of files that the network can be asked about.
fn read(files: &[PathBuf]) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for file in files {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        for (number, bytes) in bytes.as_chunks::<BYTES>().0.iter().enumerate() {
            let sample = Sample::read(bytes)
                .with_context(|| format!("{}: position {}", file.display(), number + 1))?;
            if !net::can_win(&sample.state) {
                samples.push(sample);
            }
        }
    }
    Ok(samples)
}

fn main() -> Result<()> {
    match Args::parse().command {
        Command::Play { file, games, seconds, bot, iterations, opening, blunder, seed } => {
            let mut out = BufWriter::new(
                File::create(&file).with_context(|| format!("cannot write {}", file.display()))?,
            );
            let start = Instant::now();
            let (mut played, mut positions) = (0, 0);
            for number in 0..games {
                if seconds.is_some_and(|seconds| start.elapsed() >= Duration::from_secs(seconds)) {
                    break;
                }
                for sample in
                    play::game(&Play { player: bot, iterations, opening, blunder }, mix(&[seed, number]))
                {
                    out.write_all(&sample.write())?;
                    positions += 1;
                }
                played += 1;
                if played % 200 == 0 {
                    out.flush()?;
                    eprintln!("{played} games, {positions} positions, {:.1?}", start.elapsed());
                }
            }
            out.flush()?;
            println!("{played} games, {positions} positions");
        }
        Command::Train { net, files, epochs, batch, rate, result, seed } => {
            let samples = read(&files)?;
            // The last games are for checking, a fiftieth of the positions.
            let (learn, check) = samples.split_at(samples.len() - samples.len() / 50);
            let start = Instant::now();
            let training = Training { epochs, batch: batch.max(1), rate, result };
            let network = train(learn, &training, seed, |epoch, loss, network| {
                let checked = network.loss(check, result);
                eprintln!(
                    "epoch {epoch}: loss {loss:.5}, of the check positions {checked:.5}, {:.0?}",
                    start.elapsed()
                );
            });
            std::fs::write(&net, network.write())
                .with_context(|| format!("cannot write {}", net.display()))?;
            println!("{} positions, check loss {:.5}", learn.len(), network.loss(check, result));
        }
    }
    Ok(())
}
