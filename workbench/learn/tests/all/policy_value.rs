//! Small training runs of networks with a policy and a value.

use contender_cellularena::learning::Cellularena;
use contender_game::{
    contest::{Bot, Clock, Limits, OpenJudge, TypedContest},
    rules::{Chance, Game, Player, Rng, Simultaneous, Turn},
    settings::Shipped,
};
use contender_learn::policy_value::{act, learns_game};
use contender_learn::{Event, Recipe, TrainingOptions, train};
use contender_play::{Task, Workers};
use contender_puct::{Net, PolicyBot, PolicySettings, PuctBot, PuctSettings, weights};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, Once};

const RECIPE: &str = r#"
kind = "policy-value"
game = "cellularena"
length = { games = 20 }
[network]
channels = 16
blocks = 1
hidden = 4
sides = 2
[imitation]
teacher = "heuristic"
nodes = 1
deep_share = 0.5
fast_nodes = 1
drawn_turns = 10
rounds = 3
games = 3
own_share = 0.5
random_share = 0.2
value_share = 0.5
epochs = 2
window = 400
mirrored = true
rate = { start = 0.003, end = 0.001, curve = "cosine" }
[self_play]
games = 4
[pool]
share = 0.5
keep_every = 1
kept = 2
bots = ["random"]
[learning]
rate = { start = 0.002, end = 0.0, curve = "linear" }
batch = 128
epochs = 2
clip = 0.2
divergence = 0.05
entropy = 0.01
value = 0.5
discount = 0.99
trace = 0.9
longest = 1.0
average = 0.9
[matches]
every = 2
pairs = 1
opponents = ["random"]
"#;

fn order(folder: &Path) -> TrainingOptions {
    TrainingOptions { threads: 2, ..TrainingOptions::new(folder, 5) }
}

/// Returns a recipe's text with replacements.
fn changed(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_string(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

/// Registers Cellularena for networks, as the command does.
fn learns_cellularena() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| learns_game::<Cellularena>("cellularena"));
}

fn recipe(text: &str) -> Recipe {
    learns_cellularena();
    Recipe::parse(text, Path::new("")).unwrap()
}

/// Trains to the end.
fn learn(text: &str, folder: &Path) -> anyhow::Result<contender_learn::Outcome> {
    train(&recipe(text), &order(folder), &|| false, &mut |_| ())
}

/// Returns a checkpoint's state, without the times.
fn state(folder: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(folder.join("checkpoint.json")).unwrap();
    let checkpoint: serde_json::Value = serde_json::from_str(&text).unwrap();
    checkpoint["state"].clone()
}

/// Returns the network of a training run. Checks that it is the same however often the run is stopped, on any number of
/// threads.
fn network_of(text: &str) -> Vec<u8> {
    let recipe = recipe(text);
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut log = Vec::new();
    let outcome = train(&recipe, &order(whole.path()), &|| false, &mut |event| {
        if let Event::Log(line) = event {
            log.push(line);
        }
    });
    assert!(outcome.unwrap().is_finished);
    assert!(log.len() >= 5 && log.iter().all(|line| line.contains("decisions")), "{log:?}");
    assert!(log.iter().filter(|line| line.contains("against random")).count() >= 2, "{log:?}");
    let mut runs = 0;
    loop {
        runs += 1;
        assert!(runs < 200, "the training gets nowhere");
        // Each run stops a few checks later, so that every piece of work is interrupted at some point.
        let questions = Cell::new(0);
        let is_stopped = || {
            questions.set(questions.get() + 1);
            questions.get() > 4 + 3 * runs
        };
        let order = TrainingOptions { threads: 1 + runs % 3, ..order(parts.path()) };
        if train(&recipe, &order, &is_stopped, &mut |_| ()).unwrap().is_finished {
            break;
        }
    }
    assert!(runs > 2, "never stopped");
    assert_eq!(state(whole.path()), state(parts.path()));
    let network = |folder: &Path| std::fs::read(folder.join("network.bin")).unwrap();
    assert_eq!(network(whole.path()), network(parts.path()));
    let picture = |folder: &Path| std::fs::read_to_string(folder.join("curve.svg")).unwrap();
    assert!(picture(whole.path()).contains("against random"));
    assert_eq!(picture(whole.path()), picture(parts.path()));
    network(whole.path())
}

#[test]
fn a_training_that_is_stopped_often_equals_an_uninterrupted_one() {
    contender_cellularena::network::read(&network_of(RECIPE)).unwrap();
}

/// Simulated machines that receive every batch as text and answer with text, the last batch first.
#[derive(Debug, Default)]
struct Backwards(Mutex<Vec<Vec<u8>>>);

impl Workers for Backwards {
    fn store(&self, networks: Vec<Vec<u8>>) -> Vec<String> {
        let names = (0..networks.len()).map(|number| number.to_string()).collect();
        *self.0.lock().unwrap() = networks;
        names
    }

    fn share_out(
        &self,
        count: u64,
        is_stopped: &dyn Fn() -> bool,
        task: &dyn Fn(u64) -> Option<Task>,
        collect: &mut dyn FnMut(u64, Result<String, String>) -> ControlFlow<()>,
    ) {
        for at in (0..count).rev() {
            let Some(Task::Batch { batch, networks }) = task(at) else { panic!("a batch") };
            let stored = self.0.lock().unwrap();
            let networks: Vec<&[u8]> =
                networks.iter().map(|name| &stored[name.parse::<usize>().unwrap()][..]).collect();
            let Some(played) = act(&batch, &networks, is_stopped).unwrap() else { return };
            if collect(at, played).is_break() {
                return;
            }
        }
    }
}

/// Imitation with a window, self-play, past checkpoints and other players. The teacher is a bot, or another network,
/// which other machines need not have.
#[test]
fn games_of_other_machines_teach_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let other = changed(RECIPE, &[("games = 20", "games = 1"), ("blocks = 1", "blocks = 0")]);
    learn(&other, folder.path()).unwrap();
    let file = folder.path().join("network.bin");
    let network = format!("teacher = {:?}\n", format!("network:{}", file.display()));
    for teacher in ["teacher = \"heuristic\"\nnodes = 1\n", &network] {
        let taught = ("teacher = \"heuristic\"\nnodes = 1\n", teacher);
        same_by_other_machines(&changed(RECIPE, &[("games = 4", "games = 9"), taught]));
    }
}

fn same_by_other_machines(text: &str) {
    let learned = [None, Some(Arc::new(Backwards::default()) as Arc<dyn Workers>)].map(|workers| {
        let folder = tempfile::tempdir().unwrap();
        let order = TrainingOptions { workers, ..order(folder.path()) };
        assert!(train(&recipe(text), &order, &|| false, &mut |_| ()).unwrap().is_finished);
        (state(folder.path()), std::fs::read(folder.path().join("network.bin")).unwrap())
    });
    assert!(learned[0] == learned[1]);
}

#[test]
fn batches_that_are_none_are_refused() {
    learns_cellularena();
    let none = |batch: &str| act(batch, &[[0_u8; 4]], &|| false);
    assert!(none("{}").is_err() && none("").is_err());
    let recipe = serde_json::to_string(&recipe(RECIPE)).unwrap();
    let whole = format!(r#"{{"recipe":{recipe},"seed":1,"round":0,"first":0,"count":1}}"#);
    assert!(none(&whole.replace("cellularena", "go")).unwrap_err().to_string().contains("`go`"));
    let narrow = none(&whole.replace(r#""channels":16"#, r#""channels":3"#));
    assert!(narrow.unwrap_err().to_string().contains("channels"));
    // The batch is valid, but its network is not.
    assert!(none(&whole).unwrap().unwrap().is_err());
    assert!(act(&whole, &[[0_u8; 0]; 0], &|| false).unwrap().unwrap().is_err());
}

#[test]
fn a_pass_in_a_mirror_teaches_something_else() {
    let learned = ["mirrored = true", "mirrored = false"].map(|setting| {
        let folder = tempfile::tempdir().unwrap();
        // There is only one round, because the games of a second one would depend on the learned network.
        let text = changed(RECIPE, &[("games = 20", "games = 3"), ("mirrored = true", setting)]);
        learn(&text, folder.path()).unwrap();
        state(folder.path())
    });
    assert_eq!(learned[0]["decisions"], learned[1]["decisions"]);
    assert_ne!(learned[0]["parameters"], learned[1]["parameters"]);
}

#[test]
fn senseless_settings_are_refused() {
    learns_cellularena();
    for (right, wrong, words) in [
        ("channels = 16", "channels = 24", "multiple of 16"),
        ("game = \"cellularena\"", "game = \"uttt\"", "cellularena"),
        ("share = 0.5\nkeep", "share = 1.5\nkeep", "a number from 0 to 1"),
        ("average = 0.9", "average = 1.0", "less than 1"),
        ("deep_share = 0.5", "deep_share = -0.5", "a number from 0 to 1"),
        ("every = 2", "every = 0", "at least 1"),
        ("batch = 128", "batch = 0", "1 to 1000000"),
        ("epochs = 2", "epochs = 0", "at least 1"),
        ("value_share = 0.5", "value_share = 1.5", "a number from 0 to 1"),
    ] {
        let error = Recipe::parse(&changed(RECIPE, &[(right, wrong)]), Path::new("")).unwrap_err();
        assert!(format!("{error:#}").contains(words), "{error:#}");
    }
    let folder = tempfile::tempdir().unwrap();
    let error = learn(&changed(RECIPE, &[("\"heuristic\"", "\"nobody\"")]), folder.path()).unwrap_err();
    assert!(error.to_string().contains("nobody"), "{error}");
}

#[test]
fn a_training_goes_on_from_another_network() {
    let first = tempfile::tempdir().unwrap();
    let short = changed(RECIPE, &[("games = 20", "games = 1")]);
    learn(&short, first.path()).unwrap();
    let network = first.path().join("network.bin");
    let start = format!("start = {network:?}\n[network]");
    let short = changed(&short, &[("[network]", &start), ("rounds = 3", "rounds = 1")]);
    // Without learning, the run ends with its start network, up to half a rounding step of the largest scale.
    let idle = changed(&short, &[("start = 0.003, end = 0.001", "start = 1e-9, end = 0.0")]);
    let second = tempfile::tempdir().unwrap();
    learn(&idle, second.path()).unwrap();
    let parameters = |folder: &Path| {
        contender_cellularena::network::read_parameters(&std::fs::read(folder.join("network.bin")).unwrap())
            .unwrap()
    };
    let ([a, b], largest) = ([first.path(), second.path()].map(|folder| parameters(folder).1), 0.2);
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= largest));
    let third = tempfile::tempdir().unwrap();
    let other = changed(&short, &[("hidden = 4", "hidden = 5")]);
    let error = learn(&other, third.path()).unwrap_err();
    assert!(error.to_string().contains("sizes of the network differ"), "{error:#}");
    std::fs::write(&network, b"nothing").unwrap();
    let error = learn(&short, third.path()).unwrap_err();
    assert!(format!("{error:#}").contains("network.bin"), "{error:#}");
}

#[test]
fn the_recipes_of_the_repository_are_well_formed() {
    learns_cellularena();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/cellularena");
    for name in ["train.toml", "champion.toml", "from-zero.toml"] {
        assert!(matches!(Recipe::read(&folder.join(name)).unwrap(), Recipe::PolicyValue(_)), "{name}");
    }
    let Recipe::Chain(runs) = Recipe::read(&folder.join("chain.toml")).unwrap() else { panic!("no chain") };
    let Recipe::PolicyValue(first) = &runs[0].recipe else { panic!("another kind") };
    assert_eq!(first.imitation.teacher, "heuristic");
    assert_eq!(first.length, contender_learn::Length::Games(3200));
    // Each one ends with its imitation, except those without imitation.
    for run in &runs {
        let Recipe::PolicyValue(recipe) = &run.recipe else { panic!("another kind") };
        let games = recipe.imitation.rounds * recipe.imitation.games as u64;
        assert!(games == 0 || recipe.length == contender_learn::Length::Games(games), "{}", run.name);
    }
}

#[test]
fn a_chain_goes_from_network_to_network_even_if_it_is_stopped() {
    learns_cellularena();
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir(place.path().join("recipes")).unwrap();
    let write =
        |name: &str, text: &str| std::fs::write(place.path().join("recipes").join(name), text).unwrap();
    write("first.toml", &changed(RECIPE, &[("games = 20", "games = 3"), ("rounds = 3", "rounds = 1")]));
    let entry = "[[runs]]\nrecipe = \"first.toml\"\n";
    let change = "change.imitation = { teacher = \"greedy\", rounds = 2 }\nchange.length = { games = 12 }\n";
    let chain =
        format!("kind = \"chain\"\n{entry}name = \"a\"\nseed = 3\n{entry}name = \"b\"\nseed = 4\n{change}");
    write("chain.toml", &chain);
    let recipe = Recipe::read(&place.path().join("recipes/chain.toml")).unwrap();
    let old_name =
        Recipe::parse(&chain.replace("[[runs]]", "[[legs]]"), &place.path().join("recipes")).unwrap();
    assert_eq!(old_name, recipe);
    let Recipe::Chain(runs) = &recipe else { panic!("no chain") };
    let Recipe::PolicyValue(second) = &runs[1].recipe else { panic!("another kind") };
    assert_eq!((second.imitation.teacher.as_str(), second.imitation.games), ("greedy", 3));
    let run = |name: &str, limit: Option<u32>| {
        let folder = place.path().join(name);
        let asked = Cell::new(0);
        let is_stopped = || {
            asked.set(asked.get() + 1);
            limit.is_some_and(|limit| asked.get() > limit)
        };
        let outcome = train(&recipe, &order(&folder), &is_stopped, &mut |_| ()).unwrap();
        (outcome.is_finished, folder)
    };
    let (is_finished, whole) = run("whole", None);
    assert!(is_finished);
    let mut limit = 4;
    while !run("parts", Some(limit)).0 {
        limit += 4;
    }
    assert!(limit > 8, "never stopped");
    // Apart from folders, both are equal: the second run started from the first one's network.
    let network = |folder: &Path| std::fs::read(folder.join("2-b/network.bin")).unwrap();
    assert_eq!(network(&whole), network(&place.path().join("parts")));
    let text = std::fs::read_to_string(whole.join("2-b/checkpoint.json")).unwrap();
    let checkpoint: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(checkpoint["recipe"]["start"], whole.join("1-a/network.bin").to_str().unwrap());
    let mut longer = order(&whole);
    longer.length = Some(contender_learn::Length::Games(5));
    assert!(train(&recipe, &longer, &|| false, &mut |_| ()).is_err());
    for (right, wrong, words) in [
        ("first.toml", "nowhere.toml", "nowhere.toml"),
        ("name = \"b\"", "name = \"../b\"", "letters"),
        ("rounds = 2", "turns = 2", "turns"),
        ("first.toml", "chain.toml", "chain"),
    ] {
        let error = Recipe::parse(&chain.replace(right, wrong), &place.path().join("recipes")).unwrap_err();
        assert!(format!("{error:#}").contains(words), "{error:#}");
    }
}

/// Returns the recipe for a game with alternating turns.
fn in_turn(game: &str) -> String {
    changed(
        RECIPE,
        &[
            ("cellularena", game),
            ("hidden = 4\nsides = 2", "hidden = 4"),
            ("length = { games = 20 }", "length = { games = 12 }"),
            ("blocks = 1", "blocks = 0"),
            ("teacher = \"heuristic\"\nnodes = 1\n", "teacher = \"puct\"\nnodes = 3\n"),
            ("deep_share = 0.5", "deep_share = 0.2"),
            ("drawn_turns = 10", "drawn_turns = 4"),
            ("rounds = 3\ngames = 3", "rounds = 3\ngames = 2"),
            ("random_share = 0.2", "random_share = 0.05"),
            ("epochs = 2\nwindow = 400", "epochs = 1\nwindow = 100"),
            (
                "games = 4\n[pool]\nshare = 0.5\nkeep_every = 1\nkept = 2\nbots = [\"random\"]\n",
                "games = 2\n",
            ),
            ("batch = 128\nepochs = 2", "batch = 128\nepochs = 1"),
            ("discount = 0.99", "discount = 1.0"),
        ],
    )
}

/// A custom game is learned, first from its search and then from the network's own moves.
#[test]
fn a_game_in_turn_is_learned() {
    learns_cellularena();
    let text = in_turn("tumbleweed");
    let unknown = Recipe::parse(&text, Path::new("")).unwrap_err();
    assert!(
        format!("{unknown:#}").contains(
            "this program cannot train a network with a policy for `tumbleweed`; available: cellularena"
        ),
        "{unknown:#}"
    );
    contender_learn::policy_value::learns::<tumbleweed::Tumbleweed>();
    let bytes = network_of(&text.replace("pairs = 1\n", "pairs = 1\nlast_pairs = 2\n"));
    assert!(Net::<tumbleweed::State>::read(&bytes).is_ok());
    let parameters = weights::read::<tumbleweed::State>(&bytes).unwrap().1;
    assert!(parameters.iter().any(|&number| number != 0.0));
}

// The templates use an older Rust edition, which wraps their lines differently.
#[rustfmt::skip]
#[path = "../../../cli/templates/chance/lib.rs"]
#[allow(dead_code, clippy::unnecessary_map_or, reason = "it is a whole game, for Rust 1.66")]
mod digits;
#[rustfmt::skip]
#[path = "../../../cli/templates/simultaneous/lib.rs"]
#[allow(dead_code, reason = "it is a whole game")]
mod goofspiel;
#[rustfmt::skip]
#[path = "../../../cli/templates/hidden/lib.rs"]
#[allow(dead_code, clippy::unnecessary_map_or, reason = "it is a whole game, for Rust 1.66")]
mod tricks;

/// After some games with dice, the policy without any search wins against random moves.
#[test]
fn a_game_with_chance_is_learned() {
    contender_learn::policy_value::learns::<digits::Digits>();
    let changes = [
        ("games = 12", "games = 1000"),
        ("rounds = 3\ngames = 2", "rounds = 1000\ngames = 50"),
        ("nodes = 3", "nodes = 20"),
        ("deep_share = 0.2", "deep_share = 1.0"),
        ("own_share = 0.5", "own_share = 0.0"),
        ("window = 100", "window = 2000"),
        ("end = 0.001", "end = 0.003"),
        ("blocks = 0", "blocks = 1"),
        ("batch = 128", "batch = 32"),
        ("pairs = 1\n", "pairs = 20\nlast_pairs = 100\n"),
    ];
    let text = changed(&in_turn("digits"), &changes);
    let folder = tempfile::tempdir().unwrap();
    let verdict = learn(&text, folder.path()).unwrap().verdict.unwrap();
    assert!(verdict.lines().any(|line| line.starts_with("stronger than the start: +")), "{verdict}");
    let bytes = std::fs::read(folder.path().join("network.bin")).unwrap();
    let network = weights::network::<digits::State>(&bytes).unwrap();
    let mut bot = PuctBot::<digits::State>::new(PuctSettings::DEFAULT, network, 1);
    let (mut ahead, mut rng) = (0, Rng::new(2));
    for game in 0..400 {
        let own = Player::from_index(game % 2);
        let mut state = digits::State::default();
        loop {
            match state.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    let die = state.random_outcome(&mut rng, &mut Vec::new());
                    state.resolve(die);
                }
                Turn::Player(player) if player == own => {
                    let mv = bot.choose(&state, player, &Clock::new(Limits::nodes(1)));
                    state.play(mv);
                }
                Turn::Player(_) => {
                    let mv = state.random_move(&mut rng, &mut Vec::new());
                    state.play(mv);
                }
            }
        }
        ahead += own.sign() * state.value().signum();
    }
    // Four standard deviations of 400 games between equal players.
    assert!(ahead > 80, "{ahead} of 400 games");
    keeps_a_good_start(&text, &folder.path().join("network.bin"));
}

/// Steps far too large spoil a good network. The training keeps its start, says so, and ends early.
fn keeps_a_good_start(text: &str, good: &Path) {
    let changes = [
        ("[network]", &format!("start = \"{}\"\n[network]", good.display())[..]),
        ("start = 0.003, end = 0.003", "start = 5.0, end = 5.0"),
        ("last_pairs = 100\n", "last_pairs = 10\npatience = 2\n"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let outcome = learn(&changed(text, &changes), folder.path()).unwrap();
    let verdict = outcome.verdict.unwrap();
    assert!(verdict.contains("ended early: no improvement in 2 matches\n"), "{verdict}");
    assert!(
        verdict.ends_with("the start version, which is kept")
            || verdict.ends_with("the initial version is kept"),
        "{verdict}"
    );
    assert!(std::fs::read(outcome.file).unwrap() == std::fs::read(good).unwrap());
}

/// Returns the network that the template's recipe learns in this number of games.
fn by_itself(game: &str, strong: &str, games: u64) -> Vec<u8> {
    let text = include_str!("../../../cli/templates/crate/train-policy.toml");
    let text = text.replace("{name}", game).replace("{strong}", strong).replace("pairs = 50", "pairs = 1");
    let text = text.replace("minutes = 1.0", &format!("games = {games}")).replace("last_pairs = 200\n", "");
    let folder = tempfile::tempdir().unwrap();
    learn(&text, folder.path()).unwrap();
    std::fs::read(folder.path().join("network.bin")).unwrap()
}

/// Returns how many more of 1,000 games the policy wins than loses against random moves. `play` plays a game and
/// returns the lead.
fn ahead(mut play: impl FnMut(u64, Player, &mut Rng) -> i32) -> i32 {
    let mut rng = Rng::new(2);
    (0..1000u64)
        .map(|game| {
            let own = Player::from_index(game as usize % 2);
            own.sign() * play(game, own, &mut rng).signum()
        })
        .sum()
}

/// The opponent's cards are hidden, so there is no teacher and no search.
#[test]
fn a_game_that_hides_something_is_learned() {
    contender_learn::policy_value::learns::<tricks::Tricks>();
    let network = weights::network::<tricks::State>(&by_itself("tricks", "ismcts", 10_000)).unwrap();
    let mut bot = PolicyBot::<tricks::State>::in_turn(PolicySettings::DEFAULT, network, 1);
    let ahead = ahead(|seed, own, rng| {
        let mut state = tricks::Tricks::start(seed, ()).unwrap().state().clone();
        while let Turn::Player(player) = state.turn() {
            let card = if player == own {
                bot.choose(&state, player, &Clock::new(Limits::NONE))
            } else {
                state.random_move(rng, &mut Vec::new())
            };
            state.play(card);
        }
        state.value()
    });
    // Four standard deviations of 1,000 games between equal players.
    assert!(ahead > 127, "{ahead} of 1000 games");
    let cheating = "a teacher that searches states as they are";
    let text = in_turn("tricks");
    let error = learn(&text, tempfile::tempdir().unwrap().path()).expect_err(cheating);
    assert!(format!("{error:#}").contains("unknown bot `puct`"), "{error:#}");
    let both = changed(&text, &[("[network]", "[network]\nsides = 2")]);
    let error = learn(&both, tempfile::tempdir().unwrap().path()).expect_err("its networks tell one policy");
    assert!(format!("{error:#}").contains("invalid `network.sides`"), "{error:#}");
}

#[test]
fn a_game_in_which_both_act_at_once_is_learned() {
    contender_learn::policy_value::learns_simultaneous::<goofspiel::Goofspiel>();
    let network = weights::network::<goofspiel::State>(&by_itself("goofspiel", "duct", 10_000)).unwrap();
    let mut bot = PolicyBot::<goofspiel::State>::simultaneous(PolicySettings { drawn: true }, network, 1);
    let ahead = ahead(|_, own, rng| {
        let mut state = goofspiel::State::default();
        while !state.is_over() {
            let cards = Player::BOTH.map(|player| {
                if player == own {
                    bot.choose(&state, player, &Clock::new(Limits::NONE))
                } else {
                    state.random_move(player, rng)
                }
            });
            state.play([&cards[0], &cards[1]]);
        }
        state.value()
    });
    assert!(ahead > 127, "{ahead} of 1000 games");
}
