//! Battles that the referee plays again: whole, against a new bot, from a turn on, and as cases.

use crate::made::{SEED, battle, bot, brought, referee};
use contender_play::{Fixture, Host, Record};
use contender_site::{Agreement, BattleResult, Case, CaseError, FromTurn, Source, against_ghosts, check};
use serde_json::json;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);

fn lost() -> Record {
    brought(&battle(11, SEED, [&bot("me", "50"), &bot("other", "80")]), "me")
}

#[test]
fn a_battle_that_is_played_again_has_the_same_end() {
    let record = lost();
    assert_eq!(check(&record, &referee(), &STOP).unwrap(), Agreement::Same { turns: 3 });
    let mut other = record.clone();
    other.seats[0].points = Some(999.0);
    let Agreement::Different(difference) = check(&other, &referee(), &STOP).unwrap() else { panic!() };
    assert_eq!((difference.turn, difference.what.as_str()), (0, "score of seat 0"));
    assert!(difference.to_string().contains("another version"), "{difference}");
    // An answer that the referee does not take.
    let mut other = record.clone();
    other.seats[1].outputs[1] = "1000".to_string();
    let Agreement::Different(difference) = check(&other, &referee(), &STOP).unwrap() else { panic!() };
    assert_eq!((difference.turn, difference.what.as_str()), (2, "answers of seat 1"));
    let mut other = record.clone();
    other.summaries = vec![String::new(), "$0 finds a train".to_string()];
    let Agreement::Different(difference) = check(&other, &referee(), &STOP).unwrap() else { panic!() };
    assert_eq!((difference.turn, difference.recorded.as_str()), (2, "$0 finds a train"));
    assert!(
        check(&Record { seats: Vec::new(), ..record }, &referee(), &STOP)
            .unwrap_err()
            .to_string()
            .contains("no recorded answers")
    );
}

/// A bot that failed on the site fails again.
#[test]
fn failures_are_played_again() {
    let battle = battle(12, 5, [&bot("me", "50 crash"), &bot("other", "80")]);
    let record = brought(&battle, "me");
    assert!(record.seats[0].ending.is_failure() && record.seats[0].is_late(), "{:?}", record.seats[0]);
    assert_eq!(check(&record, &referee(), &STOP).unwrap(), Agreement::Same { turns: 3 });
}

#[test]
fn a_new_bot_meets_the_recorded_answers() {
    let record = lost();
    let (game, played) = against_ghosts(&record, 0, &bot("new", "90"), &referee(), &STOP).unwrap();
    assert_eq!((game.recorded, game.now), (BattleResult::Lost, Some(BattleResult::Won)));
    assert_eq!((game.turns, game.followed, game.ghost.as_deref()), (3, 0, None));
    assert_eq!((played.seats[1].points, played.seed.cast_signed()), (record.seats[1].points, SEED));
    let (game, _) = against_ghosts(&record, 0, &bot("new", "50"), &referee(), &STOP).unwrap();
    assert_eq!((game.followed, game.now), (3, Some(BattleResult::Lost)));
    // A ghost whose answer is not possible says nothing about the new bot.
    let mut other = record.clone();
    other.seats[1].outputs[1] = "1000".to_string();
    let (game, _) = against_ghosts(&other, 0, &bot("new", "90"), &referee(), &STOP).unwrap();
    assert_eq!(game.now, None);
    assert!(
        game.to_string().contains("now without a result: the ghost could not continue after turn 1"),
        "{game}"
    );
    let mut other = record.clone();
    other.seats[1].outputs.truncate(2);
    let (game, _) = against_ghosts(&other, 0, &bot("new", "90 crash"), &referee(), &STOP).unwrap();
    assert_eq!(game.now, Some(BattleResult::Lost));
}

/// The first turns are the battle's, whatever the bots answer in them.
#[test]
fn two_bots_take_over_in_a_turn() {
    let record = lost();
    let host = FromTurn::new(Box::new(referee()), vec![record.clone()], 3).unwrap();
    let seed = host.seed(12345);
    assert_eq!(seed, record.seed);
    let whole =
        |answers: &[String]| answers[..2].iter().map(|answer| answer.parse::<f64>().unwrap()).sum::<f64>();
    let fixture = Fixture { seats: vec![bot("a", "0"), bot("b", "0")], seed, bot_seeds: Vec::new() };
    let played = host.play(&fixture, &STOP).unwrap();
    assert_eq!(played.points(), [0, 1].map(|seat| whole(&record.seats[seat].outputs)));
    assert_eq!(played.bots(), ["a", "b"]);
    assert!(FromTurn::new(Box::new(referee()), vec![record], 4).is_err());
}

#[test]
fn a_turn_is_a_case_that_a_bot_passes_or_fails() {
    let record = lost();
    let referee = referee();
    let make = |turn, expect: &[String]| Case::of(&record, 0, turn, expect, Source::Referee(&referee), &STOP);
    let case = make(2, &[]).unwrap();
    assert_eq!((case.lines_before, case.lines, case.input.lines().count()), (1, 1, 2));
    assert_eq!(case.avoid, [record.seats[0].outputs[1].clone()]);
    let run = |case: &Case, words: &str| {
        case.run(bot("x", words).program.command_line().unwrap(), Duration::from_secs(60), &STOP)
    };
    assert!(run(&case, "50").unwrap_err().to_string().contains("again"));
    run(&case, "90").unwrap();
    assert!(
        run(&case, "90 crash")
            .unwrap_err()
            .to_string()
            .contains("ends without an answer; stderr: ValueError: a bug")
    );
    let expect = make(2, &record.seats[0].outputs[1..2]).unwrap();
    run(&expect, "50").unwrap();
    assert!(run(&expect, "90").unwrap_err().to_string().contains("expected"));
    assert!(matches!(make(4, &[]), Err(CaseError::Turn { turn: 4, turns: 3 })));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.json"), serde_json::to_string(&case).unwrap()).unwrap();
    assert_eq!(Case::read_all(folder.path()).unwrap(), [("a".to_string(), case)]);
    std::fs::write(folder.path().join("b.json"), json!({"turn": 1}).to_string()).unwrap();
    assert!(
        Case::read_all(folder.path()).unwrap_err().to_string().contains("b.json: not a case: missing field")
    );
}
