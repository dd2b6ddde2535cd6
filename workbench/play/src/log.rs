//! The text format of games. A log contains one line of JSON per finished game.
//!
//! | key | value |
//! |---|---|
//! | `game` | the name of the contest, or of the external referee |
//! | `seed` | the seed for all randomness, a signed 64-bit integer, or its digits as a string beyond ±2^53 |
//! | `players` | the bots' names, by seat |
//! | `setup`, `moves` | the setup before the first move, and all moves, as strings in the judge's notation |
//! | `result` | for two seats: `"1-0"`, `"0-1"` or `"1/2-1/2"` according to their ranks; `"*"` if the game was interrupted |
//! | `winner` | the winner's name; omitted if several seats share the first place |
//! | `ranks` | by seat, 0 for the best, equal numbers for a tie; omitted if the scores give the same order |
//! | `scores` | by seat, contest points or the referee's score |
//! | `times_ms` | by seat, the time of every answer in milliseconds with three decimals |
//! | `end` | by seat, an [`Ending`]: a name (`"normal"`), or an object with one name and its details: `{"timeout":{"limit_ms":100,"overrun_ms":12}}`; for a failure reported by an external referee, only the name |
//! | `words` | by seat, an external referee's message about a failure |
//! | `delays_ms` | by seat, the part of each time in `times_ms` in which the bot or its referee waited for a core |
//! | `stolen_ms` | by seat, the part of each time in `times_ms` in which the bot neither ran nor waited for a core, although it did not sleep |
//! | `cpu_ms` | by seat, CPU time of an external bot in milliseconds, or `null` |
//! | `idle_cpu_ms` | by seat, the part of the CPU time outside the bot's turns |
//! | `stderr` | by seat, the end of an external bot's standard error output |
//! | `stderr_at` | by seat, the number of bytes of `stderr` that had been written by the time of each answer |
//! | `notes` | by seat, sentences in which the referee explains the end of an external bot |
//! | `outputs` | by seat, the bot's answers in order, with an empty string for a turn without an answer |
//! | `left_running` | by seat, whether the bot had to be killed after the game |
//! | `exit` | by seat, how the process ended if it ended by itself, `{"code":0}` or `{"signal":11}`, otherwise `null` |
//! | `rules` | the rule variants, `"key=value,key=value"` |
//! | `attributes` | values that bots printed, a list of [`Attribute`]s: `{"name":"depth","player":0,"turn":7,"value":"4"}`; `player` and `turn` are optional |
//! | `summaries` | for a battle from CodinGame's site, the referee's remarks for each turn |
//! | `battle` | for a battle from CodinGame's site, [its number and the author's seat](Battle): `{"id":901942746,"me":0}` |
//! | `match` | the [place](InMatch) of a game in a match: `{"plan":"90ab12cd34ef5678","game":17}` |
//! | `rematches` | the number of times that the game was replayed because a bot lost on time due to the machine's delays |
//! | `machine` | the machine that played the game, if it was another machine: `{"name":"lab-3","speed":812000.0,"late_wakeups":0.01,"other_load":0.02}`; numbers are omitted if unknown |
//! | `seconds` | for an external referee, the time from start to result |
//! | `busy` | the fraction of `seconds` in which any task on the machine waited for a core |
//! | `log` | the file with the engine's log |
//! | `repeat` | the command that plays the game again |
//! | `digest` | a hash of all answers: equal games have equal hashes |
//! | `again` | earlier failures of the referee itself in this game |
//!
//! Keys without a value are omitted. Readers ignore unknown keys. A game must have `seed`, `players`, and either
//! `ranks` or `scores`.

mod file;

pub use file::{append_to, begins_game, mend, open_to_resume, read_log};

use crate::record::ranks_by_points;
use crate::{
    Attribute, Battle, Ending, ExitStatus, InMatch, Machine, Record, RecordError, ReportedFailure, Seat,
};
use contender_game::{contest::Contest, rules::Player, settings::Options};
use contender_input::this_program;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

/// Maximum number of seats in a game.
pub const MAX_SEATS: usize = 8;

/// Returns the error message for a line that is not a JSON object.
#[must_use]
pub fn no_game() -> String {
    format!(
        "not a recorded game: expected one JSON object per line, as written by `{} match --log FILE` \
         (docs/reference/formats.md)",
        this_program()
    )
}

/// The reason why a line is not a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct LogError {
    /// The line number, starting at 1.
    pub line: usize,
    /// The column in the line, starting at 1; 0 if the error concerns the whole line.
    pub column: usize,
    /// The reason.
    pub reason: String,
    /// Whether the error is an incomplete last line, because the writer was stopped in the middle of the line. All
    /// earlier lines are complete.
    pub is_torn: bool,
}

/// A value that has a different form in logs than in the program.
trait Wire: Clone + PartialEq + Default {
    type Form: Serialize + for<'de> Deserialize<'de>;
    fn write(&self) -> Self::Form;
    /// Converts a value from its form in a log. The caller adds the key to an error.
    fn read(form: Self::Form) -> Result<Self, InvalidTime>;
}

/// Implements [`Wire`] for types that have the same form in logs and in the program.
macro_rules! as_is {
    ($($type:ty),*) => {$(
        impl Wire for $type {
            type Form = $type;
            fn write(&self) -> $type {
                self.clone()
            }
            fn read(form: $type) -> Result<$type, InvalidTime> {
                Ok(form)
            }
        }
    )*};
}

as_is!(String, bool, u32, Vec<usize>, Vec<String>, Vec<Attribute>);
as_is!(Option<Battle>, Option<ExitStatus>, Option<InMatch>, Option<Machine>, Option<String>, Option<f64>);

impl Wire for Vec<Duration> {
    type Form = Vec<f64>;
    fn write(&self) -> Vec<f64> {
        self.iter().copied().map(to_ms).collect()
    }
    fn read(form: Vec<f64>) -> Result<Vec<Duration>, InvalidTime> {
        form.into_iter().map(from_ms).collect()
    }
}

impl Wire for Option<Duration> {
    type Form = Option<f64>;
    fn write(&self) -> Option<f64> {
        self.map(to_ms)
    }
    fn read(form: Option<f64>) -> Result<Option<Duration>, InvalidTime> {
        form.map(from_ms).transpose()
    }
}

impl Wire for Ending {
    type Form = EndingForm;
    fn write(&self) -> EndingForm {
        match self {
            Ending::Reported { failure, .. } => EndingForm::Reported(*failure),
            ending => EndingForm::Own(ending.clone()),
        }
    }
    fn read(form: EndingForm) -> Result<Ending, InvalidTime> {
        Ok(match form {
            EndingForm::Own(ending) => ending,
            EndingForm::Reported(failure) => Ending::Reported { failure, words: String::new() },
        })
    }
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum EndingForm {
    Own(Ending),
    Reported(ReportedFailure),
}

/// Points, which are written as integers if possible.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Points(f64);

impl Serialize for Points {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let whole = self.0 as i64;
        // From 2^53 on, `f64` cannot represent every integer.
        if whole as f64 == self.0 && whole.abs() < 1 << 53 {
            return serializer.serialize_i64(whole);
        }
        serializer.serialize_f64(self.0)
    }
}

/// The condition under which a key is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// In every game of the built-in referee; in other games, only if the key has a value.
    Always,
    /// Only if the key has a value.
    Known,
}

/// Defines how a game is written as a line of a log. Each row in `game` describes a field of [`Record`]. Each row in
/// `seats` describes a field of [`Seat`], which is written as a list with one entry per seat.
macro_rules! line {
    (game { $($name:ident as $key:literal: $type:ty, $when:ident;)* }
     seats { $($seat_name:ident as $seat_key:literal: $seat_type:ty, $seat_when:ident;)* }) => {
        #[derive(Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        struct Line {
            #[serde(default)]
            game: String,
            #[serde(with = "crate::seed")]
            #[cfg_attr(feature = "schema", schemars(with = "crate::seed::Form"))]
            seed: u64,
            players: Vec<String>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            result: Option<String>,
            // A reader computes the winner from the ranks.
            #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "ignored")]
            winner: Option<String>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            ranks: Option<Vec<u32>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            scores: Option<Vec<Points>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            words: Option<Vec<String>>,
            $(#[serde(default, rename = $seat_key, skip_serializing_if = "Option::is_none")]
            $seat_name: Option<Vec<<$seat_type as Wire>::Form>>,)*
            $(#[serde(default, rename = $key, skip_serializing_if = "Option::is_none")]
            $name: Option<<$type as Wire>::Form>,)*
        }

        impl Line {
            fn write(record: &Record) -> Line {
                let seats = &record.seats;
                let is_ours = !record.is_external();
                let is_written = |when: When, has_value: bool| has_value || is_ours && when == When::Always;
                Line {
                    game: record.game.clone(),
                    seed: record.seed,
                    players: seats.iter().map(|seat| seat.bot.clone()).collect(),
                    result: record.result().map(str::to_string),
                    winner: record.winner().map(str::to_string),
                    ranks: record.ranks_to_write(),
                    scores: record.has_points().then(|| record.points().into_iter().map(Points).collect()),
                    words: record.words(),
                    $($name: is_written(When::$when, record.$name != <$type>::default())
                        .then(|| record.$name.write()),)*
                    $($seat_name: is_written(
                        When::$seat_when,
                        seats.iter().any(|seat| seat.$seat_name != <$seat_type>::default()),
                    )
                        .then(|| seats.iter().map(|seat| seat.$seat_name.write()).collect()),)*
                }
            }

            /// Reads all keys except the game's result, which depends on several keys.
            fn read(&mut self) -> Result<Record, RecordError> {
                let mut seats: Vec<Seat> = std::mem::take(&mut self.players)
                    .into_iter()
                    .map(|bot| Seat { bot, ..Seat::default() })
                    .collect();
                $(if let Some(column) = self.$seat_name.take() {
                    for (seat, value) in seats_with($seat_key, &mut seats, column)? {
                        seat.$seat_name =
                            Wire::read(value).map_err(|error: InvalidTime| error.of($seat_key))?;
                    }
                })*
                Ok(Record {
                    game: std::mem::take(&mut self.game),
                    seed: self.seed,
                    seats,
                    $($name: self.$name.take().map(Wire::read).transpose()
                        .map_err(|error: InvalidTime| error.of($key))?
                        .unwrap_or_default(),)*
                    ..Record::default()
                })
            }
        }
    };
}

line! {
    game {
        setup as "setup": Vec<String>, Always;
        moves as "moves": Vec<String>, Always;
        rules as "rules": String, Known;
        attributes as "attributes": Vec<Attribute>, Known;
        summaries as "summaries": Vec<String>, Known;
        battle as "battle": Option<Battle>, Known;
        in_match as "match": Option<InMatch>, Known;
        rematches as "rematches": u32, Known;
        machine as "machine": Option<Machine>, Known;
        seconds as "seconds": Option<f64>, Known;
        busy as "busy": Option<f64>, Known;
        engine_log as "log": Option<String>, Known;
        repeat as "repeat": Option<String>, Known;
        digest as "digest": Option<String>, Known;
        again as "again": Vec<String>, Known;
    }
    seats {
        times as "times_ms": Vec<Duration>, Always;
        ending as "end": Ending, Always;
        delays as "delays_ms": Vec<Duration>, Known;
        stolen as "stolen_ms": Vec<Duration>, Known;
        cpu as "cpu_ms": Option<Duration>, Always;
        idle_cpu as "idle_cpu_ms": Option<Duration>, Known;
        stderr as "stderr": String, Always;
        stderr_at as "stderr_at": Vec<usize>, Known;
        notes as "notes": Vec<String>, Known;
        outputs as "outputs": Vec<String>, Known;
        left_running as "left_running": bool, Always;
        exit as "exit": Option<ExitStatus>, Always;
    }
}

/// Adds the schema of a game's line to a generator and returns it.
#[cfg(feature = "schema")]
pub fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    generator.subschema_for::<Line>()
}

/// Returns all required keys that are missing from a JSON object. Returns an empty list if the text is not an object.
fn missing_keys(text: &str) -> Vec<&'static str> {
    let Ok(found) = serde_json::from_str::<BTreeMap<&str, IgnoredAny>>(text) else { return Vec::new() };
    let needed: [(&str, &[&str]); 3] =
        [("seed", &["seed"]), ("players", &["players"]), ("scores", &["scores", "ranks"])];
    let is_there = |keys: &[&str]| keys.iter().any(|key| found.contains_key(key));
    needed.into_iter().filter(|(_, keys)| !is_there(keys)).map(|(name, _)| name).collect()
}

/// Returns the result of a game whose two seats have these contest points.
#[must_use]
pub fn result_of([zero, one]: [i32; 2]) -> &'static str {
    result_of_ranks([one, zero])
}

/// Returns the result of a game whose two seats have these ranks. A lower rank is better.
fn result_of_ranks<T: Ord>([zero, one]: [T; 2]) -> &'static str {
    match zero.cmp(&one) {
        Ordering::Less => "1-0",
        Ordering::Greater => "0-1",
        Ordering::Equal => "1/2-1/2",
    }
}

/// Accepts any value of a key that is only written.
fn ignored<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    IgnoredAny::deserialize(value).map(|_| None)
}

/// Combines each seat with its value in a list.
fn seats_with<'s, T>(
    key: &'static str,
    seats: &'s mut [Seat],
    column: Vec<T>,
) -> Result<impl Iterator<Item = (&'s mut Seat, T)> + use<'s, T>, RecordError> {
    if column.len() == seats.len() {
        Ok(seats.iter_mut().zip(column))
    } else {
        Err(RecordError::Entries { key, entries: column.len(), players: seats.len() })
    }
}

impl Record {
    /// Returns the result of a two-player game according to the ranks: `1-0`, `0-1` or `1/2-1/2`, or `*` if the game
    /// was interrupted. Returns `None` if the game has more seats.
    #[must_use]
    pub fn result(&self) -> Option<&'static str> {
        if self.interrupted {
            return Some("*");
        }
        let [zero, one] = self.seats.as_slice() else { return None };
        Some(result_of_ranks([zero.rank, one.rank]))
    }

    /// Returns the name of the bot that alone has the best rank. Returns `None` after a tie, and if the game was
    /// interrupted.
    #[must_use]
    pub fn winner(&self) -> Option<&str> {
        let best = self.seats.iter().map(|seat| seat.rank).min()?;
        let mut first = self.seats.iter().filter(|seat| seat.rank == best && !self.interrupted);
        let winner = first.next()?;
        first.next().is_none().then_some(&winner.bot)
    }

    /// Returns the ranks, or `None` if a reader can derive them from the points.
    fn ranks_to_write(&self) -> Option<Vec<u32>> {
        let ranks: Vec<u32> = self.seats.iter().map(|seat| seat.rank).collect();
        let is_told = self.has_points() && ranks == ranks_by_points(&self.seats);
        (!is_told).then_some(ranks)
    }

    /// Formats the game as one line of JSON, without a newline.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(&Line::write(self)).expect("strings, numbers and lists can be written as JSON")
    }

    /// Parses a game from one line of JSON.
    ///
    /// # Errors
    /// Returns an error with the position and the reason if the text is not a valid game. The line number is always 1.
    pub fn from_json(text: &str) -> Result<Record, LogError> {
        let error = |column, reason| LogError { line: 1, column, reason, is_torn: false };
        if !text.trim_start().starts_with('{') {
            return Err(error(1, no_game()));
        }
        let line: Result<Line, _> = serde_json::from_str(text);
        if line.as_ref().map_or(true, |line| line.scores.is_none() && line.ranks.is_none()) {
            let missing = missing_keys(text);
            if !missing.is_empty() {
                return Err(error(text.len(), format!("missing keys: {}", missing.join(", "))));
            }
        }
        let line = line.map_err(|failure| {
            // The message ends with the position, which is kept separately here.
            let words = failure.to_string();
            let reason = words.split(" at line ").next().unwrap_or(&words).to_string();
            error(failure.column(), reason)
        })?;
        Record::from_line(line).map_err(|reason| error(0, reason.to_string()))
    }

    fn from_line(mut line: Line) -> Result<Record, RecordError> {
        let mut record = line.read()?;
        let seats = &mut record.seats;
        if !(2..=MAX_SEATS).contains(&seats.len()) {
            return Err(RecordError::Players { players: seats.len(), most: MAX_SEATS });
        }
        if let Some(scores) = line.scores {
            for (seat, points) in seats_with("scores", seats, scores)? {
                seat.points = Some(points.0);
            }
        }
        if let Some(words) = line.words {
            for (seat, said) in seats_with("words", seats, words)? {
                if let Ending::Reported { words, .. } = &mut seat.ending {
                    *words = said;
                }
            }
        }
        seats.iter_mut().for_each(Seat::add_up_times);
        record.rank_by_points();
        if let Some(ranks) = line.ranks {
            for (seat, rank) in seats_with("ranks", &mut record.seats, ranks)? {
                seat.rank = rank;
            }
        }
        record.interrupted = line.result.as_deref() == Some("*");
        match (line.result, record.result()) {
            (Some(written), Some(result)) if written != result => {
                Err(RecordError::Result { result: written, scores: record.points() })
            }
            _ => Ok(record),
        }
    }

    /// Returns the external referee's message about a failure for each seat, or `None` if there are no messages.
    fn words(&self) -> Option<Vec<String>> {
        let words = |seat: &Seat| match &seat.ending {
            Ending::Reported { words, .. } => words.clone(),
            _ => String::new(),
        };
        let words: Vec<String> = self.seats.iter().map(words).collect();
        words.iter().any(|words| !words.is_empty()).then_some(words)
    }

    /// Checks the record by replaying the game. Every move must be legal, and the points must match the record. If no
    /// player failed, the game must be over after the last move.
    ///
    /// # Errors
    /// Returns the first difference between the record and the replay.
    pub fn check(&self, contest: &dyn Contest) -> Result<(), RecordError> {
        let rules = rules_of(&self.rules)?;
        let mut untaken = rules.clone();
        let mut judge = contest.recorded(&self.setup, &mut untaken).map_err(RecordError::Setup)?;
        untaken.finish().map_err(RecordError::Rule)?;
        for (at, text) in self.moves.iter().enumerate() {
            judge.replay(text).map_err(|reason| RecordError::Turn {
                turn: at + 1,
                text: text.clone(),
                reason,
            })?;
        }
        let [zero, one] = self.seats.as_slice() else { return Err(RecordError::Seats) };
        let is_whole = [zero, one].iter().all(|seat| seat.ending == Ending::Normal);
        if is_whole && !judge.ask().is_empty() {
            return Err(RecordError::EndsEarly);
        }
        for (player, seat) in Player::BOTH.into_iter().zip([zero, one]) {
            if seat.ending.is_failure() {
                judge.fail(player);
            }
        }
        let replayed = judge.points().map(f64::from);
        let recorded = [zero, one].map(|seat| seat.points.unwrap_or_default());
        if !self.interrupted && replayed != recorded {
            return Err(RecordError::Score { recorded, replayed });
        }
        Ok(())
    }

    /// Checks that the seed produces the recorded setup.
    ///
    /// # Errors
    /// Returns an error that contains both setups if they differ.
    pub fn check_seed(&self, contest: &dyn Contest) -> Result<(), RecordError> {
        let mut rules = rules_of(&self.rules)?;
        let setup = contest.judge(self.seed, &mut rules).map_err(RecordError::Rule)?.setup();
        if setup != self.setup {
            let [recorded, drawn] = [&self.setup, &setup].map(|setup| setup.join(" "));
            return Err(RecordError::Seed { seed: self.seed, drawn, recorded });
        }
        Ok(())
    }

    /// Appends the game to a log as a complete line, and flushes the log.
    ///
    /// # Errors
    /// Returns an error if the log cannot be written.
    pub fn write_to(&self, log: &mut impl Write) -> io::Result<()> {
        let mut line = self.to_json();
        line.push('\n');
        log.write_all(line.as_bytes())?;
        log.flush()
    }
}

/// Parses rule variants as they are written in a record.
///
/// # Errors
/// Returns an error for a rule that is not `KEY=VALUE`, or that appears twice.
pub fn rules_of(text: &str) -> Result<Options, RecordError> {
    let mut rules = Options::rules();
    for rule in text.split(',').filter(|rule| !rule.is_empty()) {
        let (key, value) = rule
            .split_once('=')
            .ok_or_else(|| RecordError::Rule(format!("invalid rule `{rule}`: expected KEY=VALUE")))?;
        rules.add(key, value).map_err(RecordError::Rule)?;
    }
    Ok(rules)
}

fn to_ms(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

/// A number of milliseconds that does not represent a valid time.
struct InvalidTime(String);

impl InvalidTime {
    fn of(self, key: &'static str) -> RecordError {
        RecordError::Value { key, reason: self.0 }
    }
}

fn from_ms(time: f64) -> Result<Duration, InvalidTime> {
    Duration::try_from_secs_f64(time / 1000.0)
        .map(|time| Duration::from_micros((time.as_nanos() as u64 + 500) / 1000))
        .map_err(|error| InvalidTime(format!("{time}: {error}")))
}
