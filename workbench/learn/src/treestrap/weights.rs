//! Weights for every turn.

use super::Position;

/// Linear evaluations, one for each turn: the base, a constant, and a weight for each of `N` inputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights<const N: usize> {
    turns: Vec<Turn<N>>,
}

/// The evaluation of one turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Turn<const N: usize> {
    /// Points beyond the base when all inputs are 0.
    pub constant: f32,
    /// Points for one unit of each input.
    pub weights: [f32; N],
}

impl<const N: usize> Weights<N> {
    /// Weights that see only the base.
    #[must_use]
    pub fn zero(turns: usize) -> Weights<N> {
        Weights { turns: vec![Turn { constant: 0.0, weights: [0.0; N] }; turns] }
    }

    /// The weights of these turns.
    #[must_use]
    pub fn new(turns: Vec<Turn<N>>) -> Weights<N> {
        Weights { turns }
    }

    /// The evaluations by turn.
    #[must_use]
    pub fn turns(&self) -> &[Turn<N>] {
        &self.turns
    }

    /// What the evaluation of a turn adds to the base.
    #[inline]
    #[must_use]
    pub fn rest(&self, turn: usize, inputs: &[f32; N]) -> f32 {
        let Turn { constant, weights } = &self.turns[turn];
        weights.iter().zip(inputs).fold(*constant, |sum, (weight, input)| sum + weight * input)
    }

    /// The value of a state with these inputs.
    #[inline]
    #[must_use]
    pub fn value<S: Position<N>>(&self, state: &S, inputs: &[f32; N]) -> f32 {
        state.base() + self.rest(state.turn_index(), inputs)
    }
}
