//! The learner, which fits weights to the nodes of searches.

use crate::RecipeError;
use crate::optimiser::{Adam, RateSchedule, Schedule};
use contender_game::rules::{Player, Rng};
use contender_value::{Features, Unit};
use serde::{Deserialize, Serialize};

/// The features of player 0 minus those of player 1, as indices in ascending order with their nonzero differences.
#[derive(Clone, PartialEq, Debug)]
pub struct Inputs(pub(super) Vec<(u32, f32)>);

impl Inputs {
    /// Returns the inputs of a state.
    ///
    /// # Panics
    /// Panics if the game returns a feature that is out of range.
    #[must_use]
    pub fn of<G: Features>(state: &G) -> Inputs {
        let mut all: Vec<(u32, f32)> = Vec::new();
        for player in Player::BOTH {
            state.features(player, |feature| {
                assert!(
                    feature < G::COUNT,
                    "the game returned feature {feature}, but has only {} features",
                    G::COUNT
                );
                let sign = player.sign() as f32;
                match all.last_mut() {
                    // If a player has a feature several times, the game returns it several times in a row.
                    Some((last, times)) if *last == feature as u32 => *times += sign,
                    _ => all.push((feature as u32, sign)),
                }
            });
        }
        all.sort_by_key(|&(feature, _)| feature);
        all.dedup_by(|next, first| {
            let is_same = next.0 == first.0;
            if is_same {
                first.1 += next.1;
            }
            is_same
        });
        all.retain(|&(_, times)| times != 0.0);
        Inputs(all)
    }

    /// Calls `see` with the index and the value of each input that is not 0.
    pub fn each(&self, mut see: impl FnMut(usize, f64)) {
        self.0.iter().for_each(|&(feature, times)| see(feature as usize, times.into()));
    }
}

/// A node that a search expanded, with bounds for its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The index of the weights that evaluate the node.
    pub turn: usize,
    /// The node's inputs.
    pub inputs: Inputs,
    /// The points so far, to which the evaluation is added.
    pub base: f32,
    /// Lower bound of the value.
    pub low: f32,
    /// Upper bound of the value.
    pub high: f32,
}

impl Node {
    /// Returns how far an evaluation is outside the search's bounds, or 0 if it is inside.
    #[must_use]
    pub fn error(&self, value: f32) -> f32 {
        value - value.clamp(self.low, self.high)
    }
}

/// The learning settings, which do not depend on the game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Learning {
    /// Adam's learning rate, in points per standard deviation of an input. The default depends on the number of
    /// features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Schedule>,
    /// Weight of a node for which only a bound is known. A node with a known value has weight 1.
    pub bound_weight: f64,
    /// Strength of the pull towards the mean of the weights two turns before and two turns after, which belong to the
    /// same player. In each step, weights move by this fraction of the difference for each point of the learning rate.
    /// Even if all steps go against the pull, weights therefore differ from this mean by at most about 1 / `smoothing`
    /// points per standard deviation of the input. 0 disables the pull.
    pub smoothing: f64,
    /// Fraction that the running mean of the weights keeps in each round. Saved weights and matches use this mean, or
    /// the weights themselves if the fraction is 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub average: f32,
    /// Number of games that are played before the weights are updated.
    pub round: u32,
    /// Number of passes over the nodes of these games.
    pub passes: u32,
    /// Number of nodes of a turn per step of Adam, or fewer if a round has few nodes of the turn.
    pub batch: u32,
}

/// Returns whether a fraction is 0. Such a fraction is not written, so that checkpoints of recipes without the key do
/// not change.
pub(crate) fn is_zero(share: &f32) -> bool {
    *share == 0.0
}

impl Learning {
    /// Checks the settings.
    ///
    /// # Errors
    /// Returns an error if a setting is outside its range.
    pub fn check(&self) -> Result<(), RecipeError> {
        if let Some(rate) = self.rate {
            rate.check()?;
        }
        if !(0.0..=1.0).contains(&self.bound_weight) {
            return Err(RecipeError::value("bound_weight", "a number from 0 to 1"));
        }
        if !(self.smoothing >= 0.0 && self.smoothing * self.highest_rate() < 1.0) {
            let expected = "at least 0, and less than 1 when multiplied by the rate";
            return Err(RecipeError::value("smoothing", expected));
        }
        RecipeError::unless((0.0..1.0).contains(&self.average), "average", "at least 0 and less than 1")?;
        for (name, value) in [("round", self.round), ("passes", self.passes), ("batch", self.batch)] {
            if !(1..=10_000).contains(&value) {
                return Err(RecipeError::value(name, "1 to 10000"));
            }
        }
        Ok(())
    }
}

impl Learning {
    /// Returns the learning rate for this number of inputs: the rate in the recipe, or by default a rate that decreases
    /// with the square root of the number. A step of Adam moves all weights at once, so with a fixed rate, more weights
    /// would change the evaluation more.
    #[must_use]
    pub fn rate(&self, inputs: usize) -> Schedule {
        let start = FITTED_RATE / (inputs.max(1) as f64).sqrt();
        self.rate.unwrap_or(Schedule { start, end: start / FITTED_FALL, curve: RateSchedule::Geometric })
    }

    fn highest_rate(&self) -> f64 {
        let Schedule { start, end, .. } = self.rate(1);
        start.max(end)
    }
}

/// The weights that are being trained. The evaluation of a turn is `level + sum of weight * (input - mean)`, so that
/// the level and the weights hardly influence each other. Adam's steps are in standard deviations of the inputs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Learner {
    turns: Vec<TurnLearner>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct TurnLearner {
    level: f64,
    /// Points per unit of each input.
    weights: Vec<f64>,
    adam: Adam,
    moments: Vec<Moments>,
    /// Number of nodes learned from so far.
    nodes: f64,
}

/// The mean and variance of an input over the nodes. Recent nodes count more.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Moments {
    mean: f64,
    variance: f64,
}

/// Statistics from the first pass over some nodes.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Seen {
    /// Weighted sum of the squared errors, each measured before its step.
    pub squares: f64,
    /// Sum of the nodes' weights.
    pub weight: f64,
}

impl Seen {
    /// Adds other statistics.
    pub fn merge(&mut self, other: Seen) {
        self.squares += other.squares;
        self.weight += other.weight;
    }

    /// Returns the root mean squared error, or 0 if there are no nodes.
    #[must_use]
    pub fn error(&self) -> f64 {
        if self.weight > 0.0 { (self.squares / self.weight).sqrt() } else { 0.0 }
    }
}

/// Minimum number of steps in a pass, if there are enough nodes.
const MIN_STEPS: usize = 8;
/// Number of nodes after which earlier nodes have at most half their influence on an input's mean and variance.
const MEMORY: f64 = 20_000.0;
/// The default learning rate for a single input.
const FITTED_RATE: f64 = 0.1;
/// The default ratio between the learning rate at the start and at the end.
const FITTED_FALL: f64 = 25.0;
/// Maximum standard deviation of an evaluation that predicts the winner. With a larger deviation, nearly every position
/// would count as won or lost.
const MAX_SPREAD: f64 = 100.0;
/// Minimum assumed standard deviation of an input. Otherwise, a rare input would change weights by hundreds of points.
const MIN_DEVIATION: f64 = 0.05;

impl Learner {
    /// Creates a learner with all weights 0.
    #[must_use]
    pub fn new(turns: usize, inputs: usize) -> Learner {
        let turn = TurnLearner {
            level: 0.0,
            weights: vec![0.0; inputs],
            adam: Adam::new(inputs + 1),
            moments: vec![Moments::default(); inputs],
            nodes: 0.0,
        };
        Learner { turns: vec![turn; turns] }
    }

    /// Sets the weights of a turn for which there are no nodes yet. The evaluation adds `constant + sum of weight *
    /// input`.
    ///
    /// # Panics
    /// Panics if the turn does not exist or already has nodes.
    pub fn set(&mut self, turn: usize, constant: f64, weights: &[f64]) {
        let turn = &mut self.turns[turn];
        assert!(turn.nodes == 0.0 && turn.weights.len() == weights.len());
        // No input has a mean yet, so the level equals the constant.
        turn.level = constant;
        turn.weights.copy_from_slice(weights);
    }

    /// Returns whether all sizes match this number of turns and inputs. Used to check data that was read from a file.
    #[must_use]
    pub fn fits(&self, turns: usize, inputs: usize) -> bool {
        let is_whole = |turn: &TurnLearner| {
            turn.weights.len() == inputs
                && turn.moments.len() == inputs
                && turn.adam.parameters() == inputs + 1
        };
        self.turns.len() == turns && self.turns.iter().all(is_whole)
    }

    /// Returns the reason why the weights have become useless, or `None` if they have not.
    #[must_use]
    pub fn divergence(&self, unit: Unit) -> Option<String> {
        for turn in &self.turns {
            if !(turn.level.is_finite() && turn.weights.iter().all(|weight| weight.is_finite())) {
                return Some("a weight is not a finite number".to_string());
            }
            let inputs = turn.weights.iter().zip(&turn.moments);
            let spread: f64 = inputs.map(|(weight, moments)| weight * weight * moments.variance).sum();
            if unit == Unit::Wins && spread.sqrt() > MAX_SPREAD {
                let largest = turn.weights.iter().fold(0.0, |most: f64, weight| most.max(weight.abs()));
                return Some(format!(
                    "with weights up to {largest:.0} nearly every position counts as won or lost"
                ));
            }
        }
        None
    }

    /// Returns for each input whether nothing was learned about it because it had the same value in all nodes.
    #[must_use]
    pub fn idle_inputs(&self) -> Vec<bool> {
        let is_dead = |input: usize| self.turns.iter().all(|turn| turn.moments[input].variance == 0.0);
        (0..self.inputs()).map(is_dead).collect()
    }

    fn inputs(&self) -> usize {
        self.turns.first().map_or(0, |turn| turn.weights.len())
    }

    /// Returns the current constant and weights of each turn. The evaluation adds `constant + sum of weight * input`.
    pub fn turns(&self) -> impl Iterator<Item = (f32, Vec<f32>)> + '_ {
        self.turns.iter().map(|turn| {
            let products =
                turn.weights.iter().zip(&turn.moments).map(|(weight, moments)| weight * moments.mean);
            let constant = (turn.level - products.sum::<f64>()) as f32;
            (constant, turn.weights.iter().map(|&weight| weight as f32).collect())
        })
    }

    /// Learns from the nodes of a round of games. Processes the nodes of each turn in random order and in batches, with
    /// a step of Adam for each batch, and smooths the weights after each pass. `done` is the completed fraction of the
    /// training run, and `unit` is the unit of a weighted sum.
    ///
    /// # Panics
    /// Panics if a node has an unknown turn or input.
    pub fn learn(
        &mut self,
        nodes: &[Node],
        learning: &Learning,
        unit: Unit,
        done: f64,
        rng: &mut Rng,
    ) -> Seen {
        let mut by_turn = vec![Vec::new(); self.turns.len()];
        nodes.iter().for_each(|node| by_turn[node.turn].push(node));
        for (turn, nodes) in self.turns.iter_mut().zip(&by_turn) {
            turn.meet(nodes);
        }
        let rate = learning.rate(self.inputs()).at(done);
        let mut first = Seen::default();
        for pass in 0..learning.passes {
            let mut pulls = vec![0.0; self.turns.len()];
            for ((turn, nodes), pull) in self.turns.iter_mut().zip(&mut by_turn).zip(&mut pulls) {
                rng.shuffle(nodes);
                // Turns with few nodes, especially the first, must keep up with the others.
                let batch = (nodes.len() / MIN_STEPS).clamp(1, learning.batch as usize);
                for batch in nodes.chunks(batch) {
                    let seen = turn.step(batch, learning.bound_weight, unit, rate);
                    if pass == 0 {
                        first.merge(seen);
                    }
                }
                // A turn without nodes still follows its neighbours.
                let steps = nodes.len().div_ceil(batch).clamp(1, 10_000);
                *pull = 1.0 - (1.0 - learning.smoothing * rate).powi(steps as i32);
            }
            self.smooth(&pulls);
        }
        first
    }

    /// Moves each turn's weights towards the mean of its neighbours' weights, by the turn's fraction in `pulls`.
    fn smooth(&mut self, pulls: &[f64]) {
        let before: Vec<Vec<f64>> = self.turns.iter().map(|turn| turn.weights.clone()).collect();
        for (at, (turn, pull)) in self.turns.iter_mut().zip(pulls).enumerate() {
            let neighbours: Vec<&Vec<f64>> = [at.checked_sub(2), Some(at + 2)]
                .into_iter()
                .flatten()
                .filter_map(|at| before.get(at))
                .collect();
            for (input, weight) in turn.weights.iter_mut().enumerate() {
                let sum: f64 = neighbours.iter().map(|weights| weights[input]).sum();
                *weight += pull * (sum / neighbours.len().max(1) as f64 - *weight);
            }
        }
    }
}

impl TurnLearner {
    /// Updates the means and variances of the inputs, and adjusts the level so that the evaluation does not change.
    fn meet(&mut self, nodes: &[&Node]) {
        if nodes.is_empty() {
            return;
        }
        let count = nodes.len() as f64;
        self.nodes = (self.nodes + count).min(MEMORY.max(count));
        let share = count / self.nodes;
        let mut sums = vec![[0.0; 2]; self.moments.len()];
        for node in nodes {
            node.inputs.each(|input, value| {
                sums[input][0] += value;
                sums[input][1] += value * value;
            });
        }
        for ((input, moments), [sum, squares]) in self.moments.iter_mut().enumerate().zip(sums) {
            let mean = sum / count;
            let variance = (squares / count - mean * mean).max(0.0);
            let apart = mean - moments.mean;
            moments.variance += share * (variance - moments.variance) + share * (1.0 - share) * apart * apart;
            moments.mean += share * apart;
            self.level += self.weights[input] * share * apart;
        }
    }

    /// Performs a step of Adam for a batch of nodes. Inputs that are 0 take no time, because centring subtracts the
    /// same number from the sums of all nodes, which is computed only once.
    fn step(&mut self, nodes: &[&Node], bound_weight: f64, unit: Unit, rate: f64) -> Seen {
        let centre: f64 =
            self.weights.iter().zip(&self.moments).map(|(weight, moments)| weight * moments.mean).sum();
        let mut pushes = 0.0;
        let mut products = vec![0.0; self.weights.len()];
        let mut seen = Seen::default();
        for node in nodes {
            let mut sum = f64::from(node.base) + self.level - centre;
            node.inputs.each(|input, value| sum += self.weights[input] * value);
            // The gradient of the loss that belongs to the unit's link function (McCullagh and Nelder, "Generalized
            // linear models", 1983) is the error of the value times the inputs.
            let value = unit.value(sum);
            let weight = if node.low == node.high { 1.0 } else { bound_weight };
            let error = f64::from(node.error(value as f32));
            seen.squares += weight * error * error;
            seen.weight += weight;
            let push = weight * error;
            pushes += push;
            node.inputs.each(|input, value| products[input] += push * value);
        }
        if seen.weight > 0.0 {
            let deviations: Vec<f64> =
                self.moments.iter().map(|moments| moments.variance.sqrt().max(MIN_DEVIATION)).collect();
            let standard = products.iter().zip(&self.moments).zip(&deviations);
            let standard =
                standard.map(|((product, moments), deviation)| (product - pushes * moments.mean) / deviation);
            let mut gradient: Vec<f32> =
                [pushes].into_iter().chain(standard).map(|sum| (sum / seen.weight) as f32).collect();
            let mut steps = vec![0.0; gradient.len()];
            self.adam.step(&mut steps, &mut gradient, rate as f32);
            self.level += f64::from(steps[0]);
            let weights = self.weights.iter_mut().zip(&deviations);
            weights
                .zip(&steps[1..])
                .for_each(|((weight, deviation), step)| *weight += f64::from(*step) / deviation);
        }
        seen
    }
}
