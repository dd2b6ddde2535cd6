//! Best-first minimax on small games.

use crate::toys::{Nim, Shape, TicTacToe, Wood};
use contender_game::rules::{Game, Player, Rng, Turn};
use contender_search::best_first::{BestFirst, BestFirstConfig, ChildEvaluator, ChildValue};
use contender_search::{minimax, Points, SearchLimits};

/// Values of children one by one; a guess is a hash of nothing but the value, so that it misleads.
struct Values {
    highest: f32,
}

impl<G: Game> ChildEvaluator<G> for Values {
    fn evaluate_children(&mut self, state: &G, moves: &[G::Move], values: &mut Vec<ChildValue>) {
        values.extend(moves.iter().map(|&mv| {
            let mut child = state.clone();
            child.play(mv);
            let value = child.value() as f32;
            match child.turn() {
                Turn::Over => ChildValue::Exact(value),
                _ => ChildValue::Estimate(value),
            }
        }));
    }

    fn highest(&self) -> f32 {
        self.highest
    }
}

/// A random tree without chance that ends after five plies.
#[derive(Clone, PartialEq, Debug)]
struct Shrub(Wood);

impl Game for Shrub {
    type Move = u8;

    fn turn(&self) -> Turn {
        if self.0.ply >= 5 {
            Turn::Over
        } else {
            self.0.turn()
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.turn() != Turn::Over {
            self.0.moves(moves);
        }
    }

    fn play(&mut self, branch: u8) {
        self.0.play(branch);
    }

    fn points(&self) -> [i32; 2] {
        self.0.points()
    }
}

fn configs() -> [BestFirstConfig; 4] {
    let plain = BestFirstConfig::default();
    [
        plain,
        BestFirstConfig { exploration: 0.0, ..plain },
        BestFirstConfig { minimax: 0.5, habit: 0.1, ..plain },
        BestFirstConfig { exploration: 3.0, minimax: 0.0, ..plain },
    ]
}

#[test]
fn what_is_proven_equals_minimax() {
    let mut rng = Rng::new(1);
    let mut proven = 0;
    for round in 0..800 {
        let shape = Shape { range: 3, layers: true, ..Shape::random(&mut rng, false) };
        let start = Shrub(Wood::new(rng.next_u64(), shape));
        let Turn::Player(player) = start.turn() else { continue };
        let exact = minimax(&start, 5, &mut Points);
        let mut search = BestFirst::new(configs()[round % 4]);
        // Knowing the highest value lets it stop early and must not change the result.
        let mut values = Values { highest: if round % 2 == 0 { 3.0 } else { f32::INFINITY } };
        let found = search.search(&start, &mut values, &SearchLimits::nodes(50_000));
        let own = f64::from(player.sign() * exact);
        assert_eq!((found.moves[0].value, found.is_proven()), ([own; 2], true), "round {round}");
        proven += 1;
    }
    assert!(proven > 500, "{proven}");
}

#[test]
fn tic_tac_toe_and_nim_are_solved() {
    for config in configs() {
        let found = BestFirst::new(config).search(
            &TicTacToe::default(),
            &mut Values { highest: 1.0 },
            &SearchLimits::NONE,
        );
        assert_eq!((found.moves[0].value, found.is_proven()), ([0.0; 2], true));
        for matches in 1..12 {
            let start = Nim { matches, mover: Player::One };
            let found =
                BestFirst::new(config).search(&start, &mut Values { highest: 1.0 }, &SearchLimits::NONE);
            let own = if matches % 4 == 0 { -1.0 } else { 1.0 };
            assert_eq!((found.moves[0].value, found.is_proven()), ([own; 2], true), "{matches} matches");
        }
    }
}

#[test]
fn budgets_and_capacity_are_kept() {
    let mut search = BestFirst::new(BestFirstConfig { capacity: 500, ..BestFirstConfig::default() });
    let start = TicTacToe::default();
    let found = search.search(&start, &mut Values { highest: 1.0 }, &SearchLimits::NONE);
    let nodes = found.count("nodes in the tree");
    assert!(nodes <= 500 && nodes > 450, "{nodes}");
    let once = search.search(&start, &mut Values { highest: 1.0 }, &SearchLimits::nodes(17));
    let twice = search.search(&start, &mut Values { highest: 1.0 }, &SearchLimits::nodes(17));
    assert_eq!((once.count("iterations"), &once.moves, &once.line), (17, &twice.moves, &twice.line));
}

#[test]
fn an_ended_game_has_no_best_move() {
    let over = Nim { matches: 0, mover: Player::Zero };
    let found = BestFirst::new(BestFirstConfig::default()).search(
        &over,
        &mut Values { highest: 1.0 },
        &SearchLimits::NONE,
    );
    assert_eq!((found.moves.len(), found.line.len(), found.count("iterations")), (0, 0, 0));
}

/// A tree that is carried over has the visits that it had below the move.
#[test]
fn a_kept_tree_goes_on_where_it_was() {
    for config in configs() {
        let mut search = BestFirst::new(config);
        let mut state = TicTacToe::default();
        let mut values = Values { highest: 1.0 };
        while state.turn() != Turn::Over {
            let found = search.search(&state, &mut values, &SearchLimits::nodes(60));
            let (best, visits) = (found.moves[0].mv, found.moves[0].effort);
            state.play(best);
            search.advance(best);
            let next = search.clone().search(&state, &mut values, &SearchLimits::nodes(1));
            let total: u64 = next.moves.iter().map(|of| of.effort).sum();
            assert!(state.turn() == Turn::Over || total + 1 >= visits, "{total} of {visits}");
        }
        // A move that the tree does not know, and a reset, begin anew.
        search.reset();
        let once = search.search(&TicTacToe::default(), &mut values, &SearchLimits::nodes(9));
        let anew = BestFirst::new(config).search(&TicTacToe::default(), &mut values, &SearchLimits::nodes(9));
        assert_eq!(once.moves, anew.moves);
    }
}
