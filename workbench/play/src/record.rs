//! Records of finished games with any number of seats. [`Record::to_json`] formats a record for a log.

use crate::{Attribute, Ending, ExitStatus};
use contender_game::contest::{Contest, Judge};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One seat of a finished game, with the bot's results.
#[derive(Clone, PartialEq, Debug)]
pub struct Seat {
    /// The name of the bot.
    pub bot: String,
    /// The bot's place: 0 is the best, and equal numbers mean a tie.
    pub rank: u32,
    /// The points or score, if the game has any.
    pub points: Option<f64>,
    /// The way in which the game ended for the bot.
    pub ending: Ending,
    /// Number of questions answered in time, whether legally or not.
    pub answers: u32,
    /// Total wall-clock time between questions and answers.
    pub wall: Duration,
    /// Time of the slowest answer.
    pub slowest: Duration,
    /// The time of every answer, in whole microseconds. The last time may be that of a late answer.
    pub times: Vec<Duration>,
    /// For every answer, the time that the bot or its referee waited for a core. Empty if the system does not report
    /// this time.
    pub delays: Vec<Duration>,
    /// For every answer, the time in which the bot was not asleep, but neither ran nor waited for a core, for example
    /// because a virtual machine was stopped. Empty if this never happened or the system does not report it.
    pub stolen: Vec<Duration>,
    /// CPU time of an external bot's process and its threads, if the system reports it.
    pub cpu: Option<Duration>,
    /// CPU time that an external bot and its child processes used outside the bot's turns, if the system reports it.
    /// This time is small compared with `cpu`, unless bots may think during their opponents' turns (`ponder`).
    pub idle_cpu: Option<Duration>,
    /// The exit status of an external bot's process, or `None` if the referee killed the process.
    pub exit: Option<ExitStatus>,
    /// The end of an external bot's standard error output, as much as the referee keeps.
    pub stderr: String,
    /// For each of the bot's answers, the number of bytes of `stderr` that had been written by the time of the answer.
    /// Empty if the bot wrote nothing.
    pub stderr_at: Vec<usize>,
    /// Sentences from the referee that help explain why an external bot ended, for example unexpected output or a lock
    /// for which the bot waited.
    pub notes: Vec<String>,
    /// The bot's answers in order, if they are recorded. An answer does not include its final newline; it is empty for
    /// a turn without an answer.
    pub outputs: Vec<String>,
    /// Whether the bot was still running at the end of the grace time after the game. This does not change the result
    /// of the game.
    pub left_running: bool,
}

impl Seat {
    /// Returns whether the player lost on time without answering at all. Such a program probably does not speak the
    /// protocol.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        matches!(self.ending, Ending::Timeout { .. } | Ending::Overloaded { .. }) && self.answers == 0
    }
}

impl Default for Seat {
    /// Returns the seat of a player that has not received a question yet.
    fn default() -> Seat {
        Seat {
            bot: String::new(),
            rank: 0,
            points: None,
            ending: Ending::Normal,
            answers: 0,
            wall: Duration::ZERO,
            slowest: Duration::ZERO,
            times: Vec::new(),
            delays: Vec::new(),
            stolen: Vec::new(),
            cpu: None,
            idle_cpu: None,
            exit: None,
            stderr: String::new(),
            stderr_at: Vec::new(),
            notes: Vec::new(),
            outputs: Vec::new(),
            left_running: false,
        }
    }
}

impl Seat {
    /// Formats the results of the seat: the ending, the answers and their times, the exit status of the process, and
    /// the indented standard error output.
    #[must_use]
    pub fn text(&self) -> String {
        let exit = self.exit.map_or(String::new(), |exit| match exit {
            ExitStatus::Code(code) => format!("; its process exited with status {code}"),
            ExitStatus::Signal(signal) => format!("; its process was ended by signal {signal}"),
        });
        let count = self.times.len();
        let mut text = format!("{}; {count} {}", self.ending, if count == 1 { "answer" } else { "answers" });
        if count > 0 {
            text += &format!(" in {:.1?}, the slowest in {:.1?}", self.wall, self.slowest);
        }
        text += &exit;
        for note in &self.notes {
            text += &format!("; {note}");
        }
        for line in self.stderr.lines() {
            text += &format!("\n    {line}");
        }
        text
    }

    /// Returns the text that the bot wrote to standard error between the previous answer and the given answer (starting
    /// at 0), as far as the record contains it. For the number after the last answer, returns the text written after
    /// all answers.
    #[must_use]
    pub fn stderr_for(&self, answer: usize) -> &str {
        let end = |at: usize| self.stderr_at.get(at).copied().unwrap_or(self.stderr.len());
        let start = answer.checked_sub(1).map_or(0, end);
        self.stderr.get(start..end(answer)).unwrap_or_default()
    }

    /// Returns whether the player lost on time.
    #[must_use]
    pub fn is_late(&self) -> bool {
        matches!(self.ending.name(), "timeout" | "overloaded")
    }

    /// Computes the total time, the slowest time and the number of answers from the times.
    pub(crate) fn add_up_times(&mut self) {
        for time in std::mem::take(&mut self.times) {
            self.add_time(time);
        }
        self.answers = self.times.len() as u32 - u32::from(self.is_late() && !self.times.is_empty());
    }

    /// Adds the time of one answer.
    pub fn add_time(&mut self, time: Duration) {
        let time = Duration::from_micros(time.as_micros() as u64);
        self.wall += time;
        self.slowest = self.slowest.max(time);
        self.times.push(time);
    }
}

/// The record of a finished game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// The name of the contest or of the external referee.
    pub game: String,
    /// The seed that determines all randomness of the game.
    pub seed: u64,
    /// The setup before the first move, in the judge's notation. Empty if the referee does not report the setup.
    pub setup: Vec<String>,
    /// All moves in the judge's notation; empty if the referee does not report them.
    pub moves: Vec<String>,
    /// The result for each seat.
    pub seats: Vec<Seat>,
    /// Whether the game was stopped from outside. Its result then does not count.
    pub interrupted: bool,
    /// The rule variants as `key=value,key=value`; empty for the contest's standard rules.
    pub rules: String,
    /// Values that external bots printed on standard error. The values of seat 0 come first, and each bot's values are
    /// sorted by name and turn.
    pub attributes: Vec<Attribute>,
    /// The referee's remarks on each turn, for a battle on CodinGame's site.
    pub summaries: Vec<String>,
    /// Data from CodinGame's site, if the game is a battle from the site.
    pub battle: Option<Battle>,
    /// The game's place in a match.
    pub in_match: Option<InMatch>,
    /// Number of times that this game was replayed because a bot lost on time due to the machine's delays.
    pub rematches: u32,
    /// The machine that played the game, if it was not this machine.
    pub machine: Option<Machine>,
    /// Duration of the game in seconds, if an external referee played it.
    pub seconds: Option<f64>,
    /// The fraction of `seconds` in which any task on the machine waited for a core, if the system measures it.
    pub busy: Option<f64>,
    /// The file with the engine's log, if logs are kept.
    pub engine_log: Option<String>,
    /// The command that plays the game again, if an external referee played it.
    pub repeat: Option<String>,
    /// A hash of all answers, if the moves are unknown. Equal games have equal hashes.
    pub digest: Option<String>,
    /// Messages about earlier attempts in which the referee itself failed.
    pub again: Vec<String>,
}

/// A machine that played a game for this machine.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Machine {
    /// The machine's name.
    pub name: String,
    /// The speed of one core when the machine joined, in rounds per second of a fixed workload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Fraction of late wake-ups during the game, with a wake-up every 10 ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_wakeups: Option<f64>,
    /// Fraction of the total core time that other programs used during the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_load: Option<f64>,
}

/// A battle that was imported from CodinGame's site.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Battle {
    /// The battle's number on the site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The seat of the author's own bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub me: Option<usize>,
}

/// The place of a game in a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InMatch {
    /// The fingerprint of the match (bots, limits, rules and seed) as 16 hexadecimal digits. All games of a match have
    /// the same fingerprint.
    pub plan: String,
    /// The number of the game, starting at 1. In odd-numbered games, the first bot of the match has seat 0.
    pub game: u64,
}

impl Record {
    /// Creates a record from a judge's game, for this seed and the contest's standard rules. The record contains only
    /// the names of the bots, the result, and whether the judge stopped the game as endless.
    #[must_use]
    pub fn from_judge(contest: &dyn Contest, judge: &dyn Judge, seed: u64, bots: [&str; 2]) -> Record {
        let points = judge.points().map(f64::from);
        let turns = judge.moves().len() as u64;
        let ending = if judge.is_endless() { Ending::Endless { turns } } else { Ending::Normal };
        let seats = bots.iter().zip(points);
        let seats = seats.map(|(bot, points)| Seat {
            bot: (*bot).to_string(),
            points: Some(points),
            ending: ending.clone(),
            ..Seat::default()
        });
        let mut record = Record {
            game: contest.name().to_string(),
            seed,
            setup: judge.setup(),
            moves: judge.moves().to_vec(),
            seats: seats.collect(),
            ..Record::default()
        };
        record.rank_by_points();
        record
    }

    /// Sets the ranks according to the points. Every seat must have points.
    pub fn rank_by_points(&mut self) {
        let ranks = ranks_by_points(&self.seats);
        self.seats.iter_mut().zip(ranks).for_each(|(seat, rank)| seat.rank = rank);
    }

    /// Returns whether the game was played by an external referee or on CodinGame's site.
    #[must_use]
    pub fn is_external(&self) -> bool {
        self.repeat.is_some() || self.battle.is_some() && self.moves.is_empty()
    }

    /// Returns whether a bot lost on time because of delays of the machine.
    #[must_use]
    pub fn is_overloaded(&self) -> bool {
        self.seats.iter().any(|seat| seat.ending.name() == "overloaded")
    }

    /// Returns whether the game was stopped because it reached the maximum number of turns.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat.ending, Ending::Endless { .. }))
    }

    /// Returns the normalised rank of a seat, from 0 for last place to 1 for first place. It is the fraction of the
    /// other seats that the seat has beaten, counting a tie as half.
    #[must_use]
    pub fn normalised_rank(&self, seat: &Seat) -> f64 {
        let others = (self.seats.len() - 1) as f64;
        let behind = self.seats.iter().filter(|other| other.rank > seat.rank).count();
        let tied = self.seats.iter().filter(|other| other.rank == seat.rank).count() - 1;
        (behind as f64 + tied as f64 / 2.0) / others
    }

    /// Returns the names of the bots by seat.
    #[must_use]
    pub fn bots(&self) -> Vec<&str> {
        self.seats.iter().map(|seat| seat.bot.as_str()).collect()
    }

    /// Returns the names of the bots in the order of the match: A, then B. In games with an even number, A has seat 1.
    /// If the record has no number, or not two seats, the order is that of the seats.
    #[must_use]
    pub fn bots_in_match(&self) -> Vec<&str> {
        let mut names = self.bots();
        if names.len() == 2 && self.in_match.as_ref().is_some_and(|place| place.game.is_multiple_of(2)) {
            names.reverse();
        }
        names
    }

    /// Returns whether every seat has points.
    #[must_use]
    pub fn has_points(&self) -> bool {
        self.seats.iter().all(|seat| seat.points.is_some())
    }

    /// Formats the points of all seats, separated by `separator`.
    #[must_use]
    pub fn points_text(&self, separator: &str) -> String {
        self.points().iter().map(f64::to_string).collect::<Vec<_>>().join(separator)
    }

    /// Returns the points of all seats. A seat without points counts as 0.
    #[must_use]
    pub fn points(&self) -> Vec<f64> {
        self.seats.iter().map(|seat| seat.points.unwrap_or_default()).collect()
    }
}

/// Returns the place of each seat according to the points; 0 is the best. A seat without points gets place 0.
pub(crate) fn ranks_by_points(seats: &[Seat]) -> Vec<u32> {
    let better =
        |points: f64| seats.iter().filter(|other| other.points.is_some_and(|other| other > points)).count();
    seats.iter().map(|seat| seat.points.map_or(0, |points| better(points) as u32)).collect()
}
