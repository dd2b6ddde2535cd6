//! The evaluation of positions by their features.

use super::sums::Sums;
use super::{link, Features};
use crate::file;
use crate::layout::Layout;
use contender_game::{
    rules::{Player, Rng},
    settings::Shipped,
};
use contender_search::mcts::{win_rewards, LeafEvaluator};
use contender_search::{Bounds, Heuristics, Tactics};
use std::marker::PhantomData;

/// The search value of a game that player 0 has won. Values of evaluations are smaller.
pub const WON: i32 = 1_000_000;

/// Converts a search value to a winning probability, for
/// [`Analysis::measured`](contender_game::contest::Analysis::measured).
///
/// ```
/// use contender_value::{wins, WON};
///
/// assert_eq!([0, WON / 2, WON].map(|value| wins(value.into())), [0.5, 0.75, 1.0]);
/// ```
#[must_use]
pub fn wins(value: f64) -> f64 {
    0.5 + 0.5 * value / f64::from(WON)
}

/// An evaluation of positions by their features, with a weight for each feature and a constant bonus for player 0. A
/// network also has a hidden layer ([`Layout`]), whose neurons are clipped to the range 0 to 1 and squared.
///
/// Each player has the same neurons with opposite signs, so a feature is worth the same for both players. If the game
/// [implements changes](Features::UPDATES), searches update the sums move by move; otherwise, the features of each
/// position are summed from scratch. An evaluation can be used as the [`Heuristics`] of an alpha-beta search and as the
/// [`LeafEvaluator`] of Monte Carlo tree search. `train` writes weights as text: for each stage, the line `constant
/// NUMBER` and then a line `FEATURE NUMBER` for each feature in order. It writes networks as bytes.
///
/// Source: Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018 (two views
/// of one layer of sparse inputs).
///
/// The [example of the crate](crate) uses this type.
#[derive(Clone)]
pub struct Evaluation<G> {
    layout: Layout,
    numbers: Vec<f32>,
    /// Working memory for the neurons of player 0, followed by the neurons of player 1.
    sums: Vec<f32>,
    /// Incrementally updated sums; `None` if the game does not implement changes, or has several stages.
    updated: Option<Sums>,
    game: PhantomData<fn() -> G>,
}

impl<G: Features> Evaluation<G> {
    /// Creates a weighted sum with this constant and these weights, the same for all stages.
    ///
    /// # Panics
    /// Panics if the number of weights does not equal the number of features.
    #[must_use]
    pub fn new(constant: f32, weights: &[f32]) -> Evaluation<G> {
        Evaluation::of_weights([&[constant], weights].concat().repeat(G::STAGES))
    }

    /// Creates a weighted sum from these numbers: for each stage, a constant followed by the weights.
    ///
    /// # Panics
    /// Panics if the length of `numbers` does not match the stages and features of the game.
    #[must_use]
    pub fn of_weights(numbers: Vec<f32>) -> Evaluation<G> {
        assert_eq!(numbers.len(), G::STAGES * (1 + G::COUNT), "a constant and weights for each stage");
        let layout = Layout::new(G::COUNT, 0);
        let updated = (G::UPDATES && G::STAGES == 1).then(|| Sums::new(&layout, &numbers));
        Evaluation { sums: Vec::new(), updated, layout, numbers, game: PhantomData }
    }

    /// Creates a network with at least one hidden neuron from these numbers, which must be in the order of [`Layout`].
    ///
    /// # Panics
    /// Panics if the length of `numbers` does not match the [`Layout`].
    #[must_use]
    pub fn network(neurons: usize, numbers: Vec<f32>) -> Evaluation<G> {
        assert!(neurons > 0, "a network has neurons");
        let layout = Layout::new(G::COUNT, neurons);
        assert_eq!(numbers.len(), layout.count(), "a number for each place of the layout");
        let updated = G::UPDATES.then(|| Sums::new(&layout, &numbers));
        Evaluation { sums: vec![0.0; 2 * neurons], updated, layout, numbers, game: PhantomData }
    }

    /// Returns the number of neurons in the hidden layer; 0 for a weighted sum.
    #[must_use]
    pub fn neurons(&self) -> usize {
        self.layout.neurons
    }

    /// Returns all numbers: the weights of each stage, or the numbers of a network in the order of [`Layout`].
    #[must_use]
    pub fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// Returns the bonus for player 0 in the first stage.
    #[must_use]
    pub fn constant(&self) -> f32 {
        self.numbers[0]
    }

    /// Returns the value of each feature for its owner in the first stage, apart from the network's hidden layer.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.numbers[1..self.layout.linear.end]
    }

    /// Returns the value of a position for player 0, between -1 and 1.
    ///
    /// # Panics
    /// Panics if the game returns a feature or a stage that is out of range.
    #[must_use]
    pub fn value(&mut self, state: &G) -> f64 {
        if let Some(sums) = &mut self.updated {
            sums.begin(None, state);
            return self.summed(None);
        }
        let Evaluation { layout, numbers, sums, .. } = self;
        let stage = if layout.neurons == 0 { state.stage() } else { 0 };
        let of_stage = &numbers[stage * layout.linear.end..][layout.linear.clone()];
        let (constant, weights) = (of_stage[0], &of_stage[1..]);
        let biases = &numbers[layout.biases.clone()];
        let (zero, one) = sums.split_at_mut(layout.neurons);
        zero.copy_from_slice(biases);
        one.copy_from_slice(biases);
        let mut worth = [0.0; 2];
        for player in Player::BOTH {
            let (own, other) = match player {
                Player::Zero => (&mut *zero, &mut *one),
                Player::One => (&mut *one, &mut *zero),
            };
            state.features(player, |feature| {
                worth[player] += weights[feature];
                let (to_own, to_other) = numbers[layout.row(feature)].split_at(layout.neurons);
                add(own, to_own);
                add(other, to_other);
            });
        }
        let mut sum = constant + worth[0] - worth[1];
        for ((zero, one), output) in zero.iter().zip(&*one).zip(&numbers[layout.outputs.clone()]) {
            sum += (clipped_square(*zero) - clipped_square(*one)) * output;
        }
        link(f64::from(sum))
    }

    /// Returns the value of a position from the sums in its entry.
    fn summed(&mut self, ply: Option<usize>) -> f64 {
        let Evaluation { layout, numbers, updated, .. } = self;
        let sums = updated.as_mut().expect("searches ask only evaluations that moves update");
        let [biases, outputs] = [&layout.biases, &layout.outputs].map(|part| &numbers[part.clone()]);
        link(f64::from(sums.sum(ply, numbers[0], biases, outputs)))
    }

    /// Encodes the evaluation as a file that [`read`](Shipped::read) can read. The numbers of a network are rounded.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        file::write(&self.layout, &self.numbers)
    }
}

/// Converts a value to the unit that searches use.
fn in_search(value: f64) -> i32 {
    (value * f64::from(WON - 1)) as i32
}

fn clipped_square(sum: f32) -> f32 {
    let clipped = sum.clamp(0.0, 1.0);
    clipped * clipped
}

#[inline]
fn add(sums: &mut [f32], row: &[f32]) {
    for (sum, number) in sums.iter_mut().zip(row) {
        *sum += number;
    }
}

impl<G: Features> Heuristics<G> for Evaluation<G> {
    fn evaluate(&mut self, state: &G) -> i32 {
        in_search(self.value(state))
    }

    fn begin(&mut self, ply: usize, state: &G) {
        if let Some(sums) = &mut self.updated {
            sums.begin(Some(ply), state);
        }
    }

    fn follow(&mut self, ply: usize, before: &G, mv: G::Move, after: &G) {
        if let Some(sums) = &mut self.updated {
            sums.follow(ply, before, mv, after);
        }
    }

    fn evaluate_at(&mut self, ply: usize, state: &G, _: Bounds) -> i32 {
        match self.updated {
            Some(_) => in_search(self.summed(Some(ply))),
            None => self.evaluate(state),
        }
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

/// Supplies the [noisy moves](Features::is_noisy) for quiescence.
impl<G: Features> Tactics<G> for Evaluation<G> {
    fn is_noisy(&self, state: &G, mv: G::Move) -> bool {
        state.is_noisy(mv)
    }

    fn decisive(&self) -> i32 {
        WON
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

/// The setting `weights` is the name of a file with weights or a network, written by `contender train`.
impl<G: Features> Shipped for Evaluation<G> {
    const NAME: &'static str = "weights";

    fn shipped() -> Evaluation<G> {
        match &G::evaluation()[..] {
            [] => Evaluation::new(0.0, &vec![0.0; G::COUNT]),
            bytes => Evaluation::read(bytes).expect("the shipped evaluation is one of the game"),
        }
    }

    fn read(bytes: &[u8]) -> Result<Evaluation<G>, String> {
        let (neurons, numbers) = file::read(bytes, G::COUNT, G::STAGES)?;
        Ok(match neurons {
            0 => Evaluation::of_weights(numbers),
            _ => Evaluation::network(neurons, numbers),
        })
    }
}
