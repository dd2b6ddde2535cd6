//! The tree of small payoff matrices against searches of all moves.

use crate::toy_games::Goofspiel;
use contender_game::rules::{InTurn, Player, Simultaneous};
use contender_search::matrix::{Matrix, Solver};
use contender_search::matrix_tree::{MatrixEvaluator, MatrixTree};
use contender_search::{minimax, Points, SearchLimits};
use std::time::Instant;

const NEAR: f64 = 1e-7;
const ROOM: usize = 1_000_000;

fn value_now(state: &Goofspiel) -> f64 {
    f64::from(state.value())
}

/// The value by its definition: the matrix of all pairs of moves, solved.
fn backward_induction(state: &Goofspiel, depth: u32) -> f64 {
    if depth == 0 || state.is_over() {
        return value_now(state);
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
            payoffs.push(backward_induction(&child, depth - 1));
        }
    }
    Solver::new().solve(Matrix::new(moves[0].len(), moves[1].len(), &payoffs)).value()
}

/// All moves, or only the first ones with all others as best responses.
struct Moves {
    count: usize,
    asked: u64,
    /// Best answers are looked for among all moves.
    answers: bool,
}

impl MatrixEvaluator<Goofspiel> for Moves {
    fn candidates(
        &mut self,
        state: &Goofspiel,
        _: u32,
        moves: &mut [Vec<<Goofspiel as Simultaneous>::Move>; 2],
    ) {
        for player in Player::BOTH {
            state.moves(player, &mut moves[player]);
            moves[player].truncate(self.count);
        }
    }

    fn value(&mut self, state: &Goofspiel) -> f64 {
        self.asked += 1;
        value_now(state)
    }

    fn best_response(
        &mut self,
        state: &Goofspiel,
        player: Player,
        _: u32,
        mix: &[(&<Goofspiel as Simultaneous>::Move, f64)],
    ) -> Option<<Goofspiel as Simultaneous>::Move> {
        if !self.answers {
            return None;
        }
        let mut all = Vec::new();
        state.moves(player, &mut all);
        let worth = |mv: &<Goofspiel as Simultaneous>::Move| -> f64 {
            let against = |&(other, part): &(&<Goofspiel as Simultaneous>::Move, f64)| {
                let mut child = state.clone();
                child.play(if player == Player::Zero { [mv, other] } else { [other, mv] });
                part * value_now(&child) * f64::from(player.sign())
            };
            mix.iter().map(against).sum()
        };
        all.into_iter().max_by(|a, b| worth(a).total_cmp(&worth(b)))
    }
}

fn all() -> Moves {
    Moves { count: usize::MAX, asked: 0, answers: false }
}

#[test]
fn a_finished_tree_has_the_value_of_backward_induction() {
    for seed in 0..60 {
        let state = Goofspiel::new(4, seed);
        for depth in 1..=4 {
            let exact = backward_induction(&state, depth);
            for spread in [0.0, 0.3, 1.0] {
                let mut evaluator = all();
                let found =
                    MatrixTree::new(ROOM, spread).search(&state, &SearchLimits::depth(depth), &mut evaluator);
                for (found, sign) in found.iter().zip([1.0, -1.0]) {
                    assert!(found.is_proven() && found.depth == depth, "{found:?}");
                    let value = sign * found.moves[0].value[0];
                    assert!((value - exact).abs() < NEAR, "{found:?} and {exact}");
                    assert_eq!(found.count("nodes"), evaluator.asked);
                }
            }
        }
    }
}

#[test]
fn orders_of_play_bound_the_simultaneous_value() {
    for seed in 0..100 {
        let state = Goofspiel::new(3, seed);
        let [found, _] = MatrixTree::new(ROOM, 0.2).search(&state, &SearchLimits::NONE, &mut all());
        assert!(found.is_proven() && found.depth <= 3);
        let led = |leader| f64::from(minimax(&InTurn::new(state.clone(), leader), 6, &mut Points));
        let value = found.moves[0].value[0];
        assert!(led(Player::Zero) <= value + NEAR && value <= led(Player::One) + NEAR);
        assert!(value.abs() < NEAR, "the game is symmetric: {value}");
    }
}

#[test]
fn best_responses_find_what_all_moves_would() {
    let mut nodes = [0; 2];
    for seed in 0..60 {
        let state = Goofspiel::new(6, seed);
        let exact = backward_induction(&state, 1);
        for count in [1, 2] {
            let mut evaluator = Moves { count, asked: 0, answers: true };
            let [found, _] =
                MatrixTree::new(ROOM, 0.0).search(&state, &SearchLimits::depth(1), &mut evaluator);
            assert!((found.moves[0].value[0] - exact).abs() < NEAR, "{found:?} and {exact}");
            nodes[1] += evaluator.asked;
            nodes[0] += 36;
        }
    }
    assert!(nodes[1] < nodes[0], "{nodes:?}");
}

#[test]
fn a_search_can_be_stopped_anywhere() {
    for seed in 0..20 {
        let state = Goofspiel::new(5, seed);
        let mut before = 0;
        for limit in [0, 1, 30, 60, 200, 1_000, 5_000] {
            let mut evaluator = all();
            let found =
                MatrixTree::new(ROOM, 0.2).search(&state, &SearchLimits::nodes(limit), &mut evaluator);
            let nodes = found[0].count("nodes");
            assert!(nodes <= limit.max(25) && nodes >= before, "{found:?} with {limit}");
            before = nodes;
            let value = found[0].moves[0].value[0];
            for (found, sign) in found.iter().zip([1.0, -1.0]) {
                assert_eq!(found.moves.len(), 5);
                assert!((found.strategy.iter().sum::<f64>() - 1.0).abs() < NEAR);
                assert!(found.strategy.windows(2).all(|pair| pair[0] >= pair[1] && pair[1] > 0.0));
                // What may be played gets the value of the game, and nothing gets more.
                for (at, of) in found.moves.iter().enumerate() {
                    let short = sign * value - of.value[0];
                    assert!(short > -NEAR && (at >= found.strategy.len() || short < NEAR), "{found:?}");
                }
            }
        }
        let late =
            MatrixTree::new(ROOM, 0.2).search(&state, &SearchLimits::until(Instant::now()), &mut all());
        assert!(late.iter().all(|found| found.moves.len() == 1 && !found.is_proven()));
    }
}

#[test]
fn the_tree_has_no_more_nodes_than_there_is_room_for() {
    let state = Goofspiel::new(5, 1);
    for room in [0, 1, 2, 10] {
        let mut evaluator = all();
        let [found, _] = MatrixTree::new(room, 0.2).search(&state, &SearchLimits::NONE, &mut evaluator);
        let (nodes, tree) = (found.count("nodes"), found.count("tree"));
        // Later nodes have at most 16 pairs.
        assert!(!found.is_proven() && nodes <= 25 + 16 * (tree - 1), "{found:?}");
        assert_eq!(tree, room.max(1) as u64);
    }
}
