//! Sums over the features of a position that are updated incrementally by moves.

use super::Features;
use crate::layout::Layout;
use contender_game::rules::{Player, Rng, Turn};

/// The integer that represents 1. Sums are integers because, unlike floating-point sums, they do not depend on the
/// order.
const ONE: f32 = 65536.0;

/// The sums of several positions. Each position has an entry: player 0's weights minus player 1's weights, the neurons
/// of player 0, and the neurons of player 1, without biases.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    /// One row per feature: the weight, the contributions to the owner's neurons, and the contributions to the
    /// opponent's neurons.
    rows: Vec<i32>,
    neurons: usize,
    /// One entry for each distance from the root. The first entry is used outside searches.
    entries: Vec<i32>,
}

impl Sums {
    /// Creates the rows from these numbers, which are rounded.
    pub(super) fn new(layout: &Layout, numbers: &[f32]) -> Sums {
        let round = |number: &f32| (number * ONE).round() as i32;
        let weights = &numbers[layout.linear.clone()][1..];
        let rows = weights.iter().enumerate().flat_map(|(feature, weight)| {
            std::iter::once(weight).chain(&numbers[layout.row(feature)]).map(round)
        });
        let neurons = layout.neurons;
        Sums { rows: rows.collect(), neurons, entries: vec![0; 1 + 2 * neurons] }
    }

    fn width(&self) -> usize {
        1 + 2 * self.neurons
    }

    /// Returns the index of the entry for a distance from the root, or for a position outside a search if `ply` is
    /// `None`.
    fn place(&mut self, ply: Option<usize>) -> usize {
        let width = self.width();
        let start = ply.map_or(0, |ply| (1 + ply) * width);
        if self.entries.len() < start + width {
            self.entries.resize(start + width, 0);
        }
        start
    }

    /// Adds up all features of a position.
    pub(super) fn begin<G: Features>(&mut self, ply: Option<usize>, state: &G) {
        let (start, width) = (self.place(ply), self.width());
        self.entries[start..][..width].fill(0);
        for player in Player::BOTH {
            state.features(player, |feature| self.add(start, player, feature, true));
        }
    }

    /// Computes the entry for distance `ply` from the entry for distance `ply - 1`.
    pub(super) fn follow<G: Features>(&mut self, ply: usize, before: &G, mv: G::Move, after: &G) {
        let (start, width) = (self.place(Some(ply)), self.width());
        self.entries.copy_within(start - width..start, start);
        G::changes(before, mv, after, |player, feature, is_given| self.add(start, player, feature, is_given));
    }

    #[inline]
    fn add(&mut self, start: usize, player: Player, feature: usize, is_given: bool) {
        let (width, neurons) = (self.width(), self.neurons);
        let row = &self.rows[feature * width..][..width];
        let (worth, entry) = self.entries[start..][..width].split_first_mut().expect("an entry has a sum");
        // Sums wrap around, so that taking a feature undoes giving it in any case.
        *worth = match (player == Player::Zero) == is_given {
            true => worth.wrapping_add(row[0]),
            false => worth.wrapping_sub(row[0]),
        };
        let (zero, one) = entry.split_at_mut(neurons);
        let (to_own, to_other) = row[1..].split_at(neurons);
        let (to_zero, to_one) = match player {
            Player::Zero => (to_own, to_other),
            Player::One => (to_other, to_own),
        };
        if is_given {
            zero.iter_mut().zip(to_zero).for_each(|(sum, number)| *sum = sum.wrapping_add(*number));
            one.iter_mut().zip(to_one).for_each(|(sum, number)| *sum = sum.wrapping_add(*number));
        } else {
            zero.iter_mut().zip(to_zero).for_each(|(sum, number)| *sum = sum.wrapping_sub(*number));
            one.iter_mut().zip(to_one).for_each(|(sum, number)| *sum = sum.wrapping_sub(*number));
        }
    }

    /// Returns the weighted sum of an entry, for a constant and the biases and output weights of the neurons.
    pub(super) fn sum(&mut self, ply: Option<usize>, constant: f32, biases: &[f32], outputs: &[f32]) -> f32 {
        let start = self.place(ply);
        let entry = &self.entries[start..][..self.width()];
        let (zero, one) = entry[1..].split_at(self.neurons);
        let clipped = |sum: i32, bias: f32| {
            let clipped = (sum as f32 / ONE + bias).clamp(0.0, 1.0);
            clipped * clipped
        };
        let mut sum = constant + entry[0] as f32 / ONE;
        for (at, (&zero, &one)) in zero.iter().zip(one).enumerate() {
            sum += (clipped(zero, biases[at]) - clipped(one, biases[at])) * outputs[at];
        }
        sum
    }
}

/// Tests a game: plays random games and compares [`Features::changes`] with the features of each position. A game ends
/// when it is chance's turn.
///
/// # Panics
/// Panics if a move changes different features than [`Features::changes`] reports.
pub fn changes_are_right<G: Features>(start: impl Fn(u64) -> G, games: u64) {
    let counts = |state: &G| {
        let mut counts = vec![0i32; 2 * G::COUNT];
        for player in Player::BOTH {
            state.features(player, |feature| counts[player.index() * G::COUNT + feature] += 1);
        }
        counts
    };
    for seed in 0..games {
        let (mut state, mut rng, mut turns) = (start(seed), Rng::new(seed), 0);
        while matches!(state.turn(), Turn::Player(_)) && turns < G::MAX_TURNS {
            let mv = state.random_move(&mut rng, &mut Vec::new());
            let mut after = state.clone();
            after.play(mv);
            let mut expected = counts(&state);
            G::changes(&state, mv, &after, |player, feature, is_given| {
                expected[player.index() * G::COUNT + feature] += if is_given { 1 } else { -1 };
            });
            let found = counts(&after);
            let wrong = (0..2 * G::COUNT).find(|&at| found[at] != expected[at]);
            if let Some(at) = wrong {
                panic!(
                    "after {mv:?} in turn {turns} of game {seed}, player {} has feature {} {} times, but the changes \
                     say {} times",
                    at / G::COUNT,
                    at % G::COUNT,
                    found[at],
                    expected[at]
                );
            }
            state = after;
            turns += 1;
        }
    }
}
