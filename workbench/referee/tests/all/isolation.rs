//! Tests that every bound holds, alone and in combination, and that everything inside the bounds keeps working. Tests
//! of features that the kernel lacks print a note and are skipped.

use crate::common::{AGES, COUNTING, ON_LINUX};
use contender_game::contest::Limits;
use contender_referee::*;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Plays a bot from the zoo under bounds against a good bot. Returns `None` if this system does not enforce the bounds.
fn seat(bounds: &ResourceLimits, mode: &str) -> Option<Seat> {
    let isolation = Isolation::new(bounds).unwrap();
    if !isolation.missing().is_empty() {
        eprintln!("skipped: {}", isolation.missing().join("; "));
        return None;
    }
    let zoo = |mode: &str| {
        Entrant::parse(&COUNTING, &format!("{} {mode}", env!("CARGO_BIN_EXE_contender-zoo"))).unwrap()
    };
    let limits = Limits::per_turn(AGES, AGES);
    let mut referee = Referee::of(&COUNTING).with(|c| c.limits = limits);
    referee.isolate(Some(isolation));
    let players = [zoo(mode), zoo("good")];
    let fixture = Fixture::between([&players[0], &players[1]], 1, [1, 2]);
    let mut game = referee.play(&COUNTING, &fixture, &AtomicBool::new(false)).unwrap();
    assert_eq!(game.seats[1].ending, Ending::Normal, "{mode}: a bounded good bot plays");
    Some(game.seats.remove(0))
}

fn says(bounds: &ResourceLimits, mode: &str, words: &str) {
    let Some(seat) = seat(bounds, mode) else { return };
    assert_eq!(seat.ending, Ending::Normal, "{mode}");
    assert_eq!(seat.stderr, words, "{mode} under {bounds:?}");
}

/// A folder that is removed after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("contender-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self) -> String {
        self.0.join("file").to_str().unwrap().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn memory_is_limited_and_its_end_has_a_name() {
    let bounds = ResourceLimits { memory: Some(64 << 20), ..ResourceLimits::NONE };
    if let Some(seat) = seat(&bounds, "eats-memory 2") {
        let Ending::Memory { limit_mb: 64, peak_mb } = seat.ending else { panic!("{seat:?}") };
        assert!((32..=72).contains(&peak_mb), "{peak_mb}");
        // A control group kills the bot. Otherwise the bot dies from its own panic.
        assert!(matches!(seat.exit, Some(ExitStatus::Signal(6 | 9))), "{:?}", seat.exit);
        assert_eq!(seat.ending.name(), "memory");
    }
    // A crash for another reason keeps its own name.
    if let Some(seat) = seat(&bounds, "crash 2") {
        assert_eq!(seat.ending, Ending::Crash { signal: 6 });
    }
}

/// All kinds of memory count, and a bot cannot survive at the limit.
#[test]
fn all_memory_counts_where_there_are_control_groups() {
    if !facilities()
        .iter()
        .any(|facility| facility.what == "memory" && facility.how.starts_with("control group"))
    {
        eprintln!("skipped: no control group bounds memory here");
        return;
    }
    let bounds = ResourceLimits { memory: Some(64 << 20), ..ResourceLimits::NONE };
    for mode in ["eats-memory", "eats-shared-memory", "eats-files-in-memory", "spins-at-limit"] {
        // A bot that is killed closes its pipes before it is dead.
        for _ in 0..5 {
            let Some(seat) = seat(&bounds, &format!("{mode} 2")) else { return };
            assert!(matches!(seat.ending, Ending::Memory { limit_mb: 64, .. }), "{mode}: {seat:?}");
        }
    }
}

#[test]
fn cpu_time_is_limited() {
    let bounds = ResourceLimits { cpu: Some(Duration::from_millis(100)), ..ResourceLimits::NONE };
    if let Some(seat) = seat(&bounds, "spin 1") {
        let Ending::Crash { signal: 9 | 24 } = seat.ending else { panic!("{seat:?}") };
        assert!(seat.cpu.unwrap() >= Duration::from_millis(800), "{:?}", seat.cpu);
    }
}

#[test]
fn no_process_but_threads() {
    let bounds = ResourceLimits { processes: Some(0), ..ResourceLimits::NONE };
    says(&bounds, "forks 1", "forks: no\n");
    says(&bounds, "threads 1", "threads: yes\n");
    says(&ResourceLimits::NONE, "forks 1", "forks: yes\n");
    says(&ResourceLimits { processes: Some(100), ..ResourceLimits::NONE }, "forks 1", "forks: yes\n");
}

#[test]
fn a_number_of_processes() {
    let bounds = ResourceLimits { processes: Some(10), ..ResourceLimits::NONE };
    let forks = || seat(&bounds, "forks-many 1").map(|seat| seat.stderr.trim().parse::<u32>().unwrap());
    // Many other processes of this user may exit at the same time and make room.
    assert!((0..20).any(|_| forks().is_none_or(|forks| forks < 60)));
}

#[test]
fn files_are_written_only_where_it_is_allowed() {
    let folder = Folder::new("writes");
    let file = folder.file();
    let inside = ResourceLimits { writable: Some(vec![folder.0.clone()]), ..ResourceLimits::NONE };
    let nowhere = ResourceLimits { writable: Some(Vec::new()), ..ResourceLimits::NONE };
    says(&nowhere, &format!("writes 1 {file}"), "writes: no\n");
    assert!(!std::path::Path::new(&file).exists() || Isolation::new(&nowhere).unwrap().missing() != [""; 0]);
    says(&nowhere, "writes 1 /dev/null", "writes: yes\n");
    says(&nowhere, "reads 1 /proc/self/exe", "reads: yes\n");
    says(&inside, &format!("writes 1 {file}"), "writes: yes\n");
    says(&inside, "writes 1 /tmp/contender-outside", "writes: no\n");
    let missing = Isolation::new(&ResourceLimits {
        writable: Some(vec!["/no/such/folder".into()]),
        ..ResourceLimits::NONE
    });
    assert!(missing.unwrap_err().to_string().starts_with("the bots' folder /no/such/folder: "));
}

#[test]
fn files_are_limited_in_size() {
    let folder = Folder::new("big");
    let bounds = ResourceLimits { file_size: Some(1 << 16), ..ResourceLimits::NONE };
    if let Some(seat) = seat(&bounds, &format!("big-file 1 {}", folder.file())) {
        assert_eq!(seat.ending, Ending::Crash { signal: 25 });
        assert!(std::fs::metadata(folder.file()).unwrap().len() <= 1 << 16);
    }
}

#[test]
fn no_network_of_any_kind() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mode = format!("connects 1 {}", listener.local_addr().unwrap());
    says(&ResourceLimits { network: false, ..ResourceLimits::NONE }, &mode, "connects: no\nbinds: no\n");
    says(&ResourceLimits::NONE, &mode, "connects: yes\nbinds: yes\n");
}

#[test]
fn strict_bounds_leave_a_good_bot_alone() {
    // For root, a number of processes above 0 is not enforced.
    let strict = ResourceLimits { processes: Some(0), ..ResourceLimits::strict() };
    if let Some(seat) = seat(&strict, "good") {
        assert_eq!((seat.ending, seat.answers), (Ending::Normal, 6));
        assert_eq!(seat.exit, Some(ExitStatus::Code(0)));
    }
    says(&strict, "forks 1", "forks: no\n");
    says(&strict, "writes 1 /tmp/contender-outside", "writes: no\n");
    says(&strict, "connects 1 127.0.0.1:9", "connects: no\nbinds: no\n");
    says(&strict, &format!("signals 1 {}", std::process::id()), "signals: no\n");
}

#[test]
fn a_bot_inherits_three_descriptors() {
    if ON_LINUX {
        says(&ResourceLimits::NONE, "descriptors 1", "descriptors: 3\n");
    }
}

#[test]
fn a_bot_stays_on_its_core() {
    if !ON_LINUX {
        return;
    }
    let zoo = format!("{} cores 1", env!("CARGO_BIN_EXE_contender-zoo"));
    let zoo = Entrant::parse(&COUNTING, &zoo).unwrap();
    // Other runners on this machine may take its cores, but not the cores of this group.
    let cores = Cores::among(&format!("test-{}", std::process::id()));
    let mut referee = Referee::of(&COUNTING).with(|c| c.limits = Limits::per_turn(AGES, AGES));
    referee.resources.cores = Some(cores);
    let fixture = Fixture::between([&zoo, &zoo], 1, [1, 2]);
    let game = referee.play(&COUNTING, &fixture, &AtomicBool::new(false)).unwrap();
    assert!(game.seats.iter().all(|seat| seat.stderr == "cores: 1\n"));
}

/// Isolated bots change nothing that does not belong to them, even if root runs them, and nothing of them outlives the
/// game.
#[test]
fn nothing_outside_changes() {
    if !ON_LINUX {
        return;
    }
    let folder = Folder::new("meddles");
    std::fs::write(folder.file(), "x").unwrap();
    let mode = format!("meddles 1 {}", folder.file());
    let free = seat(&ResourceLimits::NONE, &mode).unwrap().stderr;
    let tries = "prlimit sched_setscheduler setpriority chmod fchmod fchmodat chown fchown fchownat lchown utimes utimensat flock shmget \
                 msgget semget environ";
    for what in tries.split(' ').chain(["fcntl lock"]) {
        assert!(free.contains(what), "{what} does not try: {free}");
    }
    let unlimited = ResourceLimits { processes: None, ..ResourceLimits::strict() };
    says(&unlimited, &mode, "meddles: \n");
}

/// Isolated bots do not see variables in the user's environment that are meant for other programs.
#[test]
fn secrets_of_the_environment_are_not_handed_on() {
    if !ON_LINUX {
        return;
    }
    // Tests run with many of cargo's variables.
    let is_secret = |names: &str| names.contains("CARGO_");
    assert!(is_secret(&seat(&ResourceLimits::NONE, "environment 1").unwrap().stderr));
    let Some(strict) =
        seat(&ResourceLimits { processes: Some(0), ..ResourceLimits::strict() }, "environment 1")
    else {
        return;
    };
    assert!(!is_secret(&strict.stderr), "{}", strict.stderr);
    assert!(strict.stderr.contains("PATH "), "{}", strict.stderr);
}

/// Bots can read only those files outside their folder that programs need.
#[test]
fn only_what_is_needed_is_read() {
    let (own, other) = (Folder::new("own"), Folder::new("other"));
    for folder in [&own, &other] {
        std::fs::write(folder.file(), "x").unwrap();
        std::fs::write(folder.0.join("secret"), "x").unwrap();
        std::fs::create_dir_all(folder.0.join("sub")).unwrap();
        std::fs::write(folder.0.join("sub/weights"), "x").unwrap();
    }
    let path = |folder: &Folder, name: &str| folder.0.join(name).display().to_string();
    let hidden = vec![own.0.join("sec")];
    let bounds =
        ResourceLimits { readable: Readable::Needed { hidden, others: Vec::new() }, ..ResourceLimits::NONE };
    let mode = |what: &str| format!("reads 1 at:{what} {}", own.file());
    let others = vec![other.0.join("sub"), "python3".into()];
    let more =
        ResourceLimits { readable: Readable::Needed { hidden: Vec::new(), others }, ..ResourceLimits::NONE };
    says(&more, &mode(&path(&other, "sub/weights")), "reads: yes\n");
    says(&more, &mode(&path(&other, "file")), "reads: no\n");
    says(&bounds, &mode(&path(&own, "sub/weights")), "reads: yes\n");
    says(&bounds, &mode(&path(&own, "secret")), "reads: no\n");
    says(&bounds, &mode(&path(&other, "file")), "reads: no\n");
    says(&bounds, &mode("/proc/self/stat"), "reads: yes\n");
    let named = format!("reads 1 at:{} {}", path(&other, "sub/weights"), other.0.display());
    says(&bounds, &named, "reads: yes\n");
    // Files in a shell script count as named. Folders in a script do not, and neither do hidden paths or folders that
    // are too broad.
    says(
        &bounds,
        &format!("reads 1 at:{} 'x=$((4 / 2)); cd .; cd ..; cd {}'", path(&other, "file"), other.0.display()),
        "reads: no\n",
    );
    for word in ["/", ".", "..", "/etc", "/tmp"] {
        says(&bounds, &format!("reads 1 at:{} {word}", path(&other, "file")), "reads: no\n");
        says(&bounds, &format!("reads 1 at:/etc/shadow {word}"), "reads: no\n");
    }
    says(&bounds, &format!("reads 1 at:{} {}", path(&own, "secret"), path(&own, "secret")), "reads: no\n");
    says(&bounds, &format!("reads 1 at:{} {}", path(&own, "secret"), own.0.display()), "reads: no\n");
    // Various kinds of programs run.
    let zoo = env!("CARGO_BIN_EXE_contender-zoo");
    for command in
        [format!("sh -c 'exec {zoo} good'"), "python3 -c 'import json, random, sys; sys.exit(9)'".to_string()]
    {
        let isolation = Isolation::new(&ResourceLimits::strict()).unwrap();
        let players = [command.clone(), format!("{zoo} good")].map(|text| Entrant::parse(&COUNTING, &text));
        let [Ok(first), Ok(second)] = &players else { continue };
        let mut referee = Referee::of(&COUNTING).with(|c| c.limits = Limits::per_turn(AGES, AGES));
        referee.isolate(Some(isolation));
        let fixture = Fixture::between([first, second], 1, [1, 2]);
        let game = referee.play(&COUNTING, &fixture, &AtomicBool::new(false)).unwrap();
        let is_shell = command.starts_with("sh");
        let expected = if is_shell { Ending::Normal } else { Ending::Exit { code: 9 } };
        assert_eq!(game.seats[0].ending, expected, "{command}: {}", game.seats[0].stderr);
    }
}
