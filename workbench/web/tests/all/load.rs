//! Many requests at once: all are answered, memory stays bounded, and connections in use are not closed.

use crate::common::{Site, add_league, contender, log_line};
use contender_league::{League, NewLeagueGame, Store, import};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A server in a process of its own, which is killed when this value is dropped.
struct Running {
    server: Child,
    host: String,
}

impl Running {
    fn of(project: &Path) -> Option<Running> {
        if !contender().is_file() {
            eprintln!("skipped: no command beside the tests; `cargo build -p contender-cli` builds it");
            return None;
        }
        let mut command = Command::new(contender());
        let mut server =
            command.args(["web", "--port", "0"]).arg(project).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let host = line.split_once("http://").unwrap().1.split_once('/').unwrap().0.to_string();
        Some(Running { server, host })
    }

    fn get(&self, path: &str) -> Option<String> {
        let mut stream = TcpStream::connect(&self.host).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(100))).ok()?;
        let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.host);
        stream.write_all(head.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        Some(answer)
    }

    /// Returns the server's memory in megabytes: the current and the maximum value.
    fn memory(&self) -> Option<[u64; 2]> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.id())).ok()?;
        let of = |name: &str| -> Option<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1000)
        };
        Some([of("VmRSS:")?, of("VmHWM:")?])
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Adds a league with `games` games between ten bots.
fn add_long_league(project: &Path, games: u64) {
    let contest = contender_catalogue::find("uttt").unwrap();
    let league = League::create(&project.join("league"), NewLeagueGame::Contest(contest)).unwrap();
    let lines = (0..games).map(|at| {
        let [a, b] = [at % 10, (at + 1 + at / 10 % 9) % 10].map(|number| format!("bot-{number}"));
        log_line(&a, &b).replacen("\"seed\":1", &format!("\"seed\":{at}"), 1)
    });
    let log = project.join("games.jsonl");
    std::fs::write(&log, lines.collect::<String>()).unwrap();
    let imported = import(&mut Store::open(&league).unwrap(), &log, "uttt", &mut |_| true).unwrap();
    assert_eq!(imported.new, games, "{imported:?}");
}

#[test]
fn five_hundred_at_once_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    add_long_league(folder.path(), 1206);
    let Some(running) = Running::of(folder.path()) else { return };
    let before = running.memory();
    // Every client requests the same page, and then a page of its own.
    let [answered, apart] = [AtomicUsize::new(0), AtomicUsize::new(0)];
    std::thread::scope(|scope| {
        for number in 0..500 {
            let (running, answered, apart) = (&running, &answered, &apart);
            scope.spawn(move || {
                let page = "/league?dir=league";
                let answer = running.get(page).unwrap_or_default();
                let is_whole = answer.starts_with("HTTP/1.1 200") && answer.ends_with("</html>");
                answered.fetch_add(usize::from(is_whole), Ordering::Relaxed);
                let answer = running.get(&format!("/log?file=games.jsonl&from={number}")).unwrap_or_default();
                let is_whole = answer.starts_with("HTTP/1.1 200") && answer.ends_with("</html>");
                apart.fetch_add(usize::from(is_whole), Ordering::Relaxed);
            });
        }
    });
    assert_eq!([answered, apart].map(AtomicUsize::into_inner), [500, 500]);
    if let (Some([first, _]), Some([now, most])) = (before, running.memory()) {
        println!("{first} MB before, {now} MB after, {most} MB at most");
        assert!(most < first + 200, "{first} MB before, {most} MB at most");
    }
}

/// New connections do not close a connection that follows a league, with or without the token.
#[test]
fn connections_that_wait_push_out_none_in_use() {
    let site = Site::new();
    add_league(&site.folder.path().join("project"), "league");
    let follow = |cookie: &str| {
        let mut stream = site.connect();
        let head = format!("GET /league/live?dir=league HTTP/1.1\r\nHost: {}\r\n{cookie}\r\n", site.host);
        stream.write_all(head.as_bytes()).unwrap();
        let mut first = [0; 100];
        stream.read_exact(&mut first).unwrap();
        stream
    };
    let followed = [follow(&site.cookie()), follow("")];
    let idle: Vec<TcpStream> = (0..1000).map_while(|_| TcpStream::connect(&site.host).ok()).collect();
    assert_eq!(site.get("/").status, 200);
    let only_followed: Vec<TcpStream> = (0..500).map(|_| follow("")).collect();
    assert_eq!(site.get("/").status, 200);
    for (mut stream, is_known) in followed.into_iter().zip([true, false]) {
        stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        let mut rest = [0; 1 << 16];
        let is_open = loop {
            match stream.read(&mut rest) {
                Ok(0) => break false,
                Ok(_) => {}
                Err(error) => break matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
            }
        };
        assert_eq!(is_open, is_known, "the first of too many without the token makes room, none with it");
    }
    drop((idle, only_followed));
}
