//! The commands of the README and of `docs`, run as they stand there: each document in a folder of its own, one command
//! after the other. Where a document shows what a command prints, that is compared.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Commands that are not run here, by a part of them, and why. That they are understood is tested with the arguments.
const NOT_RUN: &[(&str, &str)] = &[
    ("contender pack ", "takes a minute: tests/pack.rs, scripts/check-packed.sh"),
    ("contender train ", "learns for minutes: tests/learn.rs"),
    ("training/weights.txt", "needs what a training has written"),
    ("contender tune games/", "plays for minutes: tests/tune.rs"),
    ("contender dataset ", "plays for a minute: tests/learn.rs"),
    ("league export --form pgn", "needs a league that has played: tests/league.rs"),
    ("contender play ", "asks a person: tests/play.rs"),
    ("contender web", "serves until it is ended: the tests of contender-web"),
    ("my-bot/target/release", "needs a package that is built: tests/new.rs"),
    ("packed=./bot", "needs a packed bot: scripts/check-packed.sh"),
    ("systemd-run", "needs systemd"),
    ("tumbleweed", "needs a game that is built: scripts/tumbleweed-book.sh"),
    ("-- train ", "learns for minutes: tests/new.rs"),
    ("-- league ", "needs a league of an own game: scripts/tumbleweed-book.sh"),
    ("mygame", "needs a game that is built: tests/new.rs, scripts/check-own-game.sh"),
    ("java ", "needs other people's programs"),
    ("contender referee add", "needs a challenge: tests/referees.rs"),
    ("contender cluster", "needs a server: tests/cluster/"),
    ("contender worker", "needs a server: tests/cluster/"),
    ("--on nats:", "needs a server: tests/cluster/"),
    ("--referee", "needs a referee: tests/referees.rs"),
    ("--dir winter", "needs a referee: tests/referees.rs"),
    ("play_game.py", "needs other people's programs"),
];

/// What is played in small: a part of a command, and what stands in its place.
const SMALLER: &[(&str, &str)] = &[
    ("cargo run --release -- ", "contender "),
    ("entropy expectimax greedy -n 20", "entropy expectimax greedy -n 2 --nodes 100"),
    ("examples/entropy_bot.py\" -n 20", "examples/entropy_bot.py\" -n 1"),
    (
        "tournament entropy random greedy expectimax",
        "tournament entropy random greedy expectimax -n 2 --nodes 100",
    ),
    ("./older", "./older --few 2 --more 2 --most 40"),
    ("--sprt 0,10", "--sprt 0,10 -n 40"),
    ("--bot expectimax", "--bot expectimax --nodes 100"),
    ("review games.jsonl", "review games.jsonl --decisions 5 --nodes 50"),
    ("review mine.jsonl", "review mine.jsonl --decisions 5 --nodes 50"),
    ("simulate ratings", "simulate ratings --rounds 2"),
    ("--rounds 200 --seed", "--rounds 2 --seed"),
    ("--games 4000 --nodes 1000", "--games 80 --nodes 10"),
    ("--games 4000 --nodes 200", "--games 80 --nodes 10"),
    ("my-bot/bot.py\" -n 10", "my-bot/bot.py\" -n 1"),
    ("run --games 60", "run --games 6"),
    ("contender league run", "contender league run --games 4"),
    ("cargo build --release && cp target/release/mine .", "true"),
    ("--nodes 36600000", "--nodes 60"),
    ("-n 100 --nodes 100000", "-n 1 --nodes 10"),
    ("-n 20 --nodes 100000", "-n 1 --nodes 10"),
    ("champion -n 30 -j 2", "champion -n 1 --nodes 10"),
    ("map_size == \"small\" and (bot.final > 3 or seat0.depth >= 8) and not", "not"),
    ("-n 3 --nodes 300", "-n 1 --nodes 30"),
];

/// A command of a document.
struct Step {
    line: usize,
    command: String,
    /// What it prints, where that is shown.
    shown: Option<String>,
}

/// The commands of the blocks of code: lines that begin with `contender` or, in a `console`, with `$`.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut block = None;
    let mut is_continued = false;
    for (line, number) in text.lines().zip(1..) {
        if let Some(language) = line.strip_prefix("```") {
            block = if block.is_some() { None } else { Some(language) };
            continue;
        }
        let command = match block {
            Some("console") => line.strip_prefix("$ "),
            Some("" | "sh") => Some(line.trim()),
            _ => continue,
        };
        match (command, steps.last_mut()) {
            (Some(words), Some(step)) if std::mem::take(&mut is_continued) => {
                step.command += &format!(" {}", words.trim_end_matches('\\'));
            }
            (Some(words), _) if words.split(' ').any(|word| word == "contender" || word == "cargo") => {
                let command = words.trim_end_matches('\\').to_string();
                let shown = (block == Some("console")).then(String::new);
                steps.push(Step { line: number, command, shown });
            }
            (None, Some(Step { shown: Some(shown), .. })) => *shown += &format!("{line}\n"),
            _ => continue,
        }
        is_continued = line.ends_with('\\');
    }
    steps
}

/// Whether a text is as it is shown: `...` stands for any lines, `[..]` for anything in a line.
fn is_as_shown(text: &[&str], shown: &[&str]) -> bool {
    let Some((&first, rest)) = shown.split_first() else { return text.is_empty() };
    if first == "..." {
        return (0..=text.len()).any(|skipped| is_as_shown(&text[skipped..], rest));
    }
    let Some((&line, others)) = text.split_first() else { return false };
    let mut pieces = first.split("[..]");
    let head = pieces.next().unwrap_or_default();
    let Some(mut left) = line.strip_prefix(head) else { return false };
    for piece in pieces {
        let Some(at) = left.find(piece) else { return false };
        left = if piece.is_empty() { "" } else { &left[at + piece.len()..] };
    }
    left.is_empty() && is_as_shown(others, rest)
}

#[test]
fn what_is_shown_is_compared() {
    let same = |text: &str, shown: &str| {
        is_as_shown(&text.lines().collect::<Vec<_>>(), &shown.lines().collect::<Vec<_>>())
    };
    assert!(same("a\nb 12 c\nd", "a\nb [..] c\nd") && same("a\nb\nc", "a\n...\nc") && same("a", "a\n..."));
    assert!(!same("a\nb", "a") && !same("a", "a\nb") && !same("b 12 d", "b [..] c") && !same("ab", "a"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Runs a line of a shell in a folder; what it prints, or what went wrong.
fn shell(folder: &Path, line: &str) -> Result<String, String> {
    let program = Path::new(env!("CARGO_BIN_EXE_contender")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What readers of the documents have: the repository's examples and recipes, some programs, a log, a published table.
fn prepare(folder: &Path) {
    for name in ["examples", "games"] {
        std::os::unix::fs::symlink(root().join(name), folder.join(name)).unwrap();
    }
    let bots = "for name in old new older mine; do printf '#!/bin/sh\\nexec contender bot uttt --name greedy\\n' > $name; chmod +x $name; done; \
        mkdir src; touch src/main.rs; contender new bot uttt --language python -o python; mv python/bot.py .; \
        contender match entropy greedy random -n 1 -q --log games.jsonl; \
        printf 'Game,User,Score,Status\\n1,ann,53,LOSE\\n1,bob,247,WIN\\n' > box-final-results.csv; \
        printf 'start=216534 colours=12\\n' > openings.txt";
    shell(folder, bots).unwrap();
}

#[test]
fn documents_show_what_works() {
    let mut files = vec![root().join("README.md")];
    files.extend(fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    files.retain(|file| file.extension().is_some_and(|kind| kind == "md"));
    files.sort();
    let mut wrong = String::new();
    let mut used = vec![false; NOT_RUN.len() + SMALLER.len()];
    let mut count = 0;
    for file in &files {
        let steps = steps(&fs::read_to_string(file).unwrap());
        let folder = tempfile::tempdir().unwrap();
        if !steps.is_empty() {
            prepare(folder.path());
        }
        for Step { line, command, shown } in steps {
            if let Some(at) = NOT_RUN.iter().position(|(part, _)| command.contains(part)) {
                used[at] = true;
                continue;
            }
            let mut small = command.clone();
            for (at, (part, in_small)) in SMALLER.iter().enumerate().filter(|_| shown.is_none()) {
                used[NOT_RUN.len() + at] |= small.contains(part);
                small = small.replace(part, in_small);
            }
            if small.split(' ').all(|word| word != "contender") {
                continue;
            }
            count += 1;
            let place = format!("{}:{line}: {small}", file.strip_prefix(root()).unwrap().display());
            match (shell(folder.path(), &small), shown) {
                (Err(error), _) => wrong += &format!("{place}\n{error}\n"),
                (Ok(text), Some(shown)) => {
                    let [lines, wanted] =
                        [&text, &shown].map(|text| text.trim_end().lines().collect::<Vec<_>>());
                    if !is_as_shown(&lines, &wanted) {
                        wrong += &format!("{place}\nprints\n{text}and not\n{shown}");
                    }
                }
                (Ok(_), None) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    for ((part, _), used) in NOT_RUN.iter().chain(SMALLER).zip(used) {
        assert!(used, "no document has `{part}`");
    }
    assert!(count > 25, "only {count} commands were run");
}
