//! `contender replay`: positions as text and as SVG.

use std::path::Path;
use std::process::{Command, Output};

fn replay(folder: &Path, args: &str) -> Output {
    std::fs::write(
        folder.join("games.jsonl"),
        "{\"game\":\"uttt\",\"moves\":[\"4 4\",\"4 3\"]}\n{\"game\":\"entropy\",\"moves\":[\"3Bc\",\"BcBg\"]}\n",
    )
    .unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
    command.arg("replay").args(args.split(' ')).current_dir(folder).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn one_position_is_shown_of_many() {
    let folder = tempfile::tempdir().unwrap();
    let shown = text(&replay(folder.path(), "games.jsonl --number 2 --turn 1"));
    assert!(shown.starts_with("games.jsonl:2: turn 1 `3Bc`, points"), "{shown}");
    assert_eq!(shown.matches("games.jsonl").count(), 1);
    assert_eq!(text(&replay(folder.path(), "games.jsonl")).matches("games.jsonl").count(), 6);
    let none = replay(folder.path(), "games.jsonl --number 3");
    assert_eq!((none.status.code(), text(&none).as_str()), (Some(2), "error: games.jsonl has no game 3\n"));
}

#[test]
fn boards_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(text(&replay(folder.path(), "games.jsonl --svg last.svg")), "last.svg: 1 picture\n");
    let picture = std::fs::read_to_string(folder.path().join("last.svg")).unwrap();
    assert!(picture.contains("games.jsonl:1: turn 2 `4 3`") && picture.contains("data-name=\"4 4\""));
    assert_eq!(text(&replay(folder.path(), "games.jsonl --svg all")), "all: 6 pictures\n");
    let mut names: Vec<_> = std::fs::read_dir(folder.path().join("all"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["1-000.svg", "1-001.svg", "1-002.svg", "2-000.svg", "2-001.svg", "2-002.svg"]);
}
