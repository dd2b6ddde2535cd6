//! The network's parameters: the same evaluation in games, in training and in the file, and progress in learning.

use contender_entropy::evaluation::{Linear, Net, POINT, Value, ValueGuide, Weights, decision, evaluate};
use contender_entropy::learning::{Example, Play, Sample, TrainedNetwork, game, searcher};
use contender_entropy::{Move, State, learning};
use contender_game::{
    rules::{Game, Player, Rng, Turn},
    settings::Shipped,
};
use contender_learn::optimiser::{RateSchedule, Schedule};
use contender_learn::value_network::fit::{Fit, Fitting};
use contender_learn::value_network::learns_values;
use contender_learn::{Event, Length, Recipe, TrainingOptions, train, value_network};
use contender_search::Heuristics;
use contender_uttt::learning as uttt;
use contender_uttt::value_network::ValueNetwork;
use contender_value::{Model, Record, ValueLearnedGame};
use std::cell::Cell;
use std::path::Path;

const PLAY: Play = Play { depth: 1, order_depth: None, opening: 14, blunder: 0.1, aside: 0.5 };

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

/// With a search depth of one decision, the value of a position of Order is that of the best position after its moves,
/// independent of the evaluation of the position itself.
#[test]
fn labels_of_orders_positions_have_a_depth_of_their_own() {
    let evaluation = Linear::from(Weights::shipped());
    let mut search = searcher(evaluation.clone());
    let mut guide = ValueGuide::<Linear>::new(evaluation);
    let play = Play { depth: 2, order_depth: Some(1), ..PLAY };
    let samples = game(&mut search, &play, &mut Rng::new(1));
    let (mut ones, mut twos) = (0, 0);
    for Sample { state, value } in samples {
        let is_orders = state.turn() == Turn::Player(Player::Zero);
        if !is_orders {
            assert_eq!(value, search.value(&state, 2) as f32 / POINT as f32);
            twos += 1;
            continue;
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let after = |&mv: &Move| {
            let mut after = state.clone();
            after.play(mv);
            guide.evaluate(&after)
        };
        let best = moves.iter().map(after).max().unwrap();
        assert_eq!(value, best as f32 / POINT as f32);
        ones += 1;
    }
    assert!(ones > 48 && twos > 48, "{ones} {twos}");
}

#[test]
fn a_new_network_is_the_linear_evaluation() {
    let weights = Weights::shipped();
    let mut net = Net::read(&TrainedNetwork::new(&weights, 1).write()).unwrap();
    for Sample { state, .. } in samples(3) {
        let error = net.value(decision(&state).unwrap(), &state) - evaluate(&state, &weights);
        // Weights are rounded to 1/256 of a point for about one standard deviation of their input.
        assert!(error.abs() < POINT / 4, "{error}");
    }
}

/// Returns the value of a position as the trainer sees it, from the errors of two examples whose targets differ by a
/// point.
fn trained_value(network: &TrainedNetwork, state: &State) -> f64 {
    let error = |value: f32| network.loss(&[Example::new(&Sample { state: state.clone(), value })]);
    let (at_0, at_1) = (error(0.0), error(1.0));
    // (v - 0)^2 - (v - 1)^2 = 2 v - 1.
    (at_0 - at_1 + 1.0) / 2.0
}

#[test]
fn learning_reduces_the_error_and_the_net_of_the_bots_says_the_same() {
    let samples = samples(30);
    let examples: Vec<Example> = samples.iter().map(Example::new).collect();
    let (learn, unseen) = examples.split_at(examples.len() * 4 / 5);
    // The network starts one point away from weights that are nearly optimal.
    let mut weights = Weights::shipped();
    weights.turns.iter_mut().for_each(|turn| turn.bias += 1.0);
    let mut network = TrainedNetwork::new(&weights, 1);
    let before = [learn, unseen].map(|part| network.loss(part));
    let rate = Schedule { start: 0.003, end: 0.0, curve: RateSchedule::Cosine };
    let mut fit = Fit::new(&mut network, 4);
    while !fit.is_finished() {
        let fitting = Fitting { batch: 64, rate, average: 0.0, penalty: 0.0 };
        fit.go_on(&mut network, learn, &fitting, 1, &mut Vec::new(), &mut || false);
    }
    let after = [learn, unseen].map(|part| network.loss(part));
    assert!(after[0] < 0.7 * before[0] && after[1] < 0.9 * before[1], "{before:?} {after:?}");

    let mut net = Net::read(&network.write()).unwrap();
    for Sample { state, .. } in samples.iter().step_by(7).filter(|sample| sample.state.turn() != Turn::Over) {
        let value = f64::from(net.value(decision(state).unwrap(), state)) / f64::from(POINT);
        let expected = trained_value(&network, state);
        assert!((value - expected).abs() < 0.3, "{value} {expected}");
    }
}

#[test]
fn bytes_of_another_length_are_no_network() {
    let bytes = TrainedNetwork::new(&Weights::shipped(), 1).write();
    assert!(Net::read(&bytes[..bytes.len() - 2]).is_err());
    assert!(Net::read(&[]).is_err());
}

#[test]
fn the_shipped_network_is_well_formed() {
    let mut net = Net::shipped();
    // The value after Chaos's best placement is between 0 and 1,000 points.
    let state = State::default();
    assert!((0..1000 * POINT).contains(&net.value(0, &state)));
}

fn recipe(game: &str) -> String {
    learns_values::<learning::Entropy>("entropy");
    learns_values::<uttt::Uttt>("uttt");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../games/{game}/network.toml"));
    std::fs::read_to_string(path).unwrap()
}

/// Returns the repository's recipe with few, fast games.
fn short(game: &str) -> Recipe {
    let text = recipe(game);
    let (head, _) = text.split_once("[[generations]]").unwrap();
    let head = head.replace("depth = 2", "depth = 1").replace("solver = 300", "solver = 30");
    let head = head.replace("champion = 100", "champion = 10").replace("batch = 512", "batch = 64");
    let generations =
        "[[generations]]\ngames = 3\nepochs = 2\n\n[[generations]]\ngames = 2\nepochs = 1\nearlier = 1\n";
    Recipe::parse(&format!("{head}{generations}"), Path::new("")).unwrap()
}

/// Trains and returns the network and the log. With several `stops`, the run is stopped after each number of checks and
/// resumed.
fn run(game: &str, folder: &Path, stops: &[u32]) -> (Vec<u8>, Vec<String>) {
    let mut log = Vec::new();
    let limits = stops.iter().copied().map(Some).chain([None]);
    for limit in limits {
        let looks = Cell::new(0);
        let is_stopped = || {
            looks.set(looks.get() + 1);
            limit.is_some_and(|limit| looks.get() > limit)
        };
        let order = TrainingOptions::new(folder, 5);
        let outcome = train(&short(game), &order, &is_stopped, &mut |event| {
            if let Event::Log(line) = event {
                log.push(line.split_once("min").unwrap().1.to_string());
            }
        });
        assert_eq!(outcome.unwrap().is_finished, limit.is_none(), "{limit:?}");
    }
    (std::fs::read(folder.join("net.bin")).unwrap(), log)
}

#[test]
fn generations_follow_from_the_seed_even_if_they_are_stopped() {
    for game in ["entropy", "uttt"] {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let (net, log) = run(game, folders[0].path(), &[]);
        assert_eq!(log.len(), 3, "{log:?}");
        assert!(log[0].contains("generation 1, games 3,") && log[2].contains("generation 2, games 2,"));
        let positions = |line: &str| {
            let (_, number) = line.split_once("positions ").unwrap();
            number.split(',').next().unwrap().parse::<u32>().unwrap()
        };
        assert!(
            positions(&log[2]) > positions(&log[1]),
            "the second is fitted to the first's games too: {log:?}"
        );
        // The stops are in games, between games, and in a fit.
        assert_eq!(run(game, folders[1].path(), &[1, 2, 1, 4, 3, 5]), (net, log));
    }
}

/// Returns a file that a training run of the short recipe with changes writes. The run starts from a network, if one is
/// given.
fn learned(
    game: &str,
    start: Option<&Path>,
    change: impl Fn(&mut value_network::Recipe),
    file: &str,
) -> anyhow::Result<Vec<u8>> {
    let Recipe::ValueNetwork(mut recipe) = short(game) else { unreachable!() };
    recipe.start = start.map(Path::to_path_buf);
    change(&mut recipe);
    let folder = tempfile::tempdir().unwrap();
    train(&Recipe::ValueNetwork(recipe), &TrainingOptions::new(folder.path(), 5), &|| false, &mut |_| {})?;
    Ok(std::fs::read(folder.path().join(file)).unwrap())
}

/// The games of the first generation are played with the network that the recipe names.
#[test]
fn a_training_goes_on_from_a_network() {
    let folder = tempfile::tempdir().unwrap();
    run("entropy", folder.path(), &[]);
    let file = folder.path().join("net.bin");
    let first = |start| learned("entropy", start, |_| (), "generation-1.positions");
    let (shipped, own) = (first(None).unwrap(), first(Some(&file)).unwrap());
    assert_ne!(shipped, own);
    assert_eq!(own, first(Some(&file)).unwrap());
    let error = format!("{:#}", first(Some(Path::new("nowhere/net.bin"))).unwrap_err());
    assert!(error.contains("`start` in the recipe: nowhere/net.bin"), "{error}");
}

/// A warm fit with tiny steps writes the network that played; a cold fit starts from other weights.
#[test]
fn a_warm_fit_begins_with_the_network_that_played() {
    for game in ["entropy", "uttt"] {
        let folder = tempfile::tempdir().unwrap();
        let (before, _) = run(game, folder.path(), &[]);
        let start = folder.path().join("net.bin");
        let learned = |warm: bool, start| {
            let change = |recipe: &mut value_network::Recipe| {
                recipe.fit.rate = Schedule { start: 1e-9, end: 1e-9, curve: RateSchedule::Linear };
                recipe.generations.iter_mut().for_each(|generation| generation.warm = warm);
            };
            learned(game, start, change, "net.bin")
        };
        assert!(learned(true, Some(&start)).unwrap() == before, "{game}");
        assert!(learned(false, Some(&start)).unwrap() != before, "{game}");
        let error = format!("{:#}", learned(true, None).unwrap_err());
        assert!(error.contains("generation 1 is `warm`"), "{error}");
    }
}

/// A repeated entry is the same as several equal ones. Earlier generations count as far as there are any.
#[test]
fn generations_can_be_repeated() {
    let text = recipe("uttt");
    let (head, _) = text.split_once("[[generations]]").unwrap();
    let parse = |generations: &str| Recipe::parse(&format!("{head}{generations}"), Path::new("")).unwrap();
    let entry = "[[generations]]\ngames = 3\nepochs = 2\nearlier = 9\n\n";
    let (short, long) = (parse(&format!("{entry}repeat = 3\n")), parse(&entry.repeat(3)));
    assert!(short == long && short != parse(entry));
    let written = toml::to_string(&short).unwrap();
    assert_eq!(Recipe::parse(&written, Path::new("")).unwrap(), short, "{written}");
}

#[test]
fn games_are_shared_among_the_generations() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Vec::new();
    let order = TrainingOptions { length: Some(Length::Games(10)), ..TrainingOptions::new(folder.path(), 1) };
    let outcome = train(&short("uttt"), &order, &|| false, &mut |event| {
        if let Event::Log(line) = event {
            log.push(line);
        }
    });
    assert!(outcome.unwrap().is_finished);
    assert!(log[1].contains("games 6,") && log[2].contains("games 4,"), "{log:?}");
}

#[test]
fn the_recipes_of_the_repository_are_well_formed() {
    // The games must be registered before their recipes are read.
    recipe("uttt");
    let further = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/uttt/further.toml");
    assert!(matches!(Recipe::read(&further).unwrap(), Recipe::ValueNetwork(_)));
    for game in ["entropy", "uttt"] {
        let text = recipe(game);
        assert!(matches!(Recipe::parse(&text, Path::new("")).unwrap(), Recipe::ValueNetwork(_)));
        let error = |from: &str, to: &str| {
            assert!(text.contains(from));
            format!("{:#}", Recipe::parse(&text.replace(from, to), Path::new("")).unwrap_err())
        };
        assert!(error("batch = ", "heap = ").contains("heap"));
        assert!(error("batch = 512", "batch = 0").contains("batch"));
        assert!(error(&format!("game = \"{game}\""), "game = \"chess\"").contains("chess"));
        assert!(error(&format!("[{game}]"), "[checkers]").contains("checkers"));
        assert!(error("blunder = 0.0", "blunder = 7.0").contains("blunder"));
        assert!(error("blunder = ", "blunders = ").contains("unknown option `blunders`"));
        assert!(error("blunder = ", "wonder = 1\nblunder = ").contains("unknown option `wonder`"));
        assert!(error("kind = ", "sort = 1\nkind = ").contains("unknown key `sort`"));
        assert!(error("epochs = 4", "epochs = 0").contains("epoch"));
        assert!(error("epochs = 4", "epochs = 4\nrepeats = 9").contains("unknown field `repeats`"));
    }
}

#[test]
fn a_network_of_uttt_learns_and_what_is_written_evaluates_alike() {
    let play = uttt::Play { solver: 20, champion: 20, opening: 8, blunder: 0.1, result: 0.5 };
    let mut game = uttt::Uttt::new(play);
    let samples: Vec<uttt::Sample> = (0..20).flat_map(|seed| game.game(seed).unwrap()).collect();
    let mut network = game.network(1);
    let before = network.loss(&samples);
    let rate = Schedule { start: 0.005, end: 0.0, curve: RateSchedule::Cosine };
    let mut fit = Fit::new(&mut network, 6);
    while !fit.is_finished() {
        let fitting = Fitting { batch: 64, rate, average: 0.0, penalty: 0.0 };
        fit.go_on(&mut network, &samples, &fitting, 2, &mut Vec::new(), &mut || false);
    }
    assert!(network.loss(&samples) < 0.9 * before, "{before}");
    let mut again = game.network(2);
    again.read(&network.write()).unwrap();
    assert_eq!(again.write(), network.write());
    assert!((again.loss(&samples) - network.loss(&samples)).abs() < 0.002);
    let quantised = ValueNetwork::read(&network.write()).unwrap();
    for sample in &samples {
        let (float, whole) = (network.evaluate(sample), quantised.evaluate(&sample.state));
        assert!((float - whole).abs() < 0.05, "{float} {whole}");
    }
}
