//! Matrix games and the searches on them. Values are floating point here: equal means within 1e-9 of the payoffs' size.

#[path = "../../game/tests/toy_games/mod.rs"]
mod toy_games;

use contender_game::{Analysis, InTurn, Player, Rng, Simultaneous};
use contender_search::matrix::{Matrix, Solver};
use contender_search::simultaneous::MatrixSearch;
use contender_search::{minimax, Allowance, Points};
use std::time::{Duration, Instant};
use toy_games::Goofspiel;

const NEAR: f64 = 1e-9;

#[test]
fn matrices_known_by_hand() {
    let mut solver = Solver::new();
    // Rock, paper, scissors, with a double win for rock.
    let payoffs = [0.0, -1.0, 2.0, 1.0, 0.0, -1.0, -2.0, 1.0, 0.0];
    let found = solver.solve(Matrix::new(3, 3, &payoffs));
    assert!(found.value().abs() < NEAR && found.gap() < NEAR, "{found:?}");
    for (part, expected) in solver.row().iter().zip([0.25, 0.5, 0.25]) {
        assert!((part - expected).abs() < NEAR, "{:?}", solver.row());
    }
    // Matching pennies with payoffs 3, -1, -2, 4: value (3*4 - 2) / 10.
    let found = solver.solve(Matrix::new(2, 2, &[3.0, -1.0, -2.0, 4.0]));
    assert!((found.value() - 1.0).abs() < NEAR);
    // A saddle point needs no mixing.
    let found = solver.solve(Matrix::new(2, 3, &[5.0, 3.0, 4.0, 9.0, 1.0, 0.0]));
    assert_eq!(
        (found.low, found.high, solver.row(), solver.column()),
        (3.0, 3.0, &[1.0, 0.0][..], &[0.0, 1.0, 0.0][..])
    );
}

#[test]
fn random_matrices_are_solved_and_both_methods_agree() {
    let mut rng = Rng::new(1);
    let (mut simplex, mut regret) = (Solver::new(), Solver::new());
    for round in 0..3_000 {
        let (rows, columns) = (1 + rng.index(8), 1 + rng.index(8));
        let range = [2, 10, 1_000_000][rng.index(3)];
        let payoffs: Vec<f64> = (0..rows * columns).map(|_| f64::from(rng.below(range)) - 1.0).collect();
        let matrix = Matrix::new(rows, columns, &payoffs);
        let exact = simplex.solve(matrix);
        // The strategies prove the value: it is between what they guarantee, and the gap is a rounding error.
        assert!(exact.gap().abs() < NEAR * f64::from(range), "{exact:?} for {rows} x {columns} {payoffs:?}");
        for strategy in [simplex.row(), simplex.column()] {
            assert!(strategy.iter().all(|&part| part >= 0.0));
            assert!((strategy.iter().sum::<f64>() - 1.0).abs() < NEAR);
        }
        if round % 10 == 0 {
            let near = regret.regret_matching(matrix, 2_000, 0.0);
            let value = exact.value();
            let slack = NEAR * f64::from(range);
            assert!(near.low <= value + slack && value <= near.high + slack, "{near:?} and {value}");
            assert!(near.gap() < 0.02 * f64::from(range), "{near:?} for {payoffs:?}");
        }
    }
}

#[test]
fn the_double_oracle_finds_the_value_of_full_matrices_with_fewer_nodes() {
    let mut nodes = [0; 2];
    for seed in 0..40 {
        for depth in 1..=4 {
            let state = Goofspiel::new(4, seed);
            let mut evaluate = |state: &Goofspiel| f64::from(state.value());
            let values = [false, true].map(|oracle| {
                let mut search = MatrixSearch::new(oracle);
                let value = search.value(&state, depth, &mut evaluate);
                nodes[usize::from(oracle)] += search.nodes();
                value
            });
            assert!((values[0] - values[1]).abs() < 1e-7, "{values:?} at depth {depth} of seed {seed}");
        }
    }
    println!("nodes with full matrices and with the double oracle: {nodes:?}");
    assert!(nodes[1] * 10 < nodes[0] * 9, "{nodes:?}");
}

#[test]
fn orders_of_play_bound_the_simultaneous_value() {
    for seed in 0..200 {
        let state = Goofspiel::new(3, seed);
        let mut evaluate = |state: &Goofspiel| f64::from(state.value());
        let found = MatrixSearch::new(true).search(&state, &Allowance::NONE, &mut evaluate);
        assert!(found.iter().all(|found| found.depth <= 3 && found.is_proven()));
        let led = |leader| f64::from(minimax(&InTurn::new(state.clone(), leader), 6, &mut Points));
        let [low, high] = found[0].moves[0].value;
        assert_eq!(found[1].moves[0].value, [-high, -low]);
        let value = (low + high) / 2.0;
        assert!(led(Player::Zero) <= value + NEAR && value <= led(Player::One) + NEAR);
        // The game is symmetric.
        assert!(value.abs() < 1e-7, "{value}");
        for found in &found {
            assert_eq!(found.moves.len(), found.strategy.len());
            assert!((found.strategy.iter().sum::<f64>() - 1.0).abs() < NEAR);
            assert!(found.strategy.windows(2).all(|pair| pair[0] >= pair[1]), "the likeliest first");
        }
    }
    let over = Goofspiel { prize: 3, points: [4, 1], ..Goofspiel::new(3, 0) };
    assert_eq!(
        MatrixSearch::new(true).value(&over, 5, &mut |state: &Goofspiel| f64::from(state.value())),
        3.0
    );
}

/// What was found, without what it took.
fn what<M>(found: Analysis<M>) -> Analysis<M> {
    Analysis { counts: Vec::new(), elapsed: Duration::ZERO, ..found }
}

#[test]
fn a_search_that_is_stopped_gives_the_deepest_one_that_ended() {
    let mut depths = [0; 5];
    for seed in 0..20 {
        let state = Goofspiel::new(4, seed);
        let mut evaluate = |state: &Goofspiel| f64::from(state.value());
        for oracle in [false, true] {
            let mut search = MatrixSearch::new(oracle);
            let to_depth: Vec<_> = (0..=4)
                .map(|depth| search.search(&state, &Allowance::depth(depth), &mut evaluate).map(what))
                .collect();
            for limit in (0..12).map(|power| (1 << power) - 1) {
                let found = search.search(&state, &Allowance::nodes(limit), &mut evaluate);
                assert!(search.nodes() <= limit);
                let depth = found[0].depth as usize;
                assert_eq!(found.map(what), to_depth[depth]);
                depths[depth] += 1;
            }
            let late = search.search(&state, &Allowance::until(Instant::now()), &mut evaluate);
            assert!(late.iter().all(|late| late.depth == 0 && !late.is_proven() && late.strategy == [1.0]));
            assert_eq!(late.map(what), to_depth[0]);
            let by_value = search.value(&state, 3, &mut evaluate);
            assert!((to_depth[3][0].moves[0].value[0] - by_value).abs() < NEAR);
        }
    }
    assert!(depths[..4].iter().all(|&count| count > 0), "{depths:?}");
}
