//! The ending of a player's part in a game, and its sentence in reports.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The signals by their numbers on Linux; entry 0 is unused.
const SIGNALS: [&str; 32] = [
    "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
    "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ",
    "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
];

/// The ending of a player's part in a game. Its `Display` is the sentence that follows the player's name in reports; it
/// keeps the words that engine authors search logs for: "makes an illegal move", "loses on time", "disconnects",
/// "connection stalls".
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It played to the end.
    #[default]
    Normal,
    /// An answer that the judge does not accept.
    Illegal {
        /// The judge's reason.
        reason: String,
        /// The answer, escaped and cut to a readable length.
        answer: String,
    },
    /// No answer in time. A late answer is not used.
    Timeout {
        /// The limit that was passed: the answer's, or what was left of the game's.
        limit_ms: u64,
        /// Delay of the answer after the limit, rounded up; `None` if there was no answer by then.
        overrun_ms: Option<u64>,
    },
    /// No answer in time, but it would have been in time if the machine had not kept the bot from its core for this
    /// long.
    Overloaded {
        /// The limit that was passed.
        limit_ms: u64,
        /// Delay of the answer after the limit, rounded up; `None` if there was no answer by then.
        overrun_ms: Option<u64>,
        /// Time that the bot and its referee waited for a core during the turn.
        delay_ms: u64,
        /// Time in which the bot neither ran nor waited although it did not sleep: the host of a virtual machine, or a
        /// quota of processor time, kept it from running.
        #[serde(default, skip_serializing_if = "is_zero")]
        stolen_ms: u64,
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
        /// Number of unread bytes when the referee gave up.
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
        /// The panic's message.
        message: String,
    },
    /// A failure that an external referee reports, in its own words.
    Reported {
        /// Its kind.
        failure: Failure,
        /// The referee's words, if there are any.
        words: String,
    },
    /// The game was stopped from outside while this player was still in it.
    Interrupted,
    /// The game was stopped because it took more turns than any game should. No player is to blame.
    Endless {
        /// The number of turns.
        turns: u64,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The kind of a failure that an external referee reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// No answer in time.
    Timeout,
    /// No answer in time, in a game in which the machine had too much to do.
    Overloaded,
    /// Its process ended, or never started.
    Exit,
    /// An answer that the game does not take.
    Illegal,
    /// Something else, or the referee gives no reason.
    #[serde(rename = "failure")]
    Other,
}

impl Failure {
    /// Returns its name in records and tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Failure::Timeout => "timeout",
            Failure::Overloaded => "overloaded",
            Failure::Exit => "exit",
            Failure::Illegal => "illegal",
            Failure::Other => "failure",
        }
    }
}

impl Ending {
    /// Returns whether the player is to blame: for any ending but a normal end, an interruption and a game without end.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        !matches!(self, Ending::Normal | Ending::Interrupted | Ending::Endless { .. })
    }

    /// Returns the name of a failure; `None` without a failure.
    #[must_use]
    pub fn failure_name(&self) -> Option<&'static str> {
        self.is_failure().then(|| self.name())
    }

    /// Returns its name in records, tables, filters and leagues.
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
            Ending::Reported { failure, .. } => failure.name(),
            Ending::Interrupted => "interrupted",
            Ending::Endless { .. } => "endless",
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
                write!(f, "loses on time (no answer within {limit_ms} ms, all the time left)")
            }
            Ending::Overloaded { limit_ms, overrun_ms, delay_ms, stolen_ms } => {
                let overrun = overrun_ms
                    .map_or("no answer within".to_string(), |overrun| format!("{overrun} ms overrun of"));
                write!(
                    f,
                    "loses on time on a busy machine ({overrun} {limit_ms} ms, of which it waited {delay_ms} ms for its core"
                )?;
                if *stolen_ms > 0 {
                    write!(f, " and {stolen_ms} ms were stolen from it")?;
                }
                f.write_str(")")
            }
            Ending::Pondered { cpu_ms } => {
                write!(f, "keeps running outside its turn ({cpu_ms} ms after it was paused)")
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
            Ending::Reported { failure, words } => {
                let what = match failure {
                    Failure::Timeout => "loses on time",
                    Failure::Overloaded => "loses on time on a busy machine",
                    Failure::Exit => "disconnects",
                    Failure::Illegal => "makes an illegal move",
                    Failure::Other => "fails",
                };
                if words.is_empty() { f.write_str(what) } else { write!(f, "{what}: {words}") }
            }
            Ending::Interrupted => f.write_str("is interrupted"),
            Ending::Endless { turns } => write!(f, "is stopped after {turns} turns: the game has no end"),
        }
    }
}

/// The exit status of a process that ended by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExitStatus {
    /// It left with this status; 0 says that all is well.
    Code(i32),
    /// A signal ended it that the referee did not send.
    Signal(i32),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_keep_the_words_that_logs_are_searched_for() {
        let late = Ending::Timeout { limit_ms: 100, overrun_ms: Some(12) };
        assert_eq!(late.to_string(), "loses on time (12 ms overrun of 100 ms)");
        assert_eq!(Ending::Crash { signal: 11 }.to_string(), "disconnects: crashes with signal 11 (SIGSEGV)");
        let illegal = Ending::Illegal { reason: "no such column".into(), answer: "Zz".into() };
        assert_eq!(illegal.to_string(), "makes an illegal move: \"Zz\": no such column");
    }
}
