//! `contender simulate`: runs a sequential test on simulated games with a known difference in strength, and shows how
//! many games the test needs.

use crate::arguments::two_numbers;
use crate::error::UsageError;
use crate::progress::progress_of;
use crate::signals::stop_flag;
use clap::{Args, Subcommand};
use contender_game::rules::Rng;
use contender_stats::simulation::{Pairs, TestRun, fixed_length, run_test};
use contender_stats::{Interval, SequentialTest};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// `contender simulate`
#[derive(Args)]
pub struct SimulateArgs {
    /// The kind of simulation.
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Measure the error rates and the length of the sequential test in `match --sprt`
    Sprt(SprtArgs),
}

/// `contender simulate sprt`
#[derive(Args)]
struct SprtArgs {
    /// Hypotheses in Elo; in points per game with --points, in normalised rank with --players
    #[arg(value_name = "LO,HI", value_parser = two_numbers, allow_hyphen_values = true)]
    sprt: [f64; 2],
    /// Probability that the test accepts HI if LO is true
    #[arg(long, default_value_t = SequentialTest::ERROR_PROBABILITY, value_name = "P")]
    alpha: f64,
    /// Probability that the test accepts LO if HI is true
    #[arg(long, default_value_t = SequentialTest::ERROR_PROBABILITY, value_name = "P")]
    beta: f64,
    /// Test points instead of wins; DEVIATION is a pair's standard deviation, as printed by `match`
    #[arg(long, value_name = "DEVIATION", conflicts_with = "results")]
    points: Option<f64>,
    /// Number of players per game; simulates a match with `--players N --pool`
    #[arg(long, value_name = "N", conflicts_with_all = ["points", "results"], value_parser = clap::value_parser!(u16).range(2..=64))]
    players: Option<u16>,
    /// Frequencies of the five results of a pair between equal bots, as printed by `match`
    #[arg(long, value_name = "LL,LD,WL,WD,WW", value_parser = five_numbers, default_value = "5,20,50,20,5")]
    results: [f64; 5],
    /// Maximum number of pairs per match
    #[arg(short = 'n', long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// Number of simulated matches per row of the table
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Random seed: a number, or `random`
    #[arg(long, value_name = "S", default_value = "1", value_parser = contender_referee::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Do not show progress
    #[arg(short, long)]
    quiet: bool,
}

/// The length and error rates of a sequential test in simulated matches.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SprtReport {
    /// The sequential test.
    test: SequentialTest,
    /// The log-likelihood ratios at which the test accepts one of its hypotheses.
    bounds: Interval,
    /// The probabilities of a pair's results.
    pairs: Pairs,
    /// The random seed.
    #[serde(with = "contender_play::seed")]
    #[cfg_attr(test, schemars(with = "contender_play::seed::Form"))]
    seed: u64,
    /// Number of pairs that a test of fixed length needs for the same error probabilities.
    fixed_length_pairs: f64,
    /// The results of the matches for three true advantages: the first hypothesis, the midpoint of both, and the
    /// second.
    runs: Vec<TestRun>,
}

pub fn run(args: &SimulateArgs) -> anyhow::Result<ExitCode> {
    let What::Sprt(args) = &args.what;
    std::io::stdout().write_all(sprt(args)?.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn sprt(args: &SprtArgs) -> anyhow::Result<String> {
    let [h0, h1] = args.sprt;
    let test = SequentialTest::new(h0, h1, args.alpha, args.beta).map_err(UsageError::new)?;
    let pairs = match (args.points, args.players) {
        (Some(deviation), _) => Pairs::Points { deviation },
        (None, Some(players)) => Pairs::Ranks { players },
        (None, None) => Pairs::Results(args.results),
    };
    let advantages = [h0, (h0 + h1) / 2.0, h1];
    let bar = progress_of(args.quiet, "rounds", None);
    bar.set_length(u64::from(args.rounds) * advantages.len() as u64);
    let stop = stop_flag()?;
    let mut go_on = || {
        bar.inc();
        !stop.load(Ordering::Relaxed)
    };
    let mut runs = Vec::new();
    for (row, advantage) in advantages.into_iter().enumerate() {
        let mut rng = Rng::new(contender_game::rules::mix(&[args.seed, row as u64]));
        let most = u64::from(args.pairs);
        let run = run_test(&test, pairs, advantage, args.rounds, most, &mut rng, &mut go_on);
        runs.push(run.map_err(UsageError::new)?);
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    bar.finish_and_clear();
    let fixed = fixed_length(&test, pairs);
    let bounds = test.bounds();
    if args.json {
        let report = SprtReport { test, bounds, pairs, seed: args.seed, fixed_length_pairs: fixed, runs };
        return Ok(serde_json::to_string_pretty(&report)? + "\n");
    }
    let (unit, decimals) = match pairs {
        Pairs::Points { .. } => ("points per game", 2),
        Pairs::Ranks { .. } => ("normalised rank", 4),
        Pairs::Results(_) => ("Elo", 2),
    };
    Ok(format!(
        "sequential test of {h0} against {h1} {unit}, alpha {}, beta {}, LLR ({:.2}, {:.2}), seed {}\n\n{}\n\
         A test of fixed length takes {fixed:.0} pairs for the same error probabilities.\n",
        args.alpha,
        args.beta,
        bounds.low,
        bounds.high,
        args.seed,
        table(&runs, decimals)
    ))
}

/// Returns a table with a row for each true advantage.
fn table(runs: &[TestRun], decimals: usize) -> String {
    let mut text = "     truth  matches  accepts LO  accepts HI     95% interval  undecided    pairs: mean  median     95%\n".to_string();
    for run in runs {
        let interval = run
            .accepted_h1_interval
            .map_or(String::new(), |i| format!("{} to {}", percent(i.low), percent(i.high)));
        text += &format!(
            "{:>10.decimals$}  {:>7}  {:>10}  {:>10}  {:>15}  {:>9}  {:>13.0} {:>7.0} {:>7.0}\n",
            run.advantage,
            run.matches,
            percent(run.accepted_h0),
            percent(run.accepted_h1),
            interval,
            percent(run.undecided),
            run.mean_pairs,
            run.median_pairs,
            run.long_pairs
        );
    }
    text
}

fn five_numbers(text: &str) -> Result<[f64; 5], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let numbers = numbers.and_then(|numbers| <[f64; 5]>::try_from(numbers).ok());
    numbers.ok_or_else(|| "expected five numbers, for example 5,20,50,20,5".to_string())
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
