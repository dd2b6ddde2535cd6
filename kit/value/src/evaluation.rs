//! The weighted sum of what the players have.

use crate::features::Features;
use contender_game::{excerpt, Player, Rng, Shipped};
use contender_search::mcts::{win_rewards, LeafEvaluator};
use contender_search::{Bounds, Guide};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// The value of a game that player 0 has won, to a search; evaluations are less.
pub const WON: i32 = 1_000_000;

/// What a weighted sum is worth, between -1, a loss, and 1, a win. It rises everywhere, and is the same on every
/// machine, as the logistic function is not.
#[must_use]
pub fn link(sum: f64) -> f64 {
    sum / (1.0 + sum * sum).sqrt()
}

/// A value of a search as a chance of winning, for [`Analysis::measured`](contender_game::Analysis::measured).
#[must_use]
pub fn wins(value: f64) -> f64 {
    0.5 + 0.5 * value / f64::from(WON)
}

/// What positions are worth by their features: a weight for each, and a constant, what it is worth to be player 0.
///
/// Features are summed anew for each position. It is the [`Guide`] of an alpha-beta search and the [`LeafEvaluator`] of
/// Monte Carlo tree search, and as text what `train` writes: the line `constant NUMBER`, then a line `FEATURE NUMBER`
/// for each feature in their order.
pub struct Evaluation<G> {
    constant: f32,
    weights: Vec<f32>,
    game: PhantomData<fn() -> G>,
}

impl<G: Features> Evaluation<G> {
    /// The evaluation with these weights.
    ///
    /// # Panics
    /// If there are not as many as features.
    #[must_use]
    pub fn new(constant: f32, weights: Vec<f32>) -> Evaluation<G> {
        assert_eq!(weights.len(), G::COUNT, "a weight for each feature");
        Evaluation { constant, weights, game: PhantomData }
    }

    /// What it is worth to be player 0.
    #[must_use]
    pub fn constant(&self) -> f32 {
        self.constant
    }

    /// What each feature is worth to who has it.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// What a position is worth to player 0, between -1 and 1.
    ///
    /// # Panics
    /// If the game names a feature that it has not.
    #[must_use]
    pub fn value(&self, state: &G) -> f64 {
        let sum = |player| {
            let mut sum = 0.0;
            state.features(player, |feature| sum += self.weights[feature]);
            sum
        };
        link(f64::from(self.constant + sum(Player::Zero) - sum(Player::One)))
    }
}

impl<G: Features> Guide<G> for Evaluation<G> {
    fn evaluate(&mut self, state: &G) -> i32 {
        (self.value(state) * f64::from(WON - 1)) as i32
    }

    fn finished(&mut self, state: &G) -> i32 {
        WON * state.value().signum()
    }

    fn bounds(&self, _: &G, _: u32) -> Bounds {
        Bounds::new(-WON, WON)
    }

    fn key(&self, state: &G) -> Option<u64> {
        state.key()
    }
}

impl<G: Features> LeafEvaluator<G, G::Move> for Evaluation<G> {
    fn finished(&mut self, state: &G) -> [f32; 2] {
        win_rewards(state.points())
    }

    fn highest(&self) -> f32 {
        1.0
    }

    fn estimate(&mut self, state: &mut G, _: &mut Rng) -> [f32; 2] {
        let chance = (0.5 + 0.5 * self.value(state)) as f32;
        [chance, 1.0 - chance]
    }
}

impl<G> fmt::Display for Evaluation<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "constant {}", self.constant)?;
        self.weights.iter().enumerate().try_for_each(|(feature, weight)| writeln!(f, "{feature} {weight}"))
    }
}

/// No weight is larger: sums of them stay numbers.
const LARGEST: f32 = 1e6;

impl<G: Features> FromStr for Evaluation<G> {
    type Err = String;

    fn from_str(text: &str) -> Result<Evaluation<G>, String> {
        let mut numbers = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let wrong = |wanted: &str| format!("line {}: `{}` is not {wanted}", at + 1, excerpt(line));
            let name = at.checked_sub(1).map_or("constant".to_string(), |feature| feature.to_string());
            let number = line.strip_prefix(&name[..]).and_then(|rest| rest.strip_prefix(' '));
            let number = number.ok_or_else(|| wrong(&format!("`{name}` and a number")))?;
            let number: f32 = number.parse().map_err(|_| wrong(&format!("`{name}` and a number")))?;
            if number.is_nan() || number.abs() > LARGEST {
                return Err(wrong("a number from -1000000 to 1000000"));
            }
            numbers.push(number);
        }
        if numbers.len() != G::COUNT + 1 {
            let (has, count) = (numbers.len().saturating_sub(1), G::COUNT);
            return Err(format!("there are weights of {has} features, the game has {count}: train it anew"));
        }
        let weights = numbers.split_off(1);
        Ok(Evaluation::new(numbers[0], weights))
    }
}

/// The setting `weights`: a file that `contender train` has written.
impl<G: Features> Shipped for Evaluation<G> {
    const NAME: &'static str = "weights";

    fn shipped() -> Evaluation<G> {
        match &G::evaluation()[..] {
            [] => Evaluation::new(0.0, vec![0.0; G::COUNT]),
            bytes => Evaluation::read(bytes).expect("the shipped evaluation is one of the game"),
        }
    }

    fn read(bytes: &[u8]) -> Result<Evaluation<G>, String> {
        std::str::from_utf8(bytes).map_err(|_| "no text of weights".to_string())?.parse()
    }
}
