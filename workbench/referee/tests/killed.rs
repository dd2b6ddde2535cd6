//! Tests that a killed runner leaves nothing running: neither the bot nor the processes that the bot has started. This
//! is a separate program, because games that other tests play in the same process would clean up the remains of the
//! killed runner.

#![cfg(all(target_os = "linux", not(feature = "portable")))]

mod common;

use common::{AGES, COUNTING};
use contender_game::contest::Limits;
use contender_referee::*;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The environment variable with the command of [`runner`]'s first bot.
const BOT: &str = "CONTENDER_TEST_BOT";

/// Plays a game for the other tests, in a separate process. Not a test itself.
#[test]
fn runner() {
    let Ok(bot) = env::var(BOT) else { return };
    let good = format!("{} good", env!("CARGO_BIN_EXE_contender-zoo"));
    let players = [bot, good].map(|command| Entrant::parse(&COUNTING, &command).unwrap());
    let referee =
        Referee::new(Conditions { limits: Limits::per_turn(AGES, AGES), ..Conditions::of(&COUNTING) });
    let fixture = Fixture::between([&players[0], &players[1]], 1, [1, 2]);
    referee.play(&COUNTING, &fixture, &AtomicBool::new(false)).unwrap();
}

fn run(bot: &str, [groups, namespaces]: [&str; 2]) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "runner"])
        .env(BOT, bot)
        .env("CONTENDER_CGROUPS", groups)
        .env("CONTENDER_NAMESPACES", namespaces)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < AGES, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Kills a runner whose bot hangs and has started a process that left the bot's session. Returns the numbers of that
/// process and of the bot.
fn kill_runner(kept_by: [&str; 2]) -> [u32; 2] {
    let folder = tempfile::tempdir().unwrap();
    let files = ["stray", "bot"].map(|name| folder.path().join(name));
    let script = format!(
        "setsid sh -c 'read number rest < /proc/self/stat; echo $number > {0}.new; mv {0}.new {0}; exec sleep 1000' & \
         read number rest < /proc/self/stat; echo $number > {1}.new; mv {1}.new {1}; exec sleep 1000",
        files[0].display(),
        files[1].display()
    );
    let mut runner = run(&shell_words::join(["sh", "-c", &script]), kept_by);
    wait_until("the bot starts", || files.iter().all(|file| file.exists()));
    runner.kill().unwrap();
    runner.wait().unwrap();
    files.map(|file| fs::read_to_string(file).unwrap().trim().parse().unwrap())
}

fn lives(process: u32) -> bool {
    // A dead process that is not reaped yet has no command line.
    fs::read(Path::new("/proc").join(process.to_string()).join("cmdline")).is_ok_and(|text| !text.is_empty())
}

/// This is a single test, so that the order is fixed: the runner that cleans up at its start would end the processes
/// that the groups had left.
#[test]
fn descendants_die_with_the_runner_or_at_the_next_start() {
    let all_die = |left: [u32; 2]| {
        wait_until("all are dead", || left.iter().all(|&process| !lives(process)));
    };
    let how = facilities()[1].how.clone();
    for (kept_by, word) in [(["on", "on"], "group"), (["off", "on"], "namespace")] {
        // Without this feature, the runner falls back to the case that is tested below.
        if word == "group" && !how.contains("group") || !facilities()[1].holds {
            eprintln!("skipped: no {word} can be made here");
            continue;
        }
        all_die(kill_runner(kept_by));
    }
    let left = kill_runner(["off", "off"]);
    let good = format!("{} good", env!("CARGO_BIN_EXE_contender-zoo"));
    assert!(run(&good, ["off", "off"]).wait().unwrap().success());
    all_die(left);
}
