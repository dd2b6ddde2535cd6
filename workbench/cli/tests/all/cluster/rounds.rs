//! If processes die or connections break, the games are still the same as those of one process, each exactly once.

use super::line::Line;
use super::{Running, Server, contender, worker};
use std::fs;
use std::net::IpAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A network namespace. Its connection loses packets if the kernel supports it, and can be cut.
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
                eprintln!("without loss of packets: {}", String::from_utf8_lossy(&slow.stderr).trim());
            }
            return Some(namespace);
        }
        eprintln!("without network namespaces: {}", String::from_utf8_lossy(&made.stderr).trim());
        None
    }

    /// Returns this machine's address as the namespace sees it.
    fn outside(&self) -> IpAddr {
        [10, 213, 100 + self.1, 1].into()
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

/// The connection of a distant worker, in a namespace if the system allows one.
struct Far {
    line: Line,
    namespace: Option<Namespace>,
}

impl Far {
    fn from(server: &Server) -> Far {
        let namespace = Namespace::make(0);
        let outside = namespace.as_ref().map_or([127, 0, 0, 1].into(), Namespace::outside);
        Far { line: Line::to(server.port, outside), namespace }
    }

    fn worker(&self, home: &Path, number: usize) -> Running {
        let inside = self.namespace.as_ref().map(|namespace| namespace.0.as_str());
        worker(home, inside, &self.line.url(), number)
    }

    fn cut(&self, is_cut: bool) {
        self.line.cut(is_cut);
        self.namespace.iter().for_each(|namespace| namespace.cut(is_cut));
    }
}

/// Returns every game of a log in the order of the match, without the fields that depend on clocks and machines. The
/// games must be those that one process would play.
fn games(log: &Path) -> Vec<String> {
    let text = fs::read_to_string(log).unwrap_or_default();
    let mut games: Vec<(u64, String)> = text
        .lines()
        .map(|line| {
            let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
            let fields = game.as_object_mut().unwrap();
            let number = fields["match"]["game"].as_u64().unwrap();
            ["times_ms", "delays_ms", "stolen_ms", "cpu_ms", "idle_cpu_ms", "machine"]
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

/// The settings of a round.
struct Round {
    seed: u64,
    pairs: u64,
    nodes: u64,
    ack_wait: Duration,
    stop: Duration,
    cut: Duration,
}

/// Plays a match on three workers while every process dies once, at random moments and in random order.
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
    let far = Far::from(&server);
    let near = server.url();
    let mut workers = [
        worker(home.path(), None, &near, 0),
        worker(home.path(), None, &near, 1),
        far.worker(home.path(), 2),
    ];
    let ack_wait = format!("{}ms", round.ack_wait.as_millis());
    let on = ["--on", &near, "--ack-wait", &ack_wait];
    let begin = || Running(command(&log, &on).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let mut coordinator = begin();
    // The seed determines when each event happens, so that a round can be repeated.
    let mut random = round.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut draw = |below: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below
    };
    let mut events: Vec<(u64, u8)> = (0..7).map(|what| (1 + draw(round.pairs * 2 * 3 / 4), what)).collect();
    events.sort_unstable();
    let mut resumes: Vec<(Instant, u8)> = Vec::new();
    // The duration of a game depends on the machine's load, so the test only checks that games keep finishing.
    let mut seen = (0, Instant::now());
    let mut goes_on = || {
        let now = lines(&log);
        if now != seen.0 {
            seen = (now, Instant::now());
        }
        assert!(seen.1.elapsed() < Duration::from_secs(600), "nothing goes on after {now} games");
        now
    };
    for (count, what) in events {
        while goes_on() < count as usize && coordinator.0.try_wait().unwrap().is_none() {
            resume_due(&mut resumes, &workers[1], &far);
            sleep(Duration::from_millis(5));
        }
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
                far.cut(true);
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
            5 => far.line.hang_up(),
            _ => {
                coordinator.0.kill().unwrap();
                coordinator.0.wait().unwrap();
                coordinator = begin();
            }
        }
    }
    let status = loop {
        resume_due(&mut resumes, &workers[1], &far);
        if let Some(status) = coordinator.0.try_wait().unwrap() {
            break status;
        }
        goes_on();
        sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "{status}");
    resumes.into_iter().for_each(|(_, what)| resume(what, &workers[1], &far));
    assert!(command(&local, &["-j", "2"]).stdout(Stdio::null()).status().unwrap().success());
    let (ours, theirs) = (games(&local), games(&log));
    assert_eq!(theirs.len() as u64, 2 * round.pairs);
    assert!(ours == theirs, "the games differ from those of one process");
}

/// Resumes the processes and connections that were stopped for long enough.
fn resume_due(resumes: &mut Vec<(Instant, u8)>, stopped: &Running, far: &Far) {
    resumes.retain(|&(time, what)| {
        let is_due = time <= Instant::now();
        if is_due {
            resume(what, stopped, far);
        }
        !is_due
    });
}

fn resume(what: u8, stopped: &Running, far: &Far) {
    match what {
        1 => stopped.signal("CONT"),
        _ => far.cut(false),
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
