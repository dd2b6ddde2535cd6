//! The searches for games with simultaneous moves.

use super::cellularena::{OneAction, arena_state, last_turn};
use contender_game::rules::{InTurn, Player, Rng, Simultaneous};
use contender_search::matrix::{Matrix, Solver};
use contender_search::matrix_tree::{MatrixEvaluator, MatrixTree};
use contender_search::mcts::{Decoupled, LeafEvaluator, Uct};
use contender_search::{Points, SearchLimits, minimax};

/// Returns the value by definition: the solution of the matrix of all pairs of moves.
pub fn by_definition(state: &OneAction, depth: usize) -> f64 {
    if depth == 0 || state.is_over() {
        return f64::from(state.value());
    }
    let moves = Player::BOTH.map(|player| {
        let mut moves = Vec::new();
        state.moves(player, &mut moves);
        moves
    });
    let mut payoffs = Vec::new();
    for row in &moves[0] {
        for column in &moves[1] {
            let mut child = state.clone();
            child.play([row, column]);
            payoffs.push(by_definition(&child, depth - 1));
        }
    }
    Solver::new().solve(Matrix::new(moves[0].len(), moves[1].len(), &payoffs)).value()
}

/// An evaluator that considers all moves and returns the current value.
struct AllMoves;

impl MatrixEvaluator<OneAction> for AllMoves {
    fn candidates(
        &mut self,
        state: &OneAction,
        _: u32,
        moves: &mut [Vec<<OneAction as Simultaneous>::Move>; 2],
    ) {
        Player::BOTH.iter().for_each(|&player| state.moves(player, &mut moves[player]));
    }

    fn value(&mut self, state: &OneAction) -> f64 {
        f64::from(state.value())
    }
}

/// A complete tree has the value by definition, which lies between the pessimistic values of both orders of play.
pub fn matrices() {
    let mut rng = Rng::new(7);
    for round in 0..60 {
        let depth = 1 + round % 2;
        let state = arena_state(&mut rng, if depth == 1 { 40 } else { 6 });
        let expected = by_definition(&state, depth);
        let limit = SearchLimits::depth(depth as u32);
        let [found, _] = MatrixTree::new(1 << 12, 0.3).search(&state, &limit, &mut AllMoves);
        let value = found.moves[0].value[0];
        assert!((value - expected).abs() < 1e-6, "{value}, not {expected}, in {state:?}");
        let [low, high] = Player::BOTH
            .map(|leader| minimax(&InTurn::new(state.clone(), leader), 2 * depth as u32, &mut Points));
        assert!(f64::from(low) - 1e-6 <= expected && expected <= f64::from(high) + 1e-6);
    }
}

pub struct Worths;

impl LeafEvaluator<OneAction, <OneAction as Simultaneous>::Move> for Worths {
    fn finished(&mut self, state: &OneAction) -> [f32; 2] {
        let value = state.value() as f32;
        [value, -value]
    }

    fn estimate(&mut self, state: &mut OneAction, _: &mut Rng) -> [f32; 2] {
        self.finished(state)
    }
}

/// Every iteration counts once for each player. If the last turn has a best pair of moves, the strategies approach its
/// value.
pub fn decoupled() {
    let mut rng = Rng::new(8);
    for _ in 0..30 {
        let state = last_turn(&mut rng, 12);
        let mut search = Decoupled::new(1 << 12, Uct::new(10.0));
        let found = search.search(&state, &mut Worths, &SearchLimits::nodes(20_000), &mut rng);
        let [low, high] =
            Player::BOTH.map(|leader| minimax(&InTurn::new(state.clone(), leader), 2, &mut Points));
        for player in Player::BOTH {
            let found = &found[player];
            let visits: u64 = found.moves.iter().map(|of| of.effort).sum();
            assert_eq!(visits, found.count("iterations"));
            let seen = found.moves.iter().zip(&found.strategy).filter(|(_, share)| **share > 0.0);
            let mean: f64 = seen.map(|(of, share)| share * of.value[0]).sum();
            let mean = f64::from(player.sign()) * mean;
            assert!(
                f64::from(low) - 1.0 <= mean && mean <= f64::from(high) + 1.0,
                "{mean} is not between {low} and {high} for {player:?} in {state:?}"
            );
        }
    }
}
