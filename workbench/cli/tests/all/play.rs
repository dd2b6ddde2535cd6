//! `contender play` against programs and bots of leagues.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const CONTENDER: &str = env!("CARGO_BIN_EXE_contender");

/// Runs `contender play` with these lines as input and returns the output.
fn play(folder: &Path, words: &[&str], input: &str) -> Output {
    let mut command = Command::new(CONTENDER);
    command.current_dir(folder).arg("play").args(words).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_program_is_an_opponent_and_so_is_a_bot_of_a_league() {
    let folder = tempfile::tempdir().unwrap();
    let bot = format!("{CONTENDER} bot uttt --name greedy");
    let program =
        play(folder.path(), &["uttt", "--bot", &format!("mine={bot}"), "--seed", "7"], "4 4\nquit\n");
    let text = String::from_utf8(program.stdout).unwrap();
    assert!(
        text.starts_with("You are X against mine; to repeat this game's randomness, use `--seed 7`."),
        "{text}"
    );
    assert!(text.contains("O plays ") && text.ends_with("Goodbye.\n"), "{text}");
    let league = |words: &[&str]| {
        let mut command = Command::new(CONTENDER);
        assert!(
            command
                .current_dir(folder.path())
                .args(["league", "--dir", "l"])
                .args(words)
                .status()
                .unwrap()
                .success()
        );
    };
    league(&["init", "uttt"]);
    league(&["add", "old", "greedy"]);
    let of_league = play(folder.path(), &["uttt", "--league", "l", "--bot", "old"], "4 4\nquit\n");
    assert!(String::from_utf8(of_league.stdout).unwrap().contains("against old"));
    // The bot's command runs in the folder of the league.
    std::fs::write(folder.path().join("l/own.sh"), format!("exec {bot}")).unwrap();
    league(&["add", "own", "sh own.sh"]);
    let own = play(folder.path(), &["uttt", "--league", "l", "--bot", "own"], "4 4\nquit\n");
    assert!(String::from_utf8(own.stdout).unwrap().contains("O plays "));
    let unknown = play(folder.path(), &["uttt", "--league", "l", "--bot", "new"], "");
    assert_eq!(unknown.status.code(), Some(2));
    assert_eq!(String::from_utf8(unknown.stderr).unwrap(), "error: unknown bot `new`; available: old, own\n");
    let other_game = play(folder.path(), &["entropy", "--league", "l", "--bot", "old"], "");
    assert_eq!(other_game.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(other_game.stderr).unwrap(),
        "error: l is a league for uttt, not for entropy\nhint: `contender play uttt --league l --bot old`\n"
    );
}

#[test]
fn a_bot_that_fails_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let bot = "sh -c 'read line; echo sorry >&2; exit 3'";
    let output = play(folder.path(), &["uttt", "--bot", bot], "4 4\n");
    assert_eq!(output.status.code(), Some(1));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("stderr: sorry\n") && words.contains("exits early with status 3"), "{words}");
}

/// The seed is random unless the user sets one.
#[test]
fn the_seed_is_new_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let first_line = || {
        let output = play(folder.path(), &["box", "--bot", "random"], "quit\n");
        String::from_utf8(output.stdout).unwrap().lines().next().unwrap().to_string()
    };
    assert_ne!(first_line(), first_line());
}
