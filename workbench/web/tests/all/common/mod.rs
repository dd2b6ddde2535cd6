//! A server on a project folder of its own, and requests to it as bytes.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod browser;

use contender_catalogue::OWN;
use contender_game::{contest::Contest, rules::Player};
use contender_league::{League, NewBot, NewLeagueGame, Store};
use contender_referee::{Entrant, Fixture, ParallelGames, Processes, Referee};
use contender_web::Server;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;

pub struct Site {
    pub folder: TempDir,
    pub host: String,
    pub token: String,
    pub secret: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

/// Returns a short game of Ultimate Tic-Tac-Toe as a line of a log.
pub fn log_line(a: &str, b: &str) -> String {
    let [a, b] = [a, b].map(|name| serde_json::to_string(name).unwrap());
    format!(
        "{{\"game\":\"uttt\",\"seed\":1,\"players\":[{a},{b}],\"setup\":[],\"moves\":[\"4 4\",\"4 3\",\"3 0\"],\"result\":\"1-0\",\"scores\":[1,0],\
         \"times_ms\":[[12.5,7.25],[3.0]],\"end\":[\"normal\",{{\"illegal\":{{\"reason\":\"no\",\"answer\":{b}}}}}],\"cpu_ms\":[null,null],\
         \"stderr\":[\"\",{b}],\"left_running\":[false,false],\"exit\":[null,null],\
         \"attributes\":[{{\"name\":\"depth\",\"player\":0,\"turn\":1,\"value\":{b}}}]}}\n"
    )
}

/// Returns the path of the `contender` program, which `cargo test` builds next to the tests.
pub fn contender() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.ancestors().nth(2).unwrap().join(format!("contender{}", std::env::consts::EXE_SUFFIX))
}

/// Leagues, matches and other jobs of the server need the program that `cargo build -p contender-cli` builds.
pub fn has_command() -> bool {
    let is_there = contender().is_file();
    if !is_there {
        eprintln!("skipped: no command beside the tests; `cargo build -p contender-cli` builds it");
    }
    is_there
}

/// Adds a league of Ultimate Tic-Tac-Toe with fast bots to the project.
pub fn add_league(project: &Path, dir: &str) {
    let contest = contender_catalogue::find("uttt").unwrap();
    let league = League::create(&project.join(dir), NewLeagueGame::Contest(contest)).unwrap();
    let mut store = Store::open(&league).unwrap();
    for (name, command) in [("greedy", "greedy"), ("random", "random"), ("second", "random")] {
        store.add(NewBot { name, command, in_place: true, ..NewBot::default() }).unwrap();
    }
}

/// Adds bots to a league: `bot-1` and so on.
pub fn add_bots(project: &Path, dir: &str, count: usize) {
    let mut store = Store::open(&League::open(&project.join(dir)).unwrap()).unwrap();
    for name in (1..=count).map(|number| format!("bot-{number}")) {
        let bot = NewBot { name: &name, command: "random", in_place: true, ..NewBot::default() };
        store.add(bot).unwrap();
    }
}

/// Adds a recorded game of every contest to the project: `entropy.jsonl` and so on.
pub fn add_games(project: &Path) {
    for contest in OWN {
        let bot = Entrant::parse(*contest, quick(*contest)).unwrap();
        let fixture = Fixture::between([&bot, &bot], 5, [1, 2]);
        let record = Referee::of(*contest).play(*contest, &fixture, &AtomicBool::new(false)).unwrap();
        assert!(Player::BOTH.iter().all(|&player| record.seats[player.index()].answers > 2));
        std::fs::write(project.join(format!("{}.jsonl", contest.name())), record.to_json() + "\n").unwrap();
    }
}

/// Adds a log to the project, `duel.jsonl`: `random` loses games to `greedy`, and two other bots play a game.
pub fn add_duel(project: &Path) {
    let contest = contender_catalogue::find("uttt").unwrap();
    let bots = ["greedy", "random", "bronze"].map(|bot| Entrant::parse(contest, bot).unwrap());
    let play = |[a, b]: [usize; 2], seed: u64| {
        let fixture = Fixture::between([&bots[a], &bots[b]], seed, [1, 2]);
        Referee::of(contest).play(contest, &fixture, &AtomicBool::new(false)).unwrap().to_json() + "\n"
    };
    let games = [[0, 1], [1, 0], [0, 2], [0, 1], [1, 0]].into_iter().zip(3..);
    std::fs::write(
        project.join("duel.jsonl"),
        games.map(|(pair, seed)| play(pair, seed)).collect::<String>(),
    )
    .unwrap();
}

/// Adds the files of a training run to the project. Its errors fall over time and are multiplied by `factor`.
pub fn add_training(project: &Path, name: &str, factor: f64) {
    let folder = project.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let head = json!({"recipe": {"kind": "treestrap", "game": "entropy"}, "length": {"minutes": 60.0}, "seed": 1,
        "games": 5000, "seconds": 2000.0, "state": null});
    std::fs::write(folder.join("checkpoint.json"), head.to_string()).unwrap();
    let line = |at: u32| {
        let (minutes, error) = (f64::from(at), factor / f64::from(at + 3));
        let line = json!({"minutes": minutes, "games": 100 * at, "round": at, "value error": error, "greedy": 100.0 - 300.0 * error});
        format!("{line}\n")
    };
    std::fs::write(folder.join("metrics.jsonl"), (1..30).map(line).collect::<String>()).unwrap();
}

/// Adds a finished tuning run to the project, in the folder `c`.
pub fn add_tuning(project: &Path) {
    let recipe =
        "game = \"uttt\"\nbot = \"classic\"\ngames = 80\nnoise = 100\nnodes = 5\n[parameters]\nc = {}\n";
    let order = contender_tune::RunOptions {
        seed: 1,
        folder: project.join("c"),
        is_new: false,
        is_plan_only: false,
        jobs: ParallelGames { jobs: Some(1) },
        processes: Processes::default(),
        workers: None,
    };
    let contest = contender_catalogue::find("uttt").unwrap();
    std::fs::write(project.join("tune.toml"), recipe).unwrap();
    let recipe = contender_tune::Recipe::read(&project.join("tune.toml")).unwrap();
    contender_tune::run(Some(contest), &recipe, &order, &AtomicBool::new(false), &mut |_| ()).unwrap();
}

/// The log of a game in the format of CodinGame's engine.
pub const ENGINE_LOG: &str = r#"{"errors":{"0":["",""],"1":["","oh"],"referee":["",""]},"outputs":{"0":["UP",""],"1":["","DOWN"],
    "referee":["",""]},"views":["KEY_FRAME 0\nfirst","INTERMEDIATE_FRAME 1\nlast"],"summaries":["",""],"ids":{"0":0,"1":1},
    "agents":[{"name":"a"},{"name":"b"}],"scores":{"0":1,"1":2},"tooltips":[]}"#;

/// Returns a bundled bot that answers at once: `greedy`, or else the weakest bot.
pub fn quick(contest: &dyn Contest) -> &'static str {
    let bots = contest.info().bots;
    bots.iter().find(|bot| bot.name == "greedy").unwrap_or(&bots[0]).name
}

impl Site {
    pub fn new() -> Site {
        Site::at("127.0.0.1")
    }

    pub fn at(listen: &str) -> Site {
        Site::of(listen, |server| server)
    }

    /// Creates a site whose server is changed by `make`.
    pub fn of(listen: &str, make: impl FnOnce(Server) -> Server) -> Site {
        crate::clicks::set_games();
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        std::fs::create_dir_all(project.join("sub")).unwrap();
        let secret = folder.path().join("secret.jsonl");
        std::fs::write(&secret, log_line("hidden", "hidden")).unwrap();
        std::fs::write(project.join("games.jsonl"), log_line("X & Y", "old")).unwrap();
        std::fs::write(project.join("broken.jsonl"), "{\"game\":\"uttt\",\"moves\":7}\n").unwrap();
        let evil = log_line("<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>");
        std::fs::write(project.join("evil.jsonl"), evil).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&secret, project.join("link.jsonl")).unwrap();
        let server = make(Server::bind(listen.parse().unwrap(), 0, &project, contender()).unwrap());
        let name = if listen == "0.0.0.0" { "127.0.0.1" } else { listen };
        let host = format!("{name}:{}", server.address().port());
        let token = server.url().split_once("token=").unwrap().1.to_string();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let thread = Some(std::thread::spawn(move || server.run(&flag).unwrap()));
        Site { folder, host, token, secret, stop, thread }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// Returns the address of a page.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    /// Returns the address of the first page with the token.
    pub fn pass(&self) -> String {
        self.url(&format!("/?token={}", self.token))
    }

    /// Returns the header with the token.
    pub fn cookie(&self) -> String {
        let port = self.host.split_once(':').unwrap().1;
        format!("Cookie: a=b; contender-{port}={}\r\n", self.token)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host), &[])
    }

    pub fn post(&self, path: &str, headers: &str, body: &[u8]) -> Answer {
        let length = body.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n{headers}\r\n",
            self.host
        );
        self.send(&head, body)
    }

    /// Sends a request whose head ends with an empty line. The connection is closed after the answer.
    pub fn send(&self, head: &str, body: &[u8]) -> Answer {
        let mut stream = self.connect();
        let head = head.replacen("\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1);
        stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
        let mut answer = Vec::new();
        // If the server refuses a body, it may close the connection before it has read everything.
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
        Answer { status, head: format!("{head}\r\n"), body: body.to_string() }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}
