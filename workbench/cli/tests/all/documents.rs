//! The commands in the README and in `docs`, run exactly as the documents show them: each document in a folder of its
//! own, one command after the other. If a document shows the output of a command, the output is compared, except for
//! times. `CONTENDER_WRITE_BOOK=1 cargo test -p contender-cli --test all documents` updates the documents.
#![cfg(unix)]

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Parts of commands that are not run here, with the reason. Another test checks that these commands can be parsed.
const NOT_RUN: &[(&str, &str)] = &[
    ("contender pack ", "takes a minute: tests/all/pack.rs, scripts/check-packed.sh"),
    ("contender train ", "learns for minutes: tests/all/learn.rs"),
    ("=training/", "needs what a training has written"),
    ("contender tune ", "plays for minutes: tests/all/tune.rs"),
    ("contender web", "serves until it is ended: the tests of contender-web"),
    ("packed=./bot", "needs a packed bot: scripts/check-packed.sh"),
    ("systemd-run", "needs systemd"),
    ("tumbleweed", "needs a game that is built: scripts/tumbleweed-book.sh"),
    ("cargo run ", "builds the whole workbench: tests/all/new.rs, scripts/check-own-game.sh"),
    ("cd mygame", "as the line above"),
    ("grep -c EDIT", "as the line above"),
    ("mygame --against", "needs a game that is built"),
    ("--game mygame", "needs a game that is built"),
    ("cargo install", "builds the whole workbench"),
    ("cargo build --release --features", "builds the whole workbench"),
    ("java ", "needs other people's programs"),
    ("contender referee add", "needs a challenge: tests/all/referees.rs"),
    ("contender referee viewer", "needs a challenge: tests/all/referees.rs"),
    ("contender referee compare", "needs a challenge: tests/all/referees.rs"),
    ("--referee olymbits", "needs a challenge: tests/all/referees.rs"),
    ("play.py", "needs a challenge: tests/all/referees.rs"),
    ("contender site fetch", "needs the site: the tests of contender-site"),
    ("contender cluster", "needs a server: tests/all/cluster/"),
    ("contender worker", "needs a server: tests/all/cluster/"),
    ("--on nats:", "needs a server: tests/all/cluster/"),
    ("play_game.py", "needs other people's programs"),
    ("psyleague.games", "needs other people's games: tests/all/league.rs"),
    ("--dir moved", "needs other people's games: tests/all/league.rs"),
    ("/path/to/bot", "needs other people's programs"),
];

/// Replacements that make commands smaller: a part of a command and its replacement.
const SMALLER: &[(&str, &str)] = &[
    ("./older", "./older --stage1-pairs 2 --stage2-pairs 2 --max-pairs 40"),
    ("--sprt 0,10", "--sprt 0,10 -n 40"),
    ("review mine.jsonl", "review mine.jsonl --decisions 5 --nodes 50"),
    ("--rounds 200 --seed", "--rounds 2 --seed"),
    ("python3 bot.py\" -n 20", "python3 bot.py\" -n 1"),
    ("python3 bot.py\" -n 10", "python3 bot.py\" -n 1"),
    ("run --duration 8h", "run --games 4"),
    ("run --games 100", "run --games 4"),
    ("cargo build --release && cp target/release/mine .", "true"),
    ("map_size == \"small\" and (bot.final > 3 or seat0.depth >= 8) and not", "not"),
];

/// Replacements that give readers' programs more time, so that a busy machine changes no game: a part of a command and
/// its replacement. The longer limit also appears in reports, but there it counts as a time and is not compared.
const PATIENT: &[(&str, &str)] = &[
    ("\"mine=python3 my-bot/bot.py\" -n", "\"mine=python3 my-bot/bot.py\" --time 2000% -n"),
    ("mine=my-bot/bot -n", "mine=my-bot/bot --time 2000% -n"),
    ("{seed}\" -n 10", "{seed}\" --time 2000% -n 10"),
    ("{seed}\" --nodes 300", "{seed}\" --time 2000% --nodes 300"),
    ("contender check uttt ", "contender check --time 2000% uttt "),
];

/// A command in a document.
struct Step {
    /// The line of the document in which the command begins, from 1.
    line: usize,
    command: String,
    /// The output that the document shows, with its range of lines in the document.
    shown: Option<(String, Range<usize>)>,
}

/// Returns the commands in the blocks of code: lines that begin with `contender` or `cargo`, and in a `console` block
/// the lines after a `$`, followed by their output. A block with `file=PATH` after its language becomes a command that
/// writes that file.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut block = None;
    let mut is_continued = false;
    for (line, number) in text.lines().zip(1..) {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            let file = |language: &str| Some(language.split_once(" file=")?.1.to_string());
            match block.take() {
                Some(begun) if file(begun).is_some() => steps.last_mut().unwrap().command += "END",
                Some(_) => {}
                None => {
                    block = Some(language);
                    if let Some(file) = file(language) {
                        let shown = Some((String::new(), number..number));
                        steps.push(Step { line: number, command: format!("cat > {file} <<'END'\n"), shown });
                    }
                }
            }
            is_continued = false;
            continue;
        }
        let Some(language) = block else { continue };
        if language.contains(" file=") {
            steps.last_mut().unwrap().command += &format!("{line}\n");
            continue;
        }
        let words = match language {
            "console" if !is_continued => line.strip_prefix("$ "),
            "console" | "" | "sh" => Some(line.trim()),
            _ => continue,
        };
        let is_run = |words: &str| {
            words.split(' ').any(|word| word == "contender" || word == "cargo") || language == "console"
        };
        match (words, steps.last_mut()) {
            (Some(words), Some(step)) if is_continued => {
                step.command += &format!(" {}", words.trim_end_matches('\\'));
                if let Some((_, lines)) = &mut step.shown {
                    *lines = number..number;
                }
            }
            (Some(words), _) if is_run(words) => {
                let command = words.trim_end_matches('\\').to_string();
                let shown = (language == "console").then(|| (String::new(), number..number));
                steps.push(Step { line: number, command, shown });
            }
            (None, Some(Step { shown: Some((shown, lines)), .. })) => {
                *shown += &format!("{line}\n");
                lines.end = number;
            }
            _ => continue,
        }
        is_continued = line.ends_with('\\');
    }
    steps
}

/// Returns a line with every time, and the spaces before it, replaced by `[..]`, because times differ from run to run.
fn timeless(line: &str) -> String {
    let is_number = |word: &str| word.trim_start_matches(['(', '<', '>']).parse::<f64>().is_ok();
    let mut kept = String::new();
    let mut words = line.split(' ').peekable();
    while let Some(word) = words.next() {
        if let Some(rest) = word.strip_prefix("[..]") {
            kept.truncate(kept.trim_end().len());
            kept += if kept.ends_with("[..]") { rest } else { word };
            continue;
        }
        let unit =
            words.peek().map(|unit| unit.trim_end_matches([',', ';', '.', ':', ')'])).unwrap_or_default();
        if is_number(word) && ["ns", "µs", "ms", "s", "min", "h"].contains(&unit) {
            let rest = words.next().unwrap_or_default()[unit.len()..].to_string();
            kept.truncate(kept.trim_end().len());
            if !kept.ends_with("[..]") {
                kept += "[..]";
            }
            kept += &rest;
        } else {
            kept += if kept.is_empty() { "" } else { " " };
            kept += word;
        }
    }
    kept
}

/// Returns the lines of an output without the paragraph on the machine's timing noise.
fn lines(text: &str) -> Vec<String> {
    let mut is_noise = false;
    let mut lines = Vec::new();
    for line in text.trim_end().lines() {
        is_noise = line.starts_with("Timing noise: ") || is_noise && line.starts_with("  ");
        if !is_noise {
            lines.push(timeless(line.trim_end()));
        }
    }
    lines
}

/// Returns whether an output matches a document: `...` matches any number of lines, `[..]` any text in a line.
fn is_as_shown(text: &[String], shown: &[String]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return text.is_empty() };
    if first == "..." {
        return (0..=text.len()).any(|skipped| is_as_shown(&text[skipped..], rest));
    }
    let Some((line, others)) = text.split_first() else { return false };
    let mut pieces = first.split("[..]");
    let head = pieces.next().unwrap_or_default();
    let Some(mut left) = line.strip_prefix(head) else { return false };
    for piece in pieces {
        let Some(at) = left.find(piece) else { return false };
        left = if piece.is_empty() { "" } else { &left[at + piece.len()..] };
    }
    left.is_empty() && is_as_shown(others, rest)
}

/// Returns a document with the shown outputs replaced by the outputs of this run.
fn rewritten(document: &str, outputs: &[(Range<usize>, String)]) -> String {
    let mut lines: Vec<&str> = document.lines().collect();
    for (shown, output) in outputs.iter().rev() {
        lines.splice(shown.clone(), output.trim_end().lines());
    }
    lines.join("\n") + "\n"
}

#[test]
fn what_is_shown_is_compared() {
    let same = |text: &str, shown: &str| is_as_shown(&lines(text), &lines(shown));
    assert!(same("a\nb 12 c\nd", "a\nb [..] c\nd") && same("a\nb\nc", "a\n...\nc") && same("a", "a\n..."));
    assert!(!same("a\nb", "a") && !same("a", "a\nb") && !same("b 12 d", "b [..] c") && !same("ab", "a"));
    assert!(same("time   82 µs   1.5 s\nx", "time 5 ms 9 h\nx") && !same("time 5 games", "time 6 games"));
    assert!(same("a\nTiming noise: high: 1\n  more\nb", "a\nb"));
}

#[test]
fn commands_and_their_outputs_are_found() {
    let text = "```python file=f\nx = \\\n$ 1\n```\n```console\n$ cat \\\n    f\n$ contender games\nbox\nuttt\n```\n\n```\nls\ncontender match \\\n  uttt\n```\n";
    let found = steps(text);
    let commands: Vec<&str> = found.iter().map(|step| step.command.as_str()).collect();
    assert_eq!(
        commands,
        ["cat > f <<'END'\nx = \\\n$ 1\nEND", "cat  f", "contender games", "contender match  uttt"]
    );
    let (shown, lines) = found[2].shown.clone().unwrap();
    assert_eq!((shown.as_str(), lines.clone()), ("box\nuttt\n", 8..10));
    let empty = found[1].shown.clone().unwrap();
    assert_eq!(empty, (String::new(), 7..7));
    let written = rewritten(text, &[(empty.1, "y".into()), (lines, "x".into())]);
    assert!(written.contains("    f\ny\n$ contender games\nx\n```"), "{written}");
}

/// The folder of external referees inside a document's folder.
pub const REFEREES: &str = ".referees";

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Runs a shell command in a folder.
///
/// # Errors
/// Returns the status and standard error if the command fails.
pub fn shell(folder: &Path, line: &str) -> Result<String, String> {
    let program = Path::new(env!("CARGO_BIN_EXE_contender")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    command.env("CONTENDER_REFEREES", folder.join(REFEREES)).env("CARGO_NET_OFFLINE", "true");
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Prepares a folder with everything that readers of the documents have: the repository's examples and recipes, some
/// programs, a league, a log, a published table, and an external referee named `winter`.
pub fn prepare(folder: &Path) {
    for name in ["examples", "games"] {
        std::os::unix::fs::symlink(root().join(name), folder.join(name)).unwrap();
    }
    let winter = folder.join(REFEREES).join("winter");
    fs::create_dir_all(&winter).unwrap();
    let stand_in = root().join("workbench/foreign/tests/stand_in.py");
    let settings = format!(
        "source = \"here\"\ncommand = [\"python3\", \"{}\", \"-serve\"]\nis_server = true\nplayers = [2, 4]\nleagues = 1\n",
        stand_in.display()
    );
    fs::write(winter.join("referee.toml"), settings).unwrap();
    fs::write(winter.join("stub.txt"), "gameloop\nread turn:int card:int\nwrite 1\n").unwrap();
    let bots = "for name in old new older mine; do printf '#!/bin/sh\\nexec contender bot uttt --name greedy\\n' > $name; chmod +x $name; done; \
        mkdir src; touch src/main.rs; contender new bot uttt --language python -o python; mv python/bot.py .; mkdir big; cp bot.py big; \
        contender match entropy greedy random -n 1 -q --log games.jsonl; \
        printf 'Game,User,Score,Status\\n1,ann,53,LOSE\\n1,bob,247,WIN\\n' > box-final-results.csv; \
        printf 'start=216534 colours=12\\n' > openings.txt";
    shell(folder, bots).unwrap();
}

/// Returns all pages below a folder.
pub fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).collect()
}

#[test]
fn documents_show_what_works() {
    let mut files = below(&root().join("docs"));
    files.push(root().join("README.md"));
    files.retain(|file| file.extension().is_some_and(|kind| kind == "md"));
    files.sort();
    let is_written = std::env::var_os("CONTENDER_WRITE_BOOK").is_some();
    let mut wrong = String::new();
    let mut used = vec![false; NOT_RUN.len() + SMALLER.len() + PATIENT.len()];
    let mut count = 0;
    for file in &files {
        let document = fs::read_to_string(file).unwrap();
        let steps = steps(&document);
        let folder = tempfile::tempdir().unwrap();
        if !steps.is_empty() {
            prepare(folder.path());
        }
        let name = file.strip_prefix(root()).unwrap().display();
        let mut outputs = Vec::new();
        for Step { line, command, shown } in steps {
            if shown.is_none() && file.starts_with(root().join("docs/start")) {
                wrong += &format!("{name}:{line}: a tutorial shows the output of `{command}`\n");
            }
            if let Some(at) = NOT_RUN.iter().position(|(part, _)| command.contains(part)) {
                used[at] = true;
                continue;
            }
            let mut run = command.clone();
            let smaller = SMALLER.iter().filter(|_| shown.is_none()).zip(NOT_RUN.len()..);
            let patient = PATIENT.iter().zip(NOT_RUN.len() + SMALLER.len()..);
            for ((part, instead), at) in smaller.chain(patient) {
                used[at] |= run.contains(part);
                run = run.replace(part, instead);
            }
            if shown.is_none() && run.split(' ').all(|word| word != "contender") {
                continue;
            }
            count += 1;
            match (shell(folder.path(), &run), shown) {
                (Err(error), _) => wrong += &format!("{name}:{line}: {run}\n{error}\n"),
                (Ok(text), Some((shown, place))) if !is_as_shown(&lines(&text), &lines(&shown)) => {
                    wrong += &format!("{name}:{line}: {run}\nprints\n{text}and not\n{shown}");
                    outputs.push((place, text));
                }
                (Ok(_), _) => {}
            }
        }
        if is_written && !outputs.is_empty() {
            fs::write(file, rewritten(&document, &outputs)).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let tables = NOT_RUN.iter().chain(SMALLER).chain(PATIENT);
    for ((part, _), used) in tables.zip(used) {
        assert!(used, "no document has `{part}`");
    }
    assert!(count > 50, "only {count} commands were run");
}
