//! What is known of a game when it is over. [`GameRecord::to_json`] has the form on disk.

use crate::Attribute;
use contender_game::{Contest, Judge};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The signals by their numbers on Linux, from 0, which is none.
const SIGNALS: [&str; 32] = [
    "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
    "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ",
    "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
];

/// How a player's part in a game ended. Its `Display` is the sentence that follows the player's name in reports; it
/// keeps the words that engine authors search logs for: "makes an illegal move", "loses on time", "disconnects",
/// "connection stalls".
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It played to the end.
    Normal,
    /// An answer that the judge does not accept.
    Illegal {
        /// The judge's reason.
        reason: String,
        /// What was answered, escaped and cut to a readable length.
        answer: String,
    },
    /// No answer in time. A late answer is not used.
    Timeout {
        /// The limit that was passed: the answer's, or what was left of the game's.
        limit_ms: u64,
        /// How late the answer came, rounded up; `None` if none had come when the limit was over.
        overrun_ms: Option<u64>,
    },
    /// No answer in time, but it would have been in time if the machine had not kept the bot from its core for so long.
    Overloaded {
        /// The limit that was passed.
        limit_ms: u64,
        /// How late the answer came, rounded up; `None` if none had come when the limit was over.
        overrun_ms: Option<u64>,
        /// How long the bot and its referee waited for a core meanwhile.
        delay_ms: u64,
    },
    /// It went on running although it was stopped in its opponent's time.
    Pondered {
        /// CPU time in which it did, in this game.
        cpu_ms: u64,
    },
    /// The process was ended by a signal that the referee did not send.
    Crash {
        /// The signal's number, 11 for a segmentation fault.
        signal: i32,
    },
    /// The bot left before its game was over.
    Exit {
        /// The process's exit status.
        code: i32,
    },
    /// It closed its standard output and runs on.
    ClosedStdout,
    /// It closed its standard input and runs on.
    ClosedStdin,
    /// More output than any answer needs: a line that does not end, or line after line that nothing asked for.
    Flood {
        /// How many bytes were unread when the referee gave up.
        bytes: usize,
    },
    /// An answer that is not text.
    InvalidUtf8 {
        /// The answer, escaped and cut to a readable length.
        answer: String,
    },
    /// It died for want of memory: it ended by itself when it had nearly all that [`Bounds::memory`](crate::Bounds)
    /// allows, or said so.
    Memory {
        /// The limit, in MiB.
        limit_mb: u64,
        /// The most that was in use at once, in MiB.
        peak_mb: u64,
    },
    /// There is nothing to run, or it cannot be run.
    CannotStart {
        /// The system's reason.
        reason: String,
    },
    /// A bundled bot has read all of its question and does not answer, so that it never will.
    NoAnswer,
    /// A bundled bot does not understand its judge.
    Confused {
        /// The bot's words.
        reason: String,
    },
    /// A bundled bot panicked.
    Panic {
        /// What it panicked with.
        message: String,
    },
    /// The game was stopped from outside while this player was still in it.
    Interrupted,
}

impl Ending {
    /// Whether the player is to blame: anything but a normal end and an interruption.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        !matches!(self, Ending::Normal | Ending::Interrupted)
    }

    /// Its name in records, tables, filters and leagues.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Ending::Normal => "normal",
            Ending::Illegal { .. } => "illegal",
            Ending::Timeout { .. } => "timeout",
            Ending::Overloaded { .. } => "overloaded",
            Ending::Pondered { .. } => "pondered",
            Ending::Crash { .. } => "crash",
            Ending::Exit { .. } => "exit",
            Ending::ClosedStdout => "closed-stdout",
            Ending::ClosedStdin => "closed-stdin",
            Ending::Flood { .. } => "flood",
            Ending::InvalidUtf8 { .. } => "invalid-utf8",
            Ending::Memory { .. } => "memory",
            Ending::CannotStart { .. } => "cannot-start",
            Ending::NoAnswer => "no-answer",
            Ending::Confused { .. } => "confused",
            Ending::Panic { .. } => "panic",
            Ending::Interrupted => "interrupted",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Normal => f.write_str("plays to the end"),
            Ending::Illegal { reason, answer } => write!(f, "makes an illegal move: \"{answer}\": {reason}"),
            Ending::Timeout { limit_ms, overrun_ms: Some(overrun) } => {
                write!(f, "loses on time ({overrun} ms overrun of {limit_ms} ms)")
            }
            Ending::Timeout { limit_ms, overrun_ms: None } => {
                write!(f, "loses on time (no answer within {limit_ms} ms, all that was left)")
            }
            Ending::Overloaded { limit_ms, overrun_ms, delay_ms } => {
                let overrun = overrun_ms
                    .map_or("no answer within".to_string(), |overrun| format!("{overrun} ms overrun of"));
                write!(
                    f,
                    "loses on time on a busy machine ({overrun} {limit_ms} ms, of which it waited {delay_ms} ms for its core)"
                )
            }
            Ending::Pondered { cpu_ms } => {
                write!(f, "runs on while it is not asked ({cpu_ms} ms after it was stopped)")
            }
            Ending::Crash { signal: signal @ (1 | 2 | 9 | 15) } => write!(
                f,
                "disconnects: is killed by signal {signal} (SIG{}), from outside its game or by its own processes",
                SIGNALS[*signal as usize]
            ),
            Ending::Crash { signal } => match usize::try_from(*signal).ok().and_then(|at| SIGNALS.get(at)) {
                Some(name) if *signal > 0 => {
                    write!(f, "disconnects: crashes with signal {signal} (SIG{name})")
                }
                _ => write!(f, "disconnects: crashes with signal {signal}"),
            },
            Ending::Exit { code } => write!(f, "disconnects: exits early with status {code}"),
            Ending::ClosedStdout => f.write_str("disconnects: closes its standard output"),
            Ending::ClosedStdin => f.write_str("disconnects: closes its standard input"),
            Ending::Flood { bytes } => write!(f, "floods its standard output ({bytes} bytes unread)"),
            Ending::InvalidUtf8 { answer } => write!(f, "answers with invalid UTF-8: \"{answer}\""),
            Ending::Memory { limit_mb, peak_mb } => {
                write!(
                    f,
                    "disconnects: runs out of memory ({peak_mb} MiB in use, the limit is {limit_mb} MiB)"
                )
            }
            Ending::CannotStart { reason } => write!(f, "cannot start: {reason}"),
            Ending::NoAnswer => f.write_str("connection stalls: does not answer"),
            Ending::Confused { reason } => write!(f, "does not understand its judge: {reason}"),
            Ending::Panic { message } => write!(f, "panics: {message}"),
            Ending::Interrupted => f.write_str("is interrupted"),
        }
    }
}

/// How a process ended by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExitStatus {
    /// It left with this status; 0 says that all is well.
    Code(i32),
    /// A signal ended it that the referee did not send.
    Signal(i32),
}

/// One seat of a finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatReport {
    /// How its part ended.
    pub ending: Ending,
    /// How many questions it answered in time, legally or not.
    pub answers: u32,
    /// Wall-clock time from question to answer, over all answers.
    pub wall: Duration,
    /// The slowest answer.
    pub slowest: Duration,
    /// The time of every answer, in whole microseconds, the last one perhaps too late.
    pub times: Vec<Duration>,
    /// Of every answer, how long the bot and its referee waited for a core; empty where the system does not tell.
    pub delays: Vec<Duration>,
    /// CPU time of the process and its threads, if it is external and the system tells.
    pub cpu: Option<Duration>,
    /// CPU time of an external bot, all its descendants included, in which it was not asked, if the system tells.
    /// Little beside `cpu`, unless the contest allows thinking in the opponent's time
    /// ([`Referee::ponder`](crate::Referee)).
    pub idle_cpu: Option<Duration>,
    /// How the process of an external bot ended, also after its last answer; `None` if the referee ended it.
    pub exit: Option<ExitStatus>,
    /// The end of what an external bot wrote to standard error, at most [`Referee::stderr_tail`](crate::Referee) bytes.
    pub stderr: String,
    /// How many bytes of that had been written when the bot gave its first answer, its second one, and so on; empty
    /// where it wrote nothing.
    pub stderr_at: Vec<usize>,
    /// The game was over and the bot, told so, had not left when the grace time was: a note, the result stands.
    pub left_running: bool,
}

impl SeatReport {
    /// Whether the player lost on time before its first answer: most likely its program does not speak the protocol.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.is_late() && self.answers == 0
    }
}

impl Default for SeatReport {
    /// The seat of a player that has not been asked anything.
    fn default() -> SeatReport {
        SeatReport {
            ending: Ending::Normal,
            answers: 0,
            wall: Duration::ZERO,
            slowest: Duration::ZERO,
            times: Vec::new(),
            delays: Vec::new(),
            cpu: None,
            idle_cpu: None,
            exit: None,
            stderr: String::new(),
            stderr_at: Vec::new(),
            left_running: false,
        }
    }
}

impl SeatReport {
    /// How it went as lines for people: the ending, answers and times, how the process left, and indented what it wrote
    /// to standard error.
    #[must_use]
    pub fn text(&self) -> String {
        let exit = self.exit.map_or(String::new(), |exit| match exit {
            ExitStatus::Code(code) => format!("; its process left with status {code}"),
            ExitStatus::Signal(signal) => format!("; its process was ended by signal {signal}"),
        });
        let count = self.times.len();
        let mut text = format!("{}; {count} {}", self.ending, if count == 1 { "answer" } else { "answers" });
        if count > 0 {
            text += &format!(" in {:.1?}, the slowest in {:.1?}", self.wall, self.slowest);
        }
        text += &exit;
        for line in self.stderr.lines() {
            text += &format!("\n    {line}");
        }
        text
    }

    /// What it wrote to standard error for its answer of this number, from 0, as far as that is kept: after the answer
    /// before and until this one was there, or after all of them.
    #[must_use]
    pub fn stderr_for(&self, answer: usize) -> &str {
        let end = |at: usize| self.stderr_at.get(at).copied().unwrap_or(self.stderr.len());
        let start = answer.checked_sub(1).map_or(0, end);
        self.stderr.get(start..end(answer)).unwrap_or_default()
    }

    /// Whether the limit of time ended its part.
    #[must_use]
    pub fn is_late(&self) -> bool {
        matches!(self.ending, Ending::Timeout { .. } | Ending::Overloaded { .. })
    }

    /// Counts the time that one answer took.
    pub(crate) fn add_time(&mut self, time: Duration) {
        let time = Duration::from_micros(time.as_micros() as u64);
        self.wall += time;
        self.slowest = self.slowest.max(time);
        self.times.push(time);
    }
}

/// One finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// The contest's name.
    pub game: String,
    /// The luck it was played with.
    pub seed: u64,
    /// Names of the entrants by seat.
    pub players: [String; 2],
    /// What was fixed before the first move.
    pub setup: Vec<String>,
    /// All moves in the judge's notation.
    pub moves: Vec<String>,
    /// Contest points by seat.
    pub points: [i32; 2],
    /// Seat by seat, how it went.
    pub seats: [SeatReport; 2],
    /// Whether the game was stopped from outside: its points count for nothing.
    pub interrupted: bool,
    /// The rule variants it was played with, `key=value,key=value`; empty for the contest's own rules.
    pub rules: String,
    /// What external bots told on standard error, those of seat 0 first, each bot's by name and turn.
    pub attributes: Vec<Attribute>,
    /// Which game of a match it is.
    pub in_match: Option<InMatch>,
    /// How many times it had been played before, each time with a bot that lost on time by the machine's own delay
    /// ([`Referee::rematches`](crate::Referee)).
    pub rematches: u32,
    /// Which machine has played it, if not the one that keeps the record.
    pub machine: Option<Machine>,
}

/// A machine that has played a game for another one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// How fast one of its cores was when it joined, in rounds of a fixed workload a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Of wake-ups every 10 ms while the game was played, the share that was late.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_wakeups: Option<f64>,
    /// The share of the cores' time that other programs used meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_load: Option<f64>,
}

/// The place of a game in a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InMatch {
    /// What all games of the match have in common: bots, limits, rules and seed, as a number of 16 hexadecimal digits.
    pub plan: String,
    /// Its number, from 1: where that is odd the match's first bot has seat 0.
    pub game: u64,
}

impl GameRecord {
    /// What a judge says of its game, which was played with this luck and by the contest's own rules. Nothing is known
    /// of the players but their names.
    #[must_use]
    pub fn of(contest: &dyn Contest, judge: &dyn Judge, luck: u64, players: [&str; 2]) -> GameRecord {
        GameRecord {
            game: contest.name().to_string(),
            seed: luck,
            players: players.map(str::to_string),
            setup: judge.setup(),
            moves: judge.moves().to_vec(),
            points: judge.points(),
            seats: [SeatReport::default(), SeatReport::default()],
            interrupted: false,
            rules: String::new(),
            attributes: Vec::new(),
            in_match: None,
            rematches: 0,
            machine: None,
        }
    }

    /// Whether a bot lost on time by the machine's own delay.
    #[must_use]
    pub fn is_overloaded(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat.ending, Ending::Overloaded { .. }))
    }
}

/// Bytes of a bot as text for people and logs: control characters and bytes that are no text are escaped, and what is
/// long is cut.
pub(crate) fn readable(bytes: &[u8]) -> String {
    const LONGEST: usize = 200;
    let cut = &bytes[..bytes.len().min(LONGEST)];
    let mut text = String::new();
    for chunk in cut.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_control() || character == '\\' {
                text.extend(character.escape_default());
            } else {
                text.push(character);
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    if cut.len() < bytes.len() {
        text.push_str(&format!("... ({} bytes)", bytes.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_bots_write_is_made_readable() {
        assert_eq!(readable(b"Ikv"), "Ikv");
        assert_eq!(readable("é\t\x1b[1m\\".as_bytes()), "é\\t\\u{1b}[1m\\\\");
        assert_eq!(readable(b"a\xffb"), "a\\xffb");
        assert_eq!(readable(&[b'x'; 500]), format!("{}... (500 bytes)", "x".repeat(200)));
    }

    #[test]
    fn endings_keep_the_words_that_logs_are_searched_for() {
        let late = Ending::Timeout { limit_ms: 100, overrun_ms: Some(12) };
        assert_eq!(late.to_string(), "loses on time (12 ms overrun of 100 ms)");
        assert_eq!(Ending::Crash { signal: 11 }.to_string(), "disconnects: crashes with signal 11 (SIGSEGV)");
        let illegal = Ending::Illegal { reason: "no such column".into(), answer: "Zz".into() };
        assert_eq!(illegal.to_string(), "makes an illegal move: \"Zz\": no such column");
    }
}
