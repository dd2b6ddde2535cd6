//! Training runs of a custom game's network: from logs, from earlier runs, and with a registered guide.

use super::super::played::Label;
use super::*;
use crate::digits;
use crate::interrupted::train_in_pieces;
use crate::optimiser::{RateSchedule, Schedule};
use crate::value_network::fit::{Fit, Fitting};
use crate::value_network::{Recipe, records, train};
use crate::{Event, TrainingOptions};
use contender_nn::planes::Planes;
use contender_play::{Ending, Record as GameRecord, Seat};

/// The first generation consists of the games of a log, except those in which a bot failed.
#[test]
fn a_training_learns_from_logs() {
    let (folder, contest) = (tempfile::tempdir().unwrap(), <TicTacToe as TypedContest>::INFO.name);
    let record = |seed| {
        let (judge, _) = random_game::<TicTacToe>(seed);
        let mut record = GameRecord { game: contest.to_string(), seed, ..GameRecord::default() };
        record.moves = judge.moves().to_vec();
        record.seats =
            judge.points().map(|points| Seat { points: Some(points.into()), ..Seat::default() }).into();
        record.rank_by_points();
        record
    };
    let mut records: Vec<GameRecord> = (0..30).map(record).collect();
    let learned = |records: &[GameRecord], games: u64| {
        let file = folder.path().join("log");
        std::fs::write(&file, records.iter().map(|record| record.to_json() + "\n").collect::<String>())
            .unwrap();
        let inner = tempfile::tempdir().unwrap();
        let mut recipe = short("tictactoe");
        (recipe.logs, recipe.matches) = (vec![file], None);
        recipe.generations[0].games = games;
        recipe.generations.truncate(1);
        train(&recipe, &TrainingOptions::new(inner.path(), 5), &|| false, &mut |_| ())
            .map(|_| std::fs::read(inner.path().join("generation-1.positions")).unwrap())
            .map_err(|error| format!("{error:#}"))
    };
    let mut own = Plain::<TicTacToe>::new(Play { neurons: 16, ..PLAY });
    let mut bytes = |records: &[GameRecord]| {
        let mut bytes = Vec::new();
        for record in records {
            let samples = own.recorded(record.seed, &[], &record.moves).unwrap();
            samples.iter().for_each(|sample| sample.write(&mut bytes));
        }
        bytes
    };
    assert!(learned(&records, 20).unwrap() == bytes(&records[..20]));
    assert!(learned(&records, 1000).unwrap() == bytes(&records));
    records[0].seats[1].ending = Ending::Crash { signal: 11 };
    assert!(learned(&records, 1000).unwrap() == bytes(&records[1..]));
    let error = learned(&records[..1], 1000).unwrap_err();
    assert_eq!(error, "no game in `logs` ended without a failure");
    records[7].game = "chess".to_string();
    let error = learned(&records, 1000).unwrap_err();
    assert!(error.ends_with("game 8 is a game of `chess`, but the recipe trains `tictactoe`"), "{error}");
}

/// Tic-tac-toe under another name, because a name has one guide.
struct NoisyGame;

impl TypedContest for NoisyGame {
    type Bots = <TicTacToe as TypedContest>::Bots;
    type Rules = <TicTacToe as TypedContest>::Rules;
    type Judge = <TicTacToe as TypedContest>::Judge;
    const SOURCE: &'static str = TicTacToe::SOURCE;
    const INFO: ContestInfo = ContestInfo { name: "noisy", ..TicTacToe::INFO };

    fn start(seed: u64, rules: Self::Rules) -> Result<Self::Judge, String> {
        TicTacToe::start(seed, rules)
    }

    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        TicTacToe::perft(moves, depth)
    }
}

/// The guide with which a game is registered plays the games of its training.
#[test]
fn the_registered_guide_plays_the_games() {
    fn labels<C: TypedContest>() -> Vec<Label>
    where
        StateOf<C>: Features + Notation,
    {
        let folder = tempfile::tempdir().unwrap();
        let mut recipe = short(C::INFO.name);
        recipe.generations.truncate(1);
        let order = TrainingOptions::new(folder.path(), 1);
        train(&recipe, &order, &|| false, &mut |_| {}).unwrap();
        let games = records::read::<PlayedGame<C>>(&folder.path().join("generation-1.positions")).unwrap();
        games.into_iter().flat_map(|game| game.moves.labels).collect()
    }
    crate::learns_features::<TicTacToe>();
    crate::learns_features_with::<NoisyGame, Noisy>();
    assert!(labels::<TicTacToe>() != labels::<NoisyGame>());
}

/// A fit learns the positions of the earlier runs that the recipe names, and those of its own games.
#[test]
fn a_training_learns_the_positions_of_earlier_ones() {
    let folder = tempfile::tempdir().unwrap();
    let positions = |name: &str, positions: &[&str], seed| -> Result<f64, String> {
        let mut recipe = short("tictactoe");
        recipe.matches = None;
        // Later generations play with networks that depend on the positions.
        recipe.generations.truncate(if positions.is_empty() { 2 } else { 1 });
        recipe.positions = positions.iter().map(|name| folder.path().join(name)).collect();
        let run = folder.path().join(name);
        train(&recipe, &TrainingOptions::new(&run, seed), &|| false, &mut |_| ())
            .map_err(|error| format!("{error:#}"))?;
        let metrics = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
        let last: serde_json::Value = serde_json::from_str(metrics.lines().last().unwrap()).unwrap();
        Ok(last["positions"].as_f64().unwrap())
    };
    positions("one", &[], 1).unwrap();
    positions("two", &[], 2).unwrap();
    let files = |name: &str| {
        let files =
            (1..).map(|number| folder.path().join(name).join(format!("generation-{number}.positions")));
        let files = files.take_while(|file| file.exists());
        files.map(|file| records::read::<PlayedGame<TicTacToe>>(&file).unwrap()).collect::<Vec<_>>()
    };
    let count = |games: &[PlayedGame<TicTacToe>]| games.iter().map(Record::positions).sum::<usize>() as f64;
    let [first, second] = &files("one")[..] else { panic!("two generations") };
    let [first, second, two] = [first, second, &files("two")[0]].map(|games| count(games));
    assert!(first > 20.0 && second > 20.0 && first != second);
    assert_eq!(positions("three", &["one"], 2).unwrap(), two + first + second);
    assert_eq!(positions("four", &["one/generation-1.positions"], 2).unwrap(), two + first);
    let error = positions("five", &["none"], 2).unwrap_err();
    assert!(error.starts_with("`positions` in the recipe: ") && error.contains("none"), "{error}");
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let error = positions("six", &["empty"], 2).unwrap_err();
    assert!(error.contains("empty: the folder contains no positions\nhint: "), "{error}");
    // Older versions stored the number of player 0's features, the number of features, the target, and the features.
    let old: Vec<u8> = [&[2, 0, 0, 0, 3, 0, 0, 0][..], &0.5f32.to_le_bytes(), &[0, 0, 1, 0, 3, 0]].concat();
    std::fs::create_dir(folder.path().join("old")).unwrap();
    std::fs::write(folder.path().join("old/generation-1.positions"), old.repeat(3)).unwrap();
    let error = positions("seven", &["old"], 2).unwrap_err();
    assert!(
        error.contains("record 1: expected a game with its moves; older versions of Contender"),
        "{error}"
    );
    assert!(error.contains("\nhint: train again in a new folder"), "{error}");
}

/// The digits that each player has written, by place, and the die in the player's turn. The game's fields are private,
/// so the features come from the input of `puct`'s network.
impl Features for digits::State {
    type ChanceModel = WithChance;
    const COUNT: usize = 3 * 7 + 7;

    fn features(&self, player: Player, mut add: impl FnMut(usize)) {
        let mut seen = Planes::new(Self::BOARD);
        self.encode(player, &mut seen);
        for place in 0..3 {
            let digit = seen.cell(place).iter().find(|&&(plane, _)| plane == 0).map_or(0.0, |of| of.1);
            add(7 * place + (6.0 * digit).round() as usize);
        }
        if self.turn() == Turn::Player(player) {
            add(21 + (6.0 * seen.everywhere()[0].1).round() as usize);
        }
    }
}

fn recipe(game: &str) -> String {
    crate::learns_features::<TicTacToe>();
    crate::learns_features::<Digits>();
    include_str!("../../../../../cli/templates/crate/value.toml").replace("{name}", game)
}

/// Returns the template's recipe with few games.
fn short(game: &str) -> Recipe {
    parse(&recipe(game).replace("games = 10000", "games = 150")).unwrap()
}

fn parse(text: &str) -> Result<Recipe, String> {
    let recipe: Recipe = toml::from_str(text).map_err(|error| error.to_string())?;
    recipe.check().map_err(|error| error.to_string()).map(|()| recipe)
}

/// Returns the share of games that a search one decision deep wins against random moves, from both seats.
fn share_won<C: TypedContest>(evaluation: Evaluation<StateOf<C>>) -> f64
where
    StateOf<C>: Features,
{
    let mut search = exact_search(evaluation, 0);
    let won = (0..400).map(|game| {
        let (mut state, mut rng) = (start::<C>(game / 2), Rng::new(game));
        loop {
            match state.turn() {
                Turn::Over => break,
                Turn::Chance => resolve(&mut state, &mut rng),
                Turn::Player(player) if player.index() as u64 == game % 2 => {
                    state.play(search.search(&state, &SearchLimits::depth(1)).moves[0].mv);
                }
                Turn::Player(_) => state.play(state.random_move(&mut rng, &mut Vec::new())),
            }
        }
        let seat = Player::from_index(game as usize % 2);
        f64::from(1 + seat.sign() * state.value().signum()) / 2.0
    });
    won.sum::<f64>() / 400.0
}

fn learned<C: TypedContest>(game: &str, folder: &Path) -> Evaluation<StateOf<C>>
where
    StateOf<C>: Features,
{
    let file = train(&short(game), &TrainingOptions::new(folder, 5), &|| false, &mut |_| ()).unwrap().file;
    Evaluation::read(&std::fs::read(file).unwrap()).unwrap()
}

#[test]
fn an_own_game_learns() {
    let folder = tempfile::tempdir().unwrap();
    let nothing = share_won::<TicTacToe>(Evaluation::shipped());
    let network = learned::<TicTacToe>("tictactoe", folder.path());
    assert_eq!(network.neurons(), 16);
    let won = share_won::<TicTacToe>(network);
    assert!(won > nothing + 0.1 && won > 0.9, "{won} with the network, {nothing} without");
}

/// Without neurons, the network is a weighted sum, and its file is that of weights.
#[test]
fn weights_are_learned_like_a_network() {
    let (text, verdict) = {
        let (verdict, bytes) = ended(|recipe| {
            let own = recipe.parts.get_mut("own").and_then(toml::Value::as_table_mut).unwrap();
            own.insert("neurons".to_string(), 0.into());
        })
        .unwrap();
        (String::from_utf8(bytes).unwrap(), verdict)
    };
    let evaluation = Evaluation::<State>::read(text.as_bytes()).unwrap();
    assert!(evaluation.neurons() == 0 && text.starts_with("constant "), "{text}");
    assert!(share_won::<TicTacToe>(evaluation) > 0.9, "{text}");
    assert!(verdict.starts_with("stronger than the start: +"), "{verdict}");
}

#[test]
fn a_game_with_chance_learns() {
    let folder = tempfile::tempdir().unwrap();
    let nothing = share_won::<Digits>(Evaluation::shipped());
    let won = share_won::<Digits>(learned::<Digits>("digits", folder.path()));
    assert!(won > nothing + 0.1, "{won} with the network, {nothing} without");
}

/// A neuron that never fires and a feature that never occurs get no gradient.
#[test]
fn parts_without_effect_are_named() {
    let mut network = network();
    let layout = Layout::new(State::COUNT, 4);
    network.numbers()[layout.biases.start + 2] = -8.0;
    for feature in 0..State::COUNT {
        let row = layout.row(feature).start;
        (network.numbers()[row + 2], network.numbers()[row + 4 + 2]) = (0.0, 0.0);
    }
    let samples: Vec<Sample<State>> = samples()
        .into_iter()
        .filter(|sample| !Player::BOTH.iter().any(|&player| sample.of(player).contains(&3)))
        .collect();
    assert!(samples.len() > 20);
    let rate = Schedule { start: 1e-3, end: 1e-3, curve: RateSchedule::Linear };
    let mut fit = Fit::new(&mut network, 1);
    fit.go_on(
        &mut network,
        &samples,
        &Fitting { batch: 8, rate, average: 0.0, penalty: 0.0 },
        1,
        &mut Vec::new(),
        &mut || false,
    );
    let is_seen = |feature: u16| {
        samples.iter().any(|sample| Player::BOTH.iter().any(|&player| sample.of(player).contains(&feature)))
    };
    let unseen: Vec<bool> = (0..State::COUNT as u16).map(|feature| !is_seen(feature)).collect();
    assert!(unseen[3] && !unseen[0], "{unseen:?}");
    let features = crate::best::without_effect("features", &unseen).unwrap();
    let sentences = [features, "1 of 4 neurons never had any effect: 2".to_string()];
    assert_eq!(fit.idle_parts(&network), sentences);
}

/// Trains and returns the last words and the file.
fn ended(change: impl FnOnce(&mut Recipe)) -> Result<(String, Vec<u8>), String> {
    let mut recipe = short("tictactoe");
    change(&mut recipe);
    let folder = tempfile::tempdir().unwrap();
    let outcome = train(&recipe, &TrainingOptions::new(folder.path(), 5), &|| false, &mut |_| ());
    let outcome = outcome.map_err(|error| format!("{error:#}"))?;
    assert!(outcome.is_finished);
    Ok((outcome.verdict.unwrap(), std::fs::read(outcome.file).unwrap()))
}

#[test]
fn a_training_says_how_much_stronger_than_its_start_it_is() {
    let (verdict, _) = ended(|_| ()).unwrap();
    assert!(verdict.starts_with("stronger than the start: +"), "{verdict}");
    let (verdict, _) = ended(|recipe| recipe.matches = None).unwrap();
    assert!(verdict.starts_with("strength not measured: the last version is kept\nhint: "), "{verdict}");
    let opponent = |name: &str| {
        ended(|recipe| recipe.matches.as_mut().unwrap().opponents = vec![name.to_string()]).map(drop)
    };
    let error = opponent("expert").unwrap_err();
    assert!(
        error.contains("invalid `matches.opponents` in the recipe: tictactoe has no bot `expert`"),
        "{error}"
    );
    assert_eq!(opponent("uct"), Ok(()));
}

/// Steps far too large spoil a good network: it is kept, and the training ends early and says so.
#[test]
fn a_training_that_spoils_a_network_keeps_its_start() {
    let (_, good) = ended(|_| ()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("good.bin");
    std::fs::write(&file, &good).unwrap();
    let (verdict, kept) = ended(|recipe| {
        recipe.start = Some(file);
        (recipe.fit.rate.start, recipe.fit.rate.end) = (5.0, 5.0);
        recipe.generations.iter_mut().for_each(|generation| generation.warm = true);
        recipe.matches.as_mut().unwrap().patience = Some(2);
    })
    .unwrap();
    // Neurons that the steps have killed are named before.
    let last = "ended early: no improvement in 2 matches\nno version was stronger than the start version, which is kept";
    assert!(verdict.ends_with(last), "{verdict}");
    assert!(kept == good);
}

/// The saved network evaluates positions like the network in training, apart from rounding.
#[test]
fn what_is_written_evaluates_alike() {
    let network = network();
    let mut read = Evaluation::<State>::read(&network.write()).unwrap();
    let (mut state, mut rng) = (State::default(), Rng::new(3));
    while state.turn() != Turn::Over {
        let sum = network.forward(&Sample::new(&state, 0.0)).1;
        let (trained, value) = (contender_value::link(sum.into()), read.value(&state));
        assert!((trained - value).abs() < 0.01, "{state:?}: {trained} {value}");
        state.play(state.random_move(&mut rng, &mut Vec::new()));
    }
}

#[test]
fn a_training_follows_from_its_seed_even_if_it_is_stopped() {
    let recipe = short("tictactoe");
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut log = Vec::new();
    let outcome = train(&recipe, &TrainingOptions::new(whole.path(), 5), &|| false, &mut |event| {
        if let Event::Log(line) = event {
            log.push(line);
        }
    });
    let bytes = std::fs::read(outcome.unwrap().file).unwrap();
    assert!(log[0].contains("generation 1, games 150,"), "{log:?}");
    let options = TrainingOptions::new(parts.path(), 5);
    train_in_pieces(120, |is_stopped| train(&recipe, &options, is_stopped, &mut |_| ()).unwrap().is_finished);
    assert_eq!(std::fs::read(parts.path().join("net.bin")).unwrap(), bytes);
}

/// TreeStrap's weights play the first games if the recipe names them as `start`, and a chain can continue from them.
#[test]
fn a_training_begins_with_weights_or_a_network() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = Layout::new(State::COUNT, 3).count();
    let weights = Evaluation::<State>::new(0.1, &[0.5, 1.5, 0.0, 0.0, 0.3]).write();
    let network = Evaluation::<State>::network(3, vec![0.2; numbers]).write();
    let first = |bytes: Option<Vec<u8>>| {
        let mut recipe = short("tictactoe");
        recipe.generations.truncate(1);
        let (inner, file) = (tempfile::tempdir().unwrap(), folder.path().join("first"));
        recipe.start = bytes.map(|bytes| {
            std::fs::write(&file, bytes).unwrap();
            file
        });
        train(&recipe, &TrainingOptions::new(inner.path(), 5), &|| false, &mut |_| ())
            .map(|_| std::fs::read(inner.path().join("generation-1.positions")).unwrap())
    };
    let all = [None, Some(weights), Some(network)].map(|bytes| first(bytes).unwrap());
    assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
    let error = format!("{:#}", first(Some(b"constant x".to_vec())).unwrap_err());
    assert!(error.contains("first: line 1: `constant x` is not `constant` and a number"), "{error}");
}

#[test]
fn bad_recipes_are_refused_in_words() {
    let text = recipe("tictactoe");
    let error = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        parse(&text.replace(from, to)).unwrap_err()
    };
    let unknown = error("\"tictactoe\"", "\"chess\"");
    assert!(
        unknown.starts_with("this program cannot train a value network for `chess`")
            && unknown.contains("tictactoe")
    );
    assert!(error("\"tictactoe\"", "\"chess\"").contains("`contender::learns_features`"));
    assert_eq!(error("[own]", "[uttt]"), "`[uttt]` has no effect in a recipe for tictactoe");
    let words = "`[own]`: option `neurons=1025`: expected a whole number from 0 to 1024";
    assert_eq!(error("neurons = 16", "neurons = 1025"), words);
    let words = error("batch = 64", "batch = 64\npenalty = -1.0");
    assert_eq!(words, "invalid `fit.penalty`: expected a number from 0");
    assert_eq!(
        error("depth = 2", "depth = 9"),
        "`[own]`: option `depth=9`: expected a whole number from 1 to 8"
    );
    assert_eq!(error("depth = 2", ""), "`[own]`: missing key `depth`");
    for name in ["random_share = 0.5", "aside = 0.5", "result = 0.5"] {
        let words = error(name, &name.replace("0.5", "1.5"));
        assert!(words.ends_with("a number from 0 to 1"), "{words}");
    }
    assert!(error("result = 0.5", "results = 0.5").contains("results"));
    let part = text.split("[fit]").next().unwrap().split("[own]").nth(1).unwrap();
    assert_eq!(error(&format!("[own]{part}"), ""), "missing `[own]`");
}

/// A network that starts with weights has their values, and learns from there.
#[test]
fn a_network_starts_with_weights() {
    let weights = Evaluation::<State>::new(0.1, &[0.5, 1.5, 0.0, 0.25, 0.3]).write();
    let mut network = network();
    network.read(&weights).unwrap();
    let mut linear = FeatureNetwork::<State>::new(0, 1);
    linear.read(&weights).unwrap();
    let samples = samples();
    for sample in &samples {
        assert_eq!(network.forward(sample).1, linear.forward(sample).1);
    }
    let mut gradient = vec![0.0; network.numbers().len()];
    network.learn(&samples[9], 1.0, &mut Rng::new(1), &mut gradient);
    assert!(
        gradient[Layout::new(State::COUNT, 4).outputs].iter().any(|&slope| slope != 0.0),
        "the neurons learn"
    );
    let several = Evaluation::<State>::network(3, vec![0.2; Layout::new(State::COUNT, 3).count()]).write();
    let error = network.read(&several).unwrap_err();
    assert_eq!(error, "the network has 3 neurons, but the recipe asks for 4");
}
