//! Tests that nothing is left of a game after its end: no process, no descriptor. This is a separate program, because
//! it counts everything that the whole process has.

#![cfg(all(target_os = "linux", not(feature = "portable")))]

mod common;

use common::{AGES, COUNTING};
use contender_game::contest::Limits;
use contender_referee::*;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

fn children() -> Vec<String> {
    let tasks = fs::read_dir("/proc/self/task").unwrap().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(str::to_string).collect::<Vec<_>>()).collect()
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

fn play(mode: &str) -> Record {
    let zoo = env!("CARGO_BIN_EXE_contender-zoo");
    let players = [mode, "good"].map(|mode| Entrant::parse(&COUNTING, &format!("{zoo} {mode}")).unwrap());
    let never_answers = ["hang", "hang-ignoring-sigterm", "half-line"].contains(&mode);
    let limit = if never_answers { Duration::from_millis(300) } else { AGES };
    let limits = Limits::per_turn(limit, limit);
    let referee = Referee::new(Conditions { limits, ..Conditions::of(&COUNTING) });
    let fixture = Fixture::between([&players[0], &players[1]], 1, [1, 2]);
    referee.play(&COUNTING, &fixture, &AtomicBool::new(false)).unwrap()
}

#[test]
fn nothing_is_left() {
    // These games create everything that is created once and kept.
    play("good");
    play("hang");
    let before = descriptors();
    for mode in ["orphan", "daemon", "wiped", "wiped-in-session", "foreign-mark", "clone-parent"] {
        let game = play(mode);
        assert_eq!(game.seats[0].ending, Ending::Normal, "{mode}: {game:?}");
        match game.seats[0].stderr.trim().parse::<u32>() {
            Ok(orphan) => {
                assert!(!Path::new(&format!("/proc/{orphan}")).exists(), "{mode}: {orphan} is left");
            }
            // Without groups and namespaces, a stranger may be killed before it has printed its number.
            Err(_) => assert!(common::is_without_control_groups(), "{mode}: {game:?}"),
        }
    }
    let modes = "good crash-at-start crash exit illegal flood endless-line flood-stderr-always closes-stdout ignores-quit hang hang-ignoring-sigterm half-line early invalid-utf8 crash-after twice daemon";
    for mode in modes.split(' ') {
        play(mode);
        assert_eq!(children(), [""; 0], "{mode}");
    }
    for _ in 0..200 {
        play("good");
    }
    assert_eq!(descriptors(), before);
    // Games at the same time must not mistake each other's bots for orphans.
    thread::scope(|scope| {
        let threads = ["good", "daemon", "foreign-mark", "clone-parent"].map(|mode| {
            scope.spawn(move || {
                for _ in 0..15 {
                    let game = play(mode);
                    assert_eq!(game.points(), [1.0, 2.0], "{mode}: {game:?}");
                }
            })
        });
        // The scope alone does not wait until the threads have closed their own descriptors.
        for thread in threads {
            thread.join().unwrap();
        }
    });
    assert_eq!(descriptors(), before);
    assert_eq!(children(), [""; 0]);
    // The same must hold if no control groups can be created, so run this test again in a process that creates none.
    if !common::is_without_control_groups() {
        common::again_without_control_groups("nothing_is_left");
    }
}
