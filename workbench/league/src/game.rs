//! The data types for bots and games in a league.

use contender_game::contest::Contest;
use contender_referee::{Entrant, EntrantError, Record};
use contender_stats::ratings::{MAX_PLAYERS, RankedGame, RatedGame};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

/// The state of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BotState {
    /// The bot plays games.
    Active,
    /// The bot does not play games, but is still rated.
    Paused,
    /// The bot has left the league. Its games are kept and still count for other bots.
    Removed,
}

impl BotState {
    /// Returns the word that represents the state in the league's file.
    pub(crate) fn word(self) -> &'static str {
        match self {
            BotState::Active => "active",
            BotState::Paused => "paused",
            BotState::Removed => "removed",
        }
    }

    /// Returns the state for a word in the league's file. An unknown word means removed.
    pub(crate) fn of(word: &str) -> BotState {
        match word {
            "active" => BotState::Active,
            "paused" => BotState::Paused,
            _ => BotState::Removed,
        }
    }
}

/// A bot in the league.
#[derive(Clone, PartialEq, Debug)]
pub struct LeagueBot {
    /// The ID of the bot in the league's file.
    pub id: i64,
    /// The bot's name.
    pub name: String,
    /// A bundled bot with options, or a command.
    pub command: String,
    /// The bot's state.
    pub state: BotState,
    /// The bot's source file in the league's folder, and its hash.
    pub source: Option<(String, String)>,
    /// The Unix time, in seconds, of the last change (added, paused, resumed or removed).
    pub changed: f64,
}

impl LeagueBot {
    /// Returns the bot as an entrant for a host. The bot's command runs in the league's folder, `folder`. If there is
    /// no contest (as with an external referee), the bot must be a command.
    ///
    /// # Errors
    /// See [`Entrant::parse`].
    pub fn entrant(&self, contest: Option<&dyn Contest>, folder: &Path) -> Result<Entrant, EntrantError> {
        entrant(&self.name, &self.command, contest, folder)
    }
}

/// Returns the bot with this name and command as an entrant for a host.
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
    /// The game is planned or is being played.
    Open,
    /// The game has been played.
    Done,
    /// The game could not be played, through no fault of the bots.
    Void,
}

/// A bot's results in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatResult {
    /// The ID of the bot in the league's file.
    pub bot: i64,
    /// The bot's place. A lower number is better, and equal numbers mean a tie.
    pub rank: u32,
    /// The bot's contest points. In games that have only places, this is the fraction of the other seats that the bot
    /// has beaten, counting a tie as half.
    pub points: f64,
    /// The name of the ending; `normal` if the bot did not fail.
    pub ending: String,
    /// The bot's total thinking time in milliseconds, if it is known.
    pub ms: Option<f64>,
    /// The time of the bot's slowest answer in milliseconds, if it is known.
    pub slowest_ms: Option<f64>,
}

impl SeatResult {
    /// Creates a seat in a game that has not been played.
    pub(crate) fn planned(bot: i64) -> SeatResult {
        SeatResult { bot, rank: 0, points: 0.0, ending: String::new(), ms: None, slowest_ms: None }
    }

    /// Returns whether the bot failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        !matches!(self.ending.as_str(), "" | "normal")
    }

    /// Returns whether the bot lost on time because the machine was busy.
    #[must_use]
    pub fn is_overloaded(&self) -> bool {
        self.ending == "overloaded"
    }
}

/// Creates the seats of a recorded game. The bots have no IDs yet. If there are no points, they are computed from the
/// places.
pub(crate) fn seats_of_record(record: &Record, has_points: bool) -> Vec<SeatResult> {
    let seat = |seat: &contender_play::Seat| {
        let known = |time: Duration| {
            (!seat.times.is_empty() || record.repeat.is_none()).then_some(time.as_secs_f64() * 1e3)
        };
        SeatResult {
            points: seat.points.filter(|_| has_points).unwrap_or_else(|| record.normalised_rank(seat)),
            ending: seat.ending.name().to_string(),
            ms: known(seat.wall),
            slowest_ms: known(seat.slowest),
            ..SeatResult::planned(0)
        }
    };
    ranked(record.seats.iter().map(seat).collect())
}

/// Creates the seats of a game with at least two players from their ranks (lower is better).
pub(crate) fn seats_of_ranks(ranks: &[f64], ending: impl Fn(usize) -> String) -> Vec<SeatResult> {
    let points = |own: f64| {
        let beaten = |rank: &f64| match own.total_cmp(rank) {
            Ordering::Less => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Greater => 0.0,
        };
        // A player's tie with itself does not count.
        (ranks.iter().map(beaten).sum::<f64>() - 0.5) / (ranks.len() - 1) as f64
    };
    let seat =
        |(at, &rank)| SeatResult { points: points(rank), ending: ending(at), ..SeatResult::planned(0) };
    ranked(ranks.iter().enumerate().map(seat).collect())
}

/// Sets the ranks of the seats according to their points.
pub(crate) fn ranked(mut seats: Vec<SeatResult>) -> Vec<SeatResult> {
    for at in 0..seats.len() {
        seats[at].rank = seats.iter().filter(|seat| seat.points > seats[at].points).count() as u32;
    }
    seats
}

/// A game in the league, with two or more seats.
#[derive(Clone, PartialEq, Debug)]
pub struct LeagueGame {
    /// The ID of the game in the league's file.
    pub id: i64,
    /// The number of the pair or meeting, which is the same for all its games.
    pub pair: Option<i64>,
    /// The seats of the game.
    pub seats: Vec<SeatResult>,
    /// The state of the game.
    pub state: GameState,
    /// The Unix time, in seconds, at which the game was played, declared void or imported.
    pub finished: Option<f64>,
    /// The reason why the game is void.
    pub reason: Option<String>,
    /// The complete record of the game as a JSON object.
    pub record: Option<String>,
}

/// Returns the reason why a finished game cannot be rated, if there is one: an invalid number of seats, a bot that
/// played itself, or invalid points.
pub(crate) fn flaw(seats: &[SeatResult]) -> Option<String> {
    /// Maximum number of points, far more than in any contest, but small enough for sums of squares.
    const MAX_POINTS: f64 = 1e12;
    if !(2..=MAX_PLAYERS).contains(&seats.len()) {
        return Some(format!("a game with {} seats", seats.len()));
    }
    if (1..seats.len()).any(|at| seats[..at].iter().any(|seat| seat.bot == seats[at].bot)) {
        return Some("a game in which a bot plays against itself".to_string());
    }
    let is_odd = |seat: &&SeatResult| seat.points.is_nan() || seat.points.abs() > MAX_POINTS;
    seats.iter().find(is_odd).map(|seat| format!("{} points", seat.points))
}

impl LeagueGame {
    /// Returns whether a bot failed or the game has no result.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.state == GameState::Void || self.seats.iter().any(SeatResult::has_failed)
    }

    /// Returns whether the game counts for strengths: it is finished, and no bot lost on time because the machine was
    /// busy.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        self.state == GameState::Done && !self.seats.iter().any(SeatResult::is_overloaded)
    }

    /// Returns the seat of a bot.
    #[must_use]
    pub fn seat_of(&self, bot: i64) -> Option<&SeatResult> {
        self.seats.iter().find(|seat| seat.bot == bot)
    }

    /// Returns the place of a seat: the number of seats with a better result.
    #[must_use]
    pub fn place(&self, seat: &SeatResult) -> usize {
        self.seats.iter().filter(|other| other.rank < seat.rank).count()
    }

    /// Returns the names of the game's bots, by seat.
    #[must_use]
    pub fn names<'a>(&self, bots: &'a [LeagueBot]) -> Vec<&'a str> {
        let name = |id: i64| bots.iter().find(|bot| bot.id == id).map_or("?", |bot| bot.name.as_str());
        self.seats.iter().map(|seat| name(seat.bot)).collect()
    }

    /// Formats the points of all seats, as shown in lists.
    #[must_use]
    pub fn result(&self) -> String {
        let points = self.seats.iter().map(|seat| ((seat.points * 100.0).round() / 100.0).to_string());
        points.collect::<Vec<_>>().join(" - ")
    }

    /// Converts the game for two-player rating models: every two seats count as one game. `places`
    /// contains the index of each bot by its ID. Returns an empty list if the game [is not rated](Self::is_rated) or a
    /// bot has no place.
    #[must_use]
    pub fn rated(&self, places: &HashMap<i64, usize>) -> Vec<RatedGame> {
        let Some(RankedGame { players, .. }) = self.ranked(places) else { return Vec::new() };
        let rated = |[zero, one]: [usize; 2]| RatedGame {
            players: [players[zero], players[one]],
            points: [self.seats[zero].points, self.seats[one].points],
            pair: self.pair.map(|pair| pair as u64),
        };
        duels(players.len()).map(rated).collect()
    }

    /// Converts the game for rating models with any number of players. `places` contains the index
    /// of each bot by its ID. Returns `None` if the game [is not rated](Self::is_rated) or a bot has no place.
    #[must_use]
    pub fn ranked(&self, places: &HashMap<i64, usize>) -> Option<RankedGame> {
        if !self.is_rated() {
            return None;
        }
        Some(RankedGame {
            players: self.seats.iter().map(|seat| places.get(&seat.bot).copied()).collect::<Option<_>>()?,
            ranks: self.seats.iter().map(|seat| self.place(seat) as u32).collect(),
        })
    }
}

/// Returns the places of bots in an order by their IDs.
pub(crate) fn places(ids: impl IntoIterator<Item = i64>) -> HashMap<i64, usize> {
    ids.into_iter().zip(0..).collect()
}

/// Returns every pair of different seats, with the lower seat number first.
pub(crate) fn duels(seats: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..seats).flat_map(|one| (0..one).map(move |zero| [zero, one]))
}

/// A game that is imported from another source.
pub(crate) struct ImportedGame {
    pub names: Vec<String>,
    /// The seats of the game. The bots have no IDs yet.
    pub seats: Vec<SeatResult>,
    pub record: Option<String>,
    /// The seed of the game and of the other game in its pair, if it is known.
    pub seed: Option<u64>,
    /// The identity of the game, which prevents importing it twice.
    pub origin: String,
    /// The identity that an older version may have given the game. Several games may have the same old identity.
    pub former_origin: Option<String>,
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Returns an active bot.
    pub fn bot(id: i64) -> LeagueBot {
        LeagueBot {
            id,
            name: format!("bot{id}"),
            command: String::new(),
            state: BotState::Active,
            source: None,
            changed: 0.0,
        }
    }

    /// Returns a finished game without failures and without further details.
    pub fn game(id: i64, bots: [i64; 2], points: [f64; 2]) -> LeagueGame {
        let seat =
            |(bot, points)| SeatResult { points, ending: "normal".to_string(), ..SeatResult::planned(bot) };
        LeagueGame {
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
