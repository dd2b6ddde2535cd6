//! Fits weights to the nodes that searches visited.

use crate::optimiser::{Adam, Schedule};
use contender_game::rules::{Player, Rng};
use contender_value::{Features, Unit};
use serde::{Deserialize, Serialize};

/// What player 0 has of each feature, less what player 1 has: numbers of features, in order, and these differences,
/// none of them 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Inputs(pub(super) Vec<(u32, f32)>);

impl Inputs {
    /// The inputs of a state.
    ///
    /// # Panics
    /// If the game names a feature that it has not.
    #[must_use]
    pub fn of<G: Features>(state: &G) -> Inputs {
        let mut all: Vec<(u32, f32)> = Vec::new();
        for player in Player::BOTH {
            state.features(player, |feature| {
                assert!(feature < G::COUNT, "the game names feature {feature} of {}", G::COUNT);
                let sign = player.sign() as f32;
                match all.last_mut() {
                    // One that a player has often is named as often, one after the other.
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

    /// Shows each input that is not 0 by its number.
    pub fn each(&self, mut see: impl FnMut(usize, f64)) {
        self.0.iter().for_each(|&(feature, times)| see(feature as usize, times.into()));
    }
}

/// A node that a search has looked below, with what it knows of the node's value.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Index of the weights that evaluate it.
    pub turn: usize,
    /// Its inputs.
    pub inputs: Inputs,
    /// The points so far, to which the inputs add.
    pub base: f32,
    /// The value is not below this.
    pub low: f32,
    /// The value is not above this.
    pub high: f32,
}

impl Node {
    /// Returns the distance of an evaluation from the search's result: 0 within the bounds.
    #[must_use]
    pub fn error(&self, value: f32) -> f32 {
        value - value.clamp(self.low, self.high)
    }
}

/// Settings of learning, whatever the game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learning {
    /// Adam's rate, in points for a standard deviation of an input.
    pub rate: Schedule,
    /// Weight of a node with only a bound; a node with a known value has 1.
    pub bound_weight: f64,
    /// How strongly weights are pulled towards the mean of those two turns before and two turns after: those of the
    /// same player. The pull of a step is this share of the difference for each point of the rate, so weights whose
    /// neighbours differ from them by 1 / `smoothing` points for a standard deviation of the input hold out if all
    /// steps go the other way. 0 for no pull.
    pub smoothing: f64,
    /// Games played with the same weights before they learn.
    pub round: u32,
    /// Number of passes over the nodes of these games.
    pub passes: u32,
    /// Nodes of one turn that make a step of Adam; fewer where a round has few of the turn.
    pub batch: u32,
}

impl Learning {
    /// Says what is wrong with the settings.
    ///
    /// # Errors
    /// In words for the user.
    pub fn check(&self) -> Result<(), String> {
        self.rate.check()?;
        if !(0.0..=1.0).contains(&self.bound_weight) {
            return Err("`bound_weight` is between 0 and 1".to_string());
        }
        if !(self.smoothing >= 0.0 && self.smoothing * self.rate.start.max(self.rate.end) < 1.0) {
            return Err("`smoothing` is at least 0, and times the rate below 1".to_string());
        }
        for (name, value) in [("round", self.round), ("passes", self.passes), ("batch", self.batch)] {
            if !(1..=10_000).contains(&value) {
                return Err(format!("`{name}` is 1 to 10000, not {value}"));
            }
        }
        Ok(())
    }
}

/// Weights that learn: the evaluation of a turn is `level + sum of weight * (input - mean)`, so that level and weights
/// hardly disturb each other, and Adam's steps are in standard deviations of the inputs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Learner {
    turns: Vec<TurnLearner>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct TurnLearner {
    level: f64,
    /// Points for one unit of each input.
    weights: Vec<f64>,
    adam: Adam,
    moments: Vec<Moments>,
    /// Nodes learned from.
    nodes: f64,
}

/// Mean and variance of an input over the nodes, the latest counting most.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Moments {
    mean: f64,
    variance: f64,
}

/// Statistics of a first pass over nodes.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Seen {
    /// Weighted sum of the squared errors, each before its step.
    pub squares: f64,
    /// Sum of the nodes' weights.
    pub weight: f64,
}

impl Seen {
    /// Takes what was seen elsewhere.
    pub fn merge(&mut self, other: Seen) {
        self.squares += other.squares;
        self.weight += other.weight;
    }

    /// The root of the mean squared error; 0 of nothing.
    #[must_use]
    pub fn error(&self) -> f64 {
        if self.weight > 0.0 { (self.squares / self.weight).sqrt() } else { 0.0 }
    }
}

/// Steps of a pass at least, if there are as many nodes.
const MIN_STEPS: usize = 8;
/// Nodes after which an input's mean and variance have forgotten half of what was before, at most.
const MEMORY: f64 = 20_000.0;
/// Inputs that vary less than this are taken to vary so much: the first rare case must not move weights by hundreds of
/// points.
const MIN_DEVIATION: f64 = 0.05;

impl Learner {
    /// A learner that knows nothing: all weights are 0.
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

    /// Gives the weights of a turn that no node has been met of: the evaluation adds
    /// `constant + sum of weight * input`.
    ///
    /// # Panics
    /// If there is no such turn, or nodes of it were met.
    pub fn set(&mut self, turn: usize, constant: f64, weights: &[f64]) {
        let turn = &mut self.turns[turn];
        assert!(turn.nodes == 0.0 && turn.weights.len() == weights.len());
        // No input has a mean yet, so the level is the constant.
        turn.level = constant;
        turn.weights.copy_from_slice(weights);
    }

    /// Whether the learner is for so many turns and inputs, with as many numbers everywhere: a check of what was read
    /// from a file.
    #[must_use]
    pub fn fits(&self, turns: usize, inputs: usize) -> bool {
        let is_whole = |turn: &TurnLearner| {
            turn.weights.len() == inputs
                && turn.moments.len() == inputs
                && turn.adam.parameters() == inputs + 1
        };
        self.turns.len() == turns && self.turns.iter().all(is_whole)
    }

    /// For each turn the constant and the weights, as they are now: the evaluation adds
    /// `constant + sum of weight * input`.
    pub fn turns(&self) -> impl Iterator<Item = (f32, Vec<f32>)> + '_ {
        self.turns.iter().map(|turn| {
            let products =
                turn.weights.iter().zip(&turn.moments).map(|(weight, moments)| weight * moments.mean);
            let constant = (turn.level - products.sum::<f64>()) as f32;
            (constant, turn.weights.iter().map(|&weight| weight as f32).collect())
        })
    }

    /// Learns from the nodes of a round of games: goes through them in batches, turn by turn and in random order, with
    /// a step of Adam for each batch and the smoothing after each pass. `done` is the share of the training that is
    /// done, `unit` what a weighted sum tells.
    ///
    /// # Panics
    /// If a node has another turn or input than the learner.
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
        let rate = learning.rate.at(done);
        let mut first = Seen::default();
        for pass in 0..learning.passes {
            let mut pulls = vec![0.0; self.turns.len()];
            for ((turn, nodes), pull) in self.turns.iter_mut().zip(&mut by_turn).zip(&mut pulls) {
                rng.shuffle(nodes);
                // Turns with few nodes, the first above all, must keep up with the others.
                let batch = (nodes.len() / MIN_STEPS).clamp(1, learning.batch as usize);
                for batch in nodes.chunks(batch) {
                    let seen = turn.step(batch, learning.bound_weight, unit, rate);
                    if pass == 0 {
                        first.merge(seen);
                    }
                }
                // A turn without nodes follows its neighbours all the same.
                let steps = nodes.len().div_ceil(batch).clamp(1, 10_000);
                *pull = 1.0 - (1.0 - learning.smoothing * rate).powi(steps as i32);
            }
            self.smooth(&pulls);
        }
        first
    }

    /// Pulls each turn's weights this share of the way to the mean of its neighbours'.
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
    /// Updates means and variances of the inputs. The level follows the means, so that the evaluation stays the same
    /// function.
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

    /// Inputs that are 0 cost nothing: what centring takes from all of them is one number for all nodes.
    fn step(&mut self, nodes: &[&Node], bound_weight: f64, unit: Unit, rate: f64) -> Seen {
        let centre: f64 =
            self.weights.iter().zip(&self.moments).map(|(weight, moments)| weight * moments.mean).sum();
        let mut pushes = 0.0;
        let mut products = vec![0.0; self.weights.len()];
        let mut seen = Seen::default();
        for node in nodes {
            let mut sum = f64::from(node.base) + self.level - centre;
            node.inputs.each(|input, value| sum += self.weights[input] * value);
            // The gradient of the loss that goes with the unit's function (McCullagh and Nelder, "Generalized linear
            // models", 1983) is the error of the value times the inputs.
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
