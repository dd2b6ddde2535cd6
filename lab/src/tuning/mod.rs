//! Tuning methods, tested with a known truth: the loss of their answers, the number of games, and the correctness of
//! the errors that they report.

mod baselines;

use crate::{Repeats, five_numbers, percent};
use anyhow::bail;
use baselines::{Fishtest, GridSearch, RandomSearch};
use clap::Args;
use contender_game::rules::{Rng, mix};
use contender_stats::simulation::Pairs;
use contender_stats::{Interval, StatsError, Summary, percentile, wilson};
use contender_tune::{Duel, Plan, PlanInput, Search, Space, Spsa, Surface};

/// `contender-lab tune`
#[derive(Args)]
pub struct TuneArgs {
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
    repeats: Repeats,
}

pub fn run(args: &TuneArgs) -> anyhow::Result<String> {
    let believed = args.believed.unwrap_or(args.stake);
    for (name, value) in
        [("stake", args.stake), ("believed", believed), ("points", args.points.unwrap_or(1.0))]
    {
        if !(value > 0.0 && value <= 1e6) {
            bail!("--{name} is above 0 and at most 1000000, not {value}");
        }
    }
    let pairs = match args.points {
        Some(deviation) => Pairs::Points { deviation },
        None => Pairs::Results(args.results),
    };
    let mut rows: Vec<(Method, Trial, Outcome)> = Vec::new();
    for &games in &args.games {
        for method in Method::ALL {
            let (parameters, stake, shape) = (args.parameters.into(), args.stake, args.response);
            let trial = Trial { parameters, stake, believed, shape, pairs, games };
            let outcome = tune(method, &trial, args.repeats.rounds, args.repeats.seed);
            rows.push((method, trial, outcome.map_err(anyhow::Error::msg)?));
        }
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
        args.repeats.seed
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

/// Number of batches of a tuning run in the simulation.
const BATCHES: u64 = 50;
/// Minimum distance of the best point from the ends of a range, as a share of the range.
const MARGIN: f64 = 0.1;

/// A known response: every parameter loses about its stake at half a range from its best place.
#[derive(Clone, PartialEq, Debug)]
struct Response {
    best: Vec<f64>,
    /// 1 or -1 for every parameter: its steeper side, if the shape has one.
    sides: Vec<f64>,
    stake: f64,
    shape: Shape,
}

/// The form of a response; `u` is a parameter's distance from its best place in half ranges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Shape {
    /// `u^2` for every parameter.
    #[default]
    Quadratic,
    /// `u^2` plus the product of every two neighbouring parameters, so that the best value of one depends on the other.
    Ridge,
    /// `1.6 u^2` on one side and `0.4 u^2` on the other.
    Lopsided,
    /// `u^4`.
    Flat,
    /// `u^2` plus a loss of four stakes that rises between 0.3 and 0.5 on one side, as for a number that must be small.
    Cliff,
}

impl Shape {
    /// All shapes, the usual one first.
    const ALL: [Shape; 5] = [Shape::Quadratic, Shape::Ridge, Shape::Lopsided, Shape::Flat, Shape::Cliff];

    /// Returns the shape's name on the command line.
    fn name(self) -> &'static str {
        match self {
            Shape::Quadratic => "quadratic",
            Shape::Ridge => "ridge",
            Shape::Lopsided => "lopsided",
            Shape::Flat => "flat",
            Shape::Cliff => "cliff",
        }
    }

    /// Returns the loss of a parameter at `u` in stakes. A positive `u` is on the steeper side.
    fn cost(self, u: f64) -> f64 {
        match self {
            Shape::Quadratic | Shape::Ridge => u * u,
            Shape::Lopsided => u * u * if u > 0.0 { 1.6 } else { 0.4 },
            Shape::Flat => u.powi(4),
            Shape::Cliff => {
                let fallen = ((u - 0.3) / 0.2).clamp(0.0, 1.0);
                u * u + 4.0 * fallen * fallen * (3.0 - 2.0 * fallen)
            }
        }
    }
}

impl Response {
    /// Returns the strength at a point relative to the best point, which is at most 0.
    fn strength(&self, point: &[f64]) -> f64 {
        let places = point.iter().zip(&self.best).zip(&self.sides);
        let apart: Vec<f64> = places.map(|((place, best), side)| side * (place - best) / 0.5).collect();
        let products = match self.shape {
            Shape::Ridge => apart.windows(2).map(|two| two[0] * two[1]).sum(),
            _ => 0.0,
        };
        -self.stake * (apart.iter().map(|&u| self.shape.cost(u)).sum::<f64>() + products)
    }
}

/// The settings of a simulated tuning run.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Trial {
    /// Number of parameters.
    parameters: usize,
    /// Loss of each parameter at half a range from its best value, in points or Elo.
    stake: f64,
    /// The stake that the tuner assumes.
    believed: f64,
    /// The form of the response.
    shape: Shape,
    /// The distribution of the results of pairs.
    pairs: Pairs,
    /// Number of games in a tuning run.
    games: u64,
}

/// A method in the simulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Method {
    /// [`Surface`], the model of the response.
    Surface,
    /// [`Spsa`] with the gains of its [`Plan`].
    Spsa,
    /// Fishtest's SPSA with the gains that its form proposes.
    Fishtest,
    /// Random points against the start; the point with the best result is the answer.
    RandomSearch,
    /// Five values of each parameter: all combinations for up to three parameters, otherwise one parameter after
    /// another.
    Grid,
}

impl Method {
    /// All methods, ours first.
    const ALL: [Method; 5] =
        [Method::Surface, Method::Spsa, Method::Fishtest, Method::RandomSearch, Method::Grid];

    /// Returns the method's name in reports.
    fn name(self) -> &'static str {
        match self {
            Method::Surface => "surface",
            Method::Spsa => "SPSA",
            Method::Fishtest => "fishtest's SPSA",
            Method::RandomSearch => "random search",
            Method::Grid => "grid",
        }
    }
}

/// The results of a method in many tuning runs, each with its own best point.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Outcome {
    /// Number of tuning runs.
    tunings: u32,
    /// Mean loss of the answers.
    loss: f64,
    /// Standard error of the mean loss.
    loss_error: f64,
    /// The loss that 95 of 100 answers do not exceed.
    loss_95: f64,
    /// Mean loss of the start values.
    start_loss: f64,
    /// The mean distance of a parameter from its best place, as a share of the range.
    distance: f64,
    /// The plan's bound for 95 of 100 answers, for methods with a guarantee.
    promised: Option<f64>,
    /// The share of tuning runs within this bound.
    kept: Option<f64>,
    /// The share of the parameters' 95% intervals that contained the best place, for methods with intervals.
    covered: Option<f64>,
    /// The 95% interval of `kept`.
    kept_interval: Option<Interval>,
    /// Mean of the computed 95% bounds of the answers' losses, for methods with a model.
    said: Option<f64>,
    /// The share of tuning runs whose loss was within the computed bound.
    said_held: Option<f64>,
}

impl Method {
    /// Starts a search with this method.
    fn search(self, space: &Space, plan: Plan, pairs: u64) -> Result<Box<dyn Search>, String> {
        Ok(match self {
            Method::Surface => Box::new(Surface::new(space, plan)),
            Method::Spsa => Box::new(Spsa::new(space, plan).map_err(|error| error.to_string())?),
            Method::Fishtest => Box::new(Fishtest::new(space, pairs)),
            Method::RandomSearch => Box::new(RandomSearch::new(space, pairs)),
            Method::Grid => Box::new(GridSearch::new(space, pairs)),
        })
    }
}

/// Simulates `tunings` tuning runs.
///
/// # Errors
/// Returns an error if the distribution of pairs is impossible.
fn tune(method: Method, trial: &Trial, tunings: u32, seed: u64) -> Result<Outcome, String> {
    let space = Space::plain(trial.parameters);
    let pairs = (trial.games / 2).max(1);
    let question = PlanInput {
        parameters: trial.parameters,
        noise: trial.pairs.deviation(),
        confidence: 0.95,
        stake: Some(trial.believed),
    };
    let plan = question.for_pairs(pairs);
    let (mut losses, mut start_loss, mut distance) = (Vec::new(), Summary::default(), Summary::default());
    let [mut held, mut intervals, mut said_held] = [0_u64; 3];
    let mut said = Summary::default();
    for tuning in 0..tunings {
        // All methods face the same truth.
        let mut rng = Rng::new(mix(&[seed, u64::from(tuning)]));
        let best = (0..trial.parameters).map(|_| MARGIN + (1.0 - 2.0 * MARGIN) * rng.unit()).collect();
        let sides = (0..trial.parameters).map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 }).collect();
        let response = Response { best, sides, stake: trial.stake, shape: trial.shape };
        let mut search = method.search(&space, plan, pairs)?;
        play(search.as_mut(), &response, trial, pairs, &mut rng)?;
        let answer = search.answer();
        let loss = -response.strength(&answer);
        losses.push(loss);
        if let Some(within) = search.model().and_then(Surface::within) {
            said.push(within);
            said_held += u64::from(loss <= within);
        }
        start_loss.push(-response.strength(&space.start()));
        for ((place, best), range) in answer.iter().zip(&response.best).zip(search.intervals()) {
            distance.push((place - best).abs());
            if let Some(range) = range {
                intervals += 1;
                held += u64::from(range.contains(*best));
            }
        }
    }
    let summary: Summary = losses.iter().copied().collect();
    losses.sort_by(f64::total_cmp);
    let share = |count: u64, of: u64| (of > 0).then(|| count as f64 / of as f64);
    let promises = [Method::Surface, Method::Spsa].contains(&method);
    let promised = promises.then_some(plan.precision);
    let kept = promised.map(|promised| losses.iter().filter(|&&loss| loss <= promised).count() as u64);
    Ok(Outcome {
        tunings: losses.len() as u32,
        loss: summary.mean().unwrap_or(f64::NAN),
        loss_error: summary.standard_error().unwrap_or(f64::NAN),
        loss_95: percentile(&losses, 0.95).unwrap_or(f64::NAN),
        start_loss: start_loss.mean().unwrap_or(f64::NAN),
        distance: distance.mean().unwrap_or(f64::NAN),
        promised,
        kept: kept.and_then(|kept| share(kept, losses.len() as u64)),
        kept_interval: kept.and_then(|kept| wilson(kept as f64, losses.len() as u64, 0.95)),
        covered: share(held, intervals),
        said: said.mean(),
        said_held: share(said_held, said.count()),
    })
}

fn play(
    search: &mut dyn Search,
    response: &Response,
    trial: &Trial,
    pairs: u64,
    rng: &mut Rng,
) -> Result<(), String> {
    let size = pairs.div_ceil(BATCHES);
    let mut left = pairs;
    while left > 0 {
        let duels = search.ask(size.min(left) as usize, rng);
        if duels.is_empty() {
            break;
        }
        let signals = duels.iter().map(|Duel { points: [a, b] }| {
            trial.pairs.signal(response.strength(a) - response.strength(b), rng).map(Some)
        });
        let signals = signals.collect::<Result<Vec<_>, StatsError>>().map_err(|error| error.to_string())?;
        search.tell(&duels, &signals);
        left = left.saturating_sub(duels.len() as u64);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: Pairs = Pairs::Points { deviation: 100.0 };
    const SHAPE: Shape = Shape::Quadratic;

    /// The guarantee holds for 95 of 100 tuning runs, whatever the number of parameters and games.
    #[test]
    fn promises_are_kept() {
        for (parameters, games) in [(1, 2_000), (4, 8_000), (12, 8_000)] {
            let trial = Trial { parameters, stake: 20.0, believed: 20.0, shape: SHAPE, pairs: POINTS, games };
            let run = tune(Method::Spsa, &trial, 200, 1).unwrap();
            assert!(run.kept.unwrap() >= 0.92, "{parameters} {run:?}");
            assert!(run.covered.unwrap() >= 0.91, "{parameters} {run:?}");
            assert!(run.loss < run.start_loss, "{parameters} {run:?}");
        }
    }

    /// The model keeps the guarantee even if the response is not quadratic, and its own bound of the loss is correct.
    #[test]
    fn a_model_keeps_its_promises() {
        for shape in [Shape::Quadratic, Shape::Lopsided, Shape::Cliff] {
            let trial =
                Trial { parameters: 2, stake: 20.0, believed: 20.0, shape, pairs: POINTS, games: 2_000 };
            let run = tune(Method::Surface, &trial, 60, 1).unwrap();
            assert!(run.kept.unwrap() >= 0.9 && run.said_held.unwrap() >= 0.9, "{shape:?} {run:?}");
            assert!(run.loss < 0.3 * run.start_loss, "{shape:?} {run:?}");
        }
    }

    #[test]
    fn the_best_place_of_every_shape_is_the_best() {
        for shape in Shape::ALL {
            let response = Response { best: vec![0.4, 0.6], sides: vec![1.0, -1.0], stake: 10.0, shape };
            assert_eq!(response.strength(&[0.4, 0.6]), 0.0);
            let mut rng = Rng::new(1);
            assert!((0..100).all(|_| response.strength(&[rng.unit(), rng.unit()]) < 0.0), "{shape:?}");
        }
        // Computed by hand: half a range on the steep side, and half a range on the other side.
        let at = |shape, point: [f64; 2]| {
            Response { best: vec![0.5; 2], sides: vec![1.0, -1.0], stake: 10.0, shape }.strength(&point)
        };
        assert_eq!([at(Shape::Lopsided, [1.0, 0.5]), at(Shape::Lopsided, [0.5, 1.0])], [-16.0, -4.0]);
        assert_eq!([at(Shape::Cliff, [1.0, 0.5]), at(Shape::Cliff, [0.5, 1.0])], [-50.0, -10.0]);
        assert_eq!([at(Shape::Ridge, [1.0, 0.0]), at(Shape::Ridge, [1.0, 1.0])], [-30.0, -10.0]);
    }

    #[test]
    fn senseless_pairs_are_refused() {
        let pairs = Pairs::Results([1.0, 0.0, 1.0, 1.0, 1.0]);
        let trial = Trial { parameters: 6, stake: 20.0, believed: 20.0, shape: SHAPE, pairs, games: 100 };
        assert!(tune(Method::Spsa, &trial, 1, 1).is_err());
    }

    /// With a strong signal, every method comes close.
    #[test]
    fn all_methods_find_what_is_plain() {
        for method in Method::ALL {
            let trial = Trial {
                parameters: 2,
                stake: 100.0,
                believed: 100.0,
                shape: SHAPE,
                pairs: Pairs::Points { deviation: 20.0 },
                games: 8_000,
            };
            let run = tune(method, &trial, 10, 1).unwrap();
            // Fishtest's gains are meant for game results, not for points, so this check leaves the method out.
            assert!(method == Method::Fishtest || run.loss < 0.2 * run.start_loss, "{method:?} {run:?}");
        }
    }
}
