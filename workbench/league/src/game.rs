//! Bots and games of a league, as data.

use contender_game::contest::Contest;
use contender_referee::{Entrant, EntrantError, Record};
use contender_stats::ratings::{MAX_PLAYERS, RankedGame, RatedGame};
use std::cmp::Ordering;
use std::path::Path;
use std::time::Duration;

/// The state of a bot.
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
    /// Returns its word in the file.
    pub(crate) fn word(self) -> &'static str {
        match self {
            State::Active => "active",
            State::Paused => "paused",
            State::Removed => "removed",
        }
    }

    /// Returns the state of a word; what is unknown has left.
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
    /// A bundled bot with options, or a command.
    pub command: String,
    /// The bot's state.
    pub state: State,
    /// Its source, kept in the league's folder, and the hash of that.
    pub source: Option<(String, String)>,
    /// Time of the last change (added, paused, resumed or removed), in seconds since 1970.
    pub changed: f64,
}

impl Bot {
    /// Returns the bot as a host takes it; its command runs in `folder`, the league's. Without a contest, as with an
    /// external referee, it is a command.
    ///
    /// # Errors
    /// See [`Entrant::parse`].
    pub fn entrant(&self, contest: Option<&dyn Contest>, folder: &Path) -> Result<Entrant, EntrantError> {
        entrant(&self.name, &self.command, contest, folder)
    }
}

/// Returns the bot of this name and command as a host takes it.
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

/// The state of a game.
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
    /// Its place: a better one has a lower number, equal numbers are a tie.
    pub rank: u32,
    /// Its contest points; in games by places alone the share of the other seats that it has left behind, ties as
    /// halves.
    pub points: f64,
    /// The ending of its part in a word; `normal` without a failure.
    pub ending: String,
    /// Its thinking time in milliseconds; `None` if it is not known.
    pub ms: Option<f64>,
    /// Its slowest answer in milliseconds; `None` if it is not known.
    pub slowest_ms: Option<f64>,
}

impl Seat {
    /// A seat before its game was played.
    pub(crate) fn planned(bot: i64) -> Seat {
        Seat { bot, rank: 0, points: 0.0, ending: String::new(), ms: None, slowest_ms: None }
    }

    /// Returns whether the bot failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        !matches!(self.ending.as_str(), "" | "normal")
    }
}

/// Returns the seats of a game of ours or of an external referee; bots have no numbers yet. Without points places
/// count.
pub(crate) fn seats_of_record(record: &Record, has_points: bool) -> Vec<Seat> {
    let seat = |seat: &contender_play::Seat| {
        let known = |time: Duration| {
            (!seat.times.is_empty() || record.repeat.is_none()).then_some(time.as_secs_f64() * 1e3)
        };
        Seat {
            points: seat.points.filter(|_| has_points).unwrap_or_else(|| record.normalised_rank(seat)),
            ending: seat.ending.name().to_string(),
            ms: known(seat.wall),
            slowest_ms: known(seat.slowest),
            ..Seat::planned(0)
        }
    };
    ranked(record.seats.iter().map(seat).collect())
}

/// Returns the seats of a game of two or more of which only ranks are known, lower is better.
pub(crate) fn seats_of_ranks(ranks: &[f64], ending: impl Fn(usize) -> String) -> Vec<Seat> {
    let points = |own: f64| {
        let beaten = |rank: &f64| match own.total_cmp(rank) {
            Ordering::Less => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Greater => 0.0,
        };
        // A tie with itself does not count.
        (ranks.iter().map(beaten).sum::<f64>() - 0.5) / (ranks.len() - 1) as f64
    };
    let seat = |(at, &rank)| Seat { points: points(rank), ending: ending(at), ..Seat::planned(0) };
    ranked(ranks.iter().enumerate().map(seat).collect())
}

/// Returns the seats with the ranks that their points give them.
pub(crate) fn ranked(mut seats: Vec<Seat>) -> Vec<Seat> {
    for at in 0..seats.len() {
        seats[at].rank = seats.iter().filter(|seat| seat.points > seats[at].points).count() as u32;
    }
    seats
}

/// A game of the league, of two or more seats.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Its number in the file.
    pub id: i64,
    /// Games of a pair, or of the rotations of a meeting, have the same number.
    pub pair: Option<i64>,
    /// Its seats.
    pub seats: Vec<Seat>,
    /// The game's state.
    pub state: GameState,
    /// Time at which it was played, declared void or imported, in seconds since 1970.
    pub finished: Option<f64>,
    /// Why it is void.
    pub reason: Option<String>,
    /// The whole record, as one JSON object.
    pub record: Option<String>,
}

/// Returns the reason why a finished game cannot be rated: a bot played itself, or its points are not finite numbers.
pub(crate) fn flaw(seats: &[Seat]) -> Option<String> {
    /// More points than any contest gives, and few enough that their squares can be added up.
    const MAX_POINTS: f64 = 1e12;
    if !(2..=MAX_PLAYERS).contains(&seats.len()) {
        return Some(format!("a game of {} seats", seats.len()));
    }
    if (1..seats.len()).any(|at| seats[..at].iter().any(|seat| seat.bot == seats[at].bot)) {
        return Some("a game of a bot against itself".to_string());
    }
    let is_odd = |seat: &&Seat| seat.points.is_nan() || seat.points.abs() > MAX_POINTS;
    seats.iter().find(is_odd).map(|seat| format!("{} points", seat.points))
}

impl Game {
    /// Returns whether a bot failed, or the game has no result.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.state == GameState::Void || self.seats.iter().any(Seat::has_failed)
    }

    /// Returns the seat of a bot.
    #[must_use]
    pub fn seat_of(&self, bot: i64) -> Option<&Seat> {
        self.seats.iter().find(|seat| seat.bot == bot)
    }

    /// Returns the number of seats that did better than this one.
    #[must_use]
    pub fn place(&self, seat: &Seat) -> usize {
        self.seats.iter().filter(|other| other.rank < seat.rank).count()
    }

    /// Returns the names of its bots, by seat.
    #[must_use]
    pub fn names<'a>(&self, bots: &'a [Bot]) -> Vec<&'a str> {
        let name = |id: i64| bots.iter().find(|bot| bot.id == id).map_or("?", |bot| bot.name.as_str());
        self.seats.iter().map(|seat| name(seat.bot)).collect()
    }

    /// Returns its points by seat, as lists show them.
    #[must_use]
    pub fn result(&self) -> String {
        let points = self.seats.iter().map(|seat| ((seat.points * 100.0).round() / 100.0).to_string());
        points.collect::<Vec<_>>().join(" - ")
    }

    /// Returns the game as ratings see it, bots by the places of their numbers in `bots`; nothing if it is not finished
    /// or a bot is not there. It is one game for each two of its seats.
    #[must_use]
    pub fn rated(&self, bots: &[i64]) -> Vec<RatedGame> {
        let Some(RankedGame { players, .. }) = self.ranked(bots) else { return Vec::new() };
        let rated = |[zero, one]: [usize; 2]| RatedGame {
            players: [players[zero], players[one]],
            points: [self.seats[zero].points, self.seats[one].points],
            pair: self.pair.map(|pair| pair as u64),
        };
        duels(players.len()).map(rated).collect()
    }

    /// Returns the game for ratings of several players.
    #[must_use]
    pub fn ranked(&self, bots: &[i64]) -> Option<RankedGame> {
        if self.state != GameState::Done {
            return None;
        }
        let place = |seat: &Seat| bots.iter().position(|&bot| bot == seat.bot);
        Some(RankedGame {
            players: self.seats.iter().map(place).collect::<Option<_>>()?,
            ranks: self.seats.iter().map(|seat| self.place(seat) as u32).collect(),
        })
    }
}

/// Returns every two of `seats` seats, the earlier one first.
pub(crate) fn duels(seats: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..seats).flat_map(|one| (0..one).map(move |zero| [zero, one]))
}

/// A game from elsewhere.
pub(crate) struct ImportedGame {
    pub names: Vec<String>,
    /// Its seats; bots have no numbers yet.
    pub seats: Vec<Seat>,
    pub record: Option<String>,
    /// The seed that it shares with the other game of its pair, if known.
    pub luck: Option<u64>,
    /// Tells it from all other games, so that it is entered once.
    pub origin: String,
    /// Another name that a league may know it by; not for sure, as other games may share it.
    pub former_origin: Option<String>,
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Returns a bot that plays.
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

    /// Returns a finished game without failures, of which nothing else is known.
    pub fn game(id: i64, bots: [i64; 2], points: [f64; 2]) -> Game {
        let seat = |(bot, points)| Seat { points, ending: "normal".to_string(), ..Seat::planned(bot) };
        Game {
            id,
            pair: None,
            seats: ranked(bots.into_iter().zip(points).map(seat).collect()),
            state: GameState::Done,
            finished: None,
            reason: None,
            record: None,
        }
    }
}
