//! The network's numbers: in games and in the trainer, in bytes, and whether it learns.

use contender_entropy::State;
use contender_entropy::evaluation::{Linear, Net, POINT, Value, Weights, decision, evaluate};
use contender_game::{Game, Rng, Turn};
use contender_nnue::entropy::{Example, Network, Play, Sample, game, searcher};
use contender_nnue::fit::Fitting;
use contender_nnue::records::Record;

const PLAY: Play = Play { depth: 1, opening: 14, blunder: 0.1, aside: 0.5 };

fn samples(games: u64) -> Vec<Sample> {
    let mut search = searcher(Linear::from(Weights::shipped()));
    (0..games).flat_map(|seed| game(&mut search, &PLAY, &mut Rng::new(seed))).collect()
}

fn written(sample: &Sample) -> Vec<u8> {
    let mut bytes = Vec::new();
    sample.write(&mut bytes);
    assert_eq!(bytes.len(), Sample::BYTES);
    bytes
}

#[test]
fn samples_survive_writing_and_reading() {
    let samples = samples(2);
    assert!(samples.len() > 2 * 97);
    for sample in &samples {
        assert_eq!(Sample::read(&written(sample)).unwrap(), *sample);
    }
    for byte in [0, 3, 9, 49] {
        let mut bytes = written(&samples[100]);
        bytes[byte] = 9;
        assert!(Sample::read(&bytes).is_err(), "byte {byte}");
    }
    let mut bytes = written(&samples[100]);
    bytes[50..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(Sample::read(&bytes).is_err());
    assert!(Sample::read(&[1; Sample::BYTES]).is_err(), "there are only seven chips of a colour");
}

#[test]
fn a_new_network_is_the_linear_evaluation() {
    let weights = Weights::shipped();
    let mut net = Net::read(&Network::new(&weights, 1).write()).unwrap();
    for Sample { state, .. } in samples(3) {
        let error = net.value(decision(&state).unwrap(), &state) - evaluate(&state, &weights);
        // Weights are rounded to 1/256 of a point for about a deviation of their input.
        assert!(error.abs() < POINT / 4, "{error}");
    }
}

/// The value of a position as the trainer sees it, from the errors of two examples whose targets are a point apart.
fn trained_value(network: &Network, state: &State) -> f64 {
    let error = |value: f32| network.error(&[Example::new(&Sample { state: state.clone(), value })]);
    let (at_0, at_1) = (error(0.0), error(1.0));
    // (v - 0)^2 - (v - 1)^2 = 2 v - 1.
    (at_0 - at_1 + 1.0) / 2.0
}

#[test]
fn learning_reduces_the_error_and_the_net_of_the_bots_says_the_same() {
    let samples = samples(30);
    let examples: Vec<Example> = samples.iter().map(Example::new).collect();
    let (learn, unseen) = examples.split_at(examples.len() * 4 / 5);
    let mut network = Network::new(&Weights::shipped(), 1);
    let before = [learn, unseen].map(|part| network.error(part));
    let fitting = Fitting { epochs: 4, batch: 64, rate: 0.003 };
    let mut heard = 0;
    fitting.fit(&mut network, learn, &mut Rng::new(1), |_, _, _| heard += 1);
    assert_eq!(heard, 4);
    let after = [learn, unseen].map(|part| network.error(part));
    assert!(after[0] < 0.7 * before[0] && after[1] < before[1], "{before:?} {after:?}");

    let mut net = Net::read(&network.write()).unwrap();
    for Sample { state, .. } in samples.iter().step_by(7).filter(|sample| sample.state.turn() != Turn::Over) {
        let value = f64::from(net.value(decision(state).unwrap(), state)) / f64::from(POINT);
        let expected = trained_value(&network, state);
        assert!((value - expected).abs() < 0.3, "{value} {expected}");
    }
}

#[test]
fn bytes_of_another_length_are_no_network() {
    let bytes = Network::new(&Weights::shipped(), 1).write();
    assert!(Net::read(&bytes[..bytes.len() - 2]).is_err());
    assert!(Net::read(&[]).is_err());
}

#[test]
fn the_shipped_network_is_well_formed() {
    let mut net = Net::shipped();
    // What Chaos's best placement leaves can be no worse for it than 1,000 points.
    let state = State::default();
    assert!((0..1000 * POINT).contains(&net.value(0, &state)));
}
