//! Learning makes evaluations better, follows from its seed, and goes on where it was stopped.

use contender_entropy::State;
use contender_entropy::evaluation::{INPUTS, TURNS};
use contender_game::Rng;
use contender_learn::adam::{Curve, Schedule};
use contender_learn::treestrap::games::teach;
use contender_learn::treestrap::{self, Learner, Learning, Matches, Node, Search, SelfPlay, Weights};
use contender_learn::{Event, Kind, Length, Order, Recipe, train};
use std::cell::Cell;
use std::path::Path;

const SELF_PLAY: SelfPlay = SelfPlay { depth: 1, random_turns: 10, random_share: 0.3 };
const LEARNING: Learning = Learning {
    rate: Schedule { start: 0.5, end: 0.05, curve: Curve::Geometric },
    bound_weight: 0.5,
    smoothing: 0.02,
    round: 3,
    passes: 1,
    batch: 10_000,
};

fn recipe() -> treestrap::Recipe {
    treestrap::Recipe {
        kind: Kind::Treestrap,
        length: Length::Minutes(20.0),
        game: "entropy".to_string(),
        self_play: SELF_PLAY,
        learning: LEARNING,
        matches: Matches { count: 2, pairs: 2, last_pairs: 3, depth: 1 },
    }
}

/// The nodes of some games with weights that see only the points.
fn nodes(depth: u32, games: u64) -> Vec<Node<INPUTS>> {
    let weights = Weights::zero(TURNS);
    let mut search = Search::new(&weights, true);
    for seed in 0..games {
        let self_play = SelfPlay { depth, ..SELF_PLAY };
        teach(State::default(), &mut search, &self_play, &mut Rng::new(seed), &mut |_| ());
    }
    search.nodes
}

fn loss(weights: &Weights<INPUTS>, nodes: &[Node<INPUTS>]) -> f64 {
    let squares = nodes.iter().map(|node| {
        let value = node.base + weights.rest(node.turn, &node.inputs);
        f64::from(node.error(value)).powi(2)
    });
    squares.sum::<f64>() / nodes.len() as f64
}

#[test]
fn learning_reduces_the_loss_on_a_fixed_set() {
    let mut taught = nodes(2, 10);
    // The nodes of the last two games; a game has about as many as another.
    let unseen = taught.split_off(taught.len() * 8 / 10);
    let mut learner = Learner::new(TURNS, INPUTS);
    let before = [&taught, &unseen].map(|nodes| loss(&learner.weights(), nodes));
    for step in 0..60 {
        learner.learn(&taught, &LEARNING, f64::from(step) / 60.0, &mut Rng::new(1));
    }
    let after = [&taught, &unseen].map(|nodes| loss(&learner.weights(), nodes));
    assert!(after[0] < 0.2 * before[0] && after[1] < 0.6 * before[1], "{before:?} {after:?}");
}

/// Nodes whose value is a known linear function of the inputs.
fn linear_nodes(games: u64) -> Vec<Node<INPUTS>> {
    let mut nodes = nodes(2, games);
    for node in &mut nodes {
        let parts = node.inputs.iter().enumerate().map(|(at, input)| (at as f32 - 6.0) / 100.0 * input);
        let value = node.base + 30.0 - 0.3 * node.turn as f32 + parts.sum::<f32>();
        (node.low, node.high) = (value, value);
    }
    nodes
}

#[test]
fn a_linear_truth_is_found() {
    let nodes = linear_nodes(5);
    let mut learner = Learner::new(TURNS, INPUTS);
    let before = loss(&learner.weights(), &nodes);
    for step in 0..400 {
        let learning = Learning { smoothing: 0.0, ..LEARNING };
        learner.learn(&nodes, &learning, f64::from(step) / 400.0, &mut Rng::new(1));
    }
    let after = loss(&learner.weights(), &nodes);
    assert!(before > 100.0 && after < 0.02 * before, "{before} {after}");
}

#[test]
fn bounds_teach_only_where_they_are_broken() {
    let mut node = nodes(1, 1)[20];
    let learning = Learning { smoothing: 0.0, ..LEARNING };
    let value_after = |node: Node<INPUTS>| {
        let mut learner = Learner::new(TURNS, INPUTS);
        learner.learn(&[node], &learning, 0.0, &mut Rng::new(1));
        node.base + learner.weights::<INPUTS>().rest(node.turn, &node.inputs)
    };
    (node.low, node.high) = (node.base - 5.0, f32::INFINITY);
    assert_eq!(value_after(node), node.base);
    (node.low, node.high) = (f32::NEG_INFINITY, node.base - 5.0);
    assert!(value_after(node) < node.base);
    (node.low, node.high) = (node.base + 5.0, f32::INFINITY);
    assert!(value_after(node) > node.base);
}

#[test]
fn neighbours_of_the_same_player_become_alike() {
    let nodes: Vec<_> = linear_nodes(2).into_iter().filter(|node| node.turn == 40).collect();
    let mut learner = Learner::new(TURNS, INPUTS);
    for _ in 0..50 {
        let learning = Learning { smoothing: 0.2, ..LEARNING };
        learner.learn(&nodes, &learning, 0.0, &mut Rng::new(1));
    }
    let weights = learner.weights::<INPUTS>();
    let size = |turn: usize| weights.turns()[turn].weights.iter().map(|weight| weight.abs()).sum::<f32>();
    assert!(size(40) > size(42) && size(42) > size(44) && size(44) > 0.0);
    assert_eq!(size(41), 0.0);
}

#[test]
fn batches_reach_as_far_in_fewer_rounds() {
    let nodes = linear_nodes(4);
    let loss_after = |passes: u32, batch: u32| {
        let mut learner = Learner::new(TURNS, INPUTS);
        let rate = Schedule { start: 0.2, end: 0.2, curve: Curve::Linear };
        let learning = Learning { passes, batch, rate, smoothing: 0.0, ..LEARNING };
        (0..5).for_each(|round| {
            learner.learn(&nodes, &learning, 0.0, &mut Rng::new(round));
        });
        loss(&learner.weights(), &nodes)
    };
    let whole = loss_after(1, 10_000);
    assert!(loss_after(1, 20) < 0.8 * whole && loss_after(6, 20) < 0.5 * whole);
}

fn order(folder: &Path, games: u64) -> Order {
    Order { length: Some(Length::Games(games)), seed: 5, folder: folder.to_path_buf(), is_new: false }
}

/// Runs a training of so many games, stopped once after `stop` games, and returns the text of its weights and the log.
fn run(folder: &Path, games: u64, stop: Option<u64>) -> (String, Vec<String>) {
    let mut log = Vec::new();
    let recipe = Recipe::Treestrap(recipe());
    let limits = [stop, None];
    for limit in &limits[usize::from(stop.is_none())..] {
        let played = Cell::new(0);
        let is_stopped = || limit.is_some_and(|limit| played.get() >= limit);
        let outcome = train(&recipe, &order(folder, games), &is_stopped, &mut |event| match event {
            Event::GoingOn(games) => played.set(games),
            Event::Progress(progress) => played.set(progress.count),
            // Without the time.
            Event::Log(line) => log.push(line.split_once("min").unwrap().1.to_string()),
        })
        .unwrap();
        assert_eq!(outcome.is_finished, limit.is_none());
        assert_eq!(outcome.file, folder.join("weights.txt"));
    }
    (std::fs::read_to_string(folder.join("weights.txt")).unwrap(), log)
}

#[test]
fn a_training_follows_from_its_seed_even_if_it_is_stopped() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let (weights, log) = run(folders[0].path(), 12, None);
    assert_eq!(log.len(), 2, "{log:?}");
    assert!(log[1].contains("12 games") && log[1].contains("against greedy"), "{log:?}");
    assert_eq!(run(folders[1].path(), 12, None), (weights.clone(), log.clone()));
    assert_eq!(run(folders[2].path(), 12, Some(7)), (weights.clone(), log));
    let weights: contender_entropy::evaluation::Weights = weights.parse().unwrap();
    assert!(weights != contender_entropy::evaluation::Weights::ZERO);
    // A longer training goes on with it, with matches of its own.
    let (_, log) = run(folders[0].path(), 18, None);
    assert!(log.len() == 1 && log[0].contains("18 games"), "{log:?}");
    // What was learned by another recipe is not gone on with, unless it is begun anew.
    let mut other = recipe();
    other.learning.rate.start = 1.0;
    let other = Recipe::Treestrap(other);
    let mut order = order(folders[0].path(), 3);
    let error = order.check(&other).unwrap_err();
    assert!(error.to_string().contains("another recipe"), "{error}");
    order.is_new = true;
    order.check(&other).unwrap();
}

#[test]
fn broken_checkpoints_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let _ = run(folder.path(), 3, None);
    let path = folder.path().join("checkpoint.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let recipe = Recipe::Treestrap(recipe());
    for (from, to, words) in [
        ("\"seed\":5", "\"seed\":6", "of seed 6"),
        ("{", "[", "no checkpoint"),
        ("\"weights\":[", "\"weights\":[1.0,", "broken"),
        ("\"learner\"", "\"teacher\"", "no checkpoint"),
    ] {
        assert!(text.contains(from));
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let error = train(&recipe, &order(folder.path(), 3), &|| false, &mut |_| ()).unwrap_err();
        assert!(format!("{error:#}").contains(words), "{error:#}");
    }
}

#[test]
fn the_recipe_of_the_repository_is_well_formed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/entropy/train.toml");
    assert!(matches!(Recipe::read(&path).unwrap(), Recipe::Treestrap(_)));
    let text = std::fs::read_to_string(path).unwrap();
    let error = |from: &str, to: &str| format!("{:#}", Recipe::parse(&text.replace(from, to)).unwrap_err());
    assert!(error("depth = 2", "depth = 0").contains("depth"));
    assert!(error("rate = ", "speed = ").contains("speed"));
    assert!(error("smoothing = ", "smoothing = 1000").contains("smoothing"));
    assert!(error("round = 8", "round = 0").contains("round"));
    assert!(error("treestrap", "wizardry").contains("wizardry"));
    assert!(error("minutes = 20", "minutes = -1").contains("minutes"));
    assert!(error("\"entropy\"", "\"chess\"").contains("chess"));
}
