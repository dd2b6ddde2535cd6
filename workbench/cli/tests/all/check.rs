//! `contender check` on bots with one fault each.

use serde_json::Value;
use std::process::{Command, Output};

const CONTENDER: &str = env!("CARGO_BIN_EXE_contender");

fn check(arguments: &[&str]) -> (Output, String) {
    let mut command = Command::new(CONTENDER);
    let output = command.arg("check").args(arguments).env("PYTHONUNBUFFERED", "1").output().unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output, text)
}

/// Checks a bot without faults. On a busy machine the bot may exit too late, so the check is repeated until it passes.
fn check_good(arguments: &[&str]) -> (Output, String) {
    let mut checked = check(arguments);
    for _ in 0..20 {
        if checked.0.status.code() != Some(1) {
            break;
        }
        checked = check(arguments);
    }
    checked
}

/// Returns the lines of one check.
fn entry<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let start = text.find(&format!("  {name}  "))? - 4;
    let end = text[start + 1..].find("\nPASS").into_iter().chain(text[start + 1..].find("\nFAIL"));
    Some(&text[start..end.min().map_or(text.len(), |end| start + 1 + end)])
}

#[test]
fn a_good_bot_passes() {
    let bot = format!("{CONTENDER} bot entropy --name random");
    let (output, text) = check_good(&["entropy", &bot, "-n", "1"]);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.ends_with("all checks passed\n"), "{text}");
    assert!(entry(&text, "exits when the game is over").unwrap().contains("at `Quit`"));
    assert!(entry(&text, "repeats itself").unwrap().contains("when a game was repeated"));
}

#[test]
fn what_is_wrong_is_named_with_its_remedy() {
    let (soon, ages) = ("300ms", "600s");
    for (bot, time, name, words) in [
        // The program buffers its output in blocks if it is not connected to a terminal.
        ("grep ''", soon, "sends its answers", "flush standard output"),
        (
            "sh -c 'read line; printf 1Aa; sleep 9'",
            soon,
            "sends its answers",
            "the answer `1Aa` is not terminated with a newline",
        ),
        // The bot writes its answer, but the end of the line comes late.
        (
            "sh -c 'read line; printf \"1Aa\\r\"; sleep 0.8; echo; sleep 9'",
            soon,
            "sends its answers",
            "the answer `1Aa\\r` comes in time, but its line end only after",
        ),
        (
            "sh -c 'read line; printf \"1Aa\\r\"; cat >&2; echo; sleep 9'",
            soon,
            "sends its answers",
            "the answer `1Aa\\r` is terminated with a newline only when the input ends",
        ),
        // A trace on standard output is not a move.
        (
            "sh -c 'read line; printf \"Trace\\nat move 7\\n\"; exit 3'",
            ages,
            "keeps running",
            "standard output: \"Trace\\nat move 7\"",
        ),
        // The bot is slow to start but does not hold back its output.
        (
            "sh -c 'sleep 0.8; read line; echo Aa; sleep 9'",
            soon,
            "answers in time",
            "including the start; the limit is 0.3 s",
        ),
        (
            "sh -c 'read line; echo thinking; echo Aa; sleep 9'",
            ages,
            "writes answers only",
            "2 lines instead of 1 line; the first is: thinking",
        ),
        ("yes", ages, "exits at end of input", "keeps writing after the end of its input"),
        // A judge's environment sets no variable that makes the bot flush its output.
        ("sh -c 'read line; echo \"[$PYTHONUNBUFFERED]\" >&2; exit 3'", ages, "keeps running", "stderr: []"),
        (
            "sh -c 'while :; do sleep 1; done'",
            soon,
            "exits at end of input",
            "still running two seconds later",
        ),
        ("sh -c 'read line; echo no; read line'", ages, "plays legal moves", "makes an illegal move: \"no\""),
        ("sh -c 'read line; echo why >&2; exit 3'", ages, "keeps running", "exits early with status 3"),
        ("sh -c 'read line; echo why >&2; exit 3'", ages, "keeps running", "stderr: why"),
        ("sh -c 'exec >&-; read line; sleep 9'", ages, "writes answers only", "closes its standard output"),
    ] {
        // A bot that must write something within a time limit may be late on a busy machine, but not every time.
        let mut text = String::new();
        let is_named = (0..20).any(|_| {
            let (output, new) = check(&["entropy", bot, "-n", "1", "--time", time]);
            text = new;
            assert_eq!(output.status.code(), Some(1), "{bot}:\n{text}");
            let Some(entry) = entry(&text, name) else { return false };
            entry.starts_with("FAIL") && entry.contains(words) && entry.contains("-> ")
        });
        assert!(is_named, "{bot}:\n{text}");
    }
}

/// If a bot shows nothing that a check could judge, the check is skipped and not passed. Answers are counted from 1.
#[test]
fn what_was_not_seen_is_not_passed() {
    let (output, text) = check(&["entropy", "true", "-n", "1"]);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for name in ["plays legal moves", "writes answers only", "answers in time", "repeats itself"] {
        assert!(text.contains(&format!("SKIP  {name} ")), "{name}:\n{text}");
    }
    assert!(entry(&text, "keeps running").unwrap().contains("answer 1: disconnects: exits early"), "{text}");
    assert!(!text.contains("standard error is above"), "{text}");
}

/// `{seed}` and `{nodes}` are filled in wherever a bot is started, and refused if no value is known.
#[test]
fn commands_with_places_are_filled_in_everywhere() {
    let bot = format!("{CONTENDER} bot entropy --name greedy --nodes {{nodes}} --seed {{seed}}");
    let (output, text) = check_good(&["entropy", &bot, "-n", "1", "--nodes", "9"]);
    assert_eq!(output.status.code(), Some(0), "{text}");
    // A bot with `{time:ms}` in its command learns its shorter time limit; for a bot without it a warning is printed.
    let warned = |bot: &str| {
        let (output, _) = check(&["entropy", bot, "-n", "1", "--nodes", "9", "--time", "29s"]);
        String::from_utf8(output.stderr).unwrap().contains("does not know that it has less time")
    };
    assert!(warned(&bot) && !warned(&format!("{bot} --time {{time:ms}}ms")));
    // If `{nodes}` were filled in with something other than a number, this bot would exit at once and pass the check.
    let stays = "sh -c 'test \"$0\" -gt 0 || exit; while :; do sleep 1; done' {nodes}";
    let (_, text) = check(&["entropy", stays, "-n", "1", "--nodes", "9", "--time", "200ms"]);
    assert!(entry(&text, "exits at end of input").unwrap().contains("still running"), "{text}");
    let (output, _) = check(&["entropy", &bot, "-n", "1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("there is no node budget"));
    let (output, _) = check(&["entropy", &format!("[keep-alive] {bot}"), "-n", "1", "--nodes", "9"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("many games with different seeds"));
}

/// A bot that takes a while to exit passes, and its games are kept.
#[test]
fn a_slow_farewell_passes_and_games_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("games.jsonl");
    let bot = format!("sh -c '{CONTENDER} bot entropy --name random; sleep 0.3'");
    let (output, text) = check_good(&["entropy", &bot, "-n", "1", "--log", log.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert_eq!(std::fs::read_to_string(log).unwrap().lines().count() % 3, 0);
    assert!(text.contains(" in 1 game\n"), "{text}");
}

#[test]
fn json_says_the_same() {
    let (output, text) = check(&["entropy", "false", "-n", "1", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["passed"], false);
    let failed = report["checks"].as_array().unwrap().iter().filter(|check| check["status"] == "fail");
    assert!(failed.clone().count() > 0);
    assert!(failed.clone().all(|check| !check["remedy"].as_str().unwrap().is_empty()), "{text}");
}

#[test]
fn a_bundled_bot_is_no_program() {
    let (output, _) = check(&["entropy", "random"]);
    assert_eq!(output.status.code(), Some(2));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(
        words.starts_with("error: `random` is a bundled bot; `check` needs the command line of a program"),
        "{words}"
    );
}

/// Processes that a bot has started must end with the bot, whether they spin, sleep or have left its session.
#[cfg(target_os = "linux")]
#[test]
fn children_that_live_on_are_named() {
    let bot = |child: &str| {
        format!("sh -c '({child}) </dev/null >/dev/null 2>&1 & {CONTENDER} bot entropy --name random'")
    };
    for (child, is_left) in [
        ("while :; do :; done", true),
        ("exec sleep 1000", true),
        ("exec setsid sleep 1000", true),
        ("true", false),
    ] {
        let (_, text) = check(&["entropy", &bot(child), "-n", "1"]);
        let word = if is_left { "FAIL" } else { "PASS" };
        assert!(text.contains(&format!("{word}  leaves nothing behind")), "{child}: {text}");
    }
}

/// After a match with a silent bot, the command runs the bot again to find the reason. This must not repeat the match's
/// warnings.
#[test]
fn a_silent_bot_is_warned_about_once() {
    let words = ["match", "uttt", "quiet=sh -c 'cat > /dev/null'", "random", "-n", "1", "--time", "50ms"];
    let output = Command::new(CONTENDER).args(words).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.matches("does not know that it has less time").count(), 1, "{text}");
}
