//! Known problems with job queues, each provoked by a test.

use super::line::Line;
use super::troubles::{ask, jetstream, served};
use super::{Running, contender, text, worker};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Returns the server's answer to a request about JetStream.
fn api(port: u16, subject: &str, words: &str) -> Value {
    let answer = ask(port, &format!("$JS.API.{subject}"), words);
    serde_json::from_str(answer.lines().last().unwrap()).unwrap()
}

/// Waits for the workers' consumer and returns its name.
fn consumer(port: u16) -> String {
    let start = Instant::now();
    loop {
        let names = api(port, "CONSUMER.NAMES.CONTENDER_JOBS", "");
        if let Some(name) = names["consumers"][0].as_str() {
            return name.to_string();
        }
        assert!(start.elapsed() < NEVER, "there is no consumer: {names}");
        sleep(Duration::from_millis(20));
    }
}

/// Returns the server's data on the workers' consumer.
fn info(port: u16) -> Value {
    api(port, &format!("CONSUMER.INFO.CONTENDER_JOBS.{}", consumer(port)), "")
}

/// Time limit for an event: it is longer than even the busiest machine needs.
const NEVER: Duration = Duration::from_secs(600);

/// Returns a counter of the stream of jobs: `messages` counts the jobs on the server now, `last_seq` all jobs so far.
fn jobs(port: u16, what: &str) -> u64 {
    api(port, "STREAM.INFO.CONTENDER_JOBS", "")["state"][what].as_u64().unwrap()
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < NEVER, "{what}");
        sleep(Duration::from_millis(20));
    }
}

/// Returns the command for a match of one pair.
fn pair(home: &Path, url: &str, more: &[&str]) -> Command {
    pairs("1", home, url, more)
}

/// Returns the command for a match between `random` and the bot in `more`.
fn pairs(count: &str, home: &Path, url: &str, more: &[&str]) -> Command {
    let mut command = contender(home);
    command.current_dir(home).args(["match", "uttt", "random", "-n", count, "-q", "--on", url]).args(more);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Waits until a match has succeeded.
fn ends_well(mut played: Child) {
    let start = Instant::now();
    while played.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < NEVER, "the match does not end");
        sleep(Duration::from_millis(20));
    }
    assert!(played.wait().unwrap().success());
}

/// A game that takes more than twice the server's wait for a sign of life is handed out only once.
#[test]
fn a_long_game_is_not_handed_out_again() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let Some((_server, port)) = served(home, &jetstream(home)) else { return };
    let url = format!("nats://127.0.0.1:{port}");
    // The workers are there before the match and its shorter wait.
    let _workers = [0, 1].map(|_| {
        let mut worker = contender(home);
        worker.args(["worker", "--on", &url, "-j", "1", "--trust", "any"]).stderr(Stdio::null());
        Running(worker.spawn().unwrap())
    });
    until("nobody asks", || info(port)["num_waiting"] == 2);
    fs::write(home.join("bot"), "sleep 12").unwrap();
    let words = ["x=sh bot", "--time", "30s", "--ack-wait", "5s"];
    ends_well(pair(home, &url, &words).spawn().unwrap());
    let seen = info(port);
    assert_eq!(seen["delivered"]["consumer_seq"], 2, "{seen}");
}

/// The coordinator updates the settings of an old consumer, which allows only one job in flight for all workers and
/// waits for half an hour. If the consumer cannot be changed, the coordinator reports it.
#[test]
fn settings_of_a_consumer_that_is_there_are_brought_up_to_date() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let Some((_server, port)) = served(home, &jetstream(home)) else { return };
    let url = format!("nats://127.0.0.1:{port}");
    drop(worker(home, None, &url, 0));
    let name = {
        let _worker = worker(home, None, &url, 0);
        consumer(port)
    };
    let made = |settings: &str| {
        api(port, &format!("CONSUMER.DELETE.CONTENDER_JOBS.{name}"), "");
        let filter = format!("contender.jobs.{}.>", name.strip_prefix("workers-").unwrap());
        let config = format!(
            r#"{{"stream_name":"CONTENDER_JOBS","config":{{"durable_name":"{name}","filter_subject":"{filter}",
            "deliver_policy":"all","replay_policy":"instant",{settings}}}}}"#
        );
        let made = api(port, &format!("CONSUMER.DURABLE.CREATE.CONTENDER_JOBS.{name}"), &config);
        assert!(made["error"].is_null(), "{made}");
    };
    made(r#""ack_policy":"explicit","max_ack_pending":1,"ack_wait":1800000000000,"max_waiting":100000"#);
    let _worker = worker(home, None, &url, 1);
    ends_well(pair(home, &url, &["greedy", "--ack-wait", "5s"]).spawn().unwrap());
    let config = &info(port)["config"];
    assert_eq!([&config["max_ack_pending"], &config["ack_wait"]], [-1, 5_000_000_000_i64], "{config}");
    made(r#""ack_policy":"explicit","max_waiting":7"#);
    let refused = contender(home)
        .args(["match", "uttt", "random", "greedy", "-n", "1", "-q", "--on", &url])
        .output()
        .unwrap();
    assert!(!refused.status.success() && text(&refused).contains(&name), "{}", text(&refused));
}

/// A worker that waits for a job asks again after its connection breaks, even if the connection is cut without notice.
#[test]
fn a_question_that_is_lost_with_its_line_is_asked_anew() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let Some((_server, port)) = served(home, &jetstream(home)) else { return };
    let url = format!("nats://127.0.0.1:{port}");
    let line = Line::to(port, [127, 0, 0, 1].into());
    let _worker = worker(home, None, &line.url(), 0);
    consumer(port);
    let breaks: [&dyn Fn(); 2] = [&|| line.hang_up(), &|| line.cut(true)];
    for broken in breaks {
        // The worker has two slots, and each one asks for a job.
        until("nobody asks", || info(port)["num_waiting"].as_u64() >= Some(2));
        let before = jobs(port, "last_seq");
        broken();
        let played = pair(home, &url, &["greedy", "--ack-wait", "2s"]).spawn().unwrap();
        // If the connection is cut, the server may hand the jobs to the worker, which does not receive them.
        until("no jobs are handed out", || jobs(port, "last_seq") >= before + 2);
        line.cut(false);
        ends_well(played);
    }
}

/// A job or a result that is too large for a message is reported, and neither side waits for it.
#[test]
fn messages_above_the_servers_size_are_said() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let settings = format!("max_payload: 2000\n{}", jetstream(home));
    let Some((_server, port)) = served(home, &settings) else { return };
    let url = format!("nats://127.0.0.1:{port}");
    let mut worker = contender(home);
    worker.args(["worker", "--on", &url, "-j", "1", "--trust", "any"]).stderr(Stdio::null());
    let _worker = Running(worker.spawn().unwrap());
    fs::write(home.join("bot"), "printf '%4000d' 1 >&2").unwrap();
    let long = format!("x=sh bot {}", "a".repeat(2000));
    for (bot, words) in [(long.as_str(), "a job has"), ("x=sh bot", "a result has")] {
        let played = pair(home, &url, &[bot]).stderr(Stdio::piped()).spawn().unwrap();
        let said = text(&played.wait_with_output().unwrap());
        assert!(
            said.contains(words) && said.contains("the server accepts only 2000 (`max_payload`)"),
            "{said}"
        );
    }
}

/// Jobs that end every worker that starts them count as games that cannot be played.
#[test]
fn a_job_that_never_comes_back_is_given_up() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let Some((_server, port)) = served(home, &jetstream(home)) else { return };
    let url = format!("nats://127.0.0.1:{port}");
    let played = pair(home, &url, &["greedy"]).stderr(Stdio::piped()).spawn().unwrap();
    let next = format!("$JS.API.CONSUMER.MSG.NEXT.CONTENDER_JOBS.{}", consumer(port));
    // If workers died, the server would wait for their jobs. This client returns every job at once instead.
    let mut line = TcpStream::connect(("127.0.0.1", port)).unwrap();
    line.write_all(b"CONNECT {\"verbose\":false,\"headers\":true}\r\nSUB here 1\r\n").unwrap();
    let mut heard = BufReader::new(line.try_clone().unwrap()).lines().map(Result::unwrap);
    for _ in 0..2 * 20 {
        line.write_all(format!("PUB {next} here 0\r\n\r\n").as_bytes()).unwrap();
        let job = heard.find(|line| line.contains("MSG contender.jobs.")).unwrap();
        let reply = job.split(' ').nth(3).unwrap();
        line.write_all(format!("PUB {reply} 4\r\n-NAK\r\n").as_bytes()).unwrap();
    }
    let _worker = worker(home, None, &url, 0);
    let said = text(&played.wait_with_output().unwrap());
    assert!(said.contains("times without a result"), "{said}");
}

/// A match of a million games is planned on the coordinator's machine. The server holds only a few jobs per worker
/// slot.
#[test]
fn a_million_games_do_not_fill_the_server() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let Some((_server, port)) = served(home, &jetstream(home)) else { return };
    let url = format!("nats://127.0.0.1:{port}");
    let mut played = pairs("500000", home, &url, &["greedy", "--log", "log"]);
    played.stderr(Stdio::piped());
    let mut played = Running(played.spawn().unwrap());
    let mut said = BufReader::new(played.0.stderr.take().unwrap()).lines().map_while(Result::ok);
    // The message appears some seconds after jobs have begun to wait.
    assert!(said.any(|line| line.contains("no worker of version")));
    assert_eq!(jobs(port, "messages"), 8);
    let _worker = worker(home, None, &url, 0);
    until("nothing is played", || fs::read(home.join("log")).is_ok_and(|log| !log.is_empty()));
    // Finished jobs stay on the server until it has received their acknowledgement.
    for _ in 0..50 {
        let jobs = jobs(port, "messages");
        assert!(jobs <= 16, "{jobs}");
    }
    let status = fs::read_to_string(format!("/proc/{}/status", played.0.id())).unwrap();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = most.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kilobytes < 200_000, "{most}");
}
