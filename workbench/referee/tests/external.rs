//! Every way a program can misbehave ends its game with a name, in bounded time, and leaves nothing behind.

mod common;

use common::{COUNTING, Counting};
use contender_game::{JudgeSite, Limits};
use contender_referee::*;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn zoo(mode: &str) -> Entrant {
    let command = format!("{} {mode}", env!("CARGO_BIN_EXE_contender-zoo"));
    Entrant::parse(&COUNTING, &format!("zoo={command}")).unwrap()
}

fn referee() -> Referee {
    Referee {
        limits: Limits::per_turn(Duration::from_secs(2), Duration::from_secs(1)),
        ..Referee::of(&COUNTING)
    }
}

fn play(referee: &Referee, contest: &Counting, players: [&str; 2]) -> GameRecord {
    let players = players.map(zoo);
    let plan = GamePlan { players: [&players[0], &players[1]], luck: 1, bot_seeds: [1, 2] };
    referee.play(contest, plan, &AtomicBool::new(false)).unwrap()
}

/// The mode on seat 0 against a good bot, which must not be harmed.
fn ending(mode: &str) -> (Ending, GameRecord) {
    let start = Instant::now();
    let game = play(&referee(), &COUNTING, [mode, "good"]);
    assert!(start.elapsed() < Duration::from_secs(10), "{mode} takes {:?}", start.elapsed());
    assert_eq!(game.seats[1].ending, Ending::Normal, "{mode}: {game:?}");
    assert_eq!(game.moves.len(), 12, "{mode}: the game goes on");
    let failed = game.seats[0].ending.is_failure();
    assert_eq!(game.points, if failed { [0, 2] } else { [1, 2] });
    (game.seats[0].ending.clone(), game)
}

#[test]
fn good_bots_play_to_the_end() {
    for mode in ["good", "slow-line 3", "stderr 2", "fails-at-quit"] {
        let (ending, game) = ending(mode);
        assert_eq!(ending, Ending::Normal, "{mode}");
        assert_eq!(game.seats[0].answers, 6);
        assert!(!game.seats[0].left_running);
    }
}

#[test]
fn crashes_and_exits_are_told_apart() {
    assert_eq!(ending("crash-at-start").0, Ending::Crash { signal: 6 });
    assert_eq!(ending("crash 3").0, Ending::Crash { signal: 6 });
    assert_eq!(ending("exit-at-start").0, Ending::Exit { code: 7 });
    assert_eq!(ending("exit 3").0, Ending::Exit { code: 9 });
}

#[test]
fn no_answer_in_time_loses() {
    for mode in ["hang 2", "half-line 2", "deaf"] {
        assert!(matches!(ending(mode).0, Ending::Timeout { overrun_ms: None, .. }), "{mode}");
    }
    let _ = JudgeSite::CodinGame;
}
