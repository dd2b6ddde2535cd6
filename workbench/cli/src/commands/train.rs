//! `contender train`: evaluations learned from games of a bot against itself, as a recipe says.

use crate::error::UsageError;
use crate::interrupt::stop_flag;
use crate::progress::{course_bar, show_course};
use clap::Args;
use contender_learn::{Event, Length, Order, Recipe, train};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// `contender train`
#[derive(Args)]
#[command(
    after_help = "The folder of the output gets what is learned (`weights.txt`, `net.bin`, or `network.bin` with its learning curve `curve.svg`), \
`log.txt` and `checkpoint.json`. \
Ctrl-C stops a training, and the same command goes on with it. A longer time or more games may be given then."
)]
pub struct TrainArgs {
    /// The recipe, for example games/entropy/train.toml
    pub recipe: PathBuf,
    /// How long to train, in minutes of running since the first start, in place of the recipe's length
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = minutes)]
    pub minutes: Option<f64>,
    /// How many games to learn from instead: reproducible
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Seed of all luck: a number, or `random`
    #[arg(long, value_name = "S", default_value = "1", value_parser = contender_referee::seed)]
    pub seed: u64,
    /// The folder of the output
    #[arg(short, long, value_name = "FOLDER", default_value = "training")]
    pub output: PathBuf,
    /// Begin anew, whatever the folder holds
    #[arg(long)]
    pub restart: bool,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(minutes) if minutes > 0.0 && minutes <= 1e6 => Ok(minutes),
        _ => Err("a number of minutes is above 0 and at most 1000000".to_string()),
    }
}

pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    let recipe = Recipe::read(&args.recipe).map_err(|error| UsageError(format!("{error:#}")))?;
    let order = Order {
        length: args.games.map(Length::Games).or(args.minutes.map(Length::Minutes)),
        seed: args.seed,
        folder: args.output.clone(),
        is_new: args.restart,
    };
    order
        .check(&recipe)
        .map_err(|error| UsageError(format!("{error:#}; another --output or --restart begins anew")))?;
    let stop = stop_flag()?;
    let bar = course_bar(args.quiet);
    let outcome = train(&recipe, &order, &|| stop.load(Ordering::Relaxed), &mut |event| match event {
        Event::GoingOn(games) => bar.suspend(|| eprintln!("going on after {games} games")),
        Event::Progress(progress) => show_course(&bar, &progress),
        Event::Log(line) => bar.suspend(|| {
            // A reader that has gone must not end hours of work; the log has the line too.
            let _ = writeln!(std::io::stdout(), "{line}");
        }),
    })?;
    bar.finish_and_clear();
    let file = outcome.file.display();
    if outcome.is_finished {
        eprintln!("what was learned is in {file}");
    } else {
        eprintln!("stopped; the same command goes on. What was learned so far is in {file}");
    }
    Ok(ExitCode::SUCCESS)
}
