//! The forms in which battles are saved.

use crate::made::{SEED, imported};
use contender_play::{Battle, Record};
use contender_site::{Import, ImportOptions};
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use tempfile::TempDir;

fn battle(id: u64) -> Value {
    json!({
        "gameId": id,
        "refereeInput": format!("seed={}\nwidth=16\n", SEED + id as i64),
        "frames": [
            {"agentId": -1, "view": "0\nmap", "keyframe": true, "summary": ""},
            {"agentId": 0, "stdout": "GO 1\nSAY hi\n", "stderr": "two\n", "keyframe": false},
            {"agentId": 1, "stdout": "GO 2\n", "summary": "$0 goes\n$1 goes\n", "view": "1\nx", "keyframe": true},
            {"agentId": 0, "stdout": "GO 3\n", "stderr": "more\n"},
            {"agentId": 1, "summary": "¤RED¤$1 has not provided 1 lines in time§RED§\n"},
        ],
        "scores": [12.0, -1.0], "ranks": [0, 1], "tooltips": [],
        "agents": [
            {"index": 1, "arenaboss": {"nickname": "The Boss"}, "agentId": 2},
            {"index": 0, "codingamer": {"pseudo": "ann", "userId": 1}, "agentId": 1},
        ],
    })
}

fn file(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn read(name: &str, text: &str) -> Vec<Record> {
    let (_folder, path) = file(name, text.as_bytes());
    imported(&[&path], ImportOptions::default())
}

#[test]
fn a_battle_is_a_game_of_the_log() {
    let record = read("x.json", &battle(0).to_string()).remove(0);
    assert_eq!(record.seed.cast_signed(), SEED);
    assert_eq!(record.bots(), ["ann", "The Boss"]);
    assert_eq!(record.seats[0].outputs, ["GO 1\nSAY hi", "GO 3"]);
    assert_eq!(record.seats[1].outputs, ["GO 2", ""]);
    assert_eq!((record.points(), record.seats[1].rank), (vec![12.0, -1.0], 1));
    assert_eq!(record.seats[0].stderr_for(1), "more\n");
    let end = record.seats[1].ending.to_string();
    assert_eq!(end, "loses on time: has not provided 1 lines in time");
    assert_eq!(record.summaries[0], "$0 goes\n$1 goes");
    assert_eq!(record.rules, "width=16");
    // The site shows only one's own standard error.
    assert_eq!(record.battle, Some(Battle { id: Some(0), me: Some(0) }));
    assert!(record.to_json().contains(&format!("\"seed\":\"{SEED}\"")));
}

/// One or many to a file, gzipped, as a browser saves them, wrapped, and reduced.
#[test]
fn all_forms_have_the_same_battle() {
    let one = battle(5);
    let expected = read("x.json", &one.to_string());
    let ids = |records: &[Record]| -> Vec<u64> {
        records.iter().filter_map(|record| record.battle.as_ref()?.id).collect()
    };
    let many = read("x.jsonl", &format!("{}\n\n{}\r\n", battle(5), battle(6)));
    assert_eq!((ids(&many), &many[0]), (vec![5, 6], &expected[0]));
    assert_eq!(ids(&read("x.json", &json!([battle(5), battle(6)]).to_string())), [5, 6]);
    let entry = |address: &str, text: String| json!({"request": {"url": address}, "response": {"content": {"text": text}}});
    let har = json!({"log": {"entries": [
        entry("https://site.example/services/other/call", "{\"a\":1}".to_string()),
        entry("https://site.example/services/gameResult/findByGameId", battle(5).to_string()),
        entry("https://site.example/picture.png", "not JSON".to_string()),
    ]}});
    assert_eq!(read("x.har", &har.to_string()), expected);
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(one.to_string().as_bytes()).unwrap();
    let (_folder, path) = file("x.json.gz", &packed.finish().unwrap());
    assert_eq!(imported(&[&path], ImportOptions::default()), expected);
    let (frames, players) = (one["frames"].clone(), ["ann", "The Boss"]);
    let wrapped = json!({"gameResult": {"gameId": 5, "scores": one["scores"], "ranks": one["ranks"]},
        "seed": (SEED + 5).to_string(), "players": players, "frames": frames, "questionTitle": "Trains 2026 - Level 4"});
    let wrapped = read("x.json", &wrapped.to_string()).remove(0);
    assert_eq!((wrapped.seed, &wrapped.seats), (expected[0].seed, &expected[0].seats));
    assert_eq!((wrapped.game.as_str(), wrapped.rules.as_str()), ("Trains 2026", "league=4"));
    let reduced = json!({"seed": "-7", "league": 3, "scores": [1, 2], "ranks": [1, 0], "turns": [
        {"output": ["GO 1\nSAY hi", "GO 2"], "failed": ["$1 cannot go"]}, {"output": ["GO 3", null]},
    ]});
    let reduced = read("replay-901942746.json", &reduced.to_string()).remove(0);
    assert_eq!(reduced.battle, Some(Battle { id: Some(901_942_746), me: None }));
    assert_eq!((reduced.seed.cast_signed(), reduced.rules.as_str()), (-7, "league=3"));
    assert_eq!(reduced.bots(), ["player 0", "player 1"]);
    assert_eq!(
        (&reduced.seats[1].outputs, &reduced.summaries[0]),
        (&vec!["GO 2".to_string(), String::new()], &"$1 cannot go".to_string())
    );
}

#[test]
fn a_battle_is_entered_once_and_others_can_be_nameless() {
    let folder = tempfile::tempdir().unwrap();
    for id in [7, 8] {
        fs::write(folder.path().join(format!("{id}.json")), battle(id).to_string()).unwrap();
    }
    fs::write(folder.path().join("notes.txt"), "not a battle").unwrap();
    let logs = folder.path().join("logs");
    let options =
        ImportOptions { me: Some("ANN"), is_anonymous: true, logs: Some(&logs), ..ImportOptions::default() };
    let records = imported(&[folder.path(), &folder.path().join("7.json")], options);
    assert_eq!(records.len(), 2);
    for record in &records {
        assert_eq!(record.bots(), ["ann", "player-1"]);
        let log = fs::read_to_string(record.engine_log.as_ref().unwrap()).unwrap();
        assert!(!log.contains("Boss") && log.contains(r#""KEY_FRAME 0\nmap""#), "{log}");
        contender_foreign::GameLog::read(&log).unwrap();
    }
    let mut import = Import::new(ImportOptions::default());
    records.iter().for_each(|record| import.add_known(record));
    let mut none = |_: &Record| panic!("it is in the log");
    let counts =
        import.read(&folder.path().join("8.json"), &mut none, &mut |unread| panic!("{unread}")).unwrap();
    assert_eq!((counts.new, counts.known), (0, 1));
}

/// A recorded game of ours has moves and boards.
#[test]
fn a_battle_of_our_game_is_played_by_its_rules() {
    let contest: &dyn contender_game::contest::Contest = contender_uttt::CONTEST;
    let mut judge = contest.judge(1, &mut contender_game::settings::Options::rules()).unwrap();
    let mut outputs = [Vec::new(), Vec::new()];
    let mut number = 0;
    while let Some(question) = judge.ask().pop() {
        let choices = judge.choices(question.player);
        let answer = choices[number * 7 % choices.len()].clone();
        number += 1;
        judge.answer(question.player, std::slice::from_ref(&answer)).unwrap();
        outputs[question.player.index()].push(answer);
    }
    let mut turns = Vec::new();
    for at in 0..outputs[0].len() {
        turns.push(json!({"output": [outputs[0].get(at), outputs[1].get(at)]}));
    }
    let points = judge.points();
    let mut reduced = json!({"seed": 3, "players": ["ann", "bob"], "turns": turns, "scores": points});
    let (folder, path) = file("x.json", reduced.to_string().as_bytes());
    let options = ImportOptions { contest: Some(contest), me: Some("ann"), ..ImportOptions::default() };
    let record = imported(&[&path], options).remove(0);
    assert_eq!((record.game.as_str(), record.moves.as_slice()), ("uttt", judge.moves()));
    record.check(contest).unwrap();
    reduced["turns"][1]["output"][0] = json!("9 9");
    fs::write(&path, reduced.to_string()).unwrap();
    let mut problem = String::new();
    let mut unread = |unread: contender_site::Unread| problem = unread.to_string();
    Import::new(options).read(&path, &mut |_| Ok(()), &mut unread).unwrap();
    assert!(problem.contains("turn 2, player 0, `9 9`"), "{problem}");
    drop(folder);
}
