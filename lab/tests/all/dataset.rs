//! `contender-lab dataset`.

use std::path::Path;
use std::process::{Command, Output};

fn lab(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contender-lab"));
    command
        .current_dir(folder)
        .arg("dataset")
        .args(words.split_whitespace())
        .output()
        .expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_dataset_is_made_and_too_small_a_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let made = lab(folder.path(), "entropy -o data.csv --answers answers.csv --games 5 --seed 3 --depth 1");
    assert_eq!(text(&made.stdout), "5 games, 485 positions in data.csv\n", "{made:?}");
    let data = std::fs::read_to_string(folder.path().join("data.csv")).unwrap();
    assert_eq!(data.lines().count(), 486);
    assert_eq!(data.lines().filter(|line| line.starts_with("test,")).count(), 97);
    let answers = std::fs::read_to_string(folder.path().join("answers.csv")).unwrap();
    assert_eq!(answers.lines().count(), 98);
    // Predictions that equal the answers are right about everything.
    std::fs::write(folder.path().join("mine.csv"), answers.replacen("minimax", "prediction", 1)).unwrap();
    let score = lab(folder.path(), "score answers.csv mine.csv --turns 51");
    assert!(text(&score.stdout).contains("R-squared on 97 positions"), "{score:?}");
    assert!(text(&score.stdout).ends_with("\n0.00 points off in the mean\n"), "{score:?}");
    let fit = lab(folder.path(), "fit data.csv");
    assert_eq!(fit.status.code(), Some(1));
    assert!(text(&fit.stderr).contains("only 4 games have values"), "{fit:?}");
    let wrong = lab(folder.path(), "score data.csv data.csv");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stderr).contains("unknown column `prediction`"), "{wrong:?}");
    let form = lab(folder.path(), "entropy -o data.xls");
    assert_eq!(form.status.code(), Some(1), "{form:?}");
    let turn = lab(folder.path(), "fit data.csv --turns 97");
    assert_eq!(turn.status.code(), Some(1), "{turn:?}");
    let kind = lab(folder.path(), "entropy -o data.parquet --games 1");
    assert_eq!(kind.status.success(), cfg!(feature = "parquet"), "{kind:?}");
    // Nothing is played if one of the files cannot be written.
    std::fs::create_dir(folder.path().join("folder.csv")).unwrap();
    let refused = lab(folder.path(), "entropy --games 1 -o new.csv --answers folder.csv");
    assert!(text(&refused.stderr).contains("folder.csv: it is a folder"), "{refused:?}");
    assert!(!folder.path().join("new.csv").exists());
}
