//! The best weights of a training run: what a run keeps, whatever comes later.

use contender_stats::{Interval, Pentanomial, Summary};
use contender_value::Unit;
use serde::{Deserialize, Serialize};

/// The best weights so far, and how a training run ends with them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Best {
    /// The weights at the start.
    pub first: Vec<f32>,
    /// The weights that no later ones have beaten in a match.
    pub weights: Vec<f32>,
    /// Number of matches since then.
    pub idle: u32,
    /// The reason why the run ended early.
    pub ended: Option<String>,
    /// How strong the best weights are compared with the first.
    pub verdict: Option<String>,
}

impl Best {
    /// The state before the first game.
    #[must_use]
    pub fn new(first: Vec<f32>) -> Best {
        Best { weights: first.clone(), first, idle: 0, ended: None, verdict: None }
    }

    /// Takes these weights if they did not lose against the best so far. Returns whether it did.
    pub fn challenge(&mut self, weights: &[f32], results: &[f64], unit: Unit) -> bool {
        let is_better = mean(results) >= even(unit);
        if is_better {
            self.weights = weights.to_vec();
            self.idle = 0;
        } else {
            self.idle += 1;
        }
        is_better
    }

    /// Says how strong the best weights are by a match against the first, which replace them if they are stronger.
    pub fn judge(&mut self, results: &[f64], unit: Unit) {
        let is_worse = mean(results) < even(unit);
        let sentence = sentence(results, unit);
        if is_worse {
            self.weights.clone_from(&self.first);
        }
        let kept = if is_worse { "; the start is kept" } else { "" };
        self.verdict = Some(format!("{sentence}{kept}"));
    }
}

/// The result of a pair of equally strong players.
fn even(unit: Unit) -> f64 {
    match unit {
        Unit::Wins => 0.5,
        Unit::Points(_) => 0.0,
    }
}

fn mean(results: &[f64]) -> f64 {
    results.iter().sum::<f64>() / results.len().max(1) as f64
}

/// The confidence of the intervals of matches.
const CONFIDENCE: f64 = 0.95;

/// The results of pairs, each the share of its two games that was won.
fn pentanomial(pairs: &[f64]) -> Pentanomial {
    let mut results = Pentanomial::default();
    // A pair has four half points.
    pairs.iter().for_each(|share| results.counts[(4.0 * share).round() as usize] += 1);
    results
}

/// Returns the confidence interval of the mean result of pairs; a share is within 0 and 1. Returns `None` for fewer
/// than two pairs.
pub(super) fn interval(results: &[f64], unit: Unit) -> Option<Interval> {
    match unit {
        Unit::Wins => pentanomial(results).interval(CONFIDENCE),
        Unit::Points(_) => results.iter().copied().collect::<Summary>().interval(CONFIDENCE),
    }
}

/// Says how much stronger the first player of these pairs is.
fn sentence(results: &[f64], unit: Unit) -> String {
    let Some(interval) = interval(results, unit) else {
        return "strength not shown: too few games against the start".to_string();
    };
    let (name, value, interval) = match unit {
        Unit::Wins => {
            let elo = pentanomial(results).elo(CONFIDENCE).expect("there are pairs");
            ("Elo", elo.elo, elo.interval.unwrap_or(Interval { low: f64::NEG_INFINITY, high: f64::INFINITY }))
        }
        Unit::Points(_) => ("points a pair", mean(results), interval),
    };
    let figures = format!("{value:+.0} {name} [{:+.0}, {:+.0}]", interval.low, interval.high);
    let games = 2 * results.len();
    if interval.low > 0.0 {
        format!("stronger than the start: {figures} in {games} games")
    } else if interval.high < 0.0 {
        format!("weaker than the start: {figures} in {games} games")
    } else {
        format!("not shown to be stronger than the start: {figures} in {games} games")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_share_is_within_0_and_1() {
        let almost_all = [vec![1.0; 9], vec![0.75]].concat();
        let interval = interval(&almost_all, Unit::Wins).unwrap();
        assert!(interval.low > 0.5 && interval.contains(0.975) && interval.high <= 1.0, "{interval:?}");
    }

    #[test]
    fn weights_that_lose_are_not_kept() {
        let mut best = Best::new(vec![1.0]);
        assert!(!best.challenge(&[2.0], &[0.5, 0.25], Unit::Wins));
        assert_eq!((&best.weights[..], best.idle), (&[1.0][..], 1));
        assert!(best.challenge(&[3.0], &[0.5, 0.75], Unit::Wins));
        assert_eq!((&best.weights[..], best.idle), (&[3.0][..], 0));
        best.judge(&[0.25; 100], Unit::Wins);
        assert_eq!(best.weights, [1.0]);
        let verdict = best.verdict.unwrap();
        assert!(verdict.starts_with("weaker than the start: -1"), "{verdict}");
        assert!(verdict.ends_with("in 200 games; the start is kept"), "{verdict}");
    }

    #[test]
    fn a_verdict_names_its_interval() {
        let judged = |results: &[f64], unit| {
            let mut best = Best::new(vec![1.0]);
            best.judge(results, unit);
            best.verdict.unwrap()
        };
        let strong = judged(&[[0.75; 90], [0.5; 90]].concat(), Unit::Wins);
        assert!(strong.starts_with("stronger than the start: +89 Elo [+7"), "{strong}");
        let even = judged(&[[0.75; 9], [0.25; 9]].concat(), Unit::Wins);
        assert!(even.starts_with("not shown to be stronger than the start: +0 Elo [-"), "{even}");
        let points = judged(&[3.0, 5.0, 4.0, 4.0], Unit::Points(1));
        assert!(points.starts_with("stronger than the start: +4 points a pair [+"), "{points}");
        assert!(judged(&[], Unit::Wins).starts_with("strength not shown"));
    }
}
