//! `contender review`: its positions are those of the log, and its numbers add up.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn contender(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
    command.current_dir(folder).args(words.split(' ')).output().unwrap()
}

fn review(folder: &Path, game: &str, bots: &str, words: &str) -> Value {
    let played = contender(folder, &format!("match {game} {bots} -n 2 -j 1 -q --log {game}.jsonl"));
    assert!(played.status.success(), "{played:?}");
    let output = contender(folder, &format!("review {game}.jsonl -q -j 1 --json {words}"));
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn costs(review: &Value) -> Vec<f64> {
    let decisions = review["findings"]["decisions"].as_array().unwrap();
    decisions.iter().map(|decision| decision["cost"].as_f64().unwrap()).collect()
}

/// A bot that reviews its own games finds no loss. This holds only if the review sees the same drawn chips and tiles as
/// the bot did.
#[test]
fn who_judges_itself_gave_nothing_away() {
    let folder = tempfile::tempdir().unwrap();
    for (game, bots, words) in [
        ("entropy", "expectimax:depth=1 random --nodes 100000", "--bot expectimax:depth=1 --nodes 100000"),
        ("box", "greedy random", "--bot greedy --nodes 1"),
    ] {
        let review = review(folder.path(), game, bots, &format!("{words} --decisions 40"));
        let costs = costs(&review);
        assert_eq!(costs.len(), 40, "{game}: {review:#}");
        assert!(costs.iter().all(|cost| cost.abs() < 1e-6), "{game}: {costs:?}");
    }
}

/// A bot does not see the errors of its own evaluation.
#[test]
fn a_bot_that_is_its_own_judge_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let played =
        contender(folder.path(), "match uttt classic:c=2 classic:c=2 -n 1 --nodes 9 -q --log own.jsonl");
    assert!(played.status.success(), "{played:?}");
    for (judge, is_warned) in [("classic", true), ("classic:c=1", true), ("uct", false)] {
        let words =
            format!("review own.jsonl -q --player classic:c=2#1 --decisions 2 --nodes 9 --bot {judge}");
        let said = String::from_utf8(contender(folder.path(), &words).stderr).unwrap();
        let warning = "warning: classic:c=2#1 is judged by the same bot";
        assert_eq!(said.starts_with(warning), is_warned, "{judge}: {said}");
    }
}

#[test]
fn a_weak_bot_gave_much_away_and_the_worst_move_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let words = "--player random --bot expectimax:depth=1 --nodes 10000 --decisions 60 --plot review.svg";
    let review = review(folder.path(), "entropy", "expectimax:depth=1 random --nodes 10000", words);
    let costs = costs(&review);
    assert!(costs[0] > 1.0 && costs.windows(2).all(|pair| pair[0] >= pair[1]), "{costs:?}");
    let parts = review["parts"].as_array().unwrap();
    let share: f64 = parts.iter().map(|part| part["share"].as_f64().unwrap()).sum();
    let count: u64 = parts.iter().map(|part| part["decisions"].as_u64().unwrap()).sum();
    assert!((share - 1.0).abs() < 1e-9 && count == 60, "{parts:?}");
    assert!(std::fs::read_to_string(folder.path().join("review.svg")).unwrap().starts_with("<svg"));
    // The command for the worst move shows the position, the played move, and the better move first.
    let words = shell_words::split(review["commands"][0].as_str().unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
    let shown = command.args(&words[1..]).args(["--json"]).output().unwrap();
    assert!(shown.status.success(), "{shown:?}");
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let worst = &review["findings"]["decisions"][0];
    assert_eq!(shown["played"], worst["played"]);
    assert_eq!(shown["moves"][0]["move"], worst["best"]);
}

#[test]
fn both_act_at_once_and_other_openings_are_reviewed_too() {
    let folder = tempfile::tempdir().unwrap();
    let words = "--player greedy --bot heuristic --nodes 20 --decisions 10";
    let of_both = review(folder.path(), "cellularena", "greedy random", words);
    assert!(!costs(&of_both).is_empty(), "{of_both:#}");
    std::fs::write(folder.path().join("openings.txt"), "moves=44-35\nmoves=00-01 # another\n").unwrap();
    let bots = "greedy random --openings openings.txt";
    let of_opening = review(folder.path(), "uttt", bots, "--bot champion --nodes 50 --decisions 10");
    assert_eq!(costs(&of_opening).len(), 10, "{of_opening:#}");
    let game = std::fs::read_to_string(folder.path().join("uttt.jsonl")).unwrap();
    let games: Vec<Value> = game.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games[0]["setup"], games[1]["setup"]);
    assert!(
        games[0]["setup"] == serde_json::json!(["4 4", "3 5"])
            || games[0]["setup"] == serde_json::json!(["0 0", "0 1"])
    );
}

#[test]
fn wrong_openings_and_players_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("openings.txt"), "# starts\nstart=216534\nstart=9\n").unwrap();
    let output =
        contender(folder.path(), "match box greedy random -n 1 -q --openings openings.txt --log box.jsonl");
    assert_eq!(output.status.code(), Some(2));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.starts_with("error: openings.txt:3: rule `start=9`: "), "{words}");
    review(folder.path(), "box", "greedy random", "--bot random --nodes 1 --decisions 1");
    let output = contender(folder.path(), "review box.jsonl --player me");
    assert_eq!(output.status.code(), Some(2));
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(words, "error: box.jsonl contains no games of `me`; players: greedy, random\n");
}

/// The file is checked before the work starts, and stays unchanged.
#[test]
fn a_picture_that_cannot_be_written_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    review(folder.path(), "box", "greedy random", "--bot random --nodes 1 --decisions 1");
    for plot in ["no/plot.svg", "."] {
        let output = contender(folder.path(), &format!("review box.jsonl -q --plot {plot}"));
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && words.contains("cannot write "), "{plot}: {words}");
        assert!(output.stdout.is_empty(), "{plot}");
    }
}

/// A log that is too long is rejected, not truncated.
#[test]
fn a_log_that_is_too_long_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::File::create(folder.path().join("long.jsonl")).unwrap().set_len((1 << 31) + 1).unwrap();
    let output = contender(folder.path(), "review long.jsonl");
    assert_eq!(output.status.code(), Some(1));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.starts_with("error: long.jsonl has more than 2147483648 bytes"), "{words}");
}

/// In a game with simultaneous moves, a bot evaluates few joint moves. The next position shows how much any other move
/// lost.
#[test]
fn moves_that_the_bot_did_not_look_at_are_judged_too() {
    let folder = tempfile::tempdir().unwrap();
    let words = "--bot champion --nodes 20 --decisions 12";
    let review = review(folder.path(), "cellularena", "greedy random", words);
    let judged = review["findings"]["decisions"].as_array().unwrap().len();
    assert!(judged >= 11, "{judged} of 12 are judged: {review:#}");
    assert_ne!(review["findings"]["unit"], "");
}

/// Every error about a log contains the log's name.
#[test]
fn what_is_wrong_with_a_log_is_said_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.jsonl");
    let played = contender(folder.path(), "match entropy random greedy -n 1 -j 1 -q --log good.jsonl");
    assert!(played.status.success(), "{played:?}");
    let line = std::fs::read_to_string(folder.path().join("good.jsonl")).unwrap();
    let line = line.lines().next().unwrap();
    let with = |key: &str, value: Value| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        game[key] = value;
        format!("{game}\n")
    };
    let uttt = with("game", "uttt".into());
    for (text, reason) in [
        (String::new(), "no games"),
        (line[..60].to_string(), "torn"),
        ("[1]\n".to_string(), "not a recorded game"),
        (with("game", "nim".into()), "unknown game `nim`; available: "),
        (format!("{line}\n{uttt}"), "game 2: this is a game of uttt, not of entropy"),
        (with("setup", serde_json::json!(["x"])), "game 1: its seed gives a setup"),
        (with("rules", "much=fun".into()), "unknown rule `much`"),
        (with("rules", "fun".into()), "invalid rule `fun`"),
        (with("moves", serde_json::json!(["zz", "zz", "zz"])), "game 1, turn"),
        (with("result", "*?".into()), "the result \"*?\" does not match the scores"),
        (with("times_ms", serde_json::json!([[-1.0], []])), "times_ms: -1"),
        (with("players", serde_json::json!(["a"])), "line 1"),
    ] {
        std::fs::write(&path, &text).unwrap();
        let output = contender(folder.path(), "review bad.jsonl -q --nodes 1 --bot random --decisions 5");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}: {said}");
        assert!(
            said.lines().all(|line| line.contains("bad.jsonl")) && said.contains(reason),
            "{reason}: {said}"
        );
    }
}

/// In a game with simultaneous moves, a bot evaluates few of the moves. The next position shows the value of any other
/// move.
#[test]
fn nearly_all_decisions_of_a_simultaneous_game_are_judged() {
    let folder = tempfile::tempdir().unwrap();
    let review = review(folder.path(), "cellularena", "greedy random", "--nodes 100 --decisions 12");
    let findings = &review["findings"];
    assert!(costs(&review).len() >= 11, "{findings:#}");
    assert_eq!(findings["unit"], "share of a win");
}
