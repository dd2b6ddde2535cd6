//! Tests that a bot outside its turn is paused with everything that it has started, and takes no time from its
//! opponent.

#![cfg(all(target_os = "linux", not(feature = "portable")))]

use crate::common::{self, AGES, COUNTING, Counting};
use contender_game::contest::{Contest, JudgeSite, Limits};
use contender_referee::*;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn zoo(mode: &str) -> Entrant {
    Entrant::parse(&COUNTING, &format!("{} {mode}", env!("CARGO_BIN_EXE_contender-zoo"))).unwrap()
}

fn play(contest: &dyn Contest, modes: [&str; 2], ponder: bool) -> [Seat; 2] {
    let players = modes.map(zoo);
    // Both bots use one core, on which a running bot takes time from the other.
    let mut referee = Referee::of(contest).with(|c| {
        c.limits = Limits::per_turn(AGES, AGES);
        c.ponder = ponder;
    });
    referee.resources.cores = (!ponder).then(|| Cores::among(&format!("fairness-{}", std::process::id())));
    let fixture = Fixture::between([&players[0], &players[1]], 1, [1, 2]);
    let game = referee.play(contest, &fixture, &AtomicBool::new(false)).unwrap();
    for seat in &game.seats {
        assert_eq!(seat.ending, Ending::Normal);
    }
    game.seats.try_into().unwrap()
}

/// Returns the CPU time that the spinning bot used outside its turns, and the CPU time that its opponent needed.
fn shares(spinner: &str, ponder: bool) -> [Duration; 2] {
    let [spinner, worker] = play(&COUNTING, [spinner, "works-ms-always 0 50"], ponder);
    let [spins, works] = [spinner.idle_cpu.unwrap(), worker.cpu.unwrap()];
    assert!(works >= Duration::from_millis(6 * 50), "{works:?}");
    assert!(worker.idle_cpu.unwrap() * 10 < works);
    [spins, works]
}

#[test]
fn nobody_takes_the_opponents_time() {
    // The first bot's children spin. The second bot spins in its own thread, whose time is known even without control
    // groups.
    for spinner in ["spinners", "thinks-on"] {
        let [spins, works] = shares(spinner, false);
        assert!(spins * 10 < works, "{spinner}: {spins:?} of {works:?}");
    }
}

#[test]
fn nobody_takes_the_opponents_time_without_control_groups() {
    common::again_without_control_groups("fairness::nobody_takes_the_opponents_time");
}

/// A bot that other processes resume is paused again, and so are these processes.
#[test]
fn nobody_is_made_to_go_on() {
    for mode in ["continued-by-child", "continued-by-timer"] {
        let [spins, works] = shares(mode, false);
        assert!(spins * 3 < works, "{mode}: {spins:?} of {works:?}");
    }
    if !common::is_without_control_groups() {
        common::again_without_control_groups("fairness::nobody_is_made_to_go_on");
    }
}

/// A bot that keeps running nevertheless loses, unless a control group keeps it frozen.
#[test]
fn who_goes_on_all_the_same_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("number");
    let helper = format!(
        "number=; while [ -z \"$number\" ]; do read number rest < {0}; done 2>/dev/null; while kill -CONT $number; do :; done 2>/dev/null",
        file.display()
    );
    let mut helper = std::process::Command::new("sh").args(["-c", &helper]).spawn().unwrap();
    let bot = format!("thinks-on-and-says-number {}", file.display());
    let referee =
        Referee::new(Conditions { limits: Limits::per_turn(AGES, AGES), ..Conditions::of(&COUNTING) });
    let players = [&bot, "works-ms-always 0 200"].map(zoo);
    let fixture = Fixture::between([&players[0], &players[1]], 1, [1, 2]);
    let spinner = referee.play(&COUNTING, &fixture, &AtomicBool::new(false)).unwrap().seats.remove(0);
    helper.kill().unwrap();
    helper.wait().unwrap();
    if facilities()[0].how.contains("frozen") {
        assert_eq!(spinner.ending, Ending::Normal);
    } else {
        assert!(matches!(spinner.ending, Ending::Pondered { cpu_ms: 50.. }), "{spinner:?}");
    }
    if !common::is_without_control_groups() {
        common::again_without_control_groups("fairness::who_goes_on_all_the_same_is_ended");
    }
}

/// A bot that is paused while it holds a lock that its opponent waits for runs until it has released the lock.
#[test]
fn nobody_waits_for_the_lock_of_one_that_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let lock = folder.path().join("lock").display().to_string();
    let bot = zoo(&format!("locks-always 0 {lock}"));
    // Without this, the opponent would wait until the time limit.
    let limits = Limits { nodes: Some(1), ..Limits::per_turn(AGES, Duration::from_secs(60)) };
    let referee = Referee::new(Conditions { limits, ..Conditions::of(&COUNTING) });
    let fixture = Fixture::between([&bot, &bot], 1, [1, 2]);
    let game = referee.play(&COUNTING, &fixture, &AtomicBool::new(false)).unwrap();
    for seat in &game.seats {
        assert_eq!(seat.ending, Ending::Normal);
        // On a busy machine a bot sometimes releases the lock before it is paused.
        for note in &seat.notes {
            assert!(note.starts_with("the bot waited ") && note.contains(&lock), "{note}");
        }
    }
    assert!(game.seats.iter().any(|seat| !seat.notes.is_empty()), "{game:?}");
    if !common::is_without_control_groups() {
        common::again_without_control_groups("fairness::nobody_waits_for_the_lock_of_one_that_is_stopped");
    }
}

/// The opponent's clock does not include the time to pause the children, however many there are.
#[test]
fn many_children_are_no_weapon() {
    let [_, worker] = play(&COUNTING, ["many-children-always", "works-ms-always 0 20"], false);
    assert_eq!(worker.answers, 6);
    if !common::is_without_control_groups() {
        common::again_without_control_groups("fairness::many_children_are_no_weapon");
    }
}

/// If thinking in the opponent's time is allowed, it is measured. With control groups this includes descendants.
#[test]
fn who_may_think_on_is_measured() {
    for spinner in ["spinners", "thinks-on"] {
        if spinner == "spinners" && !facilities()[0].how.starts_with("control group") {
            eprintln!("skipped: no control groups can be made here");
            continue;
        }
        let [spins, works] = shares(spinner, true);
        assert!(spins * 10 > works, "{spinner}: {spins:?} of {works:?}");
    }
}

/// A bot that has answered first is paused while the other one is still thinking.
#[test]
fn both_at_once() {
    let contest = Counting { site: JudgeSite::CodinGame, ..COUNTING };
    let [one, other] = play(&contest, ["works-ms-always 0 5", "good"], false);
    assert!(one.idle_cpu.is_some() && other.idle_cpu.is_some());
}

/// Runs a test of this program again in a control group with a quota of 5 ms of processor time per 100 ms. Returns
/// whether this process is that run. Prints a note if no such group can be created.
fn is_under_a_quota(test: &str) -> bool {
    if std::env::var_os("CONTENDER_TEST_QUOTA").is_some() {
        return true;
    }
    // Version 1 has a hierarchy for this controller. In version 2 the controller is delegated at the top.
    for root in ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup"] {
        let folder = std::path::Path::new(root).join(format!("contender-quota-{}", std::process::id()));
        let write = |file, text| std::fs::write(folder.join(file), text).is_ok();
        let is_made = std::fs::create_dir(&folder).is_ok()
            && (write("cpu.cfs_quota_us", "5000") || write("cpu.max", "5000 100000"));
        let output = is_made.then(|| {
            let program = std::env::current_exe().unwrap();
            std::process::Command::new("sh")
                .args(["-c", "echo 0 > $0/cgroup.procs; exec \"$@\""])
                .args([folder.as_path(), &program])
                .args(["--exact", test, "--nocapture"])
                .env("CONTENDER_TEST_QUOTA", "on")
                .output()
                .unwrap()
        });
        // Dead processes may still be leaving the group.
        while std::fs::remove_dir(&folder).is_err() && folder.exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        if let Some(output) = output {
            let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
            assert!(output.status.success() && said[0].contains("1 passed"), "{}", said.concat());
            return false;
        }
    }
    eprintln!("skipped: no control group with a quota of processor time can be made here");
    false
}

/// A bot that works in a child process sleeps and does not wait for a core itself. The quota that keeps the child from
/// running is still the machine's fault.
#[test]
fn what_a_quota_takes_is_not_the_bots_fault() {
    if !is_under_a_quota("fairness::what_a_quota_takes_is_not_the_bots_fault") {
        return;
    }
    let script = "read line; echo 1; read line; echo 2 | $0 spin; echo 3";
    let command = CommandLine::new(["sh", "-c", script, env!("CARGO_BIN_EXE_contender-zoo")]);
    let bot = Entrant { name: "throttled".to_string(), program: Program::Command(command) };
    let other = Entrant::parse(&COUNTING, "counter").unwrap();
    let limits = Limits { nodes: Some(1), ..Limits::per_turn(AGES, Duration::from_secs(1)) };
    let contest = Counting { limits, ..COUNTING };
    let referee = Referee::new(Conditions { rematches: 1, ..Conditions::of(&contest) });
    let fixture = Fixture::between([&bot, &other], 1, [1, 2]);
    let game = referee.play(&contest, &fixture, &AtomicBool::new(false)).unwrap();
    let seat = &game.seats[0];
    assert!(matches!(seat.ending, Ending::Overloaded { limit_ms: 1000, stolen_ms: 100.., .. }), "{seat:?}");
    assert_eq!((game.rematches, seat.stolen.len()), (1, 2));
    let mut watch = Watch::start(&IdleProcesses::default());
    watch.add(&game);
    let seen = watch.end().unwrap();
    assert!(!seen.is_steady && seen.stolen_answers > 0, "{seen:?}");
}
