//! Trainings of networks with a policy and a value, small ones.

use contender_learn::{Event, Order, Recipe, train};
use std::cell::Cell;
use std::path::Path;

const RECIPE: &str = r#"
kind = "policy-value"
game = "cellularena"
length = { games = 20 }
[network]
channels = 16
blocks = 1
hidden = 4
[imitation]
teacher = "heuristic"
nodes = 1
rounds = 2
games = 3
own_share = 0.5
random_share = 0.2
value_share = 0.5
epochs = 2
mirrored = true
rate = { start = 0.003, end = 0.001, curve = "cosine" }
[self_play]
games = 4
past_share = 0.5
keep_every = 1
kept = 2
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
[matches]
every = 2
pairs = 1
opponents = ["random"]
"#;

fn order(folder: &Path) -> Order {
    Order { length: None, seed: 5, folder: folder.to_path_buf(), is_new: false }
}

/// What a checkpoint holds but the time.
fn state(folder: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(folder.join("checkpoint.json")).unwrap();
    let checkpoint: serde_json::Value = serde_json::from_str(&text).unwrap();
    checkpoint["state"].clone()
}

#[test]
fn a_training_that_is_stopped_often_equals_an_uninterrupted_one() {
    let recipe = Recipe::parse(RECIPE).unwrap();
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut log = Vec::new();
    let outcome = train(&recipe, &order(whole.path()), &|| false, &mut |event| {
        if let Event::Log(line) = event {
            log.push(line);
        }
    });
    assert!(outcome.unwrap().is_finished);
    assert!(log.len() >= 3 && log.iter().all(|line| line.contains("random")), "{log:?}");
    let mut runs = 0;
    loop {
        runs += 1;
        assert!(runs < 200, "the training gets nowhere");
        // A few questions later in every run, so that all pieces of work are cut off somewhere.
        let questions = Cell::new(0);
        let is_stopped = || {
            questions.set(questions.get() + 1);
            questions.get() > 4 + 3 * runs
        };
        if train(&recipe, &order(parts.path()), &is_stopped, &mut |_| ()).unwrap().is_finished {
            break;
        }
    }
    assert!(runs > 2, "never stopped");
    assert_eq!(state(whole.path()), state(parts.path()));
    let network = |folder: &Path| std::fs::read(folder.join("network.bin")).unwrap();
    assert_eq!(network(whole.path()), network(parts.path()));
    contender_cellularena::network::read(&network(whole.path())).unwrap();
    let picture = |folder: &Path| std::fs::read_to_string(folder.join("curve.svg")).unwrap();
    assert!(picture(whole.path()).contains("against random"));
    assert_eq!(picture(whole.path()), picture(parts.path()));
}

#[test]
fn a_pass_in_a_mirror_teaches_something_else() {
    let learned = ["mirrored = true", "mirrored = false"].map(|setting| {
        let folder = tempfile::tempdir().unwrap();
        let text = RECIPE.replace("games = 20", "games = 3").replace("mirrored = true", setting);
        train(&Recipe::parse(&text).unwrap(), &order(folder.path()), &|| false, &mut |_| ()).unwrap();
        state(folder.path())
    });
    assert_eq!(learned[0]["decisions"], learned[1]["decisions"]);
    assert_ne!(learned[0]["parameters"], learned[1]["parameters"]);
}

#[test]
fn senseless_settings_are_refused() {
    for (right, wrong, words) in [
        ("channels = 16", "channels = 24", "multiple of 16"),
        ("game = \"cellularena\"", "game = \"uttt\"", "cellularena"),
        ("past_share = 0.5", "past_share = 1.5", "between 0 and 1"),
        ("every = 2", "every = 0", "above 0"),
        ("batch = 128", "batch = 0", "above 0"),
        ("epochs = 2", "epochs = 0", "above 0"),
        ("value_share = 0.5", "value_share = 1.5", "between 0 and 1"),
    ] {
        let error = Recipe::parse(&RECIPE.replace(right, wrong)).unwrap_err();
        assert!(format!("{error:#}").contains(words), "{error:#}");
    }
    let recipe = Recipe::parse(&RECIPE.replace("teacher = \"heuristic\"", "teacher = \"nobody\"")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let error = train(&recipe, &order(folder.path()), &|| false, &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("nobody"), "{error}");
}

#[test]
fn a_training_goes_on_from_another_network() {
    let first = tempfile::tempdir().unwrap();
    let is_done = |recipe: &str, folder: &Path| {
        train(&Recipe::parse(recipe).unwrap(), &order(folder), &|| false, &mut |_| ())
    };
    let short = RECIPE.replace("games = 20", "games = 1");
    is_done(&short, first.path()).unwrap();
    let network = first.path().join("network.bin");
    let start = format!("start = {network:?}\n[network]");
    let short = short.replace("[network]", &start).replace("rounds = 2", "rounds = 1");
    // Without learning what it began with is what it ends with, within half a step of the largest scale.
    let idle = short.replace("start = 0.003, end = 0.001", "start = 1e-9, end = 0.0");
    let second = tempfile::tempdir().unwrap();
    is_done(&idle, second.path()).unwrap();
    let parameters = |folder: &Path| {
        contender_cellularena::network::read_parameters(&std::fs::read(folder.join("network.bin")).unwrap())
            .unwrap()
    };
    let ([a, b], largest) = ([first.path(), second.path()].map(|folder| parameters(folder).1), 0.2);
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= largest));
    let third = tempfile::tempdir().unwrap();
    let other = short.replace("hidden = 4", "hidden = 5");
    let error = is_done(&other, third.path()).unwrap_err();
    assert!(error.to_string().contains("other sizes"), "{error:#}");
    std::fs::write(&network, b"nothing").unwrap();
    let error = is_done(&short, third.path()).unwrap_err();
    assert!(format!("{error:#}").contains("network.bin"), "{error:#}");
}
