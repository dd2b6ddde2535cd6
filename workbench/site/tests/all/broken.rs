//! Files that are no battles: a message each, and the whole battles among them are kept.

use contender_game::rules::Rng;
use contender_play::Record;
use contender_site::{Import, ImportOptions};
use serde_json::{Value, json};
use std::fs;

fn whole() -> Value {
    json!({
        "gameId": 1, "refereeInput": "seed=5\n", "scores": [3, 1], "ranks": [0, 1], "tooltips": [],
        "frames": [{"agentId": -1}, {"agentId": 0, "stdout": "A\n"}, {"agentId": 1, "stdout": "B\n", "summary": "x"}],
        "agents": [{"index": 0, "codingamer": {"pseudo": "ann"}}, {"index": 1, "codingamer": {"pseudo": "bob"}}],
    })
}

/// Returns a hundred broken files with a part of the message that each gets.
fn broken() -> Vec<(Vec<u8>, &'static str)> {
    let text = whole().to_string();
    let mut files: Vec<(Vec<u8>, &str)> = Vec::new();
    // Cut anywhere.
    for part in 0..50 {
        files.push((text.as_bytes()[..text.len() * part / 50].to_vec(), "not JSON"));
    }
    // Wrong types.
    for (path, expected) in [
        ("/frames", "invalid `frames`: expected a list"),
        ("/frames/1", "invalid `frames[1]`: expected an object"),
        ("/frames/1/stdout", "invalid `frames[1].stdout`: expected a text"),
        ("/frames/2/summary", "invalid `frames[2].summary`: expected a text"),
        ("/frames/1/agentId", "invalid `frames[1].agentId`: expected"),
        ("/scores", "invalid `scores`: expected a list"),
        ("/ranks", "invalid `ranks`: expected a list"),
        ("/agents", "invalid `agents`: expected a list"),
        ("/tooltips", "invalid `tooltips`: expected a list"),
        ("/refereeInput", "invalid `refereeInput`: expected a text"),
        ("/gameId", "invalid `gameId`: expected a whole number"),
    ] {
        for wrong in [json!(true), json!("text"), json!(1.5)] {
            if wrong.is_string() && expected.ends_with("a text") {
                continue;
            }
            let mut value = whole();
            *value.pointer_mut(path).unwrap() = wrong;
            files.push((value.to_string().into_bytes(), expected));
        }
    }
    for (path, wrong, expected) in [
        ("/scores", json!([1]), "`scores` has 1 entries for 2 players"),
        ("/ranks", json!([0, 1, 2]), "`ranks` has 3 entries for 2 players"),
        ("/ranks", json!([0, -1]), "invalid `ranks`"),
        ("/scores", json!(["a", "b"]), "invalid `scores`: expected numbers"),
        ("/agents", json!([7, {"index": -1}]), "invalid `agents[1].index`"),
        ("/refereeInput", json!("seed=18446744073709551616"), "expected seed=N"),
        ("/scores", json!([1, null]), "invalid `scores`"),
        ("/ranks", json!([0, 1e9]), "invalid `ranks`"),
        ("/frames/0/agentId", json!(9), "invalid `frames[0].agentId`"),
        ("/agents", json!([{}]), "1 players: expected 2 to 8"),
        ("/agents", Value::Array(vec![json!({}); 1000]), "players: expected 2 to 8"),
        ("/agents/1/index", json!(7), "invalid `agents[1].index`"),
        ("/frames/1/agentId", json!(5), "invalid `frames[1].agentId`"),
        ("/refereeInput", json!("seed=x"), "expected seed=N"),
        ("/refereeInput", json!(""), "missing `refereeInput`"),
    ] {
        let mut value = whole();
        *value.pointer_mut(path).unwrap() = wrong;
        files.push((value.to_string().into_bytes(), expected));
    }
    // Control characters in a name or a key; the message must not contain them.
    for (path, wrong, expected) in [
        ("/agents/1/codingamer/pseudo", "b\u{1b}]0;x\u{7}", "1 entries for 2 players"),
        ("/refereeInput", "seed=\u{1b}[2J", "1 entries for 2 players"),
        ("/frames/2/summary", "\u{1b}[31m$1\r\u{8}", "1 entries for 2 players"),
    ] {
        let mut value = whole();
        *value.pointer_mut(path).unwrap() = json!(wrong);
        value["scores"] = json!([1]);
        files.push((value.to_string().into_bytes(), expected));
    }
    files.push((b"{\"frames\":[{\"agentId\":\"\x1b[2J\"}]}".to_vec(), "not JSON"));
    files.push((b"{\"a\":1}".to_vec(), "not a battle"));
    files.push((b"7".to_vec(), "not a battle"));
    files.push((b"\xff\xfe{}".to_vec(), "not UTF-8"));
    files.push((vec![0x1f, 0x8b, 1, 2, 3], "cannot unpack the gzip file"));
    files.push(("[".repeat(1_000_000).into_bytes(), "recursion limit"));
    files.push((r#"{"frames":"#.repeat(1_000_000).into_bytes(), "recursion limit"));
    files
}

#[test]
fn a_hundred_broken_files_have_a_message_each() {
    let folder = tempfile::tempdir().unwrap();
    let files = broken();
    assert!(files.len() >= 100, "{}", files.len());
    for (number, (bytes, _)) in files.iter().enumerate() {
        fs::write(folder.path().join(format!("{number:03}.json")), bytes).unwrap();
        // Whole battles stand between them.
        let mut battle = whole();
        battle["refereeInput"] = json!(format!("seed={number}"));
        fs::write(folder.path().join(format!("{number:03}b.json")), battle.to_string()).unwrap();
    }
    // A hundred megabytes, of which none is read.
    let huge = folder.path().join("huge.json");
    fs::File::create(&huge).unwrap().set_len(100 << 20).unwrap();
    let (mut problems, mut read) = (Vec::new(), 0);
    let mut write = |_: &Record| {
        read += 1;
        Ok(())
    };
    Import::new(ImportOptions::default())
        .read(folder.path(), &mut write, &mut |unread| problems.push(unread.to_string()))
        .unwrap();
    assert_eq!((problems.len(), read), (files.len() + 1, files.len()));
    for ((number, (_, expected)), problem) in files.iter().enumerate().zip(&problems) {
        assert!(
            problem.contains(&format!("{number:03}.json: ")) && problem.contains(expected),
            "{problem}: {expected}"
        );
        assert!(problem.len() < 500 && !problem.contains(char::is_control), "{problem:?}");
    }
    assert!(problems.last().unwrap().contains("huge.json: it has more than"), "{problems:?}");
}

/// A broken line does not take the others along.
#[test]
fn broken_lines_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.jsonl");
    let mut other = whole();
    other["refereeInput"] = json!("seed=6");
    fs::write(&path, format!("{}\n{{\"frames\":\n{other}\n{{}}\n", whole())).unwrap();
    let (mut problems, mut read) = (Vec::new(), 0);
    let mut write = |_: &Record| {
        read += 1;
        Ok(())
    };
    Import::new(ImportOptions::default())
        .read(&path, &mut write, &mut |unread| problems.push(unread.to_string()))
        .unwrap();
    assert_eq!(read, 2);
    assert!(
        problems[0].contains("many.jsonl:2: not JSON") && problems[1].contains("many.jsonl:4: not a battle")
    );
}

/// Names cannot steer a terminal, however long they are.
#[test]
fn names_are_plain() {
    let mut value = whole();
    value["agents"][0]["codingamer"]["pseudo"] = json!("a\u{1b}[2J\u{202e}\n");
    value["agents"][1]["codingamer"]["pseudo"] = json!("b".repeat(1_000_000));
    let record = contender_site::read(&value).unwrap().record;
    assert_eq!(record.seats[0].bot, "a\u{fffd}[2J\u{fffd}");
    assert_eq!(record.seats[1].bot.len(), 100);
}

/// Damaged text is refused or read into a record that a log keeps.
#[test]
fn damage_is_refused_or_kept() {
    let text = whole().to_string().into_bytes();
    let mut rng = Rng::new(7);
    let mut read = 0;
    for _ in 0..20_000 {
        let mut damaged = text.clone();
        for _ in 0..=rng.index(3) {
            let at = rng.index(damaged.len());
            match rng.index(3) {
                0 => damaged[at] = b"0123456789-.,:\"{}[]aeE\\ \n"[rng.index(25)],
                1 => _ = damaged.remove(at),
                _ => damaged.insert(at, damaged[rng.index(text.len() / 2)]),
            }
        }
        let Ok(value) = serde_json::from_slice::<Value>(&damaged) else { continue };
        let Ok(brought) = contender_site::read(&value) else { continue };
        read += 1;
        let line = brought.record.to_json();
        assert_eq!(Record::from_json(&line).map(|record| record.to_json()), Ok(line));
    }
    assert!(read > 100, "{read}");
}
