//! Tests of games for arenas that run the bots themselves and pass lines to the referee.

use crate::common::{COUNTING, Counting};
use contender_game::{contest::JudgeSite, settings::Options};
use contender_referee::relay::Relay;

/// Plays a game with these lines from the arena. Returns the result and the lines sent to the arena.
fn session(relay: Relay, site: JudgeSite, input: &str) -> (anyhow::Result<()>, Vec<String>) {
    let mut output = Vec::new();
    let contest = Counting { site, ..COUNTING };
    let result = relay.play(&contest, &Options::rules(), 1, &mut input.as_bytes(), &mut output);
    let text = String::from_utf8(output).unwrap();
    (result, text.lines().map(str::to_string).collect())
}

#[test]
fn brutaltesters_old_mode() {
    // The first player answers correctly and the second one with a wrong number, which ends the game on CodinGame.
    let play = |input: &str| session(Relay::BrutaltesterOld, JudgeSite::CodinGame, input);
    let (result, lines) = play("###Seed 7\n###Start 2\n1\n7\n");
    result.unwrap();
    assert_eq!(
        lines,
        [
            "###Input 0",
            "Start",
            "###Output 0 1",
            "###Input 1",
            "1",
            "###Output 1 1",
            "###Error 1 7 does not follow 1",
            "###End 0 1"
        ]
    );
    let (result, _) = play("###Start 3\n");
    assert!(result.unwrap_err().to_string().contains("3 players"));
    let (result, _) = play("###Start 2\n1\n");
    assert!(result.unwrap_err().to_string().contains("closed the connection"));
}

#[test]
fn caia() {
    // The first player fails at its first answer. The second one plays on alone until it also fails.
    let input = "<caiaio:_player_timeout>\n2\n<caiaio:_player_crashed:_SIGSEGV>\n";
    let (result, lines) = session(Relay::Caia, JudgeSite::CodeCup, input);
    result.unwrap();
    assert_eq!(lines[..4], ["1 Start", "I listen 1", "2 1", "I listen 2"]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("I listen ")).count(), 3);
    assert_eq!(lines[lines.len() - 3..lines.len() - 1], ["1 Quit", "2 Quit"]);
    assert!(lines[lines.len() - 1].starts_with("M report 0 0 "), "{lines:?}");
}
