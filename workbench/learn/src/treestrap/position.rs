//! What learning must know of a game.

use contender_game::Chance;

/// A game whose evaluation is learned: a linear function of `N` inputs, with weights of its own for every turn.
///
/// Only states before a decision whose luck is not drawn yet are evaluated: those of chance, and of a player whose turn no chance
/// precedes.
pub trait Position<const N: usize>: Chance {
    /// How many turns a game has at most.
    const TURNS: usize;

    /// Which weights a state is evaluated with, `0..TURNS`: how many decisions were made before.
    fn turn_index(&self) -> usize;

    /// The inputs.
    fn inputs(&self) -> [f32; N];

    /// What the inputs add to: the evaluation is this and a weighted sum of the inputs.
    fn base(&self) -> f32 {
        self.value() as f32
    }

    /// How good a move looks to the player who makes it, as quickly as can be told; higher is searched earlier.
    fn promise(&self, mv: Self::Move) -> i32;
}
