//! Tests that the example bot in Python plays whole games in both roles.

use contender_entropy::CONTEST;
use contender_game::{
    contest::{BotSetup, Reply},
    rules::Player,
    settings::Options,
};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

#[test]
fn the_python_bot_plays_both_roles() {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/entropy_bot.py");
    if Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("skipped: no python3");
        return;
    }
    let mut scores = [0; 2];
    for seat in Player::BOTH {
        let mut python = Command::new("python3")
            .arg(&script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = python.stdin.take().unwrap();
        let mut output = BufReader::new(python.stdout.take().unwrap()).lines();
        let mut opponent = CONTEST.bot("random", &mut Options::default(), &BotSetup::default()).unwrap();
        let mut judge = CONTEST.judge(1, &mut Options::default()).unwrap();
        while let Some(question) = judge.ask().pop() {
            let answer = if question.player == seat {
                input.write_all(question.text.as_bytes()).unwrap();
                output.next().unwrap().unwrap()
            } else {
                let replies = question.text.lines().map(|line| opponent.line(line).unwrap());
                match replies.last() {
                    Some(Reply::Say(answer)) => answer,
                    other => panic!("no answer to {:?}: {other:?}", question.text),
                }
            };
            judge.answer(question.player, &[answer]).unwrap();
        }
        input.write_all(judge.farewell().as_bytes()).unwrap();
        assert!(python.wait().unwrap().success());
        scores[seat] = judge.points()[Player::Zero] - 120;
    }
    // A random Order scores about 55 against a random Chaos.
    assert!(scores[0] > 80 && scores[1] < 40, "{scores:?}");
}
