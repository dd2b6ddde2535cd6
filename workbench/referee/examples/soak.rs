//! Plays thousands of short games. In one game in ten, one bot misbehaves. The program checks that every game has the
//! ending that it must have, that the log contains all games, and that no process, descriptor or temporary file is
//! left.
//!
//! The first argument is the number of games (default 2,000), and the second is the number of games at a time (default
//! 2). The exit code is 1 if a check fails.
//!
//! `cargo run --release -p contender-referee --example soak`

#[path = "../zoo/bots.rs"]
mod bots;
#[path = "../tests/common/mod.rs"]
mod common;

use common::COUNTING;
use contender_game::{contest::Limits, rules::mix};
use contender_referee::{
    CommandLine, Cores, Entrant, Fixture, Isolation, Program, Record, Referee, ResourceLimits, read_log,
};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Bots that misbehave, each with the kinds of endings that its game may have.
const ZOO: [(&str, &[&str]); 24] = [
    ("crash-at-start", &["crash"]),
    ("exit-at-start", &["exit"]),
    ("crash 2", &["crash"]),
    ("crash-after 5", &["normal"]),
    ("exit 3", &["exit"]),
    ("fails-at-quit", &["normal"]),
    ("hang 2", &["timeout"]),
    ("hang-ignoring-sigterm 2", &["timeout"]),
    ("late-ms 2 501", &["timeout"]),
    ("half-line 2", &["timeout"]),
    ("slow-line 3", &["normal"]),
    ("deaf", &["timeout"]),
    ("flood 1", &["flood", "illegal"]),
    ("endless-line 1", &["flood"]),
    ("flood-stderr-always", &["normal"]),
    ("invalid-utf8 1", &["invalid-utf8"]),
    ("illegal 2", &["illegal"]),
    ("early", &["illegal"]),
    ("twice 1", &["illegal"]),
    ("closes-stdout 1", &["closed-stdout"]),
    ("ignores-quit", &["normal"]),
    ("daemon", &["normal"]),
    ("orphan", &["normal"]),
    ("eats-memory 2", &["memory"]),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(("bot", rest)) = arguments.split_first().map(|(first, rest)| (&first[..], rest)) {
        bots::run(rest);
        return ExitCode::SUCCESS;
    }
    let number = |at: usize, default: u64| {
        arguments
            .get(at)
            .map_or(default, |text| text.parse().expect("a number of games, and of games at once"))
    };
    let (games, slots) = (number(0, 2000), number(1, 2));
    let before = (descriptors(), temporary_files());
    let start = Instant::now();
    let log = std::env::temp_dir().join(format!("contender-soak-{}.jsonl", std::process::id()));
    let mut tally = Tally::default();
    play(games, slots, &log, &mut tally);
    let logged =
        read_log(BufReader::new(File::open(&log).expect("the log"))).filter(Result::is_ok).count() as u64;
    fs::remove_file(&log).expect("the log");
    let elapsed = start.elapsed().as_secs_f64();

    println!("{games} games, {slots} at once, {elapsed:.1} s, {:.0} games a second", games as f64 / elapsed);
    for (kind, count) in &tally.kinds {
        println!("{count:>7}  {kind}");
    }
    tally.expect("games played", games, tally.played);
    tally.expect("games in the log", games, logged);
    tally.expect("processes left", 0, children());
    tally.expect("descriptors", before.0, descriptors());
    tally.expect("temporary files", before.1, temporary_files());
    for wrong in &tally.wrong {
        println!("WRONG: {wrong}");
    }
    if tally.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Default)]
struct Tally {
    played: u64,
    /// Number of games for each kind of ending of the first seat.
    kinds: BTreeMap<&'static str, u64>,
    wrong: Vec<String>,
}

impl Tally {
    fn expect(&mut self, what: &str, expected: u64, is: u64) {
        println!("{is:>7}  {what}");
        if is != expected {
            self.wrong.push(format!("{what}: {is} in place of {expected}"));
        }
    }

    fn add(&mut self, mode: &str, kinds: &[&str], game: &Record) {
        self.played += 1;
        let kind = game.seats[0].ending.name();
        *self.kinds.entry(kind).or_default() += 1;
        let is_right =
            kinds.contains(&kind) && game.seats[1].ending.name() == "normal" && game.moves.len() == 12;
        if !is_right {
            self.wrong.push(format!("{mode}: {}", game.to_json()));
        }
    }
}

/// Returns the bot for the first seat of game `index`, and its possible kinds of endings. Every tenth game has a bot
/// from the zoo, and these bots take turns.
fn bot(index: u64) -> (&'static str, &'static [&'static str]) {
    if index % 10 == 9 { ZOO[(index / 10) as usize % ZOO.len()] } else { ("good", &["normal"]) }
}

fn play(games: u64, slots: u64, log: &PathBuf, tally: &mut Tally) {
    let own = std::env::current_exe().expect("this program").to_str().expect("a path of letters").to_string();
    let entrant = |mode: &str| {
        let words = [&own[..], "bot"].into_iter().chain(mode.split(' '));
        Entrant { name: mode.to_string(), program: Program::Command(CommandLine::new(words)) }
    };
    let isolation =
        Isolation::new(&ResourceLimits { memory: Some(64 << 20), ..ResourceLimits::NONE }).expect("a limit");
    let limits = Limits::per_turn(Duration::from_millis(2000), Duration::from_millis(500));
    let mut referee = Referee::of(&COUNTING).with(|c| c.limits = limits);
    referee.isolate(Some(isolation));
    referee.resources.cores = Some(Cores::new());
    let good = entrant("good");
    let next = AtomicU64::new(0);
    let mut log = File::create(log).expect("a log");
    thread::scope(|scope| {
        let (sender, results) = mpsc::sync_channel(0);
        for _ in 0..slots {
            let (sender, next, good, referee, entrant) = (sender.clone(), &next, &good, &referee, &entrant);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= games {
                        return;
                    }
                    let bot = entrant(bot(index).0);
                    let fixture = Fixture::between([&bot, good], mix(&[index]), [index, index + 1]);
                    let game = referee.play(&COUNTING, &fixture, &AtomicBool::new(false));
                    if sender.send((index, game)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (index, game) in results {
            let (mode, kinds) = bot(index);
            match game {
                Ok(game) => {
                    game.write_to(&mut log).expect("room in the log");
                    tally.add(mode, kinds, &game);
                }
                Err(error) => tally.wrong.push(format!("{mode}: {error}")),
            }
        }
    });
}

fn descriptors() -> u64 {
    fs::read_dir("/proc/self/fd").expect("a list").count() as u64
}

fn temporary_files() -> u64 {
    let files = fs::read_dir(std::env::temp_dir()).expect("a folder").flatten();
    files.filter(|file| file.file_name().to_string_lossy().starts_with("contender")).count() as u64
}

/// Returns the number of child processes of all threads.
fn children() -> u64 {
    let tasks = fs::read_dir("/proc/self/task").expect("a list").flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.map(|list| list.split_whitespace().count() as u64).sum()
}
