//! The reference of file formats: its tables have all keys, and files and outputs match its schemas.

use crate::documents::{REFEREES, below, prepare, root, shell};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

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
