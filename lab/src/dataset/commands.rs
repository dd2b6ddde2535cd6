//! `contender-lab dataset`: positions with all data about them, and the quality with which evaluations predict their
//! values.

use super::fit::{Data, FittedModel};
use super::{Making, Searcher, answers, pictures, positions, score as scores, table};
use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use contender_entropy::evaluation::{Net, TURNS, Weights};
use contender_game::settings::Shipped;
use contender_learn::treestrap::SelfPlay;
use contender_table::{Form, Table, check_writable};
use std::path::{Path, PathBuf};

/// `contender-lab dataset`
#[derive(Args)]
pub struct DatasetArgs {
    /// What to do
    #[command(subcommand)]
    pub what: What,
}

/// The commands of datasets.
#[derive(Subcommand)]
pub enum What {
    /// Play games of Entropy and write a row per decision: state, values, outcome, all inputs
    Entropy(EntropyArgs),
    /// Measure how well the evaluation, a least-squares fit and experimental inputs predict a dataset
    Fit(FitArgs),
    /// Measure how close your own predictions come to the values of the test part
    Score(ScoreArgs),
}

/// `contender-lab dataset entropy`
#[derive(Args)]
pub struct EntropyArgs {
    /// The file to write: .csv or .parquet
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Write the values of the test part to this file, for `dataset score`
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Number of games; one in five belongs to the test part, whose values are withheld
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Decisions that the search for the column `minimax` looks ahead
    #[arg(long, value_name = "D", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=4))]
    pub depth: u32,
    /// Evaluation at the leaves of this search
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Searcher::Linear)]
    pub searcher: Searcher,
    /// Weights that the bots and the evaluation use [default: those of the bots]
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
}

/// `contender-lab dataset fit`
#[derive(Args)]
pub struct FitArgs {
    /// The dataset, as CSV
    pub file: PathBuf,
    /// The turns of the table
    #[arg(long, value_name = "TURN", value_delimiter = ',', default_values_t = TURNS_SHOWN)]
    pub turns: Vec<usize>,
    /// Write pictures to this folder: weights, residuals and R-squared over turns
    #[arg(long, value_name = "FOLDER")]
    pub plots: Option<PathBuf>,
    /// Weights that the pictures compare with the least-squares fit [default: those of the bots]
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
}

/// `contender-lab dataset score`
#[derive(Args)]
pub struct ScoreArgs {
    /// The values, as `dataset entropy --answers` writes them, or a dataset with all values
    pub answers: PathBuf,
    /// Your predictions: CSV with the columns gameid, turn and prediction
    pub predictions: PathBuf,
    /// The turns of the table
    #[arg(long, value_name = "TURN", value_delimiter = ',', default_values_t = TURNS_SHOWN)]
    pub turns: Vec<usize>,
}

/// The turns that a table shows by default.
const TURNS_SHOWN: [usize; 6] = [11, 31, 50, 51, 71, 91];

pub fn run(args: &DatasetArgs) -> anyhow::Result<String> {
    match &args.what {
        What::Entropy(args) => make(args),
        What::Fit(args) => fit(args),
        What::Score(args) => score(args),
    }
}

fn weights(path: Option<&PathBuf>) -> anyhow::Result<Weights> {
    let Some(path) = path else { return Ok(Weights::shipped()) };
    let text = contender_input::read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.parse().map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

/// The settings of the games in a dataset, the same as for the games that weights are learned from.
const SELF_PLAY: SelfPlay =
    SelfPlay { depth: 2, quiescence: 0, random_turns: 12, random_share: 0.3, greedy_share: 0.0 };

fn make(args: &EntropyArgs) -> anyhow::Result<String> {
    for file in [Some(&args.output), args.answers.as_ref()].into_iter().flatten() {
        Form::of(file)?;
        check_writable(file)?;
    }
    let making = Making {
        weights: weights(args.weights.as_ref())?,
        network: Net::shipped(),
        self_play: SELF_PLAY,
        searcher: args.searcher,
        depth: args.depth,
        seed: args.seed,
    };
    let rows: Vec<_> = (0..args.games).flat_map(|game| positions(&making, game)).collect();
    table(&rows).write(&args.output)?;
    if let Some(file) = &args.answers {
        answers(&rows).write(file)?;
    }
    Ok(format!("{} games, {} positions in {}\n", args.games, rows.len(), args.output.display()))
}

fn fit(args: &FitArgs) -> anyhow::Result<String> {
    check_turns(&args.turns)?;
    let weights = weights(args.weights.as_ref())?;
    let data = Data::new(&Table::read_csv(&args.file)?)
        .with_context(|| format!("{} cannot be fitted", args.file.display()))?;
    let models = data.models()?;
    let title = format!(
        "R-squared on the games held out, one in four of {} games whose values are told",
        data.games()
    );
    if let Some(folder) = &args.plots {
        write_pictures(folder, &pictures::all(&weights, &models))?;
    }
    Ok(describe(&title, &models, &args.turns))
}

fn score(args: &ScoreArgs) -> anyhow::Result<String> {
    check_turns(&args.turns)?;
    let [answers, predictions] = [&args.answers, &args.predictions].map(|file| Table::read_csv(file));
    let name = args.predictions.display().to_string();
    let model =
        scores::score(&answers?, &predictions?).with_context(|| format!("{name} cannot be scored"))?;
    let positions: usize = model.predictions.iter().map(Vec::len).sum();
    let title = format!("R-squared on {positions} positions");
    let mut text = describe(&title, std::slice::from_ref(&model), &args.turns);
    if let Some(error) = model.mean_error() {
        text += &format!("\n{error:.2} points off in the mean\n");
    }
    Ok(text)
}

fn check_turns(turns: &[usize]) -> anyhow::Result<()> {
    match turns.iter().find(|&&turn| turn >= TURNS) {
        Some(turn) => bail!("turn {turn} is none of 0 to {}", TURNS - 1),
        None => Ok(()),
    }
}

/// Returns a table of models by turn.
fn describe(title: &str, models: &[FittedModel], turns: &[usize]) -> String {
    let mut text = format!("{title}\n\n{:<24}", "");
    for turn in turns {
        text += &format!("{:>9}", format!("turn {turn}"));
    }
    text += "  all turns\n";
    let percent =
        |share: Option<f64>| share.map_or("-".to_string(), |share| format!("{:.1}%", 100.0 * share));
    for model in models {
        text += &format!("{:<24}", model.name);
        for &turn in turns {
            text += &format!("{:>9}", percent(model.turns[turn].r_squared()));
        }
        text += &format!("{:>11}\n", percent(model.over_all()));
    }
    text
}

fn write_pictures(folder: &Path, pictures: &[(String, String)]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (name, text) in pictures {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    eprintln!("{} pictures in {}", pictures.len(), folder.display());
    Ok(())
}
