//! A runner that is killed leaves no bot behind, not even one that does not look at its input.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Tries until there is something, a few seconds at most.
fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(5) {
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
    lists.flat_map(|list| list.split_whitespace().map(str::to_string).collect::<Vec<_>>()).next()
}

#[test]
fn bots_die_with_their_runner() {
    let mut runner = Command::new(env!("CARGO_BIN_EXE_contender"))
        .args(["match", "entropy", "sleep 1000", "random", "-n", "1", "-j", "1", "-q"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let bot = wait_for(|| child_of(runner.id()));
    runner.kill().unwrap();
    runner.wait().unwrap();
    let bot = bot.expect("a bot is started");
    let is_gone = || {
        let state = fs::read_to_string(format!("/proc/{bot}/stat")).unwrap_or_default();
        // Dead and not reaped where nobody reaps orphans.
        (!Path::new(&format!("/proc/{bot}")).exists() || state.contains(") Z ")).then_some(())
    };
    assert!(wait_for(is_gone).is_some(), "process {bot} is left");
}
