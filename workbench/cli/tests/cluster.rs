//! Games on other machines, with a real `nats-server`: whatever dies or is cut off, the games are those of one process,
//! each once. Where there is no server, or no right to make network namespaces, the test says so and passes.
//!
//! `scripts/soak-cluster.sh` plays the long form of the round: `CONTENDER_ROUNDS`, `CONTENDER_PAIRS`,
//! `CONTENDER_NODES` and `CONTENDER_LONG` are its environment.
#![cfg(all(feature = "cluster", target_os = "linux"))]

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const CONTENDER: &str = env!("CARGO_BIN_EXE_contender");

/// A server of the test's own.
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

    /// On all addresses: workers in namespaces come from others.
    fn run(port: u16, folder: &Path) -> Option<Child> {
        let mut command = Command::new(nats()?);
        let store = folder.join("store");
        command.args(["-a", "0.0.0.0", "-p", &port.to_string(), "-js", "-sd"]).arg(store);
        let log = fs::File::create(folder.join("server.log")).unwrap();
        let child = command.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let start = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(20), "the server does not start");
            sleep(Duration::from_millis(20));
        }
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

/// A process that does not outlive the test.
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

fn worker(home: &Path, inside: Option<&Namespace>, url: &str, number: usize) -> Running {
    let log = fs::File::create(home.join(format!("worker-{number}.log"))).unwrap();
    let mut command = match inside {
        Some(namespace) => {
            let mut command = Command::new("ip");
            command.args(["netns", "exec", &namespace.0, CONTENDER]).env("HOME", home).stdin(Stdio::null());
            command
        }
        None => contender(home),
    };
    Running(
        command.args(["worker", "--on", url, "-j", "2"]).stdout(Stdio::null()).stderr(log).spawn().unwrap(),
    )
}

/// A network namespace with a slow line that loses packets, which is cut at will.
struct Namespace(String, u8);

impl Namespace {
    fn make(number: u8) -> Option<Namespace> {
        let name = format!("contender{}-{number}", std::process::id());
        let subnet = 100 + number;
        let (outer, inner) = (
            format!("ct{}o{number}", std::process::id() % 100_000),
            format!("ct{}i{number}", std::process::id() % 100_000),
        );
        let line = format!(
            "ip netns add {name} && ip link add {outer} type veth peer name {inner} && ip link set {inner} netns {name} && \
             ip addr add 10.213.{subnet}.1/24 dev {outer} && ip link set {outer} up && \
             ip -n {name} addr add 10.213.{subnet}.2/24 dev {inner} && ip -n {name} link set {inner} up && \
             ip -n {name} link set lo up"
        );
        let netem =
            format!("ip netns exec {name} tc qdisc add dev {inner} root netem delay 20ms 5ms loss 1%");
        let made = Command::new("bash").args(["-c", &line]).output().unwrap();
        let namespace = Namespace(name, number);
        if made.status.success() {
            let slow = Command::new("bash").args(["-c", &netem]).output().unwrap();
            if !slow.status.success() {
                eprintln!("without delay and loss: {}", String::from_utf8_lossy(&slow.stderr).trim());
            }
            return Some(namespace);
        }
        eprintln!("without network namespaces: {}", String::from_utf8_lossy(&made.stderr).trim());
        None
    }

    fn url(&self, server: &Server) -> String {
        format!("nats://10.213.{}.1:{}", 100 + self.1, server.port)
    }

    fn cut(&self, is_cut: bool) {
        let device = format!("ct{}o{}", std::process::id() % 100_000, self.1);
        let state = if is_cut { "down" } else { "up" };
        assert!(Command::new("ip").args(["link", "set", &device, state]).status().unwrap().success());
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let _ = Command::new("ip").args(["netns", "delete", &self.0]).output();
    }
}

/// What one process would have played: every game without what clocks say, in the order of the match, and the report's
/// count of games.
fn games(log: &Path) -> Vec<String> {
    let text = fs::read_to_string(log).unwrap_or_default();
    let mut games: Vec<(u64, String)> = text
        .lines()
        .map(|line| {
            let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
            let fields = game.as_object_mut().unwrap();
            let number = fields["match"]["game"].as_u64().unwrap();
            ["times_ms", "delays_ms", "cpu_ms", "idle_cpu_ms"]
                .iter()
                .for_each(|name| drop(fields.remove(*name)));
            (number, game.to_string())
        })
        .collect();
    games.sort();
    games.into_iter().map(|(_, game)| game).collect()
}

fn lines(log: &Path) -> usize {
    fs::read(log).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

fn variable(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The times of a round.
struct Round {
    seed: u64,
    pairs: u64,
    nodes: u64,
    ack_wait: Duration,
    stop: Duration,
    cut: Duration,
}

/// A match over three workers while everything dies once: at random places of the match, in random order.
fn round(round: &Round) {
    let Some(mut server) = Server::start() else { return };
    let home = tempfile::tempdir().unwrap();
    let (local, log) = (home.path().join("local.jsonl"), home.path().join("cluster.jsonl"));
    let command = |log: &Path, more: &[&str]| {
        let mut command = contender(home.path());
        let numbers = [round.pairs, round.nodes, round.seed].map(|number| number.to_string());
        command.args(["match", "uttt", "uct", "greedy", "-n", &numbers[0], "--nodes", &numbers[1]]);
        command.args(["--seed", &numbers[2], "--quiet", "--json", "--log"]).arg(log).args(more);
        command
    };
    let namespace = Namespace::make(0);
    let far = namespace.as_ref().map_or_else(|| server.url(), |namespace| namespace.url(&server));
    let near = server.url();
    let mut workers = [
        worker(home.path(), None, &near, 0),
        worker(home.path(), None, &near, 1),
        worker(home.path(), namespace.as_ref(), &far, 2),
    ];
    let ack_wait = format!("{}ms", round.ack_wait.as_millis());
    let on = ["--on", &near, "--ack-wait", &ack_wait];
    let begin = || Running(command(&log, &on).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let mut coordinator = begin();
    // Where in the match what happens: from the seed, so that a round can be played again.
    let mut luck = round.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut draw = |below: u64| {
        luck ^= luck << 13;
        luck ^= luck >> 7;
        luck ^= luck << 17;
        luck % below
    };
    let mut events: Vec<(u64, u8)> = (0..6).map(|what| (1 + draw(round.pairs * 2 * 3 / 4), what)).collect();
    events.sort_unstable();
    let mut resumes = Vec::new();
    let wait_for = |count: u64, coordinator: &mut Running| {
        let start = Instant::now();
        while lines(&log) < count as usize && coordinator.0.try_wait().unwrap().is_none() {
            assert!(
                start.elapsed() < Duration::from_secs(400),
                "nothing goes on after {} games",
                lines(&log)
            );
            sleep(Duration::from_millis(5));
        }
    };
    for (count, what) in events {
        wait_for(count, &mut coordinator);
        match what {
            0 => {
                workers[0].0.kill().unwrap();
                workers[0] = worker(home.path(), None, &near, 3);
            }
            1 => {
                workers[1].signal("STOP");
                resumes.push((Instant::now() + round.stop, 1));
            }
            2 => {
                if let Some(namespace) = &namespace {
                    namespace.cut(true);
                }
                resumes.push((Instant::now() + round.cut, 2));
            }
            3 => {
                server.kill();
                server.restart();
            }
            4 => {
                server.kill();
                fs::remove_dir_all(server.folder.path().join("store")).unwrap();
                server.restart();
            }
            _ => {
                coordinator.0.kill().unwrap();
                coordinator.0.wait().unwrap();
                coordinator = begin();
            }
        }
        resumes.retain(|&(time, what)| {
            time > Instant::now() || {
                resume(what, &workers[1], namespace.as_ref());
                false
            }
        });
    }
    let start = Instant::now();
    let status = loop {
        resumes.retain(|&(time, what)| {
            time > Instant::now() || {
                resume(what, &workers[1], namespace.as_ref());
                false
            }
        });
        if let Some(status) = coordinator.0.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < Duration::from_secs(600), "nothing goes on after {} games", lines(&log));
        sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "{status}");
    resumes.into_iter().for_each(|(_, what)| resume(what, &workers[1], namespace.as_ref()));
    assert!(command(&local, &["-j", "2"]).stdout(Stdio::null()).status().unwrap().success());
    let (ours, theirs) = (games(&local), games(&log));
    assert_eq!(theirs.len() as u64, 2 * round.pairs);
    assert!(ours == theirs, "the games differ from those of one process");
}

fn resume(what: u8, stopped: &Running, namespace: Option<&Namespace>) {
    match (what, namespace) {
        (1, _) => stopped.signal("CONT"),
        (_, Some(namespace)) => namespace.cut(false),
        _ => {}
    }
}

#[test]
fn nothing_is_lost_and_nothing_counts_twice() {
    let is_long = variable("CONTENDER_LONG", 0) > 0;
    let seconds = |short: u64, long: u64| Duration::from_secs(if is_long { long } else { short });
    for seed in 1..=variable("CONTENDER_ROUNDS", 1) {
        let start = Instant::now();
        round(&Round {
            seed: seed + variable("CONTENDER_FIRST", 0),
            pairs: variable("CONTENDER_PAIRS", 150),
            nodes: variable("CONTENDER_NODES", 300),
            ack_wait: seconds(3, 30),
            stop: seconds(5, 40),
            cut: seconds(3, 20),
        });
        eprintln!("round {seed}: {:.0} s", start.elapsed().as_secs_f64());
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// External bots travel with their files, and only jobs of those whom a worker trusts run commands.
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
    // A worker that trusts nobody says why it does not play.
    let (mut other, mut played) = run(&[]);
    let mut words = String::new();
    let mut reader = std::io::BufReader::new(other.0.stderr.take().unwrap());
    while !words.contains("--trust KEY") {
        assert!(std::io::BufRead::read_line(&mut reader, &mut words).unwrap() > 0, "{words}");
    }
    drop(played.stdin.take());
    assert_eq!(played.wait().unwrap().code(), Some(130));
}

/// What a user hears where something is not as it should be, each with a remedy.
#[test]
fn what_is_wrong_is_said_with_its_remedy() {
    let home = tempfile::tempdir().unwrap();
    let run = |url: &str, variables: &[(&str, &str)]| {
        let mut command = contender(home.path());
        command.args(["match", "uttt", "random", "random", "-n", "1", "-q", "--on", url]);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        assert!(!output.status.success());
        text(&output)
    };
    let nobody = run(&format!("nats://127.0.0.1:{}", free_port()), &[]);
    assert!(nobody.contains("apt install nats-server"), "{nobody}");
    let visible = run("nats://me:secret@127.0.0.1:1", &[]);
    assert!(visible.contains("CONTENDER_NATS_PASSWORD_FILE") && !visible.contains("secret"), "{visible}");
    if nats().is_none() {
        return;
    }
    let bare = contender(home.path()).args(["cluster", "up", "--listen", "0.0.0.0"]).output().unwrap();
    assert!(bare.status.code() == Some(2) && text(&bare).contains("CONTENDER_NATS_USER"), "{}", text(&bare));
    // A server with a password, as `cluster up` starts it.
    let port = free_port().to_string();
    let store: PathBuf = home.path().join("store");
    let user = [("CONTENDER_NATS_USER", "me"), ("CONTENDER_NATS_PASSWORD", "right")];
    let mut up = contender(home.path());
    up.args(["cluster", "up", "--port", &port, "--store"]).arg(&store).envs(user);
    let up = Running(up.stderr(Stdio::null()).spawn().unwrap());
    let url = format!("nats://127.0.0.1:{port}");
    let status = |variables: &[(&str, &str)]| {
        let mut command = contender(home.path());
        text(
            &command
                .args(["cluster", "status", "--on", &url])
                .envs(variables.iter().copied())
                .output()
                .unwrap(),
        )
    };
    let start = Instant::now();
    while !status(&user).contains("0 workers") {
        assert!(start.elapsed() < Duration::from_secs(60), "{}", status(&user));
    }
    let password = home.path().join("password");
    fs::write(&password, "right\n").unwrap();
    let file = [("CONTENDER_NATS_USER", "me"), ("CONTENDER_NATS_PASSWORD_FILE", password.to_str().unwrap())];
    assert!(status(&file).contains("0 workers"));
    let wrong = run(&url, &[user[0], ("CONTENDER_NATS_PASSWORD", "wrong")]);
    assert!(wrong.contains("does not let us in"), "{wrong}");
    // It ends the server with it.
    let mut up = up;
    up.signal("TERM");
    assert!(up.0.wait().unwrap().success());
    assert!(std::net::TcpStream::connect(("127.0.0.1", port.parse::<u16>().unwrap())).is_err());
}
