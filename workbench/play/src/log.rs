//! Games as text: one finished game is one line of JSON, a log is such lines.
//!
//! | key | value |
//! |---|---|
//! | `game` | the contest's name |
//! | `seed` | the luck, an integer up to 2^64 - 1 |
//! | `players` | the two names by seat |
//! | `setup`, `moves` | what was fixed before the first move, and all moves, as texts in the judge's notation |
//! | `result` | `"1-0"`, `"0-1"` or `"1/2-1/2"` by contest points, `"*"` if the game was interrupted |
//! | `scores` | contest points by seat, integers |
//! | `times_ms` | by seat, the time of every answer in milliseconds with three decimals |
//! | `end` | by seat, an [`Ending`]: a name (`"normal"`), or an object of one name and its details: `{"timeout":{"limit_ms":100,"overrun_ms":12}}` |
//! | `delays_ms` | by seat, how long of each of those times the bot and its referee waited for a core; left out where it is not known of either |
//! | `cpu_ms` | by seat, CPU time of an external bot in milliseconds, or `null` |
//! | `idle_cpu_ms` | by seat, the part of that in which the bot was not asked; left out where it is not known of either |
//! | `stderr` | by seat, the end of what an external bot wrote to standard error |
//! | `stderr_at` | by seat, how many bytes of that had been written when each answer was given; left out where nothing was |
//! | `left_running` | by seat, whether the bot had to be ended after the game |
//! | `exit` | by seat, how the process ended by itself, `{"code":0}` or `{"signal":11}`, or `null` |
//! | `rules` | the rule variants, `"key=value,key=value"`; left out for the contest's own rules |
//! | `attributes` | what bots told, a list of [`Attribute`]s: `{"name":"depth","player":0,"turn":7,"value":"4"}`, `player` and `turn` only where they are given; left out if empty |
//! | `match` | of a game of a match its [place](InMatch): `{"plan":"90ab12cd34ef5678","game":17}`; left out of others |
//! | `rematches` | how many times it had been played before because a bot lost on time by the machine's own delay; left out if 0 |
//! | `machine` | of a game that another machine has played, which: `{"name":"lab-3","speed":812000.0,"late_wakeups":0.01,"other_load":0.02}`, the numbers only where they are known |
//!
//! Keys come in this order. A reader leaves out keys that it does not know, and takes games without the last eleven.

use crate::{Attribute, Ending, ExitStatus, GameRecord, InMatch, Machine, SeatReport};
use contender_game::{Contest, Options, Player};
use contender_input::this_program;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

/// What is said of a line that is no JSON object at all.
#[must_use]
pub fn no_game() -> String {
    format!(
        "no recorded game: one is a JSON object on a line, as `{} match --log FILE` writes it (docs/formats.md)",
        this_program()
    )
}

/// Why a line is no game, in words for the user.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct LogError {
    /// The line's number, from 1.
    pub line: usize,
    /// Where in the line, from 1; 0 if it is the line as a whole.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
    /// The line is the last one and has no end: the writer was stopped in the middle of it. What comes before it is
    /// whole.
    pub is_torn: bool,
}

#[derive(Serialize, Deserialize)]
struct Line {
    game: String,
    seed: u64,
    players: [String; 2],
    setup: Vec<String>,
    moves: Vec<String>,
    result: String,
    scores: [i32; 2],
    times_ms: [Vec<f64>; 2],
    end: [Ending; 2],
    #[serde(default, skip_serializing_if = "is_empty")]
    delays_ms: [Vec<f64>; 2],
    #[serde(default)]
    cpu_ms: [Option<f64>; 2],
    #[serde(default, skip_serializing_if = "is_unknown")]
    idle_cpu_ms: [Option<f64>; 2],
    #[serde(default)]
    stderr: [String; 2],
    #[serde(default, skip_serializing_if = "no_places")]
    stderr_at: [Vec<usize>; 2],
    #[serde(default)]
    left_running: [bool; 2],
    #[serde(default)]
    exit: [Option<ExitStatus>; 2],
    #[serde(default, skip_serializing_if = "String::is_empty")]
    rules: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    attributes: Vec<Attribute>,
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    in_match: Option<InMatch>,
    #[serde(default, skip_serializing_if = "is_none")]
    rematches: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    machine: Option<Machine>,
}

impl GameRecord {
    /// `1-0`, `0-1` or `1/2-1/2` by contest points, `*` if the game was interrupted.
    #[must_use]
    pub fn result(&self) -> &'static str {
        match self.points[0].cmp(&self.points[1]) {
            _ if self.interrupted => "*",
            std::cmp::Ordering::Greater => "1-0",
            std::cmp::Ordering::Less => "0-1",
            std::cmp::Ordering::Equal => "1/2-1/2",
        }
    }

    /// The game as one line of JSON, without the line's end.
    #[must_use]
    pub fn to_json(&self) -> String {
        let seats = &self.seats;
        let line = Line {
            game: self.game.clone(),
            seed: self.seed,
            players: self.players.clone(),
            setup: self.setup.clone(),
            moves: self.moves.clone(),
            result: self.result().to_string(),
            scores: self.points,
            times_ms: seats.each_ref().map(|seat| seat.times.iter().copied().map(to_ms).collect()),
            end: seats.each_ref().map(|seat| seat.ending.clone()),
            delays_ms: seats.each_ref().map(|seat| seat.delays.iter().copied().map(to_ms).collect()),
            cpu_ms: seats.each_ref().map(|seat| seat.cpu.map(to_ms)),
            idle_cpu_ms: seats.each_ref().map(|seat| seat.idle_cpu.map(to_ms)),
            stderr: seats.each_ref().map(|seat| seat.stderr.clone()),
            stderr_at: seats.each_ref().map(|seat| seat.stderr_at.clone()),
            left_running: seats.each_ref().map(|seat| seat.left_running),
            exit: seats.each_ref().map(|seat| seat.exit),
            rules: self.rules.clone(),
            attributes: self.attributes.clone(),
            in_match: self.in_match.clone(),
            rematches: self.rematches,
            machine: self.machine.clone(),
        };
        serde_json::to_string(&line).expect("texts, numbers and lists of them have a form in JSON")
    }

    /// Reads a game from one line of JSON.
    ///
    /// # Errors
    /// Where and why it is no game; its line number is 1.
    pub fn from_json(text: &str) -> Result<GameRecord, LogError> {
        let error = |column, reason| LogError { line: 1, column, reason, is_torn: false };
        if !text.trim_start().starts_with('{') {
            return Err(error(1, no_game()));
        }
        let line: Line = serde_json::from_str(text).map_err(|failure| {
            // Its words end with the place, which is told apart here.
            let words = failure.to_string();
            let reason = words.split(" at line ").next().unwrap_or(&words).to_string();
            error(failure.column(), reason)
        })?;
        let mut seats = [SeatReport::default(), SeatReport::default()];
        for (index, seat) in seats.iter_mut().enumerate() {
            for &time in &line.times_ms[index] {
                seat.add_time(from_ms(time).map_err(|reason| error(0, format!("times_ms: {reason}")))?);
            }
            for &time in &line.delays_ms[index] {
                seat.delays.push(from_ms(time).map_err(|reason| error(0, format!("delays_ms: {reason}")))?);
            }
            seat.ending = line.end[index].clone();
            seat.answers = seat.times.len() as u32 - u32::from(seat.is_late() && !seat.times.is_empty());
            let cpu = line.cpu_ms[index].map(from_ms).transpose();
            seat.cpu = cpu.map_err(|reason| error(0, format!("cpu_ms: {reason}")))?;
            let idle = line.idle_cpu_ms[index].map(from_ms).transpose();
            seat.idle_cpu = idle.map_err(|reason| error(0, format!("idle_cpu_ms: {reason}")))?;
            seat.stderr = line.stderr[index].clone();
            seat.stderr_at.clone_from(&line.stderr_at[index]);
            seat.left_running = line.left_running[index];
            seat.exit = line.exit[index];
        }
        let record = GameRecord {
            game: line.game,
            seed: line.seed,
            players: line.players,
            setup: line.setup,
            moves: line.moves,
            points: line.scores,
            seats,
            interrupted: line.result == "*",
            rules: line.rules,
            attributes: line.attributes,
            in_match: line.in_match,
            rematches: line.rematches,
            machine: line.machine,
        };
        if record.result() != line.result {
            let reason =
                format!("the result {:?} does not go with the scores {:?}", line.result, record.points);
            return Err(error(0, reason));
        }
        Ok(record)
    }

    /// Replays the game by the rules: every move is legal, the game ends where the record does unless a player has
    /// failed, and the points are those of the record.
    ///
    /// # Errors
    /// The first difference.
    pub fn check(&self, contest: &dyn Contest) -> Result<(), String> {
        let rules = rules_of(&self.rules)?;
        let mut untaken = rules.clone();
        let mut judge =
            contest.recorded(&self.setup, &mut untaken).map_err(|reason| format!("setup: {reason}"))?;
        untaken.finish()?;
        for (at, text) in self.moves.iter().enumerate() {
            judge.replay(text).map_err(|reason| format!("turn {} `{text}`: {reason}", at + 1))?;
        }
        let failed = Player::BOTH.map(|player| self.seats[player.index()].ending != Ending::Normal);
        if failed == [false; 2] && !judge.ask().is_empty() {
            return Err("the moves end before the game".to_string());
        }
        for player in
            Player::BOTH.into_iter().filter(|&player| self.seats[player.index()].ending.is_failure())
        {
            judge.fail(player);
        }
        if !self.interrupted && judge.points() != self.points {
            let [[a, b], [c, d]] = [self.points, judge.points()];
            return Err(format!("end: recorded score {a}-{b}, replayed {c}-{d}"));
        }
        Ok(())
    }

    /// Whether the game can have begun so with its luck: the seed gives the setup that is recorded.
    ///
    /// # Errors
    /// What it gives instead.
    pub fn check_seed(&self, contest: &dyn Contest) -> Result<(), String> {
        let mut rules = rules_of(&self.rules)?;
        let setup = contest.judge(self.seed, &mut rules)?.setup();
        if setup != self.setup {
            let [recorded, drawn] = [&self.setup, &setup].map(|setup| setup.join(" "));
            return Err(format!(
                "seed {} gives the setup `{drawn}`, and `{recorded}` is recorded",
                self.seed
            ));
        }
        Ok(())
    }

    /// Appends the game to a log, whole and flushed.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_to(&self, log: &mut impl Write) -> io::Result<()> {
        let mut line = self.to_json();
        line.push('\n');
        log.write_all(line.as_bytes())?;
        log.flush()
    }
}

/// Reads a log game by game; empty lines are passed over. A failed line does not end the reading; the reader's own
/// failure and a line without an end do.
pub fn read_log(log: impl BufRead) -> impl Iterator<Item = Result<GameRecord, LogError>> {
    let mut log = log;
    let mut number = 0;
    let mut bytes = Vec::new();
    let mut has_failed = false;
    std::iter::from_fn(move || {
        loop {
            number += 1;
            let failed = |reason: String| LogError { line: number, column: 0, reason, is_torn: false };
            match contender_input::read_line(&mut log, &mut bytes) {
                _ if has_failed => return None,
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => {
                    has_failed = true;
                    return Some(Err(failed(error.to_string())));
                }
            }
            let is_ended = bytes.ends_with(b"\n");
            let game = match std::str::from_utf8(&bytes) {
                Ok(text) if text.trim().is_empty() => continue,
                Ok(text) => GameRecord::from_json(text.trim_end()),
                Err(error) => Err(failed(error.to_string())),
            };
            return Some(game.map_err(|error| {
                let is_torn = !is_ended;
                let reason = if is_torn { format!("torn: {}", error.reason) } else { error.reason };
                LogError { line: number, is_torn, reason, ..error }
            }));
        }
    })
}

/// Opens a log to append to it, and makes it where there is none. A last line that is torn, as by a power cut, is ended
/// first, so that the next game is not lost with it.
///
/// # Errors
/// What the system says.
pub fn append_to(path: &Path) -> io::Result<File> {
    let mut log = OpenOptions::new().create(true).append(true).open(path)?;
    // A pipe or a device has no last line.
    if log.metadata()?.is_file() && last_byte(path)?.is_some_and(|last| last != b'\n') {
        log.write_all(b"\n")?;
    }
    Ok(log)
}

fn last_byte(path: &Path) -> io::Result<Option<u8>> {
    let mut file = File::open(path)?;
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(None);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(Some(last[0]))
}

/// Rule variants from the text that a record has.
pub fn rules_of(text: &str) -> Result<Options, String> {
    let mut rules = Options::rules();
    for rule in text.split(',').filter(|rule| !rule.is_empty()) {
        let (key, value) = rule.split_once('=').ok_or_else(|| format!("rule `{rule}` is not key=value"))?;
        rules.add(key, value)?;
    }
    Ok(rules)
}

/// Opens a log to read its games from the beginning and to append others, and makes it where there is none.
///
/// # Errors
/// What the system says.
pub fn open_to_go_on(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).read(true).append(true).open(path)
}

/// Whether that is how the line of a game of this contest begins, wherever it is torn.
#[must_use]
pub fn begins_game(line: &[u8], contest: &str) -> bool {
    let head = format!("{{\"game\":\"{contest}\",\"seed\":");
    line.iter().zip(head.as_bytes()).all(|(a, b)| a == b) && !line.is_empty()
}

/// Makes the last line of such a log whole: takes it away if it is torn, as by a killed program or a full disk, so that
/// its game is played again, and ends it if only its end is missing.
///
/// # Errors
/// What the system says.
pub fn mend(log: &mut File) -> io::Result<()> {
    log.rewind()?;
    let mut reader = BufReader::new(&*log);
    let (mut whole, mut last) = (0, Vec::new());
    loop {
        let length = contender_input::read_line(&mut reader, &mut last)? as u64;
        if length == 0 {
            return Ok(());
        }
        if !last.ends_with(b"\n") {
            break;
        }
        whole += length;
    }
    if std::str::from_utf8(&last).is_ok_and(|text| GameRecord::from_json(text).is_ok()) {
        log.write_all(b"\n")
    } else {
        log.set_len(whole)
    }
}

fn is_none(rematches: &u32) -> bool {
    *rematches == 0
}

fn is_empty(values: &[Vec<f64>; 2]) -> bool {
    values.iter().all(Vec::is_empty)
}

fn no_places(lists: &[Vec<usize>; 2]) -> bool {
    lists.iter().all(Vec::is_empty)
}

fn is_unknown(values: &[Option<f64>; 2]) -> bool {
    values.iter().all(Option::is_none)
}

fn to_ms(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

fn from_ms(time: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(time / 1000.0)
        .map(|time| Duration::from_micros((time.as_nanos() as u64 + 500) / 1000))
        .map_err(|error| format!("{time}: {error}"))
}
