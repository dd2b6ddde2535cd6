//! Tuning against a truth that is known: how far from the best point methods end, after how many games, and whether
//! what they report holds.

use crate::baselines::{Fishtest, Grid, RandomSearch};
use crate::plan::Question;
use crate::{Duel, Parameter, Search, Space, Spsa, Values};
use contender_game::{Rng, mix};
use contender_stats::simulation::Pairs;
use contender_stats::{Summary, percentile, wilson};
use serde::Serialize;

/// Batches that a tuning has in the simulation.
const BATCHES: u64 = 50;
/// Best points lie this far from the ends of their range, as shares of it.
const MARGIN: f64 = 0.1;

/// A response that is known: every parameter costs its stake half a range away from its best place.
#[derive(Clone, PartialEq, Debug)]
pub struct Response {
    best: Vec<f64>,
    stake: f64,
}

impl Response {
    /// How much weaker the bot is at a point than at the best one; 0 or less than 0.
    #[must_use]
    pub fn strength(&self, point: &[f64]) -> f64 {
        let apart = point.iter().zip(&self.best).map(|(place, best)| ((place - best) / 0.5).powi(2));
        -self.stake * apart.sum::<f64>()
    }
}

/// What is tried.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Trial {
    /// How many parameters.
    pub parameters: usize,
    /// What each of them is worth half a range away from its best value, in points or Elo.
    pub stake: f64,
    /// What the tuner takes it to be.
    pub believed: f64,
    /// How pairs come out.
    pub pairs: Pairs,
    /// Games of a tuning.
    pub games: u64,
}

/// A method of the simulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// [`Spsa`] with gains by its [`Plan`](crate::plan::Plan).
    Spsa,
    /// Fishtest's SPSA with the gains that its form proposes.
    Fishtest,
    /// Points by chance against the start, the luckiest is the answer.
    RandomSearch,
    /// Five values of each parameter: all of them together where there are up to three, else one parameter after the
    /// other.
    Grid,
}

impl Method {
    /// All, ours first.
    pub const ALL: [Method; 4] = [Method::Spsa, Method::Fishtest, Method::RandomSearch, Method::Grid];

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::Spsa => "SPSA",
            Method::Fishtest => "fishtest's SPSA",
            Method::RandomSearch => "random search",
            Method::Grid => "grid",
        }
    }
}

/// What a method came to in many tunings, each with a best point of its own.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Run {
    /// How many there were.
    pub tunings: u32,
    /// How much weaker than the best the answers were: the mean.
    pub loss: f64,
    /// Standard error of that mean.
    pub loss_error: f64,
    /// 95 of 100 answers lost no more.
    pub loss_95: f64,
    /// The same mean of the start, which tuning began with.
    pub start_loss: f64,
    /// The mean distance of a parameter from its best place, as a share of the range.
    pub distance: f64,
    /// What the plan promised for 95 of 100, for the methods that promise something.
    pub promised: Option<f64>,
    /// The share of tunings that kept it.
    pub kept: Option<f64>,
    /// The share of the parameters' 95% intervals that held the best place, for the methods that give any.
    pub covered: Option<f64>,
    /// 95% interval of `kept`.
    pub kept_interval: Option<contender_stats::Interval>,
}

/// A space of so many parameters without steps, each in the middle of its range.
#[must_use]
pub fn plain_space(parameters: usize) -> Space {
    let values = Values::Numbers { low: 0.0, high: 1.0, step: None, log: false };
    let parameter = |at: usize| Parameter { name: format!("p{at}"), values: values.clone(), start: 0.5 };
    Space { parameters: (0..parameters).map(parameter).collect() }
}

/// Tunes `tunings` times, until `go_on` says no after one of them.
///
/// # Errors
/// Pairs that cannot be, in words for the user.
pub fn run(
    method: Method,
    trial: &Trial,
    tunings: u32,
    seed: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Run, String> {
    let space = plain_space(trial.parameters);
    let pairs = (trial.games / 2).max(1);
    let question = Question {
        parameters: trial.parameters,
        noise: trial.pairs.deviation(),
        confidence: 0.95,
        stake: Some(trial.believed),
    };
    let plan = question.for_pairs(pairs);
    let (mut losses, mut start_loss, mut distance) = (Vec::new(), Summary::default(), Summary::default());
    let [mut held, mut intervals] = [0_u64; 2];
    for tuning in 0..tunings {
        // The same truth for all methods.
        let mut rng = Rng::new(mix(&[seed, u64::from(tuning)]));
        let best = (0..trial.parameters).map(|_| MARGIN + (1.0 - 2.0 * MARGIN) * rng.unit()).collect();
        let response = Response { best, stake: trial.stake };
        let mut search: Box<dyn Search> = match method {
            Method::Spsa => Box::new(Spsa::new(&space, plan)?),
            Method::Fishtest => Box::new(Fishtest::new(&space, pairs)),
            Method::RandomSearch => Box::new(RandomSearch::new(&space, pairs)),
            Method::Grid => Box::new(Grid::new(&space, pairs)),
        };
        play(search.as_mut(), &response, trial, pairs, &mut rng)?;
        let answer = search.answer();
        losses.push(-response.strength(&answer));
        start_loss.push(-response.strength(&space.start()));
        for ((place, best), range) in answer.iter().zip(&response.best).zip(search.intervals()) {
            distance.push((place - best).abs());
            if let Some(range) = range {
                intervals += 1;
                held += u64::from(range.contains(*best));
            }
        }
        if !go_on() {
            break;
        }
    }
    let summary: Summary = losses.iter().copied().collect();
    losses.sort_by(f64::total_cmp);
    let share = |count: u64, of: u64| (of > 0).then(|| count as f64 / of as f64);
    let promised = (method == Method::Spsa).then_some(plan.precision);
    let kept = promised.map(|promised| losses.iter().filter(|&&loss| loss <= promised).count() as u64);
    Ok(Run {
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
        let signals = signals.collect::<Result<Vec<_>, String>>()?;
        search.tell(&signals);
        left = left.saturating_sub(duels.len() as u64);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: Pairs = Pairs::Points { deviation: 100.0 };

    /// The promise is for 95 of 100, whatever the number of parameters and of games.
    #[test]
    fn promises_are_kept() {
        for (parameters, games) in [(1, 2_000), (4, 8_000), (12, 8_000)] {
            let trial = Trial { parameters, stake: 20.0, believed: 20.0, pairs: POINTS, games };
            let run = run(Method::Spsa, &trial, 200, 1, &mut || true).unwrap();
            assert!(run.kept.unwrap() >= 0.92, "{parameters} {run:?}");
            assert!(run.covered.unwrap() >= 0.91, "{parameters} {run:?}");
            assert!(run.loss < run.start_loss, "{parameters} {run:?}");
        }
    }

    #[test]
    fn senseless_pairs_are_refused() {
        let pairs = Pairs::Results([1.0, 0.0, 1.0, 1.0, 1.0]);
        let trial = Trial { parameters: 6, stake: 20.0, believed: 20.0, pairs, games: 100 };
        assert!(run(Method::Spsa, &trial, 1, 1, &mut || true).is_err());
    }

    /// With much signal every method comes near.
    #[test]
    fn all_methods_find_what_is_plain() {
        for method in Method::ALL {
            let trial = Trial {
                parameters: 2,
                stake: 100.0,
                believed: 100.0,
                pairs: Pairs::Points { deviation: 20.0 },
                games: 8_000,
            };
            let run = run(method, &trial, 10, 1, &mut || true).unwrap();
            // Fishtest's gains are for results, not for points: left out.
            assert!(method == Method::Fishtest || run.loss < 0.2 * run.start_loss, "{method:?} {run:?}");
        }
    }
}
