//! If a runner is killed, no bot is left behind, not even one that never reads its input.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Calls `look` until it returns a value. The time limit is long enough for a busy machine.
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

/// Returns a child of a process, from the lists that the kernel keeps per thread.
fn child_of(process: u32) -> Option<String> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).ok()?.flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let mut children = lists.flat_map(|list| list.split_whitespace().map(str::to_string).collect::<Vec<_>>());
    // The runner's own helper processes do not count.
    children.find(|child| {
        fs::read_to_string(format!("/proc/{child}/cmdline"))
            .is_ok_and(|words| words.contains("sleep\x001000"))
    })
}

/// Kills a runner as soon as it has started a process, and checks that the process is gone too.
fn nothing_is_left_of(mut runner: Child) {
    let started = wait_for(|| child_of(runner.id()));
    runner.kill().unwrap();
    runner.wait().unwrap();
    let started = started.expect("a process is started");
    let is_gone = || {
        let state = fs::read_to_string(format!("/proc/{started}/stat")).unwrap_or_default();
        // The process may be dead but not reaped, because some systems do not reap orphans.
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
        assert!(league(&["add", name, "true", "--no-check"]).status().unwrap().success());
    }
    nothing_is_left_of(league(&["run", "--quiet", "-j", "1"]).spawn().unwrap());
}

/// Processes that the web app has started end with it, however it ends.
#[test]
fn matches_die_with_the_server_that_started_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Command::new(env!("CARGO_BIN_EXE_contender"))
        .args(["web", "--port", "0"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.split_once("http://").unwrap().1.split_whitespace().next().unwrap();
    let (host, token) = address.split_once("/?token=").unwrap();
    let port = host.split_once(':').unwrap().1;
    let form = "game=uttt&a=random&b=random&pairs=1000000&nodes=1";
    let mut stream = TcpStream::connect(host).unwrap();
    write!(
        stream,
        "POST /match/start HTTP/1.1\r\nHost: {host}\r\nCookie: contender-{port}={token}\r\nConnection: close\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    let log = folder.path().join("match-uttt-1.jsonl");
    let size = || fs::metadata(&log).map_or(0, |file| file.len());
    assert!(wait_for(|| (size() > 0).then_some(())).is_some(), "no game is played");
    server.kill().unwrap();
    server.wait().unwrap();
    // The log stops growing.
    let mut before = size();
    let has_ended = wait_for(|| {
        sleep(Duration::from_millis(500));
        let now = size();
        let is_same = now == before;
        before = now;
        is_same.then_some(())
    });
    assert!(has_ended.is_some(), "resuming the match");
}

/// Returns the report of a match without the values that depend on the clock.
fn report(output: &[u8]) -> serde_json::Value {
    let mut report: serde_json::Value = serde_json::from_slice(output).unwrap();
    report["steadiness"].take();
    report["conditions"]["jobs"].take();
    for bot in report["bots"].as_array_mut().unwrap() {
        bot["seconds_per_game"].take();
        bot["slowest_seconds"].take();
        bot["quartiles_seconds"].take();
    }
    report
}

/// A log has a report without the command of its match.
#[test]
fn a_log_has_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
        let output = command.current_dir(folder.path()).args(words.split(' ')).output().unwrap();
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let bots = "match uttt greedy random --nodes 5";
    let [played, _] = run(&format!("{bots} -n 60 --sprt 0,900 -j 1 -q --log match.jsonl"));
    let [found, _] = run("match --report match.jsonl --sprt 0,900");
    // The heads differ: the log contains neither the limits of the match nor its seed.
    let body = |text: &str| text.split_once("\n\n").unwrap().1.to_string();
    assert_eq!(body(&found), body(&played));
    assert!(played.contains(" games, seed 1\n5 nodes per move\n\n"), "{played}");
    assert!(!found.contains("seed 1") && found.starts_with("uttt: "), "{found}");
    let [json, _] = run("match --report match.jsonl --json");
    assert!(json.contains("\"seed\": null") && !json.contains("\"decision\""), "{json}");
    // The match is just writing its last line.
    let log = fs::read_to_string(folder.path().join("match.jsonl")).unwrap();
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    fs::write(folder.path().join("match.jsonl"), lines[..79].concat() + &lines[79][..9]).unwrap();
    let [found, said] = run("match --report match.jsonl");
    assert!(found.contains("Note: 1 game without a partner") && said.is_empty(), "{found}{said}");
    run("tournament uttt greedy random bronze --pairs 1 --nodes 5 -j 1 -q --log many.jsonl");
    let [_, said] = run("match --report many.jsonl");
    assert!(said.starts_with("error: many.jsonl: game 3 of the log is from a different match"), "{said}");
    assert!(said.contains("\nhint: repeat the command that created this log"), "{said}");
    let [_, said] = run("match --report match.jsonl uttt greedy random");
    assert!(said.starts_with("error: the argument '--report <LOG>' cannot be used with"), "{said}");
}

/// A match that is killed again and again resumes, and its report is the same as without interruptions. Its log
/// contains every game once.
#[test]
fn a_killed_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let log = path.to_str().unwrap();
    let bot = format!("far={} bot entropy --name greedy", env!("CARGO_BIN_EXE_contender"));
    let command = |more: &[&str]| {
        let mut command = contender(&["match", "entropy", &bot, "random", "-n", "20", "--seed", "5"]);
        command.args(["--json", "-q"]).args(more).stdout(Stdio::piped());
        command
    };
    let games = || fs::read_to_string(&path).map_or(0, |text| text.matches('\n').count());
    let mut kills = 0;
    for most in [3, 9, 17, 26] {
        let mut running = command(&["--log", log, "-j", "2"]).stdout(Stdio::null()).spawn().unwrap();
        assert!(wait_for(|| (games() >= most).then_some(())).is_some(), "{} games", games());
        running.kill().unwrap();
        running.wait().unwrap();
        kills += u32::from(games() < 40);
    }
    assert!(kills > 0, "all games were played before the first kill");
    let gone_on = command(&["--log", log, "-j", "3"]).output().unwrap();
    let whole = command(&["-j", "1"]).output().unwrap();
    assert_eq!(report(&gone_on.stdout), report(&whole.stdout));
    let text = fs::read_to_string(&path).unwrap();
    let game = |line| serde_json::from_str::<serde_json::Value>(line).unwrap()["match"]["game"].as_u64();
    let mut numbers: Vec<u64> = text.lines().map(|line| game(line).unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=40).collect::<Vec<u64>>());
    // If the match is complete, the same command plays nothing.
    let again = command(&["--log", log]).output().unwrap();
    assert_eq!(report(&again.stdout), report(&whole.stdout));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    // Another match does not write to this log.
    let other = command(&["--log", log, "--time", "20s"]).stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8_lossy(&other.stderr);
    assert_eq!(other.status.code(), Some(2), "{said}");
    assert!(said.contains("a game from a different match") && said.contains("choose another file"), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    // A torn game is played again, and a file that is not a log stays unchanged.
    fs::write(&path, &text[..text.len() - 20]).unwrap();
    let again = command(&["--log", log]).output().unwrap();
    assert_eq!(report(&again.stdout), report(&whole.stdout));
    assert_eq!(games(), 40);
    // The first game is also played again, wherever its line was torn.
    let first = text.find('\n').unwrap();
    for length in [12, first - 1] {
        fs::write(&path, &text[..length]).unwrap();
        let again = command(&["--log", log]).output().unwrap();
        assert_eq!(report(&again.stdout), report(&whole.stdout), "{length}");
        assert_eq!(games(), 40, "{length}");
    }
    for diary in ["dear diary", "dear diary\n", "{\"game\":\"uttt\",\"seed\":1", "{}"] {
        fs::write(&path, diary).unwrap();
        assert_eq!(command(&["--log", log]).output().unwrap().status.code(), Some(2));
        assert_eq!(fs::read_to_string(&path).unwrap(), diary);
    }
}
