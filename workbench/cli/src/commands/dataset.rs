//! `contender dataset`: positions with all that is known of them, and how well evaluations predict their values.

use crate::error::UsageError;
use crate::interrupt::stop_flag;
use crate::progress::progress_bar;
use anyhow::Context;
use clap::{Args, Subcommand};
use contender_entropy::evaluation::{Net, TURNS, Weights};
use contender_game::Shipped;
use contender_learn::dataset::fit::Data;
use contender_learn::dataset::pictures;
use contender_learn::dataset::{self, Making, positions, table};
use contender_learn::treestrap::SelfPlay;
use contender_table::{Form, Table};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// `contender dataset`
#[derive(Args)]
pub struct DatasetArgs {
    /// What to do
    #[command(subcommand)]
    pub what: What,
}

/// What to do with datasets.
#[derive(Subcommand)]
pub enum What {
    /// Play games of Entropy and write a row for every decision: state, values, outcome, all inputs
    Entropy(EntropyArgs),
    /// Say how well the evaluation, least squares and inputs on trial predict the values of a dataset
    Fit(FitArgs),
}

/// `contender dataset entropy`
#[derive(Args)]
pub struct EntropyArgs {
    /// The file to write: .csv or .parquet
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// How many games; one in five is of the test part, whose values are not told
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of all luck: a number, or `random`
    #[arg(long, value_name = "S", default_value = "1", value_parser = contender_referee::seed)]
    pub seed: u64,
    /// Decisions that the search for the column `minimax` looks ahead
    #[arg(long, value_name = "D", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=4))]
    pub depth: u32,
    /// What evaluates the positions that this search ends in
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Searcher::Linear)]
    pub searcher: Searcher,
    /// The weights that play and evaluate [default: those of the bots]
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// What evaluates the positions that a search ends in.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Searcher {
    /// The linear evaluation
    Linear,
    /// The champion's network
    Network,
}

/// `contender dataset fit`
#[derive(Args)]
pub struct FitArgs {
    /// The dataset, as CSV
    pub file: PathBuf,
    /// The turns of the table
    #[arg(long, value_name = "TURN", value_delimiter = ',', default_values_t = [11, 31, 50, 51, 71, 91])]
    pub turns: Vec<usize>,
    /// Write pictures to this folder: weights, residuals and R-squared over turns
    #[arg(long, value_name = "FOLDER")]
    pub plots: Option<PathBuf>,
    /// The weights that the pictures show beside least squares [default: those of the bots]
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
}

pub fn run(args: &DatasetArgs) -> anyhow::Result<ExitCode> {
    match &args.what {
        What::Entropy(args) => make(args),
        What::Fit(args) => fit(args),
    }
}

fn weights(path: Option<&PathBuf>) -> anyhow::Result<Weights> {
    let Some(path) = path else { return Ok(Weights::shipped()) };
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let weights = text.parse().map_err(|error| UsageError(format!("{}: {error}", path.display())));
    Ok(weights?)
}

/// How the games of a dataset are played: as those that weights are learned from.
const SELF_PLAY: SelfPlay = SelfPlay { depth: 2, random_turns: 12, random_share: 0.3 };

fn make(args: &EntropyArgs) -> anyhow::Result<ExitCode> {
    Form::of(&args.output).map_err(|error| UsageError(error.to_string()))?;
    let making = Making {
        weights: weights(args.weights.as_ref())?,
        network: Net::shipped(),
        self_play: SELF_PLAY,
        searcher: match args.searcher {
            Searcher::Linear => dataset::Searcher::Linear,
            Searcher::Network => dataset::Searcher::Network,
        },
        depth: args.depth,
        seed: args.seed,
    };
    let stop = stop_flag()?;
    let bar = progress_bar(args.quiet);
    bar.set_length(args.games);
    let mut rows = Vec::new();
    let mut games = 0;
    while games < args.games && !stop.load(Ordering::Relaxed) {
        rows.extend(positions(&making, games));
        games += 1;
        bar.inc(1);
    }
    bar.finish_and_clear();
    table(&rows).write(&args.output)?;
    writeln!(std::io::stdout(), "{} games, {} positions in {}", games, rows.len(), args.output.display())?;
    Ok(ExitCode::SUCCESS)
}

fn fit(args: &FitArgs) -> anyhow::Result<ExitCode> {
    if let Some(turn) = args.turns.iter().find(|&&turn| turn >= TURNS) {
        return Err(UsageError(format!("turn {turn} is none of 0 to {}", TURNS - 1)).into());
    }
    let weights = weights(args.weights.as_ref())?;
    let data = Data::new(&Table::read_csv(&args.file)?)
        .with_context(|| format!("{} cannot be fitted", args.file.display()))?;
    let models = data.models()?;
    let mut text = format!(
        "R-squared on the games held out, one in four of {} games whose values are told\n\n{:<24}",
        data.games(),
        ""
    );
    for turn in &args.turns {
        text += &format!("{:>9}", format!("turn {turn}"));
    }
    text += "  all turns\n";
    let percent =
        |share: Option<f64>| share.map_or("-".to_string(), |share| format!("{:.1}%", 100.0 * share));
    for model in &models {
        text += &format!("{:<24}", model.name);
        for &turn in &args.turns {
            text += &format!("{:>9}", percent(model.turns[turn].r_squared()));
        }
        text += &format!("{:>11}\n", percent(model.over_all()));
    }
    std::io::stdout().write_all(text.as_bytes())?;
    if let Some(folder) = &args.plots {
        write_pictures(folder, &pictures::all(&weights, &models))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_pictures(folder: &Path, pictures: &[(String, String)]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (name, text) in pictures {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    say!("{} pictures in {}", pictures.len(), folder.display());
    Ok(())
}
