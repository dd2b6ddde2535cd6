//! Games on other machines, with a real `nats-server`. If processes die or connections break, the games are still the
//! same as those of one process, each exactly once. Without a server, or without the right to create network
//! namespaces, a test prints a notice and passes.
//!
//! `scripts/soak-cluster.sh` plays the long form of the round. Its environment variables are `CONTENDER_ROUNDS`,
//! `CONTENDER_PAIRS`, `CONTENDER_NODES` and `CONTENDER_LONG`.
#![cfg(all(feature = "cluster", target_os = "linux"))]

mod foreign;
mod line;
mod page;
mod rounds;
mod same;
mod traps;
mod troubles;

use crate::formats::{schema, unlike};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const CONTENDER: &str = env!("CARGO_BIN_EXE_contender");

/// A server that belongs to one test.
struct Server {
    port: u16,
    folder: TempDir,
    process: Child,
}

fn nats() -> Option<&'static str> {
    let found = ["nats-server", "/usr/sbin/nats-server"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").stdout(Stdio::null()).status().is_ok());
    if found.is_none() {
        eprintln!("skipped: there is no nats-server (`apt install nats-server`)");
    }
    found
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Server {
    fn start() -> Option<Server> {
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        let process = Server::run(port, folder.path())?;
        Some(Server { port, folder, process })
    }

    /// Starts a server on all addresses, because workers in namespaces use other addresses.
    fn run(port: u16, folder: &Path) -> Option<Child> {
        let mut command = Command::new(nats()?);
        let store = folder.join("store");
        command.args(["-a", "0.0.0.0", "-p", &port.to_string(), "-js", "-sd"]).arg(store);
        let log = fs::File::create(folder.join("server.log")).unwrap();
        let child = command.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        wait_for(port);
        Some(child)
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    fn restart(&mut self) {
        self.process = Server::run(self.port, self.folder.path()).unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until a server answers on a port.
fn wait_for(port: u16) {
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < Duration::from_secs(20), "the server does not start");
        sleep(Duration::from_millis(20));
    }
}

/// A process that is killed at the end of the test.
struct Running(Child);

impl Running {
    fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn contender(home: &Path) -> Command {
    let mut command = Command::new(CONTENDER);
    command.env("HOME", home).env_remove("XDG_CONFIG_HOME").env_remove("XDG_CACHE_HOME").stdin(Stdio::null());
    command
}

fn worker(home: &Path, inside: Option<&str>, url: &str, number: usize) -> Running {
    let log = fs::File::create(home.join(format!("worker-{number}.log"))).unwrap();
    let mut command = match inside {
        Some(namespace) => {
            let mut command = Command::new("ip");
            command.args(["netns", "exec", namespace, CONTENDER]).env("HOME", home).stdin(Stdio::null());
            command
        }
        None => contender(home),
    };
    Running(
        command.args(["worker", "--on", url, "-j", "2"]).stdout(Stdio::null()).stderr(log).spawn().unwrap(),
    )
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// External bots travel with their files, and workers run commands only for users whom they trust.
#[test]
fn bots_travel_with_their_files_to_those_who_trust() {
    let Some(server) = Server::start() else { return };
    let home = tempfile::tempdir().unwrap();
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/entropy_bot.py");
    fs::copy(&bot, home.path().join("mine.py")).unwrap();
    let key = text(&contender(home.path()).args(["cluster", "key"]).output().unwrap());
    let url = server.url();
    let run = |trust: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let other = contender(folder.path())
            .args(["worker", "--on", &url, "-j", "1"])
            .args(trust)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let other = Running(other);
        let played = contender(home.path())
            .current_dir(home.path())
            .args(["match", "entropy", "mine=python3 mine.py", "random", "-n", "1", "--quiet", "--on", &url])
            .args(if trust.is_empty() { &["--end-with-input"][..] } else { &[] })
            .stdin(if trust.is_empty() { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        (other, played)
    };
    let (trusting, played) = run(&["--trust", key.trim()]);
    let played = played.wait_with_output().unwrap();
    assert!(played.status.success() && text(&played).contains("mine"), "{}", text(&played));
    drop(trusting);
    // A worker that trusts no one explains why it does not play. The match prints the same reason, because no other
    // worker plays.
    let (mut other, mut played) = run(&[]);
    let ends: [Box<dyn Read + Send>; 2] =
        [Box::new(other.0.stderr.take().unwrap()), Box::new(played.stderr.take().unwrap())];
    for mut reader in ends.map(BufReader::new) {
        let mut words = String::new();
        while !words.contains("--trust KEY") {
            assert!(reader.read_line(&mut words).unwrap() > 0, "{words}");
        }
        // Both outputs are read, so that neither process blocks on a full pipe.
        std::thread::spawn(move || reader.read_to_string(&mut words));
    }
    drop(played.stdin.take());
    assert_eq!(played.wait().unwrap().code(), Some(130));
}

/// Games with a time limit record the machine that played them and its speed; games with a node limit record only the
/// machine.
#[test]
fn games_name_their_machine() {
    let Some(server) = Server::start() else { return };
    let home = tempfile::tempdir().unwrap();
    let url = server.url();
    let _worker = worker(home.path(), None, &url, 0);
    for (nodes, clock) in [(&["--scale-clock"][..], true), (&["--nodes", "100"], false)] {
        let log = home.path().join(format!("{clock}.jsonl"));
        let mut command = contender(home.path());
        command.args(["match", "uttt", "random", "greedy", "-n", "2", "-q", "--on", &url]).args(nodes);
        let played = command.arg("--log").arg(&log).output().unwrap();
        assert!(played.status.success(), "{}", text(&played));
        for line in fs::read_to_string(&log).unwrap().lines() {
            let game: serde_json::Value = serde_json::from_str(line).unwrap();
            let machine = &game["machine"];
            assert!(machine["name"].as_str().is_some_and(|name| !name.is_empty()), "{line}");
            assert_eq!(machine["speed"].as_f64().is_some_and(|speed| speed > 0.0), clock, "{line}");
        }
    }
    assert!(page(home.path(), &url).contains(" of 2</td>"), "{}", page(home.path(), &url));
    let status = contender(home.path()).args(["cluster", "status", "--json", "--on", &url]).output().unwrap();
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    assert!(status["workers"][0]["speed"].as_f64().is_some_and(|speed| speed > 0.0), "{status}");
    assert_eq!(unlike(&status, &schema("cluster-status"), ""), None);
}

/// Returns the web app's page of the workers.
fn page(home: &Path, url: &str) -> String {
    let mut web = contender(home);
    web.args(["web", "--port", "0", "--on", url]).current_dir(home).stdout(Stdio::piped());
    let mut web = Running(web.spawn().unwrap());
    let mut words = String::new();
    let mut reader = BufReader::new(web.0.stdout.take().unwrap());
    reader.read_line(&mut words).unwrap();
    let host = words.split("http://").nth(1).unwrap().split('/').next().unwrap();
    let get = |path: &str| {
        let mut line = TcpStream::connect(host).unwrap();
        write!(line, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        line.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(get("/").contains("href=\"/workers\""), "{}", get("/"));
    get("/workers")
}
