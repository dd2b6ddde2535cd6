//! `contender simulate`: statistics tried on a truth that is known.

use crate::arguments::two_numbers;
use crate::error::UsageError;
use crate::progress::progress_of;
use crate::signals::stop_flag;
use clap::{Args, Subcommand};
use contender_game::Rng;
use contender_stats::simulation::{
    Coverage, IntervalRun, League, Model, Pairs, TestRun, fixed_length, run_intervals, run_ratings, run_test,
};
use contender_stats::{Interval, SequentialTest};
use contender_tune::simulation::{Method, Run, Shape, Trial, run as run_tuning};
use indicatif::ProgressBar;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// `contender simulate`
#[derive(Args)]
pub struct SimulateArgs {
    /// What to try.
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Measure error rates and lengths of the sequential test of `match --sprt`
    Sprt(SprtArgs),
    /// Measure how often the intervals of `match` contain the truth and name a better bot
    Intervals(IntervalsArgs),
    /// Measure how often the 95% intervals of ratings contain the true strengths
    Ratings(RatingsArgs),
    /// Measure how far from the best values each tuning method ends, on known responses
    Tune(TuneArgs),
}

/// `contender simulate sprt`
#[derive(Args)]
struct SprtArgs {
    /// The hypotheses: in Elo, with --points in points per game, with --players in normalised rank
    #[arg(value_name = "LO,HI", value_parser = two_numbers, allow_hyphen_values = true)]
    sprt: [f64; 2],
    /// Probability that the test accepts HI if LO is true
    #[arg(long, default_value_t = SequentialTest::ERROR_PROBABILITY, value_name = "P")]
    alpha: f64,
    /// Probability that the test accepts LO if HI is true
    #[arg(long, default_value_t = SequentialTest::ERROR_PROBABILITY, value_name = "P")]
    beta: f64,
    /// Test differences in points, whose pairs have this standard deviation, as `match` prints it
    #[arg(long, value_name = "DEVIATION", conflicts_with = "results")]
    points: Option<f64>,
    /// Test substitutions in games of N players, as in `match --players N --pool`
    #[arg(long, value_name = "N", conflicts_with_all = ["points", "results"], value_parser = clap::value_parser!(u16).range(2..=64))]
    players: Option<u16>,
    /// Weights of the five results of pairs between equal bots, as `match` prints them
    #[arg(long, value_name = "LL,LD,WL,WD,WW", value_parser = five_numbers, default_value = "5,20,50,20,5")]
    results: [f64; 5],
    /// Maximum number of pairs of a match
    #[arg(short = 'n', long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    #[command(flatten)]
    common: Common,
}

/// `contender simulate intervals`
#[derive(Args)]
struct IntervalsArgs {
    /// Weights of the five results of pairs between equal bots, as `match` prints them
    #[arg(long, value_name = "LL,LD,WL,WD,WW", value_parser = five_numbers, default_value = "5,20,50,20,5")]
    results: [f64; 5],
    /// True advantages of the first bot, in Elo
    #[arg(
        long,
        value_name = "ELO,...",
        value_delimiter = ',',
        default_value = "0,100,400",
        allow_hyphen_values = true
    )]
    advantages: Vec<f64>,
    /// Pairs of the matches
    #[arg(short = 'n', long, value_delimiter = ',', default_value = "2,5,10,30,100", value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pairs: Vec<u64>,
    #[command(flatten)]
    common: Common,
}

/// `contender simulate ratings`
#[derive(Args)]
struct RatingsArgs {
    /// Bots of a league
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(2..=200))]
    bots: u16,
    /// Pairs between each two bots
    #[arg(short = 'n', long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pairs: u32,
    /// Standard deviation of the true strengths, in points and in Elo
    #[arg(long, default_value_t = 60.0)]
    spread: f64,
    /// Standard deviation of a pair's difference, in points
    #[arg(long, default_value_t = 80.0)]
    deviation: f64,
    #[command(flatten)]
    common: Common,
}

/// `contender simulate tune`
#[derive(Args)]
struct TuneArgs {
    /// Number of parameters
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=100))]
    parameters: u16,
    /// Loss when a parameter is half its range away from its best value, in Elo or points per game
    #[arg(long, default_value_t = 40.0, value_name = "X")]
    stake: f64,
    /// Stake that the tuner assumes [default: the stake]
    #[arg(long, value_name = "X")]
    believed: Option<f64>,
    /// The form of the response: quadratic, ridge, lopsided, flat or cliff
    #[arg(long, default_value = "quadratic", value_parser = shape)]
    response: Shape,
    /// Numbers of games of a tuning, one row each
    #[arg(long, value_delimiter = ',', default_value = "2000,8000,32000", value_parser = clap::value_parser!(u64).range(80..=100_000_000))]
    games: Vec<u64>,
    /// Take differences in points, whose pairs have this standard deviation, as `match` prints it
    #[arg(long, value_name = "DEVIATION", conflicts_with = "results")]
    points: Option<f64>,
    /// Weights of the five results of pairs between equal bots, as `match` prints them
    #[arg(long, value_name = "LL,LD,WL,WD,WW", value_parser = five_numbers, default_value = "5,20,50,20,5")]
    results: [f64; 5],
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Common {
    /// Matches, leagues or tunings to simulate per row
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// No progress on standard error
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Serialize)]
struct SprtReport {
    test: SequentialTest,
    bounds: Interval,
    pairs: Pairs,
    seed: u64,
    fixed_length_pairs: f64,
    runs: Vec<TestRun>,
}

#[derive(Serialize)]
struct IntervalsReport {
    confidence: f64,
    results: [f64; 5],
    seed: u64,
    runs: Vec<IntervalRun>,
}

#[derive(Serialize)]
struct RatingsReport {
    league: League,
    confidence: f64,
    seed: u64,
    models: Vec<(Model, Coverage)>,
}

pub fn run(args: &SimulateArgs) -> anyhow::Result<ExitCode> {
    let text = match &args.what {
        What::Sprt(args) => sprt(args)?,
        What::Intervals(args) => intervals(args)?,
        What::Ratings(args) => ratings(args)?,
        What::Tune(args) => tune(args)?,
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn sprt(args: &SprtArgs) -> anyhow::Result<String> {
    let [h0, h1] = args.sprt;
    let test = SequentialTest::new(h0, h1, args.alpha, args.beta).map_err(UsageError)?;
    let pairs = match (args.points, args.players) {
        (Some(deviation), _) => Pairs::Points { deviation },
        (None, Some(players)) => Pairs::Ranks { players },
        (None, None) => Pairs::Results(args.results),
    };
    let advantages = [h0, (h0 + h1) / 2.0, h1];
    let rounds = Rounds::new(&args.common, advantages.len())?;
    let mut runs = Vec::new();
    for (row, advantage) in advantages.into_iter().enumerate() {
        let mut rng = Rng::new(contender_game::mix(&[args.common.seed, row as u64]));
        let most = u64::from(args.pairs);
        let run =
            run_test(&test, pairs, advantage, args.common.rounds, most, &mut rng, &mut || rounds.go_on());
        runs.push(run.map_err(UsageError)?);
        if rounds.is_stopped() {
            break;
        }
    }
    rounds.bar.finish_and_clear();
    let fixed = fixed_length(&test, pairs);
    let bounds = test.bounds();
    if args.common.json {
        let report =
            SprtReport { test, bounds, pairs, seed: args.common.seed, fixed_length_pairs: fixed, runs };
        return Ok(serde_json::to_string_pretty(&report)? + "\n");
    }
    let (unit, decimals) = match pairs {
        Pairs::Points { .. } => ("points a game", 2),
        Pairs::Ranks { .. } => ("normalised rank", 4),
        Pairs::Results(_) => ("Elo", 2),
    };
    let mut text = format!(
        "sequential test of {h0} against {h1} {unit}, alpha {}, beta {}, LLR ({:.2}, {:.2}), seed {}\n\n",
        args.alpha, args.beta, bounds.low, bounds.high, args.common.seed
    );
    text += "     truth  matches  accepts LO  accepts HI     95% interval  undecided    pairs: mean  median     95%\n";
    for run in &runs {
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
    text += &format!("\nA test of fixed length takes {fixed:.0} pairs for the same error probabilities.\n");
    Ok(text)
}

fn intervals(args: &IntervalsArgs) -> anyhow::Result<String> {
    let rounds = Rounds::new(&args.common, args.advantages.len() * args.pairs.len())?;
    let mut runs = Vec::new();
    'rows: for &advantage in &args.advantages {
        for &pairs in &args.pairs {
            let mut rng = Rng::new(contender_game::mix(&[args.common.seed, runs.len() as u64]));
            let run =
                run_intervals(args.results, advantage, pairs, args.common.rounds, &mut rng, &mut || {
                    rounds.go_on()
                });
            runs.push(run.map_err(UsageError)?);
            if rounds.is_stopped() {
                break 'rows;
            }
        }
    }
    rounds.bar.finish_and_clear();
    if args.common.json {
        let report =
            IntervalsReport { confidence: 0.95, results: args.results, seed: args.common.seed, runs };
        return Ok(serde_json::to_string_pretty(&report)? + "\n");
    }
    let mut text = format!("95% intervals of matches, seed {}\n\n", args.common.seed);
    text += "  true Elo  pairs  matches  hold the truth  say who is better  mean width\n";
    for run in &runs {
        text += &format!(
            "{:>+10.0}  {:>5}  {:>7}  {:>14}  {:>17}  {:>10}\n",
            run.advantage,
            run.pairs,
            run.matches,
            percent(run.held),
            percent(run.decided),
            percent(run.width)
        );
    }
    Ok(text)
}

fn ratings(args: &RatingsArgs) -> anyhow::Result<String> {
    for (name, value) in [("spread", args.spread), ("deviation", args.deviation)] {
        if !(value > 0.0 && value <= 1e6) {
            return Err(UsageError(format!("--{name} is between 0 and 1000000, not {value}")).into());
        }
    }
    let league =
        League { bots: args.bots.into(), pairs: args.pairs, spread: args.spread, deviation: args.deviation };
    let several = [3, 4].into_iter().filter(|players| league.bots >= *players).map(Model::PlackettLuce);
    let all: Vec<Model> =
        [Model::Regression, Model::BradleyTerry, Model::SeatRegression].into_iter().chain(several).collect();
    let rounds = Rounds::new(&args.common, all.len())?;
    let mut models = Vec::new();
    for (row, model) in all.into_iter().enumerate() {
        let mut rng = Rng::new(contender_game::mix(&[args.common.seed, row as u64]));
        let coverage =
            run_ratings(model, &league, 0.95, args.common.rounds, &mut rng, &mut || rounds.go_on());
        models.push((model, coverage));
        if rounds.is_stopped() {
            break;
        }
    }
    rounds.bar.finish_and_clear();
    if args.common.json {
        let report = RatingsReport { league, confidence: 0.95, seed: args.common.seed, models };
        return Ok(serde_json::to_string_pretty(&report)? + "\n");
    }
    let mut text = format!(
        "ratings of {} bots, {} pairs between each two, seed {}: how often 95% intervals hold the truth\n\n",
        args.bots, args.pairs, args.common.seed
    );
    text += "model          leagues  of strengths  of differences  mean width  ahead with 80% to 90%\n";
    for (model, coverage) in &models {
        let (name, unit) = match model {
            Model::Regression => ("regression", "points"),
            Model::BradleyTerry => ("Bradley-Terry", "Elo"),
            Model::SeatRegression => ("of a seat", "points"),
            Model::PlackettLuce(3) => ("of 3 players", "Elo"),
            Model::PlackettLuce(_) => ("of 4 players", "Elo"),
        };
        text += &format!(
            "{name:<13}  {:>7}  {:>12}  {:>14}  {:>10}  {:>21}\n",
            coverage.leagues,
            percent(coverage.of_strengths),
            percent(coverage.of_differences),
            format!("{:.1} {unit}", coverage.width),
            coverage.ahead.map_or("-".to_string(), |share| format!("{} truly are", percent(share)))
        );
    }
    Ok(text)
}

fn tune(args: &TuneArgs) -> anyhow::Result<String> {
    let believed = args.believed.unwrap_or(args.stake);
    for (name, value) in
        [("stake", args.stake), ("believed", believed), ("points", args.points.unwrap_or(1.0))]
    {
        if !(value > 0.0 && value <= 1e6) {
            return Err(UsageError(format!("--{name} is above 0 and at most 1000000, not {value}")).into());
        }
    }
    let pairs = match args.points {
        Some(deviation) => Pairs::Points { deviation },
        None => Pairs::Results(args.results),
    };
    let rounds = Rounds::new(&args.common, args.games.len() * Method::ALL.len())?;
    let mut rows: Vec<(Method, Trial, Run)> = Vec::new();
    'rows: for &games in &args.games {
        for method in Method::ALL {
            let (parameters, stake, shape) = (args.parameters.into(), args.stake, args.response);
            let trial = Trial { parameters, stake, believed, shape, pairs, games };
            let run =
                run_tuning(method, &trial, args.common.rounds, args.common.seed, &mut || rounds.go_on());
            rows.push((method, trial, run.map_err(UsageError)?));
            if rounds.is_stopped() {
                break 'rows;
            }
        }
    }
    rounds.bar.finish_and_clear();
    if args.common.json {
        return Ok(serde_json::to_string_pretty(&rows)? + "\n");
    }
    let unit = if args.points.is_some() { "points a game" } else { "Elo" };
    let start = rows.first().map_or(0.0, |(_, _, run)| run.start_loss);
    let mut text = format!(
        "tuning of {} parameters that cost {} {unit} half a range from the best ({}), a pair's deviation {:.1}, seed {}: \
         what the start loses against the best, {start:.2} in the mean, and what the answers lose\n\n",
        args.parameters,
        args.stake,
        args.response.name(),
        pairs.deviation(),
        args.common.seed
    );
    text += "  games  method           tunings     mean loss     95%  distance  promised  kept";
    text += "                     intervals hold   said  held\n";
    for (method, trial, run) in &rows {
        let share = |share: Option<f64>| share.map_or("-".to_string(), percent);
        let kept = run.kept_interval.map_or("-".to_string(), |of| {
            format!("{} [{}, {}]", share(run.kept), percent(of.low), percent(of.high))
        });
        text += &format!(
            "{:>7}  {:<15}  {:>7}  {:>12}  {:>6.2}  {:>8}  {:>8}  {kept:<23}  {:>14}  {:>5}  {}\n",
            trial.games,
            method.name(),
            run.tunings,
            format!("{:.2}±{:.2}", run.loss, 1.96 * run.loss_error),
            run.loss_95,
            percent(run.distance),
            run.promised.map_or("-".to_string(), |promised| format!("{promised:.2}")),
            share(run.covered),
            run.said.map_or("-".to_string(), |said| format!("{said:.2}")),
            share(run.said_held)
        );
    }
    Ok(text)
}

fn shape(text: &str) -> Result<Shape, String> {
    let names = Shape::ALL.map(Shape::name).join(", ");
    let found = Shape::ALL.into_iter().find(|shape| shape.name() == text);
    found.ok_or_else(|| format!("a form is one of {names}"))
}

fn five_numbers(text: &str) -> Result<[f64; 5], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let numbers = numbers.and_then(|numbers| <[f64; 5]>::try_from(numbers).ok());
    numbers.ok_or_else(|| "five numbers are wanted, for example 5,20,50,20,5".to_string())
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// Progress over all rows, and the user's wish to stop.
struct Rounds {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Rounds {
    fn new(common: &Common, rows: usize) -> anyhow::Result<Rounds> {
        let bar = progress_of(common.quiet, "rounds", None);
        bar.set_length(u64::from(common.rounds) * rows as u64);
        Ok(Rounds { bar, stop: stop_flag()? })
    }

    fn go_on(&self) -> bool {
        self.bar.inc(1);
        !self.is_stopped()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
