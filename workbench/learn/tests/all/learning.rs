//! Learning improves evaluations, follows from its seed, and resumes after a stop.

use contender_entropy::evaluation::{INPUTS, LinearGuide, POINT, TURNS, TurnWeights, Weights, decision};
use contender_entropy::{Entropy, State};
use contender_game::rules::{Chance, Game, Player, Rng, Turn};
use contender_learn::optimiser::{RateSchedule, Schedule};
use contender_learn::treestrap::games::{Searching, Teacher, exact_search, node, teach};
use contender_learn::treestrap::{
    self, Inputs, Learner, Learning, Matches, Node, SelfPlay, Targets, learns_weights,
};
use contender_learn::{Event, Length, Recipe, RecipeKind, TrainingOptions, train};
use contender_search::{Bounds, expectimax};
use contender_value::{Features, Unit};
use std::cell::Cell;
use std::path::Path;

const SELF_PLAY: SelfPlay =
    SelfPlay { depth: 1, quiescence: 0, random_turns: 10, random_share: 0.3, greedy_share: 0.0 };
const LEARNING: Learning = Learning {
    rate: Some(Schedule { start: 0.5, end: 0.05, curve: RateSchedule::Geometric }),
    bound_weight: 0.5,
    smoothing: 0.02,
    average: 0.0,
    round: 3,
    passes: 1,
    batch: 10_000,
};

const UNIT: Unit = Unit::Points(POINT);

fn recipe() -> treestrap::Recipe {
    learns_weights::<Entropy>();
    treestrap::Recipe {
        kind: RecipeKind::Treestrap,
        length: Length::Minutes(20.0),
        game: "entropy".to_string(),
        self_play: SELF_PLAY,
        targets: Targets::Nodes,
        stages: None,
        start: None,
        learning: LEARNING,
        matches: Matches {
            count: 2,
            pairs: 2,
            last_pairs: 3,
            depth: 1,
            patience: None,
            opponents: Vec::new(),
            nodes: None,
        },
    }
}

/// Returns the nodes of some games with weights that only count the points.
fn nodes(depth: u32, games: u64) -> Vec<Node> {
    let mut search = searcher(&Weights::ZERO);
    for seed in 0..games {
        let self_play = SelfPlay { depth, ..SELF_PLAY };
        teach(State::default(), &mut search, &self_play, &mut Rng::new(seed), &mut |_, _| ()).unwrap();
    }
    search.guide().guide().take()
}

/// Returns the search for games to learn from, with these weights.
fn searcher(weights: &Weights) -> Searching<State, Teacher<State>> {
    exact_search(Teacher::new(&State::read_weights(weights.to_string().as_bytes()).unwrap()), 0)
}

/// Every position of a game is shown once, with a search that knows its value. The opponent changes the game.
#[test]
fn all_positions_of_a_game_are_seen() {
    let mut ends = Vec::new();
    for greedy_share in [0.0, 1.0] {
        let mut search = searcher(&random_weights(&mut Rng::new(3)));
        let self_play = SelfPlay { random_turns: 0, greedy_share, ..SELF_PLAY };
        let mut turns = 0;
        let end = teach(State::default(), &mut search, &self_play, &mut Rng::new(8), &mut |state, search| {
            assert_eq!(decision(state), Some(turns));
            let value = search.value(state, 1);
            let node = node(state, Bounds { low: value, high: value });
            assert_eq!((node.turn, node.low), (turns, value as f32 / POINT as f32));
            turns += 1;
        });
        assert_eq!(turns, TURNS);
        ends.push(end.unwrap());
    }
    assert_ne!(ends[0], ends[1], "greedy plays otherwise");
}

/// With few stages, turns share weights. The targets of roots and returns can also be learned.
#[test]
fn other_targets_and_stages_learn() {
    for (targets, stages) in [(Targets::Root, 49), (Targets::Return(0.7), 49), (Targets::Nodes, 3)] {
        // Without games in matches, the latest weights are kept.
        let matches = Matches { pairs: 0, last_pairs: 0, ..recipe().matches };
        let recipe = treestrap::Recipe { targets, stages: Some(stages), matches, ..recipe() };
        let folder = tempfile::tempdir().unwrap();
        train(&Recipe::Treestrap(recipe), &order(folder.path(), 6), &|| false, &mut |_| ()).unwrap();
        let text = std::fs::read_to_string(folder.path().join("weights.txt")).unwrap();
        let weights: Weights = text.parse().unwrap();
        assert_ne!(weights.turns[50].inputs, [0.0; INPUTS]);
        assert_eq!(weights.turns[40] == weights.turns[42], stages == 3, "{targets:?}");
    }
}

/// A training run with tiny steps keeps its start weights: those of each turn, or the mean of a stage's turns.
#[test]
fn begins_with_weights_of_a_file() {
    let first = random_weights(&mut Rng::new(5));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("first.txt");
    std::fs::write(&file, first.to_string()).unwrap();
    let rate = Schedule { start: 1e-9, end: 1e-9, curve: RateSchedule::Geometric };
    for stages in [49, 1] {
        let learning = Learning { rate: Some(rate), ..LEARNING };
        let recipe =
            treestrap::Recipe { stages: Some(stages), start: Some(file.clone()), learning, ..recipe() };
        let output = folder.path().join(stages.to_string());
        train(&Recipe::Treestrap(recipe), &order(&output, 3), &|| false, &mut |_| ()).unwrap();
        let text = std::fs::read_to_string(output.join("weights.txt")).unwrap();
        let last: Weights = text.parse().unwrap();
        for turn in 0..TURNS {
            let shares = |other: &usize| if stages == 1 { other % 2 == turn % 2 } else { *other == turn };
            let of_stage: Vec<&TurnWeights> =
                (0..TURNS).filter(shares).map(|other| &first.turns[other]).collect();
            for input in 0..INPUTS {
                let mean =
                    of_stage.iter().map(|turn| turn.inputs[input]).sum::<f32>() / of_stage.len() as f32;
                assert!((last.turns[turn].inputs[input] - mean).abs() < 1e-3, "{stages} {turn} {input}");
            }
        }
    }
    let missing = treestrap::Recipe { start: Some(folder.path().join("none")), ..recipe() };
    let error =
        train(&Recipe::Treestrap(missing), &order(folder.path(), 3), &|| false, &mut |_| ()).unwrap_err();
    assert!(format!("{error:#}").contains("`start` in the recipe"), "{error:#}");
}

fn value_of(weights: &Weights, node: &Node) -> f32 {
    let TurnWeights { bias, inputs } = &weights.turns[node.turn];
    let mut sum = node.base + bias;
    node.inputs.each(|at, input| sum += inputs[at] * input as f32);
    sum
}

fn weights(learner: &Learner) -> Weights {
    let mut weights = Weights::ZERO;
    for (turn, (bias, inputs)) in weights.turns.iter_mut().zip(learner.turns()) {
        *turn = TurnWeights { bias, inputs: inputs.try_into().unwrap() };
    }
    weights
}

fn loss(weights: &Weights, nodes: &[Node]) -> f64 {
    let squares = nodes.iter().map(|node| f64::from(node.error(value_of(weights, node))).powi(2));
    squares.sum::<f64>() / nodes.len() as f64
}

/// Returns a state from a random game with this number of chips, in which chance or Order acts.
fn random_state(chips: u32, rng: &mut Rng) -> State {
    let mut state = State::default();
    loop {
        match state.turn() {
            Turn::Chance if state.placed() >= chips => return state,
            Turn::Player(Player::Zero) if state.placed() >= chips && rng.below(2) == 0 => return state,
            Turn::Chance => state.resolve(state.random_outcome(rng, &mut Vec::new())),
            Turn::Player(_) => state.play(state.random_move(rng, &mut Vec::new())),
            Turn::Over => return state,
        }
    }
}

fn random_weights(rng: &mut Rng) -> Weights {
    let mut weights = Weights::ZERO;
    for turn in &mut weights.turns {
        turn.bias = 20.0 * rng.unit() as f32;
        turn.inputs.iter_mut().for_each(|weight| *weight = 2.0 * rng.unit() as f32 - 0.7);
    }
    weights
}

/// Compares the nodes of a search with plain expectimax of every state in its tree.
#[test]
fn nodes_hold_what_their_states_are_worth() {
    let mut rng = Rng::new(1);
    let (mut exact, mut bounds) = (0, 0);
    for round in 0..60 {
        let weights = random_weights(&mut rng);
        // There are few empty cells, so that the slow reference implementation finishes.
        let (chips, depth) = [(46, 3), (44, 2), (12, 1)][round % 3];
        let state = random_state(chips, &mut rng);
        if state.turn() == Turn::Over {
            continue;
        }
        let mut search = searcher(&weights);
        let value = search.value(&state, depth);
        let mut guide = LinearGuide::new(weights);
        assert_eq!(value, expectimax(&state, depth, &mut guide));
        let nodes = search.guide().guide().take();
        let root = nodes.last().unwrap();
        assert_eq!((root.turn, root.base), (decision(&state).unwrap(), state.score() as f32));
        assert_eq!(root.inputs, Inputs::of(&state));
        assert_eq!(((root.low * POINT as f32).round() as i32, root.low), (value, root.high));
        let mut tree = Vec::new();
        visit(&state, depth, &mut |state, depth| {
            tree.push((state.clone(), expectimax(state, depth, &mut guide) as f32 / POINT as f32));
        });
        for node in &nodes {
            // Several states may have the same inputs; at least one of them must have the value.
            let mut alike = tree
                .iter()
                .filter(|(state, _)| decision(state) == Some(node.turn) && Inputs::of(state) == node.inputs);
            assert!(alike.any(|&(_, value)| node.error(value).abs() < 1e-3), "{node:?}");
            if node.low == node.high { exact += 1 } else { bounds += 1 }
        }
    }
    assert!(exact > 50 && bounds > 50, "{exact} {bounds}");
}

/// Calls `see` with every state of the tree that a search may expand and evaluate, and the remaining depth.
fn visit(state: &State, depth: u32, see: &mut dyn FnMut(&State, u32)) {
    if depth == 0 || state.turn() == Turn::Over {
        return;
    }
    if state.turn() != Turn::Player(Player::One) {
        see(state, depth);
    }
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    match state.turn() {
        Turn::Chance => state.outcomes(&mut outcomes),
        _ => state.moves(&mut moves),
    }
    for (colour, _) in outcomes {
        let mut child = state.clone();
        child.resolve(colour);
        visit(&child, depth, see);
    }
    for mv in moves {
        let mut child = state.clone();
        child.play(mv);
        visit(&child, depth - 1, see);
    }
}

#[test]
fn learning_reduces_the_loss_on_a_fixed_set() {
    let mut taught = nodes(2, 10);
    // About the nodes of the last two games; all games have a similar number.
    let unseen = taught.split_off(taught.len() * 8 / 10);
    let mut learner = Learner::new(TURNS, INPUTS);
    let before = [&taught, &unseen].map(|nodes| loss(&weights(&learner), nodes));
    for step in 0..60 {
        learner.learn(&taught, &LEARNING, UNIT, f64::from(step) / 60.0, &mut Rng::new(1));
    }
    let after = [&taught, &unseen].map(|nodes| loss(&weights(&learner), nodes));
    assert!(after[0] < 0.2 * before[0] && after[1] < 0.6 * before[1], "{before:?} {after:?}");
}

/// Returns nodes whose value is a known linear function of the inputs.
fn linear_nodes(games: u64) -> Vec<Node> {
    let mut nodes = nodes(2, games);
    for node in &mut nodes {
        let mut value = node.base + 30.0 - 0.3 * node.turn as f32;
        node.inputs.each(|at, input| value += (at as f32 - 6.0) / 100.0 * input as f32);
        (node.low, node.high) = (value, value);
    }
    nodes
}

#[test]
fn a_linear_truth_is_found() {
    let nodes = linear_nodes(5);
    let mut learner = Learner::new(TURNS, INPUTS);
    let before = loss(&weights(&learner), &nodes);
    for step in 0..400 {
        let learning = Learning { smoothing: 0.0, ..LEARNING };
        learner.learn(&nodes, &learning, UNIT, f64::from(step) / 400.0, &mut Rng::new(1));
    }
    let after = loss(&weights(&learner), &nodes);
    assert!(before > 100.0 && after < 0.02 * before, "{before} {after}");
}

#[test]
fn bounds_teach_only_where_they_are_broken() {
    let mut node = nodes(1, 1)[20].clone();
    let learning = Learning { smoothing: 0.0, ..LEARNING };
    let value_after = |node: &Node| {
        let mut learner = Learner::new(TURNS, INPUTS);
        learner.learn(std::slice::from_ref(node), &learning, UNIT, 0.0, &mut Rng::new(1));
        value_of(&weights(&learner), node)
    };
    (node.low, node.high) = (node.base - 5.0, f32::INFINITY);
    assert_eq!(value_after(&node), node.base);
    (node.low, node.high) = (f32::NEG_INFINITY, node.base - 5.0);
    assert!(value_after(&node) < node.base);
    (node.low, node.high) = (node.base + 5.0, f32::INFINITY);
    assert!(value_after(&node) > node.base);
}

#[test]
fn neighbours_of_the_same_player_become_alike() {
    let nodes: Vec<_> = linear_nodes(2).into_iter().filter(|node| node.turn == 40).collect();
    let mut learner = Learner::new(TURNS, INPUTS);
    for _ in 0..50 {
        let rate = Schedule { start: 0.05, end: 0.05, curve: RateSchedule::Linear };
        let learning = Learning { smoothing: 0.2, rate: Some(rate), ..LEARNING };
        learner.learn(&nodes, &learning, UNIT, 0.0, &mut Rng::new(1));
    }
    let weights = weights(&learner);
    let size = |turn: usize| weights.turns[turn].inputs.iter().map(|weight| weight.abs()).sum::<f32>();
    assert!(size(40) > size(42) && size(42) > size(44) && size(44) > 0.0);
    assert_eq!(size(41), 0.0);
}

#[test]
fn batches_reach_as_far_in_fewer_rounds() {
    let nodes = linear_nodes(4);
    let loss_after = |passes: u32, batch: u32| {
        let mut learner = Learner::new(TURNS, INPUTS);
        let rate = Schedule { start: 0.2, end: 0.2, curve: RateSchedule::Linear };
        let learning = Learning { passes, batch, rate: Some(rate), smoothing: 0.0, ..LEARNING };
        (0..5).for_each(|round| {
            learner.learn(&nodes, &learning, UNIT, 0.0, &mut Rng::new(round));
        });
        loss(&weights(&learner), &nodes)
    };
    let whole = loss_after(1, 10_000);
    assert!(loss_after(1, 20) < 0.8 * whole && loss_after(6, 20) < 0.5 * whole);
}

fn order(folder: &Path, games: u64) -> TrainingOptions {
    TrainingOptions { length: Some(Length::Games(games)), ..TrainingOptions::new(folder, 5) }
}

/// Trains for `games` games, stopped once after `stop` games, and returns the text of its weights and the log.
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
            // The time is left out.
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
    assert!(log[1].contains("games 12,") && log[1].contains("against greedy"), "{log:?}");
    assert_eq!(run(folders[1].path(), 12, None), (weights.clone(), log.clone()));
    assert_eq!(run(folders[2].path(), 12, Some(7)), (weights.clone(), log));
    let weights: Weights = weights.parse().unwrap();
    assert!(weights != Weights::ZERO);
    // A longer run resumes from this one, with its own matches.
    let (_, log) = run(folders[0].path(), 18, None);
    assert!(log.len() == 1 && log[0].contains("games 18,"), "{log:?}");
    // A run with another recipe does not resume, unless the user starts from scratch.
    let mut other = recipe();
    other.learning.bound_weight = 0.25;
    let other = Recipe::Treestrap(other);
    let mut order = order(folders[0].path(), 3);
    let error = order.check(&other).unwrap_err();
    assert!(error.to_string().contains("a different recipe"), "{error}");
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
        ("\"seed\":5", "\"seed\":6", "to seed 6"),
        ("{", "[", "not a checkpoint"),
        ("\"weights\":[", "\"weights\":[1.0,", "broken"),
        ("\"learner\"", "\"teacher\"", "not a checkpoint"),
    ] {
        assert!(text.contains(from));
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let error = train(&recipe, &order(folder.path(), 3), &|| false, &mut |_| ()).unwrap_err();
        assert!(format!("{error:#}").contains(words), "{error:#}");
    }
}

#[test]
fn the_recipe_of_the_repository_is_well_formed() {
    learns_weights::<Entropy>();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/entropy/train.toml");
    assert!(matches!(Recipe::read(&path).unwrap(), Recipe::Treestrap(_)));
    let text = std::fs::read_to_string(path).unwrap();
    let error = |from: &str, to: &str| {
        format!("{:#}", Recipe::parse(&text.replace(from, to), Path::new("")).unwrap_err())
    };
    assert!(error("depth = 2", "depth = 0").contains("depth"));
    assert!(error("rate = ", "speed = ").contains("speed"));
    assert!(error("smoothing = ", "smoothing = 1000").contains("smoothing"));
    assert!(error("round = 8", "round = 0").contains("round"));
    assert!(error("treestrap", "wizardry").contains("wizardry"));
    assert!(error("games = 100000", "minutes = -1").contains("minutes"));
    assert!(error("\"entropy\"", "\"chess\"").contains("chess"));
    assert!(error("game =", "stages = 50\ngame =").contains("invalid `stages`: expected 1 to 49"));
}
