//! The search against plain expectimax: every node that it records holds what it says.

use contender_entropy::State;
use contender_entropy::evaluation::{INPUTS, TURNS};
use contender_game::{Chance, Game, Player, Rng, Turn};
use contender_learn::treestrap::weights::Turn as TurnWeights;
use contender_learn::treestrap::{Position, Search, Weights};

fn random_weights(rng: &mut Rng) -> Weights<INPUTS> {
    let turn = |rng: &mut Rng| TurnWeights {
        constant: 20.0 * rng.unit() as f32,
        weights: [(); INPUTS].map(|()| 2.0 * rng.unit() as f32 - 0.7),
    };
    Weights::new((0..TURNS).map(|_| turn(rng)).collect())
}

/// A state of a random game with so many chips; chance or Order acts.
fn random_state(chips: u32, rng: &mut Rng) -> State {
    let mut state = State::default();
    loop {
        match state.turn() {
            Turn::Chance if state.placed() >= chips => return state,
            Turn::Player(Player::Zero) if state.placed() >= chips && rng.below(2) == 0 => return state,
            Turn::Chance => {
                let colour = state.random_outcome(rng, &mut Vec::new());
                state.resolve(colour);
            }
            Turn::Player(_) => {
                let mv = state.random_move(rng, &mut Vec::new());
                state.play(mv);
            }
            Turn::Over => return state,
        }
    }
}

fn slow(state: &State, depth: u32, weights: &Weights<INPUTS>) -> f64 {
    match state.turn() {
        Turn::Over => f64::from(state.value()),
        _ if depth == 0 => f64::from(weights.value(state, &state.inputs())),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            state.outcomes(&mut outcomes);
            let total: u32 = outcomes.iter().map(|outcome| outcome.1).sum();
            outcomes
                .iter()
                .map(|&(colour, weight)| {
                    let mut child = state.clone();
                    child.resolve(colour);
                    f64::from(weight) / f64::from(total) * slow(&child, depth, weights)
                })
                .sum()
        }
        Turn::Player(player) => {
            let sign = f64::from(player.sign());
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let values = moves.iter().map(|&mv| {
                let mut child = state.clone();
                child.play(mv);
                sign * slow(&child, depth - 1, weights)
            });
            sign * values.fold(f64::NEG_INFINITY, f64::max)
        }
    }
}

#[test]
fn values_are_those_of_expectimax_and_every_bound_holds() {
    let mut rng = Rng::new(1);
    let (mut exact, mut bounds) = (0, 0);
    for round in 0..60 {
        let weights = random_weights(&mut rng);
        // Few empty cells, so that the slow twin comes to an end at depth 3.
        let (chips, depth) = [(45, 3), (30, 2), (12, 1)][round % 3];
        let state = random_state(chips, &mut rng);
        if state.turn() == Turn::Over {
            continue;
        }
        let mut search = Search::new(&weights, true);
        let value = search.value(&state, depth);
        assert!((f64::from(value) - slow(&state, depth, &weights)).abs() < 1e-3);
        // The slow twin finds the recorded states again by their inputs: it visits all states of the tree.
        let mut tree = Vec::new();
        visit(&state, depth, &mut |state, depth| {
            tree.push((state.turn_index(), depth, state.inputs(), state.base(), state.clone()));
        });
        let step = (search.nodes.len() / 40).max(1);
        for node in search.nodes.iter().step_by(step) {
            let alike = tree.iter().filter(|(turn, depth, inputs, base, _)| {
                (*turn, *depth, *inputs, *base) == (node.turn, node.depth, node.inputs, node.base)
            });
            // Several states may have the same inputs; one of them at least has the value.
            let holds = alike
                .map(|(.., state)| slow(state, node.depth, &weights))
                .any(|value| f64::from(node.low) - 1e-3 <= value && value <= f64::from(node.high) + 1e-3);
            assert!(holds, "{node:?}");
            if node.low == node.high { exact += 1 } else { bounds += 1 }
        }
    }
    assert!(exact > 50 && bounds > 50, "{exact} {bounds}");
}

/// Every state of the tree that a search may record, with the depth left.
fn visit(state: &State, depth: u32, see: &mut dyn FnMut(&State, u32)) {
    if depth == 0 || state.turn() == Turn::Over {
        return;
    }
    see(state, depth);
    let mut deciding = Vec::new();
    if state.turn() == Turn::Chance {
        let mut outcomes = Vec::new();
        state.outcomes(&mut outcomes);
        for (colour, _) in outcomes {
            let mut child = state.clone();
            child.resolve(colour);
            deciding.push(child);
        }
    } else {
        deciding.push(state.clone());
    }
    for state in deciding {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        for mv in moves {
            let mut child = state.clone();
            child.play(mv);
            visit(&child, depth - 1, see);
        }
    }
}

#[test]
fn the_best_move_has_the_best_value() {
    let mut rng = Rng::new(2);
    for round in 0..200 {
        let weights = random_weights(&mut rng);
        let (chips, depth) = [(46, 3), (40, 2), (20, 1)][round % 3];
        let mut state = random_state(chips, &mut rng);
        if state.turn() == Turn::Chance {
            let colour = state.random_outcome(&mut rng, &mut Vec::new());
            state.resolve(colour);
        }
        if state.turn() == Turn::Over {
            continue;
        }
        let best = Search::new(&weights, false).best(&state, depth);
        let mut child = state.clone();
        child.play(best.mv);
        let of_move = match (child.turn(), depth) {
            (Turn::Over, _) => f64::from(child.value()),
            (_, 1) => f64::from(weights.value(&child, &child.inputs())),
            _ => slow(&child, depth - 1, &weights),
        };
        assert!((of_move - slow(&state, depth, &weights)).abs() < 1e-3);
        assert!((of_move - f64::from(best.value)).abs() < 1e-3);
    }
}
