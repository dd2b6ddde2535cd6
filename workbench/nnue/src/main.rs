//! `contender-nnue`: positions by self-play, and networks from positions.

use anyhow::{Context, Result, ensure};
use clap::{Args, Parser, Subcommand};
use contender_entropy::evaluation::{Linear, Net, Value, Weights};
use contender_game::{Rng, mix};
use contender_nnue::fit::{Fitting, Model};
use contender_nnue::records::{self, Enough};
use contender_nnue::{entropy, uttt};
use contender_table::write_whole;
use contender_uttt::net;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(about = "Trains the networks of champions by games of a bot against itself")]
struct Arguments {
    #[command(subcommand)]
    game: Game,
}

#[derive(Subcommand)]
enum Game {
    /// Entropy
    #[command(subcommand)]
    Entropy(Entropy),
    /// Ultimate Tic-Tac-Toe
    #[command(subcommand)]
    Uttt(Uttt),
}

#[derive(Subcommand)]
enum Entropy {
    /// Plays games and writes their positions and as many after random moves beside them
    Play {
        #[command(flatten)]
        games: Games,
        /// A network that plays in place of the linear evaluation
        #[arg(long)]
        net: Option<PathBuf>,
    },
    /// Fits a network to the positions of files and writes it as bytes
    Train {
        #[command(flatten)]
        fit: Fit,
    },
}

#[derive(Subcommand)]
enum Uttt {
    /// Plays games and writes their positions
    Play {
        #[command(flatten)]
        games: Games,
        /// Who plays
        #[arg(long, value_enum, default_value_t = uttt::play::Who::Solver)]
        bot: uttt::play::Who,
        /// Iterations per move
        #[arg(long, default_value_t = 300)]
        iterations: u64,
        /// At most so many random moves begin a game
        #[arg(long, default_value_t = 12)]
        opening: u32,
        /// Probability of a random move after that
        #[arg(long, default_value_t = 0.05)]
        blunder: f64,
    },
    /// Fits a network to the positions of files and writes it as bytes
    Train {
        #[command(flatten)]
        fit: Fit,
        /// Share of the game's result in the target; the rest is the search's value
        #[arg(long, default_value_t = 0.5)]
        result: f32,
    },
}

#[derive(Args)]
struct Games {
    /// The file to make
    file: PathBuf,
    /// How many games [default: 1000, or as many as --seconds allows]
    #[arg(short = 'n')]
    games: Option<u64>,
    /// Stop after so many seconds, whatever the number of games
    #[arg(long)]
    seconds: Option<u64>,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Games {
    fn enough(&self) -> Enough {
        let unless = if self.seconds.is_some() { u64::MAX } else { 1000 };
        Enough { games: self.games.unwrap_or(unless), time: self.seconds.map(Duration::from_secs) }
    }
}

#[derive(Args)]
struct Fit {
    /// The file of the network
    net: PathBuf,
    /// Files of positions
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Passes over the positions
    #[arg(long, default_value_t = 4)]
    epochs: u32,
    /// Positions of a step
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Step size at the start
    #[arg(long, default_value_t = 0.002)]
    rate: f32,
    /// Seed of the first weights and the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Fit {
    /// Fits a network to all but the last part of the examples, one in `check` of them, which tell how well it does.
    fn run<M: Model>(
        &self,
        mut network: M,
        examples: &[M::Example],
        check: usize,
        loss: impl Fn(&M, &[M::Example]) -> f64,
        bytes: impl Fn(&M) -> Vec<u8>,
    ) -> Result<()> {
        let (learn, check) = examples.split_at(examples.len() - examples.len() / check);
        ensure!(!check.is_empty(), "{} positions are too few to learn from", examples.len());
        println!(
            "{} positions; before: loss {:.5} of those for checking",
            learn.len(),
            loss(&network, check)
        );
        let fitting = Fitting { epochs: self.epochs, batch: self.batch as usize, rate: self.rate };
        let start = Instant::now();
        fitting.fit(&mut network, learn, &mut Rng::new(self.seed.wrapping_add(1)), |epoch, mean, network| {
            let checked = loss(network, check);
            println!(
                "epoch {epoch}: loss {mean:.5}, of those for checking {checked:.5}, {:.0?}",
                start.elapsed()
            );
        });
        write_whole(&self.net, |out| Ok(out.write_all(&bytes(&network))?))
    }
}

fn main() -> ExitCode {
    match run(Arguments::parse().game) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(game: Game) -> Result<()> {
    match game {
        Game::Entropy(Entropy::Play { games, net }) => match net {
            None => entropy_games(&games, Linear::from(Weights::shipped())),
            Some(path) => {
                let bytes =
                    std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
                entropy_games(&games, Net::read(&bytes).map_err(anyhow::Error::msg)?)
            }
        },
        Game::Entropy(Entropy::Train { fit }) => {
            let samples: Vec<entropy::Sample> = records::read(&fit.files)?;
            let examples: Vec<_> = samples.iter().map(entropy::Example::new).collect();
            let network = entropy::Network::new(&Weights::shipped(), fit.seed);
            fit.run(network, &examples, 10, entropy::Network::error, entropy::Network::write)
        }
        Game::Uttt(Uttt::Play { games, bot, iterations, opening, blunder }) => {
            let play = uttt::play::Play { player: bot, iterations, opening, blunder };
            records::play(&games.file, games.enough(), |number| {
                uttt::play::game(&play, mix(&[games.seed, number]))
            })
        }
        Game::Uttt(Uttt::Train { fit, result }) => {
            let mut samples: Vec<uttt::sample::Sample> = records::read(&fit.files)?;
            // The network is not asked about these.
            samples.retain(|sample| !net::can_win(&sample.state));
            let network = uttt::train::Network::new(fit.seed, result);
            fit.run(network, &samples, 50, uttt::train::Network::loss, uttt::train::Network::write)
        }
    }
}

fn entropy_games<V: Value>(games: &Games, evaluation: V) -> Result<()> {
    let mut search = entropy::searcher(evaluation);
    records::play(&games.file, games.enough(), |number| {
        entropy::game(&mut search, &entropy::PLAY, &mut Rng::new(mix(&[games.seed, number])))
    })
}
