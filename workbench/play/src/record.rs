//! A finished game of any number of seats. [`Record::to_json`] writes it to a log.

use crate::{Attribute, Ending, ExitStatus};
use contender_game::contest::{Contest, Judge};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One seat of a finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct Seat {
    /// The name of the bot.
    pub bot: String,
    /// Its place, 0 for the best; equal numbers are a tie.
    pub rank: u32,
    /// Its points or score, if the game has any.
    pub points: Option<f64>,
    /// The ending of its part.
    pub ending: Ending,
    /// Number of questions that it answered in time, legally or not.
    pub answers: u32,
    /// Wall-clock time from question to answer, over all answers.
    pub wall: Duration,
    /// The slowest answer.
    pub slowest: Duration,
    /// The time of every answer, in whole microseconds, the last one perhaps too late.
    pub times: Vec<Duration>,
    /// Time that the bot and its referee waited for a core, for every answer; empty if the system does not tell.
    pub delays: Vec<Duration>,
    /// Time in which the bot neither ran nor waited for a core although it did not sleep, for every answer; empty if
    /// that never happened or the system does not tell.
    pub stolen: Vec<Duration>,
    /// CPU time of the process and its threads, if it is external and the system tells.
    pub cpu: Option<Duration>,
    /// CPU time of an external bot outside its turns, including all its descendants, if the system tells. Small
    /// compared with `cpu`, unless the contest allows thinking in the opponent's time (`ponder`).
    pub idle_cpu: Option<Duration>,
    /// The exit status of an external bot's process, also after its last answer; `None` if the referee killed it.
    pub exit: Option<ExitStatus>,
    /// The end of what an external bot wrote to standard error, at most the number of bytes that the referee keeps.
    pub stderr: String,
    /// Number of those bytes that had been written at the bot's first answer, at its second, and so on; empty if it
    /// wrote nothing.
    pub stderr_at: Vec<usize>,
    /// Observations of the referee that explain the end of an external bot, in sentences: unexpected output, a lock
    /// that it waited for.
    pub notes: Vec<String>,
    /// The game was over and the bot, told so, had not left when the grace time was: a note, the result stands.
    pub left_running: bool,
}

impl Seat {
    /// Returns whether the player lost on time before its first answer: most likely its program does not speak the
    /// protocol.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        matches!(self.ending, Ending::Timeout { .. } | Ending::Overloaded { .. }) && self.answers == 0
    }
}

impl Default for Seat {
    /// Returns the seat of a player that has not been asked anything.
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
            left_running: false,
        }
    }
}

impl Seat {
    /// Returns the player's part as lines for people: the ending, answers and times, the exit of the process, and its
    /// standard error, indented.
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
        for note in &self.notes {
            text += &format!("; {note}");
        }
        for line in self.stderr.lines() {
            text += &format!("\n    {line}");
        }
        text
    }

    /// Returns the text that it wrote to standard error for the answer of this number, from 0, as far as it is kept:
    /// after the previous answer and until this one, or after all of them.
    #[must_use]
    pub fn stderr_for(&self, answer: usize) -> &str {
        let end = |at: usize| self.stderr_at.get(at).copied().unwrap_or(self.stderr.len());
        let start = answer.checked_sub(1).map_or(0, end);
        self.stderr.get(start..end(answer)).unwrap_or_default()
    }

    /// Returns whether the time limit ended its part.
    #[must_use]
    pub fn is_late(&self) -> bool {
        matches!(self.ending.name(), "timeout" | "overloaded")
    }

    /// Derives the sums and the number of answers from the times.
    pub(crate) fn add_up_times(&mut self) {
        for time in std::mem::take(&mut self.times) {
            self.add_time(time);
        }
        self.answers = self.times.len() as u32 - u32::from(self.is_late() && !self.times.is_empty());
    }

    /// Counts the time that one answer took.
    pub fn add_time(&mut self, time: Duration) {
        let time = Duration::from_micros(time.as_micros() as u64);
        self.wall += time;
        self.slowest = self.slowest.max(time);
        self.times.push(time);
    }
}

/// One finished game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// The name of the contest or of the external referee.
    pub game: String,
    /// The seed that all its chance follows from.
    pub seed: u64,
    /// Setup that was fixed before the first move, in the judge's notation; empty if the referee does not tell.
    pub setup: Vec<String>,
    /// All moves in the judge's notation; empty if the referee does not tell them.
    pub moves: Vec<String>,
    /// The result of each seat.
    pub seats: Vec<Seat>,
    /// Whether the game was stopped from outside, so that its result does not count.
    pub interrupted: bool,
    /// The rule variants it was played with, `key=value,key=value`; empty for the contest's own rules.
    pub rules: String,
    /// Values that external bots printed on standard error, those of seat 0 first, each bot's by name and turn.
    pub attributes: Vec<Attribute>,
    /// The game's place in a match.
    pub in_match: Option<InMatch>,
    /// Number of earlier replays, each because a bot lost on time by the machine's own delay (`rematches`).
    pub rematches: u32,
    /// The machine that played the game, if it is not the one that keeps the record.
    pub machine: Option<Machine>,
    /// Seconds from start to result, of a game by an external referee.
    pub seconds: Option<f64>,
    /// The share of that time in which some task of the machine waited for a core, if the system counts it.
    pub busy: Option<f64>,
    /// The file of the engine's log, if logs are kept.
    pub engine_log: Option<String>,
    /// The command that plays the game again, of a game by an external referee.
    pub repeat: Option<String>,
    /// A hash of all answers of a game whose moves are not known: equal games have equal ones.
    pub digest: Option<String>,
    /// Earlier failures of the referee itself at this game.
    pub again: Vec<String>,
}

/// A machine that has played a game for another one.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Speed of one of its cores when it joined, in rounds of a fixed workload per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Share of late wake-ups among wake-ups every 10 ms during the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_wakeups: Option<f64>,
    /// Share of the cores' time that other programs used during the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_load: Option<f64>,
}

/// The place of a game in a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InMatch {
    /// Fingerprint that all games of the match share (bots, limits, rules and seed), 16 hexadecimal digits.
    pub plan: String,
    /// Its number, from 1: in odd games the match's first bot has seat 0.
    pub game: u64,
}

impl Record {
    /// Returns the record of a judge's game that was played with this seed and by the contest's own rules, with the
    /// judge's result. Of the bots it knows only the names, and whether the judge has broken the game off.
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

    /// Sets the ranks by the points, of which every seat must have some.
    pub fn rank_by_points(&mut self) {
        let ranks = ranks_by_points(&self.seats);
        self.seats.iter_mut().zip(ranks).for_each(|(seat, rank)| seat.rank = rank);
    }

    /// Returns whether a bot lost on time by the machine's own delay.
    #[must_use]
    pub fn is_overloaded(&self) -> bool {
        self.seats.iter().any(|seat| seat.ending.name() == "overloaded")
    }

    /// Returns whether the game was stopped because it took too many turns.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat.ending, Ending::Endless { .. }))
    }

    /// Returns the place of a seat as a number from 0 for the last to 1 for the first: the share of the others that it
    /// has left behind, ties as halves.
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

    /// Returns whether every seat has points.
    #[must_use]
    pub fn has_points(&self) -> bool {
        self.seats.iter().all(|seat| seat.points.is_some())
    }

    /// Returns the points by seat for people, with `separator` between them.
    #[must_use]
    pub fn points_text(&self, separator: &str) -> String {
        self.points().iter().map(f64::to_string).collect::<Vec<_>>().join(separator)
    }

    /// Returns the points by seat; 0 for a seat without points.
    #[must_use]
    pub fn points(&self) -> Vec<f64> {
        self.seats.iter().map(|seat| seat.points.unwrap_or_default()).collect()
    }
}

/// Returns the place of each seat by its points, 0 for the best; seats without points have place 0.
pub(crate) fn ranks_by_points(seats: &[Seat]) -> Vec<u32> {
    let better =
        |points: f64| seats.iter().filter(|other| other.points.is_some_and(|other| other > points)).count();
    seats.iter().map(|seat| seat.points.map_or(0, |points| better(points) as u32)).collect()
}
