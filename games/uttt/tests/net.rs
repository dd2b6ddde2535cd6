//! The network: what is shared by the moves of a position gives the same as each position by itself.

use contender_game::{Game, Rng, Turn};
use contender_uttt::net::{self, Net, HIDDEN, INPUTS, NUMBERS, ONE};
use contender_uttt::State;

/// Random numbers of a network, small as trained ones are.
fn numbers(rng: &mut Rng) -> Vec<i32> {
    (0..NUMBERS).map(|_| rng.below(401) as i32 - 200).collect()
}

/// The network by its definition: every input against every neuron.
fn slow(numbers: &[i32], state: &State) -> f32 {
    let mut is_set = [false; INPUTS];
    net::inputs(state, state.mover().other(), |input| is_set[input] = true);
    let mut dot = i64::from(numbers[NUMBERS - 1]) * i64::from(ONE);
    for neuron in 0..HIDDEN {
        let bias = numbers[INPUTS * HIDDEN + neuron];
        let sum: i32 =
            (0..INPUTS).filter(|&input| is_set[input]).map(|input| numbers[input * HIDDEN + neuron]).sum();
        let output = numbers[(INPUTS + 1) * HIDDEN + neuron];
        dot += i64::from((bias + sum).clamp(0, ONE)) * i64::from(output);
    }
    1.0 / (1.0 + (-(dot as f32) / (ONE * ONE) as f32).exp())
}

#[test]
fn all_ways_to_evaluate_agree() {
    let mut rng = Rng::new(1);
    let numbers = numbers(&mut rng);
    let net = Net::read(&net::write_numbers(&numbers)).unwrap();
    let mut ended = 0;
    for _ in 0..100 {
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
                assert_eq!(is_over, next.turn() == Turn::Over);
                if is_over {
                    ended += 1;
                    assert_eq!(value, (1 + state.mover().sign() * next.value()) as f32 / 2.0);
                } else {
                    assert_eq!(value, net.evaluate(&next));
                }
            }
            assert!((net.evaluate(&state) - slow(&numbers, &state)).abs() < 1e-6);
            state.play(*rng.choose(&moves));
        }
    }
    assert!(ended > 100);
}

#[test]
fn bad_networks_are_refused() {
    let numbers: Vec<i32> = (0..NUMBERS as i32).map(|at| 5 * (at - NUMBERS as i32 / 2)).collect();
    let bytes = net::write_numbers(&numbers);
    assert!(Net::read(&bytes).is_ok());
    for bad in [&[][..], &[2], &[0], &bytes[1..], &bytes[..bytes.len() - 1], &bytes[..bytes.len() - 2]] {
        assert!(Net::read(bad).is_err());
    }
}
