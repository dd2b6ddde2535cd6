//! `contender train`.

use std::path::Path;
use std::process::{Command, Output};

fn contender(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
    command.current_dir(folder).args(words.split_whitespace()).output().expect("the command runs")
}

fn recipe() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/entropy/train.toml").to_string()
}

#[test]
fn wrong_usage_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = [
        "train",
        "train r.toml --minutes 0",
        "train r.toml --games 0",
        "train r.toml -j 0",
        "train status nowhere",
    ];
    for words in wrong {
        let output = contender(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{words}: {output:?}");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Writes the repository's recipe with short games and small matches.
fn short_recipe(folder: &std::path::Path) {
    let text = std::fs::read_to_string(recipe()).unwrap();
    let text = text.replace("depth = 2", "depth = 1").replace("last_pairs = 50", "last_pairs = 4");
    let text = text.replace("pairs = 10", "pairs = 2").replace("count = 5", "count = 2");
    std::fs::write(folder.join("short.toml"), text).unwrap();
}

#[test]
fn a_training_writes_weights_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    short_recipe(folder.path());
    let first = contender(folder.path(), "train short.toml --games 16 -q");
    assert!(first.status.success(), "{first:?}");
    assert_eq!(text(&first.stdout).lines().count(), 2, "{first:?}");
    assert!(text(&first.stdout).contains("against greedy"));
    let weights = std::fs::read_to_string(folder.path().join("training/weights.txt")).unwrap();
    assert_eq!(weights.lines().count(), 98);
    let play = |bot: &str| {
        contender(folder.path(), &format!("match entropy a={bot} greedy -n 1 --nodes 50 --quiet"))
    };
    let [trained, shipped] = ["classic:weights=training/weights.txt", "classic"].map(play);
    assert!(trained.status.success() && shipped.status.success(), "{trained:?}");
    assert_ne!(text(&trained.stdout), text(&shipped.stdout), "other weights play other games");
    let again = contender(folder.path(), "train short.toml --games 24 -q");
    assert!(text(&again.stderr).contains("resuming after 16 games"), "{again:?}");
    let status = contender(folder.path(), "train status");
    let words = text(&status.stdout);
    assert!(words.contains("treestrap, entropy, seed 1") && words.contains("24 games"), "{status:?}");
    assert!(words.contains("against greedy"), "{status:?}");
    let other = contender(folder.path(), "train short.toml --games 24 -q --seed 2");
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("--restart"), "{other:?}");
    std::fs::write(folder.path().join("short.toml"), "game = 1").unwrap();
    let broken = contender(folder.path(), "train short.toml");
    assert_eq!(broken.status.code(), Some(2));
    assert!(text(&broken.stderr).contains("line 1"), "{broken:?}");
    let uttt = std::fs::read_to_string(recipe()).unwrap().replace("\"entropy\"", "\"uttt\"");
    std::fs::write(folder.path().join("short.toml"), uttt).unwrap();
    let without = contender(folder.path(), "train short.toml");
    assert_eq!(without.status.code(), Some(2));
    assert!(text(&without.stderr).contains("`contender::learns_features`"), "{without:?}");
}

#[test]
fn logs_of_trainings_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let log =
        "{\"minutes\":1.0,\"round\":1,\"greedy\":20.0}\n{\"minutes\":2.5,\"round\":2,\"greedy\":45.0}\n";
    for name in ["first", "second"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        std::fs::write(folder.path().join(name).join("metrics.jsonl"), log).unwrap();
    }
    let compared = contender(folder.path(), "train compare first second --number greedy -o both.svg");
    assert!(compared.status.success(), "{compared:?}");
    let picture = std::fs::read_to_string(folder.path().join("both.svg")).unwrap();
    assert!(picture.starts_with("<svg") && ["first", "second"].iter().all(|name| picture.contains(name)));
    let other = contender(folder.path(), "train compare first second --number random -o both.svg");
    assert_eq!(other.status.code(), Some(2));
    assert!(
        text(&other.stderr).contains("no metric `random` in first/metrics.jsonl; available: greedy"),
        "{other:?}"
    );
    let nowhere = contender(folder.path(), "train compare nowhere --number greedy -o both.svg");
    assert_eq!(nowhere.status.code(), Some(2), "{nowhere:?}");
}

/// The progress of a training run is relative to the length that was chosen.
#[test]
fn a_length_in_minutes_is_what_is_done() {
    let folder = tempfile::tempdir().unwrap();
    short_recipe(folder.path());
    let trained = contender(folder.path(), "train short.toml --minutes 0.002 -q");
    assert!(trained.status.success(), "{trained:?}");
    let status = text(&contender(folder.path(), "train status").stdout);
    assert!(status.contains("length    0.002 min, 100.0% done"), "{status}");
}
