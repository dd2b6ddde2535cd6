//! The end of a game for a player, and its description in reports.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The names of Linux signals, indexed by number. Entry 0 is unused.
const SIGNALS: [&str; 32] = [
    "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
    "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ",
    "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
];

/// The end of a game for a player: normal, or one of the failures. `Display` formats a phrase that follows the player's
/// name in reports. It uses the words that engine authors search for in logs: "makes an illegal move", "loses on time",
/// "disconnects", "connection stalls".
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The player played until the end of the game.
    #[default]
    Normal,
    /// The judge rejected an answer.
    Illegal {
        /// The judge's reason.
        reason: String,
        /// The player's answer, escaped and shortened.
        answer: String,
    },
    /// The player did not answer in time. A late answer is not used.
    Timeout {
        /// The limit that was exceeded: the limit for the answer, or the time left in the game.
        limit_ms: u64,
        /// The time by which the answer was late, rounded up; `None` if the referee stopped waiting before the answer
        /// arrived.
        overrun_ms: Option<u64>,
    },
    /// The player did not answer in time, but would have done so if it had not had to wait for its core.
    Overloaded {
        /// The limit that was exceeded.
        limit_ms: u64,
        /// The time by which the answer was late, rounded up; `None` if the referee stopped waiting before the answer
        /// arrived.
        overrun_ms: Option<u64>,
        /// Time during the turn in which the bot or the referee waited for a core.
        delay_ms: u64,
        /// Time taken from the bot by the host of a virtual machine or by a CPU quota: the bot was not asleep, but it
        /// neither ran nor waited for a core.
        #[serde(default, skip_serializing_if = "is_zero")]
        stolen_ms: u64,
    },
    /// The bot kept running during its opponent's turns although it was paused.
    Pondered {
        /// CPU time that the bot used in this game while it was paused.
        cpu_ms: u64,
    },
    /// A signal that the referee did not send ended the process.
    Crash {
        /// The signal's number, for example 11 for a segmentation fault.
        signal: i32,
    },
    /// The bot exited before its game was over.
    Exit {
        /// The process's exit status.
        code: i32,
    },
    /// The bot closed its standard output but kept running.
    ClosedStdout,
    /// The bot closed its standard input but kept running.
    ClosedStdin,
    /// The bot wrote far more than an answer: an endless line, or many lines that were not requested.
    Flood {
        /// Number of unread bytes when the referee stopped reading.
        bytes: usize,
    },
    /// An answer was not valid UTF-8.
    InvalidUtf8 {
        /// The player's answer, escaped and shortened.
        answer: String,
    },
    /// The bot ran out of memory: the system killed it for this reason, or it failed close to the limit of
    /// [`ResourceLimits::memory`](crate::ResourceLimits), or its last output reported a lack of memory.
    Memory {
        /// The memory limit in MiB.
        limit_mb: u64,
        /// The bot's peak memory in MiB.
        peak_mb: u64,
    },
    /// The program does not exist or cannot be run.
    CannotStart {
        /// The system's reason.
        reason: String,
    },
    /// A bundled bot read its complete question but did not answer, so no answer can follow.
    NoAnswer,
    /// A bundled bot could not parse the judge's message.
    Confused {
        /// The bot's message.
        reason: String,
    },
    /// A bundled bot panicked.
    Panic {
        /// The panic message.
        message: String,
    },
    /// An external referee reported a failure.
    Reported {
        /// The kind of the failure.
        failure: ReportedFailure,
        /// The referee's message; empty if there is none.
        words: String,
    },
    /// The game was stopped from outside while this player was still in it.
    Interrupted,
    /// The game was stopped because it reached the maximum number of turns. This is not a failure of any player.
    Endless {
        /// The number of turns.
        turns: u64,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The kind of failure that an external referee reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReportedFailure {
    /// The player did not answer in time.
    Timeout,
    /// The player did not answer in time while the machine was overloaded.
    Overloaded,
    /// The player's process exited, or never started.
    Exit,
    /// The game rejected the player's answer.
    Illegal,
    /// Another failure, or a failure without a stated reason.
    #[serde(rename = "failure")]
    Other,
}

impl ReportedFailure {
    /// Returns the name of the failure in records and tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ReportedFailure::Timeout => "timeout",
            ReportedFailure::Overloaded => "overloaded",
            ReportedFailure::Exit => "exit",
            ReportedFailure::Illegal => "illegal",
            ReportedFailure::Other => "failure",
        }
    }
}

/// Returns what a player does whose ending has this name, to be printed after the player's name. An unknown name is
/// returned unchanged.
#[must_use]
pub fn ending_words(name: &str) -> &str {
    match name {
        "normal" => "plays to the end",
        "illegal" => "makes an illegal move",
        "timeout" => "loses on time",
        "overloaded" => "loses on time on a busy machine",
        "pondered" => "keeps running outside its turn",
        "crash" => "disconnects: crashes",
        "exit" => "disconnects: exits early",
        "closed-stdout" => "disconnects: closes its standard output",
        "closed-stdin" => "disconnects: closes its standard input",
        "flood" => "floods its standard output",
        "invalid-utf8" => "answers with invalid UTF-8",
        "memory" => "disconnects: runs out of memory",
        "cannot-start" => "cannot start",
        "no-answer" => "connection stalls: does not answer",
        "confused" => "does not understand its judge",
        "panic" => "panics",
        "failure" => "fails",
        "interrupted" => "is interrupted",
        "endless" => "is stopped",
        other => other,
    }
}

impl Ending {
    /// Returns whether the ending is a failure of the player. All endings are failures except a normal end, an
    /// interruption and an endless game.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        !matches!(self, Ending::Normal | Ending::Interrupted | Ending::Endless { .. })
    }

    /// Returns the name of a failure, or `None` if there was no failure.
    #[must_use]
    pub fn failure_name(&self) -> Option<&'static str> {
        self.is_failure().then(|| self.name())
    }

    /// Returns the name of the ending in records, tables, filters and leagues.
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
        let words = ending_words(self.name());
        match self {
            Ending::Normal
            | Ending::ClosedStdout
            | Ending::ClosedStdin
            | Ending::NoAnswer
            | Ending::Interrupted => f.write_str(words),
            Ending::Illegal { reason, answer } => write!(f, "{words}: \"{answer}\": {reason}"),
            Ending::Timeout { limit_ms, overrun_ms: Some(overrun) } => {
                write!(f, "{words} ({overrun} ms over the limit of {limit_ms} ms)")
            }
            Ending::Timeout { limit_ms, overrun_ms: None } => {
                write!(f, "{words} (no answer within the remaining {limit_ms} ms)")
            }
            Ending::Overloaded { limit_ms, overrun_ms, delay_ms, stolen_ms } => {
                let overrun = overrun_ms.map_or("no answer within".to_string(), |overrun| {
                    format!("{overrun} ms over the limit of")
                });
                write!(f, "{words} ({overrun} {limit_ms} ms; the bot waited {delay_ms} ms for its core")?;
                if *stolen_ms > 0 {
                    write!(f, " and was stopped by the system for {stolen_ms} ms")?;
                }
                f.write_str(")")
            }
            Ending::Pondered { cpu_ms } => write!(f, "{words} ({cpu_ms} ms after it was paused)"),
            Ending::Crash { signal: signal @ (1 | 2 | 9 | 15) } => write!(
                f,
                "disconnects: is killed by signal {signal} (SIG{}), which did not come from the referee",
                SIGNALS[*signal as usize]
            ),
            Ending::Crash { signal } => match usize::try_from(*signal).ok().and_then(|at| SIGNALS.get(at)) {
                Some(name) if *signal > 0 => write!(f, "{words} with signal {signal} (SIG{name})"),
                _ => write!(f, "{words} with signal {signal}"),
            },
            Ending::Exit { code } => write!(f, "{words} with status {code}"),
            Ending::Flood { bytes } => write!(f, "{words} ({bytes} bytes unread)"),
            Ending::InvalidUtf8 { answer } => write!(f, "{words}: \"{answer}\""),
            Ending::Memory { limit_mb, peak_mb } => {
                write!(f, "{words} ({peak_mb} MiB in use, the limit is {limit_mb} MiB)")
            }
            Ending::CannotStart { reason } | Ending::Confused { reason } => write!(f, "{words}: {reason}"),
            Ending::Panic { message } => write!(f, "{words}: {message}"),
            Ending::Reported { failure, words: said } => {
                // Such a process may also have failed to start.
                let words = if *failure == ReportedFailure::Exit { "disconnects" } else { words };
                if said.is_empty() { f.write_str(words) } else { write!(f, "{words}: {said}") }
            }
            Ending::Endless { turns } => write!(f, "{words} after {turns} turns, the maximum for a game"),
        }
    }
}

/// The result of a process that ended by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ExitStatus {
    /// The process exited with this code. 0 means success.
    Code(i32),
    /// A signal that the referee did not send ended the process.
    Signal(i32),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_keep_the_words_that_logs_are_searched_for() {
        let late = Ending::Timeout { limit_ms: 100, overrun_ms: Some(12) };
        assert_eq!(late.to_string(), "loses on time (12 ms over the limit of 100 ms)");
        assert_eq!(Ending::Crash { signal: 11 }.to_string(), "disconnects: crashes with signal 11 (SIGSEGV)");
        let illegal = Ending::Illegal { reason: "no such column".into(), answer: "Zz".into() };
        assert_eq!(illegal.to_string(), "makes an illegal move: \"Zz\": no such column");
    }
}
