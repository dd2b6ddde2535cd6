//! `contender-lab`: the experiments behind the lab notes.
//!
//! The `contender` command has the commands for authors of bots for any game. This command has the experiments that
//! check the guarantees of its statistics and tuners, and those that study a single game.

#![forbid(unsafe_code)]

mod dataset;
mod intervals;
mod ratings;
mod tuning;

use clap::{Args, Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// Experiments behind the lab notes of Contender
#[derive(Parser)]
#[command(name = "contender-lab")]
struct Lab {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make a dataset of positions of Entropy, or measure how well evaluations predict one
    Dataset(dataset::DatasetArgs),
    /// Measure how often the intervals of `match` contain the truth, with few and with many pairs
    Intervals(intervals::IntervalsArgs),
    /// Measure how often the 95% intervals of ratings contain the true strengths
    Ratings(ratings::RatingsArgs),
    /// Measure how far from the best values each tuner ends, and whether it keeps its plan
    Tune(tuning::TuneArgs),
}

/// The repetitions of an experiment.
#[derive(Args)]
struct Repeats {
    /// Number of matches, leagues or tunings per row
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Seed of all randomness
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let text = match Lab::parse().command {
        Command::Dataset(args) => dataset::run(&args),
        Command::Intervals(args) => intervals::run(&args),
        Command::Ratings(args) => ratings::run(&args),
        Command::Tune(args) => tuning::run(&args),
    };
    match text.and_then(|text| Ok(std::io::stdout().write_all(text.as_bytes())?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Parses the weights of the five results of pairs between equal bots, from the command line.
fn five_numbers(text: &str) -> Result<[f64; 5], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let numbers = numbers.and_then(|numbers| <[f64; 5]>::try_from(numbers).ok());
    numbers.ok_or_else(|| "expected five numbers, for example 5,20,50,20,5".to_string())
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
