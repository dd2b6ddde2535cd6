//! A runner that is killed leaves no bot behind, not even one that does not look at its input.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Tries until there is something, for so long that no busy machine is late.
fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(120) {
        if let Some(found) = look() {
            return Some(found);
        }
        sleep(Duration::from_millis(5));
    }
    None
}

/// A child, as the kernel lists them by thread.
fn child_of(process: u32) -> Option<String> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).ok()?.flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let mut children = lists.flat_map(|list| list.split_whitespace().map(str::to_string).collect::<Vec<_>>());
    // The runner's own helpers are none of them.
    children.find(|child| {
        fs::read_to_string(format!("/proc/{child}/cmdline"))
            .is_ok_and(|words| words.contains("sleep\x001000"))
    })
}

/// Kills a runner as soon as it has started something, and checks that this is gone too.
fn nothing_is_left_of(mut runner: Child) {
    let started = wait_for(|| child_of(runner.id()));
    runner.kill().unwrap();
    runner.wait().unwrap();
    let started = started.expect("a process is started");
    let is_gone = || {
        let state = fs::read_to_string(format!("/proc/{started}/stat")).unwrap_or_default();
        // Dead and not reaped where nobody reaps orphans.
        (!Path::new(&format!("/proc/{started}")).exists() || state.contains(") Z ")).then_some(())
    };
    assert!(wait_for(is_gone).is_some(), "process {started} is left");
}

fn contender(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn bots_die_with_their_runner() {
    let arguments = ["match", "entropy", "sleep 1000", "random", "-n", "1", "-j", "1", "-q"];
    nothing_is_left_of(contender(&arguments).spawn().unwrap());
}

#[test]
fn match_commands_die_with_their_runner() {
    let folder = tempfile::tempdir().unwrap();
    let league = |arguments: &[&str]| {
        let mut command = contender(&["league", "--dir"]);
        command.arg(folder.path()).args(arguments);
        command
    };
    let init = ["init", "other", "--match", "sh -c 'exec sleep 1000' %P1% %P2%"];
    assert!(league(&init).status().unwrap().success());
    for name in ["a", "b"] {
        assert!(league(&["add", name, "none"]).status().unwrap().success());
    }
    nothing_is_left_of(league(&["run", "--quiet", "-j", "1"]).spawn().unwrap());
}
