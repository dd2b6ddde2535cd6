//! The commands in the README and in `docs`, run exactly as the documents show them: each document in a folder of its
//! own, one command after the other. If a document shows the output of a command, the output is compared, except for
//! times. `CONTENDER_WRITE_BOOK=1 cargo test -p contender-cli --test all documents` updates the documents.
#![cfg(unix)]

use serde_json::Value;
use std::collections::BTreeSet;
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
const REFEREES: &str = ".referees";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Runs a shell command in a folder.
///
/// # Errors
/// Returns the status and standard error if the command fails.
fn shell(folder: &Path, line: &str) -> Result<String, String> {
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
fn prepare(folder: &Path) {
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
fn below(folder: &Path) -> Vec<PathBuf> {
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

/// Returns the valid keys of a file, taken from the error message for an unknown key.
fn keys(error: &str) -> Vec<String> {
    let listed = error.split("expected").nth(1).unwrap_or_default();
    listed.split('`').skip(1).step_by(2).map(String::from).collect()
}

/// The pages about settings files list all keys.
#[test]
fn every_key_of_a_settings_file_has_its_row() {
    let league = ["", "game = \"uttt\"\n[matchmaking]\n"];
    let tune = "game = \"uttt\"\nbot = \"classic\"\ngames = 80\n";
    let tune = [String::new(), format!("{tune}[parameters.c]\n"), format!("{tune}[test]\n")];
    let parts = |kind: &str, parts: &[&str]| {
        let head = format!("kind = \"{kind}\"\n");
        parts.iter().map(|part| format!("{head}{part}\n")).collect::<Vec<_>>()
    };
    let train = [
        parts("treestrap", &["", "[self_play]", "[learning]", "[matches]", "[learning.rate]"]),
        parts("value-network", &["[fit]", "[[generations]]", "[matches]"]),
        parts(
            "policy-value",
            &["", "[network]", "[imitation]", "[self_play]", "[pool]", "[learning]", "[matches]"],
        ),
        parts("chain", &["", "[[runs]]"]),
    ];
    let folder = tempfile::tempdir().unwrap();
    let referee = folder.path().join(REFEREES).join("other");
    fs::create_dir_all(&referee).unwrap();
    let files = [
        ("league", league.map(String::from).to_vec(), "league.toml", "contender league show"),
        ("tune", tune.to_vec(), "recipe.toml", "contender tune ./recipe.toml"),
        ("train", train.concat(), "recipe.toml", "contender train ./recipe.toml -o made"),
        (
            "referee",
            vec![String::new()],
            ".referees/other/referee.toml",
            "contender match --referee other ./a ./b",
        ),
    ];
    for (page, heads, file, command) in files {
        let text = fs::read_to_string(root().join(format!("docs/reference/{page}-toml.md"))).unwrap();
        for head in heads {
            fs::write(folder.path().join(file), format!("{head}unknown = 1\n")).unwrap();
            let error = shell(folder.path(), command).unwrap_err();
            let keys = keys(&error);
            assert!(
                keys.len() > 1 || head.contains("self_play") || head.contains("length"),
                "{head}: {error}"
            );
            for key in keys {
                assert!(
                    text.contains(&format!("`{key}`")) || text.contains(&format!("[{key}]")),
                    "{page}: `{key}`"
                );
            }
        }
    }
}

/// The page about recipes lists all keys of a game's section. The error lists them in another form.
#[test]
fn every_key_of_a_games_section_has_its_row() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(root().join("docs/reference/train-toml.md")).unwrap();
    for game in ["entropy", "uttt"] {
        let recipe = fs::read_to_string(root().join(format!("games/{game}/network.toml"))).unwrap();
        let head = format!("[{game}]\n");
        assert!(recipe.contains(&head));
        let recipe = recipe.replace(&head, &format!("{head}unknown = 1\n"));
        fs::write(folder.path().join("recipe.toml"), recipe).unwrap();
        let error = shell(folder.path(), "contender train ./recipe.toml -o made").unwrap_err();
        let listed = error.split("available:").nth(1).unwrap_or_else(|| panic!("{error}"));
        for key in listed.lines().next().unwrap_or_default().split(',').map(str::trim) {
            assert!(text.contains(&format!("`{key}`")), "train: `{key}` of [{game}]");
        }
    }
}

/// Returns the place at which a value does not match a schema, or `None`. Supports the keywords that the schemas in the
/// reference use. A key that the schema lacks is an error here, although users must ignore it.
pub fn unlike(value: &Value, schema: &Value, place: &str) -> Option<String> {
    if let Some(kinds) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let differences: Option<Vec<String>> = kinds.iter().map(|kind| unlike(value, kind, place)).collect();
        return differences.and_then(|differences| differences.into_iter().max_by_key(String::len));
    }
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_named = |wanted: &Value| wanted == name || (name == "integer" && wanted == "number");
    let has_type = match &schema["type"] {
        Value::Null => true,
        Value::Array(types) => types.iter().any(is_named),
        one => is_named(one),
    };
    let is_listed = schema["enum"].as_array().is_none_or(|words| words.contains(value));
    if !has_type || !is_listed || schema.get("const").is_some_and(|word| word != value) {
        return Some(format!("{place}: {value}"));
    }
    let items = value.as_array().into_iter().flatten();
    if let Some(found) =
        items.zip(0..).find_map(|(item, at)| unlike(item, &schema["items"], &format!("{place}[{at}]")))
    {
        return Some(found);
    }
    let members = value.as_object()?;
    let (known, other) = (&schema["properties"], &schema["additionalProperties"]);
    if known.is_null() && other.is_null() {
        return None;
    }
    let required = schema["required"].as_array().into_iter().flatten();
    if let Some(key) = required.filter_map(Value::as_str).find(|&key| !members.contains_key(key)) {
        return Some(format!("{place}: no `{key}`"));
    }
    members.iter().find_map(|(key, value)| {
        match known.get(key).or(Some(other).filter(|other| other.is_object())) {
            Some(schema) => unlike(value, schema, &format!("{place}.{key}")),
            None if *other == true => None,
            None => Some(format!("{place}: `{key}` is not known")),
        }
    })
}

pub fn schema(name: &str) -> Value {
    let path = root().join(format!("docs/reference/schemas/{name}.schema.json"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).parse().unwrap()
}

/// The schemas of settings files.
const FILES: [&str; 4] = ["league-toml", "referee-toml", "train-toml", "tune-toml"];

/// The settings files of this repository and those that commands write match their schemas.
#[test]
fn settings_files_follow_their_schemas() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    shell(
        folder.path(),
        "contender league --dir bundled init uttt; \
         contender league --dir external init winter --match winter; \
         contender new game fresh",
    )
    .unwrap();
    let mut counts = [0; FILES.len()];
    let mut files = below(&root().join("games"));
    for name in ["bundled", "external", "fresh", REFEREES] {
        files.extend(below(&folder.path().join(name)));
    }
    files.extend(["train.toml", "chain.toml"].map(|name| root().join("examples/tumbleweed").join(name)));
    for path in files.into_iter().filter(|path| path.extension().is_some_and(|end| end == "toml")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let value: Value = toml::from_str(&text).unwrap();
        let kind = match name.as_str() {
            "league.toml" => 0,
            "referee.toml" => 1,
            _ if value["kind"].is_string() => 2,
            "tune.toml" => 3,
            _ => continue,
        };
        assert_eq!(unlike(&value, &schema(FILES[kind]), ""), None, "{}", path.display());
        counts[kind] += 1;
    }
    assert!(counts.iter().zip([2, 1, 10, 3]).all(|(&count, least)| count >= least), "{counts:?}");
    let wrong = serde_json::json!({ "kind": "chain", "runs": [], "game": "uttt" });
    assert_eq!(unlike(&wrong, &schema("train-toml"), ""), Some(": `game` is not known".to_string()));
}

/// Puts bots, logs and battles into a folder, for the commands of [`outputs`].
fn prepare_outputs(folder: &Path) {
    prepare(folder);
    let battle = "{\"gameId\": 7, \"refereeInput\": \"seed=5\\n\", \"scores\": [-1, 162], \"ranks\": [1, 0], \"tooltips\": [], \
        \"agents\": [{\"index\": 0, \"codingamer\": {\"pseudo\": \"ann\"}}, {\"index\": 1, \"codingamer\": {\"pseudo\": \"bob\"}}], \
        \"frames\": [{\"agentId\": -1}, {\"agentId\": 0, \"stdout\": \"46\\n\"}, {\"agentId\": 1, \"stdout\": \"74\\n\"}]}";
    fs::write(folder.join("battle.json"), battle).unwrap();
    let small = "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    fs::create_dir_all(folder.join("small/src")).unwrap();
    fs::write(folder.join("small/Cargo.toml"), small).unwrap();
    fs::write(folder.join("small/src/main.rs"), "fn main() {\n    println!(\"1\");\n}\n").unwrap();
    shell(
        folder,
        "contender new bot --referee winter --language python -o my-bot; \
         contender league --dir league init uttt; contender league --dir league add one greedy; \
         contender league --dir league add two random; contender league --dir league run --games 8 -q; \
         contender match uttt greedy random --nodes 10 -n 4 --log short.jsonl -q; \
         contender site import battle.json --me ann -o battles.jsonl",
    )
    .unwrap();
}

/// Returns commands with JSON output, each with the name of its schema.
fn outputs() -> [(&'static str, String); 20] {
    let failing = "\"x=sh -c 'read a; echo [PDATA][1] y = 2 >&2; exit 3'\"";
    let winter = "--referee winter 'one=python3 my-bot/bot.py' 'two=python3 my-bot/bot.py'";
    [
        (
            "match",
            "match uttt greedy random --nodes 10 --setup opening=2 --sprt 0,10 -n 40 --log log.jsonl -j 1 -q"
                .to_string(),
        ),
        ("match", format!("match entropy {failing} greedy -n 2 --log log.jsonl -j 1 -q")),
        ("match", format!("match {winter} -n 1 --log log.jsonl -j 1 -q")),
        (
            "match-rotation",
            format!("match {winter} 'three=python3 my-bot/bot.py' -n 1 --log log.jsonl -j 1 -q"),
        ),
        ("tournament", "tournament uttt greedy random uct --nodes 10 -n 2 -q".to_string()),
        (
            "challenge",
            "challenge uttt greedy random --nodes 10 --stage1-pairs 2 --stage2-pairs 2 --max-pairs 40 -q"
                .to_string(),
        ),
        ("league-show", "league --dir league show".to_string()),
        ("league-forecast", "league --dir league forecast".to_string()),
        ("analyse", "analyse uttt --nodes 100".to_string()),
        ("review", "review short.jsonl --nodes 50 --decisions 5 -q".to_string()),
        ("check", "check uttt ./old -n 1".to_string()),
        ("check-isolation", "check --isolation".to_string()),
        ("doctor", "doctor --clock 0".to_string()),
        ("bench", "bench uttt --seconds 0.01 --only random".to_string()),
        ("pack", "pack --manifest small/Cargo.toml -o small.rs --sizes".to_string()),
        ("simulate-sprt", "simulate sprt 0,10 --rounds 4 -q".to_string()),
        ("simulate-sprt", "simulate sprt 0,0.1 --points 2.5 --rounds 4 -q".to_string()),
        ("simulate-sprt", "simulate sprt 0,0.1 --players 4 --rounds 4 -q".to_string()),
        ("site-report", "site report battles.jsonl".to_string()),
        (
            "ghosts",
            "match --referee winter 'new=python3 my-bot/bot.py' --ghosts battles.jsonl -q".to_string(),
        ),
    ]
}

/// The outputs of commands match the schemas in the reference, which the page of formats lists.
#[test]
fn outputs_follow_their_schemas() {
    let folder = tempfile::tempdir().unwrap();
    prepare_outputs(folder.path());
    // `bench --turns` takes a minute, and the status of a cluster needs a server (tests/all/cluster). Another test here
    // compares files.
    let elsewhere = ["game", "case", "bench-turns", "cluster-status"];
    let mut seen: BTreeSet<String> = elsewhere.iter().chain(&FILES).map(|name| name.to_string()).collect();
    for (name, words) in outputs() {
        let printed = shell(folder.path(), &format!("rm -f log.jsonl; contender {words} --json")).unwrap();
        let report = printed[printed.find(['{', '[']).unwrap()..].parse().unwrap();
        assert_eq!(unlike(&report, &schema(name), ""), None, "{words}");
        for line in fs::read_to_string(folder.path().join("log.jsonl")).unwrap_or_default().lines() {
            assert_eq!(unlike(&line.parse().unwrap(), &schema("game"), ""), None, "{words}");
        }
        seen.insert(name.to_string());
    }
    shell(
        folder.path(),
        "contender site case battles.jsonl --number 1 --turn 1 -o cases --referee winter --expect 1",
    )
    .unwrap();
    let cases = below(&folder.path().join("cases"));
    assert_eq!(cases.len(), 1, "{cases:?}");
    let case = fs::read_to_string(&cases[0]).unwrap().parse().unwrap();
    assert_eq!(unlike(&case, &schema("case"), ""), None);
    let page = fs::read_to_string(root().join("docs/reference/formats.md")).unwrap();
    for path in below(&root().join("docs/reference/schemas")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(page.contains(&format!("(schemas/{name})")), "formats.md has no link to {name}");
        assert!(seen.contains(name.trim_end_matches(".schema.json")), "no output is compared with {name}");
    }
    for key in
        ["game", "match"].iter().flat_map(|name| schema(name)["properties"].as_object().unwrap().clone())
    {
        let key = key.0;
        assert!(
            page.contains(&format!("`{key}`")) || page.contains(&format!("`{key}.")),
            "formats.md: `{key}`"
        );
    }
    let games = schema("game");
    let wrong = serde_json::json!({ "game": "uttt", "seed": 1, "players": ["a", 3] });
    assert_eq!(unlike(&wrong, &games, ""), Some(".players[1]: 3".to_string()));
    assert_eq!(
        unlike(&serde_json::json!({ "game": "uttt", "seed": 1 }), &games, ""),
        Some(": no `players`".to_string())
    );
}
