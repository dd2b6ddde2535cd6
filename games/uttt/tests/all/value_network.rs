//! Tests of the network: evaluating all moves together gives the same values as evaluating each position separately.

use contender_game::{
    rules::{Game, Player, Rng, Turn},
    settings::Shipped,
};
use contender_uttt::value_network::{self as net, ValueNetwork, HIDDEN, INPUTS, NUMBERS, ONE, ROWS};
use contender_uttt::{Move, State};

/// Returns random weights of a network, as small as trained weights.
fn numbers(rng: &mut Rng) -> Vec<i32> {
    (0..NUMBERS).map(|_| rng.below(401) as i32 - 200).collect()
}

/// Returns whether an input is set, directly from the definition of the inputs.
fn is_set(state: &State, input: usize) -> bool {
    let own = state.mover().other();
    let wins = |player: Player, cell: Move| {
        let mut marks = state.marks(player, cell.board());
        marks |= 1 << cell.cell();
        state.open() >> cell.board() & 1 == 1 && state.mark(cell).is_none() && has_line(marks)
    };
    let side = |number: usize| if number == 0 { own } else { own.other() };
    match input {
        0..=161 => {
            let cell = Move::from_index(input % 81);
            state.open() >> cell.board() & 1 == 1 && state.mark(cell) == Some(side(input / 81))
        }
        162..=323 => wins(side(input / 81 - 2), Move::from_index(input % 81)),
        324..=341 => state.won(side((input - 324) / 9)) >> ((input - 324) % 9) & 1 == 1,
        342..=350 => {
            let closed_by = |set: u16| set >> (input - 342) & 1 == 1;
            !closed_by(state.open()) && !Player::BOTH.into_iter().any(|player| closed_by(state.won(player)))
        }
        351..=368 => {
            let board = (input - 351) % 9;
            let won = state.won(side((input - 351) / 9));
            state.open() >> board & 1 == 1 && has_line(won | 1 << board)
        }
        369..=377 => state.target() == Some(input - 369),
        _ => state.target().is_none(),
    }
}

fn has_line(set: u16) -> bool {
    [7, 56, 448, 73, 146, 292, 273, 84].iter().any(|line| set & line == *line)
}

/// Evaluates the network directly from its definition: every input with every neuron.
fn slow(numbers: &[i32], state: &State) -> f32 {
    let row = state.target().unwrap_or(9);
    let outputs = (INPUTS + 1 + row) * HIDDEN;
    let mut dot = i64::from(numbers[NUMBERS - ROWS + row]) * i64::from(ONE * ONE);
    for neuron in 0..HIDDEN {
        let bias = numbers[INPUTS * HIDDEN + neuron];
        let inputs = (0..INPUTS).filter(|&input| is_set(state, input));
        let sum: i32 = inputs.map(|input| numbers[input * HIDDEN + neuron]).sum();
        let clipped = i64::from((2 * (bias + sum)).clamp(0, ONE));
        dot += clipped * clipped * i64::from(numbers[outputs + neuron]);
    }
    1.0 / (1.0 + (-(dot as f32) / (ONE * ONE * ONE) as f32).exp())
}

/// Returns whether one of a player's moves wins the game.
fn wins_at_once(state: &State) -> bool {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.iter().any(|&mv| {
        let mut next = *state;
        next.play(mv);
        has_line(next.won(state.mover()))
    })
}

#[test]
fn all_ways_to_evaluate_agree() {
    let mut rng = Rng::new(1);
    let numbers = numbers(&mut rng);
    let net = ValueNetwork::read(&net::write_numbers(&numbers)).unwrap();
    let (mut ended, mut lost) = (0, 0);
    for _ in 0..40 {
        let mut state = State::default();
        while state.turn() != Turn::Over {
            let (mut moves, mut fast, mut plain) = (Vec::new(), Vec::new(), Vec::new());
            state.moves(&mut moves);
            net.evaluate_moves(&state, &moves, &mut fast);
            net.evaluate_moves_plain(&state, &moves, &mut plain);
            assert_eq!(fast, plain);
            for (&mv, (value, is_over)) in moves.iter().zip(fast) {
                let mut next = state;
                next.play(mv);
                assert_eq!(is_over, next.turn() == Turn::Over || wins_at_once(&next));
                assert_eq!(net::can_win(&next), wins_at_once(&next));
                if next.turn() != Turn::Over && is_over {
                    lost += 1;
                    assert_eq!(value, 0.0);
                } else if is_over {
                    ended += 1;
                    assert_eq!(value, (1 + state.mover().sign() * next.value()) as f32 / 2.0);
                } else {
                    assert_eq!(value, net.evaluate(&next));
                }
            }
            assert!((net.evaluate(&state) - slow(&numbers, &state)).abs() < 1e-4);
            state.play(*rng.choose(&moves));
        }
    }
    assert!(ended > 50 && lost > 50, "{ended} {lost}");
}

#[test]
fn symmetries_turn_inputs_as_they_turn_boards() {
    // A quarter turn of the board.
    let turn = [2, 5, 8, 1, 4, 7, 0, 3, 6];
    let mut rng = Rng::new(3);
    for _ in 0..50 {
        let (mut state, mut turned) = (State::default(), State::default());
        while state.turn() != Turn::Over {
            let mut expected = Vec::new();
            net::inputs(&state, state.mover(), |input| expected.push(net::turned_input(input, &turn)));
            let mut inputs = Vec::new();
            net::inputs(&turned, turned.mover(), |input| inputs.push(input));
            expected.sort_unstable();
            inputs.sort_unstable();
            assert_eq!(inputs, expected);
            let mv = state.random_move(&mut rng, &mut Vec::new());
            state.play(mv);
            turned.play(Move::new(turn[mv.board()], turn[mv.cell()]));
        }
    }
}

#[test]
fn bad_networks_are_refused() {
    let numbers: Vec<i32> = (0..NUMBERS as i32).map(|at| at % 401 - 200).collect();
    let bytes = net::write_numbers(&numbers);
    assert!(ValueNetwork::read(&bytes).is_ok());
    for bad in [&[][..], &[2], &[0], &bytes[1..], &bytes[..bytes.len() - 1], &bytes[..bytes.len() - 2]] {
        assert!(ValueNetwork::read(bad).is_err());
    }
    assert!(ValueNetwork::read(&net::write_numbers(&[30_000; NUMBERS])).is_err());
}
