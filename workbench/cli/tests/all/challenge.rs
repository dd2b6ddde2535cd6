//! `contender challenge` reports how it ended.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CONTENDER: &str = env!("CARGO_BIN_EXE_contender");

#[test]
fn what_cannot_be_played_is_no_success() {
    // The limit leaves too few file descriptors for the pipes of a bot.
    let script = "ulimit -n 10; exec \"$0\" challenge box 'x=cat' greedy -q -j 1";
    let output = Command::new("sh").args(["-c", script, CONTENDER]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text} {output:?}");
    assert!(text.contains("The match against greedy failed: cannot start `cat`"), "{text}");
}

#[test]
fn an_interruption_is_named() {
    let runner = Command::new(CONTENDER)
        .args(["challenge", "entropy", "x=sleep 1000", "greedy", "-q", "-j", "1"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let has_child = || {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", runner.id())).unwrap().flatten();
        let mut lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        lists.any(|list| !list.is_empty())
    };
    while !has_child() && start.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let runner_id = runner.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &runner_id]).status().unwrap().success());
    let output = runner.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("Interrupted: no decision between x and greedy."), "{text}");
}

/// Challenges and tournaments also print a command that writes the input of a failed bot, up to the failure.
#[test]
fn what_a_bot_read_until_it_failed_can_be_had() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        |words: &[&str]| Command::new(CONTENDER).current_dir(folder.path()).args(words).output().unwrap();
    let bad = "bad=sh -c 'read a; echo zz'";
    for words in [
        &["challenge", "uttt", bad, "random", "--stage1-pairs", "2", "-q", "-j", "1", "--log", "c.jsonl"][..],
        &["tournament", "uttt", "random", bad, "-n", "1", "-q", "-j", "1", "--log", "t.jsonl"],
    ] {
        let said = String::from_utf8(run(words).stderr).unwrap();
        let line = said
            .lines()
            .find(|line| line.starts_with("to print the input of bad up to its failure: contender replay"));
        let command =
            line.unwrap_or_else(|| panic!("{words:?}: {said}")).split_once(": contender ").unwrap().1;
        let input = run(&command.split(' ').collect::<Vec<_>>());
        assert!(input.status.success() && input.stdout.len() > 10, "{command}: {input:?}");
    }
}
