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
    std::fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    for (words, said) in [("", ""), (" --check", "empty.jsonl: 0 games identical, 0 recorded scores\n")] {
        let none = replay(folder.path(), &format!("empty.jsonl{words}"));
        let said = format!("{said}error: empty.jsonl contains no games\n");
        assert_eq!((none.status.code(), text(&none)), (Some(1), said));
    }
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

fn contender(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contender")).args(arguments).current_dir(folder).output().unwrap()
}

/// `replay --input` prints exactly the input that a bot has read, in both seats of every game, up to the end or up to
/// the bot's failure.
#[cfg(unix)]
#[test]
fn the_input_of_a_bot_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = env!("CARGO_BIN_EXE_contender");
    // The script saves the input to one file per process before it passes the input to the bot.
    let script = "while IFS= read -r line; do printf '%s\\n' \"$line\" >&3; printf '%s\\n' \"$line\"; done 3>$1-$$ | \
                  $3 bot ${1%-*} --name greedy | sed -u \"$2\"\n";
    std::fs::write(folder.path().join("bot.sh"), script).unwrap();
    for game in ["entropy", "box", "spaghetti", "uttt", "cellularena"] {
        for (name, answers) in [("ends", "p;d"), ("fails", "4s/.*/nonsense/")] {
            let bot = format!("sh bot.sh {game}-{name} {answers} {path}");
            let log = format!("{game}-{name}.jsonl");
            let match_ =
                ["match", game, &bot, "greedy", "-n", "1", "-j", "1", "-q", "--time", "3000%", "--log", &log];
            let played = contender(folder.path(), &match_);
            assert!(played.status.success(), "{}", text(&played));
            let mut read: Vec<String> = std::fs::read_dir(folder.path())
                .unwrap()
                .map(|entry| entry.unwrap())
                .filter(|entry| entry.file_name().to_string_lossy().starts_with(&format!("{game}-{name}-")))
                .map(|entry| std::fs::read_to_string(entry.path()).unwrap())
                .collect();
            assert_eq!(read.len(), 2);
            let mut written: Vec<String> = ["1", "2"]
                .iter()
                .map(|number| {
                    let line = std::fs::read_to_string(folder.path().join(&log)).unwrap();
                    let line = line.lines().nth(number.parse::<usize>().unwrap() - 1).unwrap().to_string();
                    let players = line.split_once("\"players\":[\"").unwrap().1;
                    let seat = if players.starts_with("greedy") { "1" } else { "0" };
                    let input =
                        contender(folder.path(), &["replay", &log, "--number", number, "--input", seat]);
                    assert!(input.status.success(), "{}", text(&input));
                    String::from_utf8(input.stdout).unwrap()
                })
                .collect();
            read.sort();
            written.sort();
            assert_eq!(written, read, "{game} {name}");
        }
    }
    // In CodeCup's games, the judge continued for the failed bot, and the output marks its moves.
    let shown = text(&contender(folder.path(), &["replay", "entropy-fails.jsonl", "--number", "1"]));
    let boards = shown.matches("turn ").count();
    let by_judge = shown.matches("(played by the judge, because the bot had failed)").count();
    assert!(by_judge > 5 && by_judge < boards, "{by_judge} of {boards}");
    assert!(shown.trim_end().lines().next_back().unwrap().contains(": "), "{shown}");
    let ended = text(&contender(folder.path(), &["replay", "entropy-ends.jsonl", "--number", "1"]));
    assert!(!ended.contains("by the judge"));
    let none = contender(folder.path(), &["replay", "entropy-ends.jsonl", "--number", "1", "--input", "x"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none).contains("unknown seat `x`"), "{}", text(&none));
}
