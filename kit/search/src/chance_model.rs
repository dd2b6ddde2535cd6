//! How a search handles the chance nodes of a game.

use contender_game::rules::{Chance, Game, Rng};
use std::convert::Infallible;

/// The treatment of chance nodes in a search: [`WithChance`] uses the game's [`Chance`], and [`NoChance`] has no chance
/// nodes.
///
/// The model is a type parameter. A search of a game without chance therefore contains no code for chance, and the game
/// does not have to implement [`Chance`].
///
/// ```
/// # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Dice;
/// use contender_game::rules::Rng;
/// use contender_search::{draw, ChanceModel, WithChance};
///
/// let mut state = Dice { rolling: true, ..Dice::default() };
/// let (index, face) = draw::<Dice, WithChance>(&state, &mut Rng::new(1), &mut Vec::new());
/// WithChance::resolve(&mut state, face);
/// assert_eq!((index + 1, state.totals[0]), (usize::from(face), i32::from(face)));
/// ```
pub trait ChanceModel<G: Game> {
    /// An outcome of chance.
    type Outcome: Copy;

    /// Appends the outcomes with their weights: see [`Chance::outcomes`].
    fn outcomes(state: &G, outcomes: &mut Vec<(Self::Outcome, u32)>);

    /// Applies an outcome.
    fn resolve(state: &mut G, outcome: Self::Outcome);
}

/// The chance nodes of the game's [`Chance`].
#[derive(Clone, Copy, Debug)]
pub enum WithChance {}

impl<G: Chance> ChanceModel<G> for WithChance {
    type Outcome = G::Outcome;

    #[inline]
    fn outcomes(state: &G, outcomes: &mut Vec<(G::Outcome, u32)>) {
        state.outcomes(outcomes);
    }

    #[inline]
    fn resolve(state: &mut G, outcome: G::Outcome) {
        state.resolve(outcome);
    }
}

/// No chance nodes, for games that never reach [`Turn::Chance`](contender_game::rules::Turn::Chance).
#[derive(Clone, Copy, Debug)]
pub enum NoChance {}

impl<G: Game> ChanceModel<G> for NoChance {
    type Outcome = Infallible;

    fn outcomes(_: &G, _: &mut Vec<(Infallible, u32)>) {}

    fn resolve(_: &mut G, outcome: Infallible) {
        match outcome {}
    }
}

/// Draws a chance outcome in proportion to the weights. Returns the outcome and its index in the list.
///
/// # Panics
/// Panics if it is not chance's turn.
///
/// The example of [`ChanceModel`] calls this function.
pub fn draw<G: Game, L: ChanceModel<G>>(
    state: &G,
    rng: &mut Rng,
    outcomes: &mut Vec<(L::Outcome, u32)>,
) -> (usize, L::Outcome) {
    outcomes.clear();
    L::outcomes(state, outcomes);
    let total: u32 = outcomes.iter().map(|&(_, weight)| weight).sum();
    let mut rest = rng.below(total);
    for (at, &(outcome, weight)) in outcomes.iter().enumerate() {
        if rest < weight {
            return (at, outcome);
        }
        rest -= weight;
    }
    unreachable!("the draw is below the sum of the weights")
}
