//! Plain expectimax without pruning or memory, the reference against which all other searches in this crate are tested.

use crate::{ChanceModel, Heuristics, Mix, NoChance, WithChance};
use contender_game::rules::{Chance, Game, Player, Turn};

/// Returns the value of `state` from a search to a depth of `depth` players' decisions, in a game with chance. In a
/// game without chance, the value is the same as from [`minimax`].
///
/// Chance outcomes do not count towards the depth. A state at depth 0 is evaluated, whether it is a player's turn or
/// chance's turn.
///
/// Source: Michie, "Game-playing and game-learning automata", 1966.
///
/// ```
/// # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Dice;
/// use contender_search::{expectimax, Points};
///
/// let (start, rolling) = (Dice::default(), Dice { rolling: true, ..Dice::default() });
/// // Player 0 chooses the better of rolling and stopping.
/// assert!(expectimax(&start, 3, &mut Points) >= expectimax(&rolling, 2, &mut Points));
/// ```
pub fn expectimax<G: Chance>(state: &G, depth: u32, evaluate: &mut impl Heuristics<G>) -> i32 {
    value::<G, WithChance>(state, depth, evaluate)
}

/// Returns the value of `state` from a search to a depth of `depth` decisions, in a game without chance.
///
/// ```
/// # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::TicTacToe;
/// use contender_search::{minimax, Points};
///
/// assert_eq!(minimax(&TicTacToe::default(), 9, &mut Points), 0, "a draw");
/// ```
pub fn minimax<G: Game>(state: &G, depth: u32, evaluate: &mut impl Heuristics<G>) -> i32 {
    value::<G, NoChance>(state, depth, evaluate)
}

fn value<G: Game, L: ChanceModel<G>>(state: &G, depth: u32, evaluate: &mut impl Heuristics<G>) -> i32 {
    match state.turn() {
        Turn::Over => evaluate.finished(state),
        _ if depth == 0 => evaluate.evaluate(state),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            L::outcomes(state, &mut outcomes);
            let mix = Mix::new(outcomes.iter().map(|&(_, weight)| u64::from(weight)).sum());
            let sum = outcomes.into_iter().map(|(outcome, weight)| {
                let mut child = state.clone();
                L::resolve(&mut child, outcome);
                i64::from(weight) * i64::from(value::<G, L>(&child, depth, evaluate))
            });
            mix.value(sum.sum())
        }
        Turn::Player(player) => {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let values = moves.into_iter().map(|mv| {
                let mut child = state.clone();
                child.play(mv);
                value::<G, L>(&child, depth - 1, evaluate)
            });
            match player {
                Player::Zero => values.max(),
                Player::One => values.min(),
            }
            .expect("a player to act has a move")
        }
    }
}
