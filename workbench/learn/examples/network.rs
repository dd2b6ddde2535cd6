//! Learns the network of Entropy's champion; `docs/entropy-learning.md` has the recipe of the one it plays with.
//!
//! - `network play FILE MINUTES SEED [NET]` writes positions of games of the linear evaluation, or of a network, against itself.
//! - `network fit NET EPOCHS FILE...` fits a network to the positions of files.

use anyhow::{Context, Result, bail};
use contender_entropy::evaluation::{Linear, Net, Value, Weights};
use contender_game::{Rng, mix};
use contender_learn::network::{BYTES, Example, Fitting, Network, Play, Sample, game, searcher};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

/// Each position of the games has a second one beside it, after a random move.
const PLAY: Play = Play { depth: 2, opening: 14, blunder: 0.03, aside: 1.0 };
const FITTING: Fitting = Fitting { epochs: 0, batch: 512, rate: 0.002 };

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["play", file, minutes, seed, ref net @ ..] if net.len() < 2 => {
            let time = Duration::from_secs_f64(60.0 * minutes.parse::<f64>().context("MINUTES is a number")?);
            let seed = seed.parse().context("SEED is a number")?;
            match net.first() {
                None => play(Linear::from(Weights::shipped()), file, time, seed),
                Some(path) => {
                    let bytes = std::fs::read(path).with_context(|| format!("cannot read {path}"))?;
                    play(Net::read(&bytes).map_err(anyhow::Error::msg)?, file, time, seed)
                }
            }
        }
        ["fit", net, epochs, ref files @ ..] if !files.is_empty() => {
            fit(net, epochs.parse().context("EPOCHS is a number")?, files)
        }
        _ => bail!("network play FILE MINUTES SEED [NET], or network fit NET EPOCHS FILE..."),
    }
}

fn play<V: Value>(evaluation: V, file: &str, time: Duration, seed: u64) -> Result<()> {
    let mut out = BufWriter::new(File::create(file).with_context(|| format!("cannot write {file}"))?);
    let mut search = searcher(evaluation);
    let start = Instant::now();
    let (mut games, mut positions) = (0, 0);
    while start.elapsed() < time {
        for sample in game(&mut search, &PLAY, &mut Rng::new(mix(&[seed, games]))) {
            out.write_all(&sample.write())?;
            positions += 1;
        }
        games += 1;
        if games % 100 == 0 {
            out.flush()?;
            eprintln!("{games} games, {positions} positions, {:.0?} of {time:.0?}", start.elapsed());
        }
    }
    out.flush()?;
    println!("{games} games, {positions} positions");
    Ok(())
}

fn fit(net: &str, epochs: u32, files: &[&str]) -> Result<()> {
    let mut examples = Vec::new();
    for file in files {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read {file}"))?;
        for (number, bytes) in bytes.as_chunks::<BYTES>().0.iter().enumerate() {
            let sample = Sample::read(bytes).with_context(|| format!("{file}: position {}", number + 1))?;
            examples.push(Example::new(&sample));
        }
    }
    // The last games are for checking.
    let (learn, check) = examples.split_at(examples.len() - examples.len() / 10);
    let mut network = Network::new(&Weights::shipped(), 1);
    println!(
        "{} positions; the linear evaluation: {:.3} on those for checking",
        learn.len(),
        network.error(check)
    );
    network.fit(learn, &Fitting { epochs, ..FITTING }, &mut Rng::new(2), |epoch, error, network| {
        println!(
            "epoch {epoch}: squared error {error:.3}, on those for checking {:.3}",
            network.error(check)
        );
    });
    std::fs::write(net, network.write()).with_context(|| format!("cannot write {net}"))
}
