//! Restrictions of a machine that affect a league: a read-only disk, limited file sizes, runners that do not see each
//! other's processes.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

const CONTENDER: &str = env!("CARGO_BIN_EXE_contender");
const GAMES: usize = 3 * 20 * 2;

fn shell(folder: &Path, line: &str) -> Output {
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(folder).env("CONTENDER", CONTENDER).output().unwrap()
}

/// Creates a league of three bots in a folder. Each two bots play twenty pairs.
fn league(folder: &Path) {
    let made = "$CONTENDER league init spaghetti && sed -i 's/# max_pairs = 500/max_pairs = 20/' league.toml && \
        for bot in a b c; do $CONTENDER league add $bot random || exit 1; done";
    assert!(shell(folder, made).status.success());
}

/// Checks the games of the export: all of them are there, and each pair has two.
fn assert_complete(folder: &Path) {
    let text = String::from_utf8(shell(folder, "$CONTENDER league export").stdout).unwrap();
    let mut pairs: BTreeMap<&str, u32> = BTreeMap::new();
    let pair_of = |line: &'_ str| line.split(',').nth(1).map(str::to_string);
    assert_eq!(text.lines().skip(1).filter_map(pair_of).count(), GAMES);
    text.lines().skip(1).for_each(|line| *pairs.entry(line.split(',').nth(1).unwrap()).or_default() += 1);
    assert!(pairs.values().all(|&games| games == 2), "{pairs:?}");
}

/// Returns whether a command works on this machine. A test that needs the command otherwise prints a notice and passes.
fn can(line: &str) -> bool {
    let works = shell(Path::new("/"), line).status.success();
    if !works {
        eprintln!("skipped: `{line}` is not permitted");
    }
    works
}

#[test]
fn a_league_on_a_read_only_disk_is_shown_and_exported() {
    if !can("unshare --mount true") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    league(folder.path());
    assert!(shell(folder.path(), "$CONTENDER league run --games 6 -q -j 1").status.success());
    let pictures = tempfile::tempdir().unwrap();
    let read_only =
        "mount --bind . . && mount -o remount,bind,ro . && cd . && cd \"$PWD\" && ! touch x 2>/dev/null";
    let shown = "$CONTENDER league show && $CONTENDER league export && $CONTENDER league games --last 1 && $CONTENDER league plot";
    let line = format!("unshare --mount bash -c '{read_only} && {shown} {}'", pictures.path().display());
    let output = shell(folder.path(), &line);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("6 games"), "{output:?}");
    assert!(pictures.path().join("ratings.svg").exists());
    // A command that needs to write reports an error.
    let line = format!("unshare --mount bash -c '{read_only} && $CONTENDER league pause a'");
    let output = shell(folder.path(), &line);
    assert!(!output.status.success() && !output.stderr.is_empty(), "{output:?}");
}

/// A device or a pipe is written but not read, because it contains no games and may never end.
#[test]
fn a_log_may_be_a_device() {
    let folder = tempfile::tempdir().unwrap();
    let play = "timeout 60 $CONTENDER match uttt greedy random -n 1 --nodes 1 -q --log";
    let output = shell(folder.path(), &format!("{play} /dev/stdout | cat"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().filter(|line| line.starts_with("{\"game\":\"uttt\"")).count(), 2, "{text}");
    let output = shell(folder.path(), &format!("ulimit -v 8000000; {play} /dev/full"));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(1) && said.contains("No space left"), "{output:?}");
}

/// All interrupted commands return the same exit code. A service that is stopped has not been interrupted.
#[test]
fn what_is_broken_off_has_an_exit_code_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let until_it_hears =
        "until grep -q '^SigCgt:.*[4-7c-f]...$' /proc/$!/status; do sleep 0.01; done; kill -TERM $!; wait $!";
    for (words, code) in [
        ("simulate sprt 0,10 --rounds 100000000 -q", 130),
        ("check entropy 'sleep 1000'", 130),
        ("web --port 0", 0),
    ] {
        let output = shell(folder.path(), &format!("$CONTENDER {words} & {until_it_hears}"));
        assert_eq!(output.status.code(), Some(code), "{words}: {output:?}");
    }
}

/// Without a handler, the signal for the file size limit (SIGXFSZ) would kill a runner without a message.
#[test]
fn the_end_of_room_in_files_is_an_error_and_loses_no_game() {
    let folder = tempfile::tempdir().unwrap();
    league(folder.path());
    let output = shell(folder.path(), "ulimit -f 150 && exec $CONTENDER league run --exit-when-done -q -j 1");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.signal().is_none() && output.status.code() == Some(1), "{output:?}");
    assert!(said.contains("error: the league's file"), "{said}");
    assert!(shell(folder.path(), "$CONTENDER league run --exit-when-done -q").status.success());
    assert_complete(folder.path());
    assert!(std::fs::read_dir(&folder).unwrap().count() <= 4, "a lock is left");
}

/// In another namespace the same process number means another process.
#[test]
fn runners_that_do_not_see_each_other_share_a_league() {
    if !can("unshare --fork --pid true") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    league(folder.path());
    let runner = "unshare --fork --pid --mount-proc $CONTENDER league run --exit-when-done -q -j 1";
    let both = format!("{runner} & first=$!; {runner} && wait $first");
    let output = shell(folder.path(), &both);
    assert!(output.status.success(), "{output:?}");
    assert_complete(folder.path());
}

/// Bots lead sessions of their own. A kernel that divides cores between sessions would not give them the niceness of
/// their runner.
#[test]
fn bots_are_as_nice_as_their_runner() {
    if !can("grep -q nice /proc/self/autogroup") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bot"), "#!/bin/sh\ncat /proc/self/autogroup >&2\n").unwrap();
    let nice_of = |runner: &str| {
        let line = format!(
            "chmod +x bot && {runner} $CONTENDER match uttt ./bot random -n 1 -j 1 -q --log games.jsonl >log; \
            head -n 1 games.jsonl && rm games.jsonl"
        );
        let text = String::from_utf8(shell(folder.path(), &line).stdout).unwrap();
        text.split("nice ").nth(1).unwrap().split('\\').next().unwrap().parse::<i32>().unwrap()
    };
    let own = nice_of("");
    // The kernel limits how often an ordinary user can set the niceness, so the test repeats it.
    let is_nicer = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(150));
        nice_of("nice -n 5") == (own + 5).min(19)
    });
    assert!(is_nicer, "the runner has {own}, and its bot not 5 more");
}
