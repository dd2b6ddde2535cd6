//! A custom game's network: its gradient, its samples, its file.

mod training;

use super::{FeatureNetwork, Own, Play, PlayedGame, Sample};
use crate::digits::Digits;
use crate::self_play::{exact_search, resolve, start};
use crate::tictactoe::{State, TicTacToe};
use contender_game::{
    contest::{ContestInfo, Judge, MoveOf, Notation, OpenJudge, StateOf, TypedContest},
    rules::{Game, Player, Rng, Turn},
    settings::Shipped,
};
use contender_puct::Learnable;
use contender_search::{Heuristics, SearchLimits, TacticalConfig, Tactics, WithChance, expectimax, minimax};
use contender_value::{Evaluation, Features, Layout, Model, Record, TrainingGuide, ValueLearnedGame, WON};
use std::path::Path;

const PLAY: Play = Play {
    neurons: 4,
    depth: 2,
    nodes: None,
    quiescence: None,
    random_turns: 3,
    random_share: 0.5,
    aside: 0.5,
    result: 0.5,
};

/// The game with searches that only know noisy moves.
type Plain<C> = Own<C, Evaluation<StateOf<C>>>;

/// Returns the samples of games with these seeds.
fn played<E: TrainingGuide<State>>(
    own: &mut Own<TicTacToe, E>,
    seeds: impl Iterator<Item = u64>,
) -> Vec<Sample<State>> {
    let games = seeds.flat_map(|seed| own.game(seed).unwrap()).collect();
    own.examples(games)
}

fn samples() -> Vec<Sample<State>> {
    played(&mut Plain::new(PLAY), 0..20)
}

/// Returns a network with four neurons and some random weights.
fn network() -> FeatureNetwork<State> {
    network_of(4)
}

fn network_of(neurons: usize) -> FeatureNetwork<State> {
    let (mut network, mut rng) = (FeatureNetwork::<State>::new(neurons, 1), Rng::new(2));
    network.numbers().iter_mut().for_each(|number| *number += 0.6 * (rng.unit() as f32 - 0.5));
    network
}

/// Returns the loss, computed with the counts of all features, neuron by neuron.
fn slow_loss(numbers: &[f64], neurons: usize, sample: &Sample<State>) -> f64 {
    let count = |player: Player, feature: usize| {
        sample.of(player).iter().filter(|&&of| usize::from(of) == feature).count() as f64
    };
    let (linear, hidden) = numbers.split_at(1 + State::COUNT);
    let worth = |own: Player| {
        let sum: f64 = (0..State::COUNT).map(|feature| linear[1 + feature] * count(own, feature)).sum();
        let of_neuron = |neuron: usize| {
            let inner = (0..State::COUNT).map(|feature| {
                let row = &hidden[2 * neurons + 2 * neurons * feature..];
                row[neuron] * count(own, feature) + row[neurons + neuron] * count(own.other(), feature)
            });
            (hidden[neuron] + inner.sum::<f64>()).clamp(0.0, 1.0).powi(2) * hidden[neurons + neuron]
        };
        sum + (0..neurons).map(of_neuron).sum::<f64>()
    };
    let (sum, target) = (linear[0] + worth(Player::Zero) - worth(Player::One), f64::from(sample.target));
    (1.0 + sum * sum).sqrt() - target * sum - (1.0 - target * target).sqrt()
}

#[test]
fn gradients_are_the_slopes_of_the_loss() {
    for neurons in [0, 4] {
        check_gradients(neurons);
    }
}

fn check_gradients(neurons: usize) {
    let mut network = network_of(neurons);
    let mut numbers: Vec<f64> = network.numbers().iter().map(|&number| number.into()).collect();
    let mut gradient = vec![0.0; numbers.len()];
    for sample in samples() {
        gradient.fill(0.0);
        let loss = network.learn(&sample, 0.5, &mut Rng::new(1), &mut gradient);
        assert!((loss - slow_loss(&numbers, neurons, &sample)).abs() < 1e-5, "{sample:?}");
        for at in 0..numbers.len() {
            let number = numbers[at];
            let [low, high] = [-1e-5, 1e-5].map(|step| {
                numbers[at] = number + step;
                slow_loss(&numbers, neurons, &sample)
            });
            numbers[at] = number;
            let slope = 0.5 * (high - low) / 2e-5;
            assert!((f64::from(gradient[at]) - slope).abs() < 1e-4, "{at}: {} {slope}", gradient[at]);
        }
    }
}

/// The samples are positions of the game and positions after random moves; in none of them is the game over.
#[test]
fn games_give_positions_with_what_they_are_worth() {
    let all = samples();
    assert!(all.len() > 20 * 8, "{}", all.len());
    assert!(all.iter().any(|sample| sample.target.abs() == 1.0), "who wins at once has won");
    let aside = played(&mut Plain::new(Play { aside: 0.0, result: 1.0, ..PLAY }), 3..4);
    let result = aside[0].target;
    assert!(aside.len() <= 9 && aside.iter().all(|sample| sample.target == result), "{aside:?}");
    assert!(aside[0].of(Player::Zero) == [4] && aside[0].of(Player::One).is_empty(), "the right to move");
    let again = played(&mut Plain::new(PLAY), 7..8);
    let mut own = Plain::new(PLAY);
    own.game(1).unwrap();
    assert_eq!(played(&mut own, 7..8), again, "a game follows from its seed, whatever was played before");
}

/// With enough nodes, a search that deepens finds the values of the search to a fixed depth.
#[test]
fn a_node_budget_changes_no_value_that_it_suffices_for() {
    let weights = Evaluation::<State>::new(0.1, &[0.5, 1.5, 0.0, 0.0, 0.3]).write();
    let own = |nodes| {
        let mut own = Plain::<TicTacToe>::new(Play { depth: 3, nodes, ..PLAY });
        own.play_with(&weights).unwrap();
        own
    };
    let (mut deep, mut budgeted, mut small) = (own(None), own(Some(100_000)), own(Some(5)));
    let (mut rng, mut positions, mut cut) = (Rng::new(4), 0, 0);
    for _ in 0..20 {
        let mut state = State::default();
        while let Turn::Player(player) = state.turn() {
            // The table would add values of deeper searches.
            let [one, two, three] = [&mut deep, &mut budgeted, &mut small].map(|own| {
                own.search.forget();
                own.searched(&state, player).1.unwrap()
            });
            let exact = minimax(&state, 3, &mut Evaluation::<State>::read(&weights).unwrap());
            assert_eq!(one, exact as f32 / WON as f32, "{state:?}");
            assert_eq!(one, two, "{state:?}");
            assert!((-1.0..=1.0).contains(&three));
            cut += usize::from(one != three);
            positions += 1;
            state.play(state.random_move(&mut rng, &mut Vec::new()));
        }
    }
    assert!(positions > 100 && cut > 20, "{positions} {cut}");
    let again = |mut own: Plain<TicTacToe>| played(&mut own, 7..8);
    assert_eq!(again(own(Some(50))), again(own(Some(50))), "a game follows from its seed");
}

/// Searches with quiescence evaluate only quiet positions.
#[test]
fn decided_positions_are_no_samples_of_quiet_searches() {
    let decided = |quiescence| {
        let samples = played(&mut Plain::new(Play { quiescence, result: 0.0, ..PLAY }), 0..20);
        (samples.iter().filter(|sample| sample.target.abs() == 1.0).count(), samples.len())
    };
    let ((all, _), (quiet, samples)) = (decided(None), decided(Some(1)));
    assert!(all > 10 && quiet == 0 && samples > 50, "{all} {quiet} {samples}");
}

/// Plays a game of random moves. Returns its judge and all its positions.
fn random_game<C: TypedContest>(seed: u64) -> (C::Judge, Vec<StateOf<C>>)
where
    StateOf<C>: Clone + Game,
{
    let mut judge = C::start(seed, C::Rules::default()).unwrap();
    let (mut states, mut rng) = (Vec::new(), Rng::new(seed));
    loop {
        states.push(judge.state().clone());
        let Some(question) = judge.ask().pop() else { break };
        if states.last().unwrap().turn() == Turn::Chance {
            states.push(judge.state().clone());
        }
        let lines = judge.choices(question.player);
        let line = rng.choose(&lines).clone();
        judge.answer(question.player, &[line]).unwrap();
    }
    states.pop();
    (judge, states)
}

#[test]
fn records_give_their_positions_with_values_and_results() {
    fn check<C>(value: fn(&StateOf<C>, u32, &mut Evaluation<StateOf<C>>) -> i32)
    where
        C: TypedContest,
        StateOf<C>: Features<Move = MoveOf<C>> + Notation,
    {
        for seed in 0..20 {
            let (judge, states) = random_game::<C>(seed);
            let mut own = Plain::<C>::new(Play { aside: 0.0, result: 0.3, ..PLAY });
            let games = own.recorded(seed, &judge.setup(), judge.moves()).unwrap();
            let samples = own.examples(games);
            let [zero, one] = judge.points();
            let zeros = vec![0.0; <StateOf<C>>::COUNT];
            let expected = states.iter().map(|state| {
                let value = value(state, PLAY.depth, &mut Evaluation::new(0.0, &zeros)) as f32 / WON as f32;
                Sample::new(state, 0.3 * (zero - one).signum() as f32 + 0.7 * value)
            });
            assert_eq!(samples.len(), states.len());
            for (sample, expected) in samples.iter().zip(expected) {
                let targets = [sample.target, expected.target];
                assert!((targets[0] - targets[1]).abs() < 1e-4, "{targets:?}");
                assert!(Player::BOTH.into_iter().all(|player| sample.of(player) == expected.of(player)));
            }
        }
    }
    check::<TicTacToe>(minimax);
    check::<Digits>(expectimax);
    let moves = ["5".to_string(), "5".to_string()];
    let error = Plain::<TicTacToe>::new(PLAY).recorded(0, &[], &moves).map(drop).unwrap_err();
    assert!(error.starts_with("move 2: "), "{error}");
}

/// Stored games give the samples that they were stored with, also in games with chance.
#[test]
fn games_survive_writing_and_reading() {
    fn check<C>()
    where
        C: TypedContest + 'static,
        StateOf<C>: Features<Move = MoveOf<C>> + Notation + PartialEq + std::fmt::Debug,
    {
        let mut own = Plain::<C>::new(PLAY);
        let games: Vec<PlayedGame<C>> = (0..20).flat_map(|seed| own.game(seed).unwrap()).collect();
        for game in games {
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            assert_eq!(bytes.len(), PlayedGame::<C>::BYTES + PlayedGame::<C>::more(&bytes));
            let again = PlayedGame::<C>::read(&bytes).unwrap();
            assert_eq!(again.positions(), game.positions());
            let [before, after] = [game, again].map(|game| own.examples(vec![game]));
            assert!(before == after && before.len() > 4);
        }
    }
    check::<TicTacToe>();
    check::<Digits>();

    let mut bytes = Vec::new();
    Plain::<TicTacToe>::new(PLAY).game(1).unwrap()[0].write(&mut bytes);
    let error = |from: &str, to: &str| {
        let text = String::from_utf8(bytes[4..].to_vec()).unwrap().replacen(from, to, 1);
        PlayedGame::<TicTacToe>::read(&[&[0; 4], text.as_bytes()].concat()).map(drop).unwrap_err()
    };
    assert_eq!(error("tictactoe", "chess"), "it is a game of `chess`, but the recipe trains `tictactoe`");
    assert!(error("\"moves\":[\"", "\"moves\":[\"x").starts_with("move 1: "));
    assert_eq!(error("\"turn\":0", "\"turn\":99"), "the positions are not in the order of the moves");
    assert_eq!(error("\"result\":", "\"result\":7"), "a value is out of range");
}

/// A guide whose searches look at noisy moves.
struct Noisy(Evaluation<State>);

impl Heuristics<State> for Noisy {
    fn evaluate(&mut self, state: &State) -> i32 {
        self.0.evaluate(state)
    }

    fn finished(&mut self, state: &State) -> i32 {
        Heuristics::finished(&mut self.0, state)
    }

    fn key(&self, state: &State) -> Option<u64> {
        Features::key(state)
    }
}

impl Tactics<State> for Noisy {
    fn is_noisy(&self, _: &State, mv: u8) -> bool {
        mv.is_multiple_of(2)
    }

    fn decisive(&self) -> i32 {
        WON
    }
}

impl TrainingGuide<State> for Noisy {
    const TACTICS: TacticalConfig = TacticalConfig { quiescence: 2, ..TacticalConfig::NONE };

    fn new(evaluation: Evaluation<State>) -> Noisy {
        Noisy(evaluation)
    }
}

/// The guide's techniques play the games, unless the recipe has its own number of noisy moves.
#[test]
fn a_guide_plays_the_games() {
    let weights = Evaluation::<State>::new(0.1, &[0.5, 1.5, 0.0, 0.0, 0.3]).write();
    fn games<E: TrainingGuide<State>>(quiescence: Option<u32>, weights: &[u8]) -> Vec<Sample<State>> {
        let mut own = Own::<TicTacToe, E>::new(Play { quiescence, ..PLAY });
        own.play_with(weights).unwrap();
        played(&mut own, 0..20)
    }
    let plain = games::<Evaluation<State>>(Some(2), &weights);
    let [own, less, same] = [None, Some(1), Some(2)].map(|number| games::<Noisy>(number, &weights));
    assert!(own == same && own != less && own != plain);
}
