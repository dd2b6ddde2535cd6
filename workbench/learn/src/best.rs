//! The best version of a training run, which is kept even if later versions are worse. This module, which all kinds of
//! recipes use, also decides when a run ends.

use crate::training::{Metrics, Step};
use contender_stats::{Interval, Pentanomial, Summary};
use contender_value::Unit;
use serde::{Deserialize, Serialize};

/// The best version so far, and the state that decides how the training run ends. A version is something that can play
/// matches: weights, or a network's parameters or bytes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Best<V = Vec<f32>> {
    /// The start version, or `None` if it has a different format than the versions that the run writes.
    pub first: Option<V>,
    /// The best version: no later version has beaten it in a match.
    pub weights: Option<V>,
    /// Number of consecutive matches that the best version has won since it became the best.
    pub idle: u32,
    /// The reason why the run ended early.
    pub ended: Option<String>,
    /// A sentence about the strength of the best version compared with the start.
    pub verdict: Option<String>,
}

impl<V: Clone + PartialEq> Best<V> {
    /// Creates the state before the first game.
    #[must_use]
    pub fn new(first: Option<V>) -> Best<V> {
        Best { weights: first.clone(), first, idle: 0, ended: None, verdict: None }
    }

    /// Makes this version the best one, unless it lost its match against the current best version. Ends the run after
    /// `patience` lost matches in a row.
    pub fn challenge(&mut self, version: &V, results: &[f64], unit: Unit, patience: Option<u32>) {
        if self.weights.is_none() || mean(results) >= even(unit) {
            self.weights = Some(version.clone());
            self.idle = 0;
        } else {
            self.idle += 1;
        }
        // A run that is made longer is judged again.
        self.verdict = None;
        if patience.is_some_and(|patience| self.idle >= patience) {
            self.ended = Some(format!("no improvement in {} matches", self.idle));
        }
    }

    /// Ends the run after a match between the best version and the start version, unless this match has already been
    /// played. If the start version is stronger, it becomes the best version. The closure `play` returns the results of
    /// the pairs, or `None` if the run was stopped.
    pub fn conclude(&mut self, unit: Unit, play: impl FnOnce(&V, Option<&V>) -> Option<Vec<f64>>) -> Step {
        if self.verdict.is_some() {
            return Step::Finished;
        }
        self.verdict = Some(match &self.weights {
            Some(best) if self.first.as_ref() != Some(best) => {
                let Some(results) = play(best, self.first.as_ref()) else { return Step::GoOn };
                let is_kept = self.first.is_some() && mean(&results) < even(unit);
                if is_kept {
                    self.weights.clone_from(&self.first);
                }
                format!(
                    "{}{}",
                    sentence(&results, unit),
                    if is_kept { "; the initial version is kept" } else { "" }
                )
            }
            _ => "no version was stronger than the start version, which is kept".to_string(),
        });
        Step::Finished
    }

    /// Returns the reason why the run ended early, or `None` if it did not.
    #[must_use]
    pub fn early_end(&self) -> Option<String> {
        self.ended.as_ref().map(|reason| format!("ended early: {reason}"))
    }
}

/// Returns the verdict for a run whose strength could not be measured because a key is missing in its recipe.
#[must_use]
pub fn not_measured(key: &str) -> String {
    format!("strength not measured: the last version is kept\nhint: add `{key}` to the recipe")
}

/// Maximum number of parts that a sentence lists.
const NAMED_PARTS: usize = 10;

/// Returns a sentence that lists the parts of one kind that have no effect, if there are any.
#[must_use]
pub fn without_effect(kind: &str, idle: &[bool]) -> Option<String> {
    let which: Vec<String> = (0..idle.len()).filter(|&at| idle[at]).map(|at| at.to_string()).collect();
    let more = if which.len() > NAMED_PARTS { ", ..." } else { "" };
    let named = which[..which.len().min(NAMED_PARTS)].join(", ");
    let sentence = format!("{} of {} {kind} never had any effect: {named}{more}", which.len(), idle.len());
    (!which.is_empty()).then_some(sentence)
}

/// Adds the mean result of a match and its interval to the metrics.
pub fn put(numbers: &mut Metrics, opponent: &str, results: &[f64], unit: Unit) {
    let summary: Summary = results.iter().copied().collect();
    let Some(mean) = summary.mean() else { return };
    numbers.put(&format!("against {opponent}"), mean);
    if let Some(interval) = interval(results, unit) {
        numbers.put(&format!("against {opponent}, low"), interval.low);
        numbers.put(&format!("against {opponent}, high"), interval.high);
    }
}

/// Returns the expected result of a pair of games between equally strong players.
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

/// Counts the results of pairs. A result is the fraction of the pair's two games that was won.
fn pentanomial(pairs: &[f64]) -> Pentanomial {
    let mut results = Pentanomial::default();
    // A pair has four half points.
    pairs.iter().for_each(|share| results.counts[(4.0 * share).round() as usize] += 1);
    results
}

/// Returns the confidence interval of the mean result of pairs. The interval of a fraction is between 0 and 1. Returns
/// `None` for fewer than two pairs.
fn interval(results: &[f64], unit: Unit) -> Option<Interval> {
    match unit {
        Unit::Wins => pentanomial(results).interval(CONFIDENCE),
        Unit::Points(_) => results.iter().copied().collect::<Summary>().interval(CONFIDENCE),
    }
}

/// Returns a sentence about how much stronger the first player of these pairs is.
fn sentence(results: &[f64], unit: Unit) -> String {
    let Some(interval) = interval(results, unit) else {
        return "strength not shown: too few games against the start".to_string();
    };
    let (name, value, interval) = match unit {
        Unit::Wins => {
            let elo = pentanomial(results).elo(CONFIDENCE).expect("there are pairs");
            ("Elo", elo.elo, elo.interval.unwrap_or(Interval { low: f64::NEG_INFINITY, high: f64::INFINITY }))
        }
        Unit::Points(_) => ("points per pair", mean(results), interval),
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

    fn judged(best: &mut Best, results: &[f64], unit: Unit) -> String {
        assert_eq!(best.conclude(unit, |_, _| Some(results.to_vec())), Step::Finished);
        best.verdict.clone().unwrap()
    }

    #[test]
    fn weights_that_lose_are_not_kept() {
        let mut best = Best::new(Some(vec![1.0]));
        best.challenge(&vec![2.0], &[0.5, 0.25], Unit::Wins, Some(2));
        assert_eq!((best.weights.as_deref(), best.idle, &best.ended), (Some(&[1.0][..]), 1, &None));
        best.challenge(&vec![3.0], &[0.5, 0.75], Unit::Wins, Some(1));
        assert_eq!((best.weights.as_deref(), best.idle, &best.ended), (Some(&[3.0][..]), 0, &None));
        let verdict = judged(&mut best, &[0.25; 100], Unit::Wins);
        assert_eq!(best.weights.as_deref(), Some(&[1.0][..]));
        assert!(verdict.starts_with("weaker than the start: -1"), "{verdict}");
        assert!(verdict.ends_with("in 200 games; the initial version is kept"), "{verdict}");
        best.challenge(&vec![4.0], &[0.25], Unit::Wins, Some(1));
        assert_eq!(best.early_end().unwrap(), "ended early: no improvement in 1 matches");
        assert_eq!(best.verdict, None, "it is judged again");
    }

    /// A start of another kind is never kept, because the run cannot write it.
    #[test]
    fn the_first_version_replaces_no_version() {
        let mut best = Best::new(None);
        best.challenge(&vec![2.0], &[0.0; 9], Unit::Wins, Some(1));
        assert_eq!((best.weights.as_deref(), &best.ended), (Some(&[2.0][..]), &None));
        let verdict = judged(&mut best, &[0.25; 100], Unit::Wins);
        assert!(verdict.starts_with("weaker than the start") && verdict.ends_with("games"), "{verdict}");
        assert_eq!(best.weights.as_deref(), Some(&[2.0][..]));
    }

    #[test]
    fn a_stopped_match_gives_no_verdict() {
        let mut best = Best::new(Some(vec![1.0]));
        best.challenge(&vec![2.0], &[0.75], Unit::Wins, None);
        assert_eq!(best.conclude(Unit::Wins, |_, _| None), Step::GoOn);
        assert_eq!(best.verdict, None);
    }

    #[test]
    fn a_verdict_names_its_interval() {
        let judged = |results: &[f64], unit| {
            let mut best = Best::new(Some(vec![1.0]));
            best.weights = Some(vec![2.0]);
            judged(&mut best, results, unit)
        };
        let strong = judged(&[[0.75; 90], [0.5; 90]].concat(), Unit::Wins);
        assert!(strong.starts_with("stronger than the start: +89 Elo [+7"), "{strong}");
        let even = judged(&[[0.75; 9], [0.25; 9]].concat(), Unit::Wins);
        assert!(even.starts_with("not shown to be stronger than the start: +0 Elo [-"), "{even}");
        let points = judged(&[3.0, 5.0, 4.0, 4.0], Unit::Points(1));
        assert!(points.starts_with("stronger than the start: +4 points per pair [+"), "{points}");
        assert!(judged(&[], Unit::Wins).starts_with("strength not shown"));
    }
}
