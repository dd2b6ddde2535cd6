//! Bots and games of a league, as data.

use contender_game::Contest;
use contender_referee::{Entrant, EntrantError, GameRecord};
use contender_stats::ratings::RatedGame;
use std::path::Path;

/// Whether a bot plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It plays.
    Active,
    /// It rests, and is rated.
    Paused,
    /// It has left; its games stay and count for others.
    Removed,
}

impl State {
    /// Its word in the file.
    pub(crate) fn word(self) -> &'static str {
        match self {
            State::Active => "active",
            State::Paused => "paused",
            State::Removed => "removed",
        }
    }

    /// The state of a word; what is unknown has left.
    pub(crate) fn of(word: &str) -> State {
        match word {
            "active" => State::Active,
            "paused" => State::Paused,
            _ => State::Removed,
        }
    }
}

/// A bot of the league.
#[derive(Clone, PartialEq, Debug)]
pub struct Bot {
    /// Its number in the file.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// What is run: a bundled bot with options, or a command.
    pub command: String,
    /// Whether it plays.
    pub state: State,
    /// Its source, kept in the league's folder, and the hash of that.
    pub source: Option<(String, String)>,
    /// When it was added, paused, resumed or removed last, in seconds since 1970.
    pub changed: f64,
}

impl Bot {
    /// The bot as a referee takes it; its command runs in `folder`, the league's.
    ///
    /// # Errors
    /// What [`Entrant::parse`] says.
    pub fn entrant(&self, contest: &dyn Contest, folder: &Path) -> Result<Entrant, EntrantError> {
        let entrant = Entrant::parse_within(contest, &self.command, folder)?;
        Ok(Entrant { name: self.name.clone(), ..entrant })
    }
}

/// How far a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameState {
    /// Planned, or being played.
    Open,
    /// Played.
    Done,
    /// It could not be played, through no fault of a bot.
    Void,
}

/// A game of the league.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Its number in the file.
    pub id: i64,
    /// Games of a pair have the same number.
    pub pair: Option<i64>,
    /// The bots by seat, as their numbers in the file.
    pub bots: [i64; 2],
    /// Contest points by seat.
    pub points: [f64; 2],
    /// How each bot's part ended, in a word; `normal` for a part without a failure.
    pub ends: [String; 2],
    /// Thinking time by seat, in seconds; `None` where it is not known.
    pub seconds: [Option<f64>; 2],
    /// The slowest answer by seat, in seconds; `None` where it is not known.
    pub slowest: [Option<f64>; 2],
    /// How far it is.
    pub state: GameState,
    /// When it was played, found void or entered, in seconds since 1970.
    pub finished: Option<f64>,
    /// Why it is void.
    pub reason: Option<String>,
    /// All that is known of it, as one object of JSON.
    pub record: Option<String>,
}

/// Why a finished game cannot be rated: it is a bot's against itself, or its points are no numbers to reckon with.
pub(crate) fn flaw(is_against_itself: bool, points: [f64; 2]) -> Option<String> {
    /// More points than any contest gives, and few enough that their squares can be added up.
    const MOST: f64 = 1e12;
    let is_odd = |points: &f64| points.is_nan() || points.abs() > MOST;
    if is_against_itself {
        return Some("a game of a bot against itself".to_string());
    }
    points.iter().find(|points| is_odd(points)).map(|points| format!("{points} points"))
}

impl Game {
    /// Whether a bot failed, or the game could not be played.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.state == GameState::Void || self.ends.iter().any(|end| end != "normal")
    }

    /// The game as ratings see it, bots by the places of their numbers in `bots`; `None` if it is not finished or a bot
    /// is not there.
    #[must_use]
    pub fn rated(&self, bots: &[i64]) -> Option<RatedGame> {
        let place = |id: i64| bots.iter().position(|&bot| bot == id);
        if self.state != GameState::Done {
            return None;
        }
        Some(RatedGame {
            players: [place(self.bots[0])?, place(self.bots[1])?],
            points: self.points,
            pair: self.pair.map(|pair| pair as u64),
        })
    }
}

/// A finished game as it is entered.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Finished {
    pub points: [f64; 2],
    pub ends: [String; 2],
    pub seconds: [Option<f64>; 2],
    pub slowest: [Option<f64>; 2],
    pub record: Option<String>,
    /// Whether the players lost on time before their first answers, by seat, as far as it is known.
    pub silent: [bool; 2],
}

impl Finished {
    /// A game that we have refereed.
    pub fn of(record: &GameRecord) -> Finished {
        let seats = record.seats.each_ref();
        Finished {
            points: record.points.map(f64::from),
            ends: seats.map(|seat| seat.ending.name().to_string()),
            seconds: seats.map(|seat| Some(seat.wall.as_secs_f64())),
            slowest: seats.map(|seat| Some(seat.slowest.as_secs_f64())),
            record: Some(record.to_json()),
            silent: seats.map(|seat| seat.is_silent()),
        }
    }
}

/// A game from elsewhere.
pub(crate) struct ImportedGame {
    pub names: [String; 2],
    pub game: Finished,
    /// What it shares with the other game of its pair, if it is known.
    pub luck: Option<u64>,
    /// Tells it from all other games, so that it is entered once.
    pub origin: String,
    /// Another name that a league may know it by; not for sure, as other games may share it.
    pub former_origin: Option<String>,
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A bot that plays.
    pub fn bot(id: i64) -> Bot {
        Bot {
            id,
            name: format!("bot{id}"),
            command: String::new(),
            state: State::Active,
            source: None,
            changed: 0.0,
        }
    }

    /// A finished game without failures, of which nothing else is known.
    pub fn game(id: i64, bots: [i64; 2], points: [f64; 2]) -> Game {
        Game {
            id,
            pair: None,
            bots,
            points,
            ends: ["normal".to_string(), "normal".to_string()],
            seconds: [None; 2],
            slowest: [None; 2],
            state: GameState::Done,
            finished: None,
            reason: None,
            record: None,
        }
    }
}
