//! Learning of a custom game: its nodes, its training run, its files.

use super::games::{MatchOpponent, player, rivals};
use super::{Inputs, Learner, Method, Node, Recipe, Targets, train};
use crate::interrupted::train_in_pieces;
use crate::optimiser::{Adam, RateSchedule, Schedule};
use crate::tictactoe::{State, TicTacToe};
use crate::{Event, TrainingOptions};
use contender_game::{
    rules::{Game, Player, Rng, Turn},
    settings::Shipped,
};
use contender_search::minimax;
use contender_value::{Evaluation, Features, Unit, WON};

fn recipe(change: impl FnOnce(&mut Recipe)) -> Recipe {
    crate::learns_features::<TicTacToe>();
    let text = include_str!("../../../cli/templates/crate/evaluation.toml").replace("{name}", "tictactoe");
    let text = text.replace("minutes = 1.0", "games = 200").replace("count = 5", "count = 2");
    let mut recipe: Recipe = toml::from_str(&text).unwrap();
    change(&mut recipe);
    recipe.check().unwrap();
    recipe
}

/// Returns all features of a node.
fn dense(inputs: &Inputs) -> Vec<f64> {
    let mut dense = vec![0.0; State::COUNT];
    inputs.each(|feature, times| {
        assert!(times != 0.0 && dense[feature] == 0.0);
        dense[feature] = times;
    });
    dense
}

/// Returns the differences in the counts of features, counted separately for each player.
fn counted(state: &State) -> Vec<f64> {
    let count = |player, feature| {
        let mut times = 0.0;
        state.features(player, |of| times += f64::from(u8::from(of == feature)));
        times
    };
    (0..State::COUNT).map(|feature| count(Player::Zero, feature) - count(Player::One, feature)).collect()
}

/// Compares the nodes of a search with plain minimax of every position in its tree.
#[test]
fn nodes_of_own_games_hold_what_their_positions_are_worth() {
    let weights = [0.05, 0.1, 0.3, 0.2, -0.1, 0.25];
    let mut guide = Evaluation::<State>::of_weights(weights.to_vec());
    for (depth, targets) in [(1, Targets::Nodes), (3, Targets::Nodes), (2, Targets::Root)] {
        let recipe = recipe(|recipe| {
            (recipe.self_play.depth, recipe.targets) = (depth, targets);
        });
        let nodes = player::<TicTacToe>(&recipe, &weights)(&mut Rng::new(7)).unwrap();
        assert!(nodes.len() >= 5, "{}", nodes.len());
        let mut known = Vec::new();
        worth(&State::default(), depth, &mut guide, &mut known);
        let (mut exact, mut bounds) = (0, 0);
        for node in &nodes {
            let is_fit = |(inputs, value): &(Vec<f64>, i32)| {
                *inputs == dense(&node.inputs) && node.error(*value as f32 / WON as f32).abs() < 1e-6
            };
            assert!(known.iter().any(is_fit), "{node:?}");
            if node.low == node.high { exact += 1 } else { bounds += 1 }
        }
        assert!(exact >= 5 && (bounds > 0) == (depth == 3), "{exact} {bounds}");
    }
}

/// Collects the inputs and values of all positions in the tree, for every depth up to `depth`.
fn worth(state: &State, depth: u32, guide: &mut Evaluation<State>, known: &mut Vec<(Vec<f64>, i32)>) {
    if state.turn() == Turn::Over || known.len() > 30_000 {
        return;
    }
    for depth in 1..=depth {
        let entry = (counted(state), minimax(state, depth, guide));
        if !known.contains(&entry) {
            known.push(entry);
        }
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    for mv in moves {
        let mut child = state.clone();
        child.play(mv);
        worth(&child, depth, guide, known);
    }
}

fn numbers(line: &str, name: &str) -> f64 {
    let rest = line.split_once(&format!("{name} ")).unwrap().1;
    rest.split([',', ' ']).next().unwrap().parse().unwrap()
}

#[test]
fn an_own_game_learns_and_follows_from_its_seed() {
    let recipe = recipe(|_| ());
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut log = Vec::new();
    let outcome = train(&recipe, &TrainingOptions::new(whole.path(), 5), &|| false, &mut |event| {
        if let Event::Log(line) = event {
            log.push(line);
        }
    });
    let file = outcome.unwrap().file;
    assert!(log.len() == 2 && numbers(&log[1], "against random") > 0.9, "{log:?}");
    let text = std::fs::read_to_string(&file).unwrap();
    let evaluation = Evaluation::<State>::read(text.as_bytes()).unwrap();
    let [one, two, ..] = *evaluation.weights() else { panic!("{text}") };
    assert!(two > one && one > 0.0, "two in a line are worth more than one: {text}");
    let options = TrainingOptions::new(parts.path(), 5);
    train_in_pieces(60, |is_stopped| train(&recipe, &options, is_stopped, &mut |_| ()).unwrap().is_finished);
    assert_eq!(std::fs::read_to_string(parts.path().join("weights.txt")).unwrap(), text);
}

/// Saved weights can be the start of another training run.
#[test]
fn an_own_game_begins_with_weights_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("first.txt");
    let weights = vec![0.5, 1.25, -0.375, 0.0, 2.0];
    std::fs::write(&file, Evaluation::<State>::new(0.25, &weights).write()).unwrap();
    let recipe = recipe(|recipe| recipe.start = Some(file.clone()));
    let method = Method::<TicTacToe>::new(&recipe);
    let standing = crate::training::Method::start(&method, 1).unwrap();
    assert_eq!(standing.learner.turns().collect::<Vec<_>>(), [(0.25, weights.clone())]);
    assert_eq!(method.weights(&standing.learner), [vec![0.25], weights].concat());
    let numbers = contender_value::Layout::new(State::COUNT, 2).count();
    std::fs::write(&file, Evaluation::<State>::network(2, vec![0.5; numbers]).write()).unwrap();
    let error = format!("{:#}", crate::training::Method::start(&method, 1).unwrap_err());
    assert!(error.contains("it is a network, not weights"), "{error}");
    std::fs::write(&file, "constant 1\n0 x\n").unwrap();
    let error = crate::training::Method::start(&method, 1).unwrap_err();
    let error = format!("{error:#}");
    assert!(
        error.contains("first.txt") && error.contains("line 2: `0 x` is not `0` and a number"),
        "{error}"
    );
}

/// The player with the better weights wins the pairs of games.
#[test]
fn matches_of_own_games_tell_who_is_better() {
    let recipe = recipe(|recipe| recipe.matches.depth = 1);
    let (good, bad) = ([0.0, 1.0, 3.0, 0.0, 0.0, 0.0], [0.0, -1.0, -3.0, 0.0, 0.0, 0.0]);
    let mean = |own: &[f32], opponent: MatchOpponent<'_>| {
        let mut rivals = rivals::<TicTacToe>(&recipe, own, opponent);
        (0..100).map(&mut rivals).sum::<f64>() / 100.0
    };
    let [first, second] =
        [mean(&good, MatchOpponent::Weights(&bad)), mean(&bad, MatchOpponent::Weights(&good))];
    assert!(first > 0.8 && (first + second - 1.0).abs() < 1e-9, "{first} {second}");
    assert!(mean(&good, MatchOpponent::Rival) > 0.8 && mean(&bad, MatchOpponent::Rival) < 0.7);
}

/// The same steps are computed with all inputs of all nodes, one after another.
#[test]
fn sparse_inputs_teach_as_dense_ones_do() {
    const N: usize = 6;
    let mut rng = Rng::new(3);
    let mut node = || {
        let inputs: [f32; N] =
            std::array::from_fn(|at| if rng.index(N) >= at { rng.index(5) as f32 - 1.0 } else { 0.0 });
        let high = rng.unit() as f32 * 4.0 - 1.0;
        let low = if rng.index(3) == 0 { f32::NEG_INFINITY } else { high };
        let sparse = (0..).zip(inputs).filter(|&(_, input)| input != 0.0).collect();
        (inputs, Node { turn: 0, inputs: Inputs(sparse), base: rng.unit() as f32, low, high })
    };
    let learning = recipe(|recipe| (recipe.learning.passes, recipe.learning.smoothing) = (1, 0.0)).learning;
    let mut learner = Learner::new(1, N);
    let (mut adam, mut level, mut weights) = (Adam::new(N + 1), 0.0, [0.0; N]);
    let (mut mean, mut variance, mut met) = ([0.0; N], [0.0; N], 0.0);
    for round in 0..20 {
        let nodes: Vec<([f32; N], Node)> = (0..100).map(|_| node()).collect();
        let sparse: Vec<Node> = nodes.iter().map(|(_, node)| node.clone()).collect();
        learner.learn(&sparse, &learning, Unit::Points(1), 0.0, &mut Rng::new(round));
        met += 100.0;
        for at in 0..N {
            let inputs = || nodes.iter().map(|(inputs, _)| f64::from(inputs[at]));
            let now = inputs().sum::<f64>() / 100.0;
            let apart = now - mean[at];
            let share = 100.0 / met;
            let spread = inputs().map(|input| (input - now).powi(2)).sum::<f64>() / 100.0;
            variance[at] += share * (spread - variance[at]) + share * (1.0 - share) * apart * apart;
            mean[at] += share * apart;
            level += weights[at] * share * apart;
        }
        let mut order: Vec<&([f32; N], Node)> = nodes.iter().collect();
        Rng::new(round).shuffle(&mut order);
        for batch in order.chunks(100 / 8) {
            let (mut gradient, mut all) = (vec![0.0; N + 1], 0.0);
            for (inputs, node) in batch {
                let centred: [f64; N] = std::array::from_fn(|at| f64::from(inputs[at]) - mean[at]);
                let sum: f64 = centred.iter().zip(&weights).map(|(input, weight)| input * weight).sum();
                let value = f64::from(node.base) + level + sum;
                let weight = if node.low == node.high { 1.0 } else { learning.bound_weight };
                let push = weight * f64::from(node.error(value as f32));
                gradient[0] += push;
                (0..N).for_each(|at| gradient[1 + at] += push * centred[at] / variance[at].sqrt());
                all += weight;
            }
            let mut gradient: Vec<f32> = gradient.iter().map(|sum| (sum / all) as f32).collect();
            let mut steps = vec![0.0; N + 1];
            adam.step(&mut steps, &mut gradient, learning.rate(N).at(0.0) as f32);
            level += f64::from(steps[0]);
            (0..N).for_each(|at| weights[at] += f64::from(steps[1 + at]) / variance[at].sqrt());
        }
        let (_, found) = learner.turns().next().unwrap();
        for (at, &weight) in weights.iter().enumerate() {
            assert!((f64::from(found[at]) - weight).abs() < 1e-4, "round {round}: {found:?} {weights:?}");
        }
    }
    assert!(weights.iter().any(|weight| weight.abs() > 0.1), "{weights:?}");
}

/// Each training as it ends: its last words and the weights that it wrote.
fn ended(recipe: &Recipe, seed: u64) -> (String, Vec<f32>) {
    let folder = tempfile::tempdir().unwrap();
    let outcome = train(recipe, &TrainingOptions::new(folder.path(), seed), &|| false, &mut |_| ()).unwrap();
    assert!(outcome.is_finished);
    let weights = Evaluation::<State>::read(&std::fs::read(&outcome.file).unwrap()).unwrap();
    (outcome.verdict.unwrap(), weights.numbers().to_vec())
}

#[test]
fn a_training_says_how_much_stronger_than_its_start_it_is() {
    let (verdict, weights) = ended(&recipe(|_| ()), 5);
    assert!(verdict.starts_with("stronger than the start: +"), "{verdict}");
    assert!(weights.iter().any(|&weight| weight != 0.0));
}

/// Steps far too large spoil good weights: they are kept, and the training says why it ended.
#[test]
fn a_training_that_diverges_keeps_its_last_good_weights() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("good.txt");
    let good = [0.0, 0.5, 1.5, 0.3, 0.2, 0.0];
    std::fs::write(&file, Evaluation::<State>::of_weights(good.to_vec()).write()).unwrap();
    let rate = Schedule { start: 500.0, end: 500.0, curve: RateSchedule::Linear };
    let recipe = recipe(|recipe| {
        recipe.start = Some(file);
        recipe.learning.rate = Some(rate);
    });
    let (verdict, weights) = ended(&recipe, 5);
    assert_eq!(weights, good);
    assert!(verdict.starts_with("ended early: the weights diverged: with weights up to "), "{verdict}");
    assert!(verdict.ends_with("no version was stronger than the start version, which is kept"), "{verdict}");
}

/// Steps in no good direction do not improve good weights.
#[test]
fn a_training_ends_when_nothing_improves() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("good.txt");
    std::fs::write(&file, Evaluation::<State>::of_weights(vec![0.0, 0.5, 1.5, 0.3, 0.2, 0.0]).write())
        .unwrap();
    let rate = Schedule { start: 8.0, end: 8.0, curve: RateSchedule::Linear };
    let recipe = recipe(|recipe| {
        recipe.start = Some(file);
        recipe.learning.rate = Some(rate);
        recipe.learning.round = 1;
        (recipe.matches.count, recipe.matches.patience) = (200, Some(2));
    });
    let (verdict, _) = ended(&recipe, 5);
    assert!(verdict.contains("ended early: no improvement in 2 matches"), "{verdict}");
}

#[test]
fn steps_fit_the_number_of_features() {
    let learning = recipe(|_| ()).learning;
    assert_eq!(learning.rate, None, "the template leaves the rate out");
    let [few, many] = [4, 400].map(|inputs| learning.rate(inputs));
    assert!((few.start - 0.05).abs() < 1e-9 && (many.start - 0.005).abs() < 1e-9, "{few:?} {many:?}");
    assert!(many.end > 0.0 && many.end < many.start && learning.rate(400).check().is_ok());
}

#[test]
fn a_recipe_names_opponents_of_the_game() {
    let log = |opponent: &str| {
        let recipe = recipe(|recipe| recipe.matches.opponents = vec![opponent.to_string()]);
        let folder = tempfile::tempdir().unwrap();
        let mut log = Vec::new();
        let outcome = train(&recipe, &TrainingOptions::new(folder.path(), 5), &|| false, &mut |event| {
            if let Event::Log(line) = event {
                log.push(line);
            }
        });
        outcome.map(|_| log)
    };
    let lines = log("uct").unwrap();
    assert!(lines.len() == 2 && numbers(&lines[1], "against uct") < 0.7, "{lines:?}");
    let error = format!("{:#}", log("expert").unwrap_err());
    assert!(error.contains("tictactoe has no bot `expert`; available: random"), "{error}");
}

/// With a mean, the weights of the games differ from those that are kept, and stops make no difference.
#[test]
fn a_training_may_keep_the_mean_of_its_weights() {
    let mean = |recipe: &mut Recipe| recipe.learning.average = 0.9;
    let (_, latest) = ended(&recipe(|_| ()), 5);
    let (verdict, averaged) = ended(&recipe(mean), 5);
    assert!(verdict.starts_with("stronger than the start: +"), "{verdict}");
    assert_ne!(latest, averaged);
    let method_recipe = recipe(mean);
    let method = Method::<TicTacToe>::new(&method_recipe);
    let mut standing = crate::training::Method::start(&method, 1).unwrap();
    let means = [vec![1.0; 6], vec![2.0; 6]];
    standing.averaged = Some(means.clone());
    assert_eq!(method.latest(&standing), means[0]);
    assert!(crate::training::Method::check(&method, &standing).is_ok());
    standing.averaged = Some([vec![1.0; 6], vec![2.0; 5]]);
    assert!(crate::training::Method::check(&method, &standing).is_err());
}

#[test]
fn features_that_never_differ_are_named() {
    let mut learner = Learner::new(1, 3);
    let node =
        |value: f32| Node { turn: 0, inputs: Inputs(vec![(1, value)]), base: 0.0, low: value, high: value };
    let learning = recipe(|_| ()).learning;
    learner.learn(&[node(1.0), node(-1.0)], &learning, Unit::Wins, 0.0, &mut Rng::new(1));
    assert_eq!(learner.idle_inputs(), [true, false, true]);
    assert_eq!(learner.divergence(Unit::Wins), None);
}
