//! Bots and games of a league, as data.

use contender_game::Contest;
use contender_referee::{Entrant, EntrantError, Record};
use contender_stats::ratings::{MOST_PLAYERS, RankedGame, RatedGame};
use std::path::Path;
use std::time::Duration;

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
    /// The bot as a host takes it; its command runs in `folder`, the league's. Without a contest, as with an external
    /// referee, it is a command.
    ///
    /// # Errors
    /// What [`Entrant::parse`] says.
    pub fn entrant(&self, contest: Option<&dyn Contest>, folder: &Path) -> Result<Entrant, EntrantError> {
        entrant(&self.name, &self.command, contest, folder)
    }
}

/// The bot of this name and command as a host takes it.
pub(crate) fn entrant(
    name: &str,
    command: &str,
    contest: Option<&dyn Contest>,
    folder: &Path,
) -> Result<Entrant, EntrantError> {
    let entrant = match contest {
        Some(contest) => Entrant::parse_within(contest, command, folder)?,
        None => Entrant::parse_command_within(command, folder)?,
    };
    Ok(Entrant { name: name.to_string(), ..entrant })
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

/// A bot's part of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Seat {
    /// The bot's number in the file.
    pub bot: i64,
    /// Its contest points.
    pub points: f64,
    /// How its part ended, in a word.
    pub end: String,
}

impl Seat {
    /// Seats as the file has them: a list of a bot's number, its points and its end each.
    pub(crate) fn write_all(seats: &[Seat]) -> Option<String> {
        let all: Vec<_> = seats.iter().map(|seat| (seat.bot, seat.points, &seat.end)).collect();
        (!all.is_empty()).then(|| serde_json::to_string(&all).unwrap_or_default())
    }

    /// What [`write_all`](Seat::write_all) has written; `None` if it is something else.
    pub(crate) fn read_all(text: &str) -> Option<Vec<Seat>> {
        let all: Vec<(i64, f64, String)> = serde_json::from_str(text).ok()?;
        let seats = all.into_iter().map(|(bot, points, end)| Seat { bot, points, end });
        let seats: Vec<Seat> = seats.collect();
        (seats.len() + 2 <= MOST_PLAYERS).then_some(seats)
    }
}

/// A game of the league. Where it has more than two seats, points are the share of its opponents that a bot has left
/// behind, ties as halves.
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
    /// The third seat and those after it, in games of more than two.
    pub more: Vec<Seat>,
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
pub(crate) fn flaw(is_against_itself: bool, points: &[f64]) -> Option<String> {
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
        self.state == GameState::Void || self.seats().any(|(_, _, end)| end != "normal")
    }

    /// Bot, points and end of each seat.
    pub fn seats(&self) -> impl Iterator<Item = (i64, f64, &str)> {
        let first = (0..2).map(|seat| (self.bots[seat], self.points[seat], self.ends[seat].as_str()));
        first.chain(self.more.iter().map(|seat| (seat.bot, seat.points, seat.end.as_str())))
    }

    /// The names of its bots, by seat.
    #[must_use]
    pub fn names<'a>(&self, bots: &'a [Bot]) -> Vec<&'a str> {
        let name = |id: i64| bots.iter().find(|bot| bot.id == id).map_or("?", |bot| bot.name.as_str());
        self.seats().map(|(id, ..)| name(id)).collect()
    }

    /// Its points by seat, as lists show them.
    #[must_use]
    pub fn result(&self) -> String {
        let points: Vec<String> =
            self.seats().map(|(_, points, _)| ((points * 100.0).round() / 100.0).to_string()).collect();
        points.join(" - ")
    }

    /// The game as ratings see it, bots by the places of their numbers in `bots`; nothing if it is not finished or a
    /// bot is not there. A game of more than two is one for each two of its seats.
    #[must_use]
    pub fn rated(&self, bots: &[i64]) -> Vec<RatedGame> {
        let Some(ranked) = self.ranked(bots) else { return Vec::new() };
        let points: Vec<f64> = self.seats().map(|(_, points, _)| points).collect();
        let seats = 0..points.len();
        let duels = seats.flat_map(|one| (0..one).map(move |zero| [zero, one]));
        let rated = |[zero, one]: [usize; 2]| RatedGame {
            players: [ranked.players[zero], ranked.players[one]],
            points: [points[zero], points[one]],
            pair: self.pair.map(|pair| pair as u64),
        };
        duels.map(rated).collect()
    }

    /// The same for ratings that take games of several players.
    #[must_use]
    pub fn ranked(&self, bots: &[i64]) -> Option<RankedGame> {
        if self.state != GameState::Done {
            return None;
        }
        let place = |(id, ..): (i64, f64, &str)| bots.iter().position(|&bot| bot == id);
        let rank =
            |(_, points, _): (i64, f64, &str)| self.seats().filter(|(_, other, _)| *other > points).count();
        Some(RankedGame {
            players: self.seats().map(place).collect::<Option<_>>()?,
            ranks: self.seats().map(|seat| rank(seat) as u32).collect(),
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
    /// The seats after the second one.
    pub more: Vec<Seat>,
    pub record: Option<String>,
    /// Whether the players lost on time before their first answers, by seat, as far as it is known.
    pub silent: [bool; 2],
    /// How a referee of others failed at it before it was played.
    pub again: Vec<String>,
}

impl Finished {
    /// A record of two or more seats. Without points the normalised ranks count.
    pub fn from_record(record: &Record, has_points: bool) -> Finished {
        let points = |seat: &contender_play::Seat| match seat.points {
            Some(points) if has_points => points,
            _ => record.normalised_rank(seat),
        };
        let seats = [&record.seats[0], &record.seats[1]];
        let known = |seat: &contender_play::Seat, time: Duration| {
            (!seat.times.is_empty() || record.repeat.is_none()).then_some(time.as_secs_f64())
        };
        let more = record.seats[2..].iter().map(|seat| Seat {
            bot: 0,
            points: points(seat),
            end: seat.ending.name().to_string(),
        });
        Finished {
            points: seats.map(points),
            ends: seats.map(|seat| seat.ending.name().to_string()),
            seconds: seats.map(|seat| known(seat, seat.wall)),
            slowest: seats.map(|seat| known(seat, seat.slowest)),
            more: more.collect(),
            record: Some(record.to_json()),
            silent: seats.map(|seat| seat.is_silent()),
            again: record.again.clone(),
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
            more: Vec::new(),
            state: GameState::Done,
            finished: None,
            reason: None,
            record: None,
        }
    }
}
