//! Tests of the evaluation's inputs against their definitions.

use contender_entropy::evaluation::{decision, inputs, maps, plain, Observer, NAMES};
use contender_entropy::{Cell, NextTurn, Scoring, State};
use contender_game::rules::{Chance, Game, Rng, Turn};

/// Visits every position of a random game, including positions in which chance acts.
fn random_game(rng: &mut Rng, mut visit: impl FnMut(&State)) {
    let mut state = State::default();
    loop {
        visit(&state);
        match state.turn() {
            Turn::Over => break,
            Turn::Chance => state.resolve(state.random_outcome(rng, &mut Vec::new())),
            Turn::Player(_) => state.play(state.random_move(rng, &mut Vec::new())),
        }
    }
}

/// Returns a position with few colours, which random games never reach: it has many palindromes and threats.
fn crowded(rng: &mut Rng) -> State {
    let mut colours = [[0; 7]; 7];
    let (kinds, density) = (1 + rng.below(6), 1 + rng.below(10));
    let mut left = [7; 8];
    for cell in Cell::all() {
        let colour = 1 + rng.below(7).min(rng.below(kinds + 1)) as usize;
        if rng.below(10) < density && left[colour] > 0 {
            left[colour] -= 1;
            colours[cell.row()][cell.column()] = colour as u8;
        }
    }
    State::from_cells(&colours, NextTurn::Chance, Scoring::Rules).unwrap()
}

fn assert_inputs(state: &State, observer: &mut Observer) {
    let (seen, defined) = (observer.inputs(state), plain::inputs(state));
    for ((name, seen), defined) in NAMES.iter().zip(seen).zip(defined) {
        assert_eq!(seen, defined, "{name} of {}", contender_entropy::position::write_state(state));
    }
    assert_eq!(plain::points(&plain::board(state)), state.score());
}

#[test]
fn the_inputs_are_those_of_the_definitions() {
    let mut rng = Rng::new(1);
    let mut observer = Observer::new();
    for _ in 0..7 {
        random_game(&mut rng, |state| assert_inputs(state, &mut observer));
    }
    for _ in 0..1_000 {
        assert_inputs(&crowded(&mut rng), &mut observer);
    }
}

/// The sum of a map over its squares is the input.
#[test]
fn maps_add_up_to_the_inputs() {
    let mut rng = Rng::new(5);
    let mut compared = 0;
    for _ in 0..300 {
        let state = crowded(&mut rng);
        let inputs = inputs(&state);
        let input = |name: &str| f64::from(inputs[NAMES.iter().position(|known| *known == name).unwrap()]);
        for (name, map) in maps(&state) {
            assert_eq!(map.len(), 49);
            let numbers = || map.iter().flatten().copied();
            let count = |wanted: f64| numbers().filter(|&number| number == wanted).count() as f64;
            match name {
                "threats" => assert_eq!(numbers().fold(0.0, f64::max), input("largest_threat")),
                "holes" => {
                    assert_eq!([count(1.0), count(2.0) / 2.0], [input("holes1"), input("holes2")]);
                }
                "rings" => {
                    assert_eq!([count(1.0), count(2.0)], [input("outer_ring"), input("second_ring")]);
                }
                sum => assert_eq!(numbers().sum::<f64>(), input(sum), "{sum}"),
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 300 * 10);
}

#[test]
fn a_drawn_chip_changes_no_input() {
    let mut rng = Rng::new(2);
    random_game(&mut rng, |state| {
        if state.turn() == Turn::Chance {
            let mut drawn = state.clone();
            drawn.resolve(state.random_outcome(&mut Rng::new(3), &mut Vec::new()));
            assert_eq!(inputs(state), inputs(&drawn));
            assert_eq!(decision(state), decision(&drawn));
        }
    });
}

#[test]
fn decisions_are_numbered_from_0_to_96() {
    let mut numbers = Vec::new();
    random_game(&mut Rng::new(4), |state| {
        if state.turn() != Turn::Chance {
            numbers.push(decision(state));
        }
    });
    let expected: Vec<Option<usize>> = (0..97).map(Some).chain([None]).collect();
    assert_eq!(numbers, expected);
}
