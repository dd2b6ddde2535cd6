//! Charts of a league.

use crate::game::{GameState, LeagueBot, LeagueGame, duels};
use crate::model::Model;
use crate::standings::{SeatStrength, Standings};
use contender_game::contest::Limits;
use contender_plot::{
    Meeting, ProgressPoint, Rating, Results, Scores, Track, Turns, by_turn, distributions, head_to_head,
    move_times, progress, ratings, results,
};
use std::collections::{BTreeMap, HashMap};

/// Maximum number of lines in a chart, one for each of the best bots. More lines would overlap.
const LINES: usize = 12;
/// Maximum number of charts for values that bots print, because bots can print any number of different values.
const MAX_WORDS: usize = 16;
/// Number of points in the chart of the ratings' progress.
const STEPS: usize = 16;

/// Draws all charts of a league, and returns each chart with its file name. The charts show ratings with intervals
/// (also by seat if `seats` contains names), results between bots, the progress of the ratings, the results of each
/// bot, the distribution of scores (unless only wins count), thinking times, and all numbers that bots print per turn.
/// The games must have been read together with their records. `limits` are the league's time limits.
#[must_use]
pub fn pictures(
    title: &str,
    bots: &[LeagueBot],
    games: &[LeagueGame],
    model: Model,
    seats: Option<[&str; 2]>,
    limits: Limits,
) -> Vec<(String, String)> {
    let of = Pictures::of(title, bots, games, model, seats.is_some());
    let mut pictures = vec![
        ("ratings.svg".to_string(), of.ratings()),
        ("head-to-head.svg".to_string(), of.head_to_head()),
        ("progress.svg".to_string(), of.progress()),
        ("results.svg".to_string(), of.results()),
        ("times.svg".to_string(), of.times(limits)),
    ];
    for (seat, name) in seats.into_iter().flatten().enumerate() {
        pictures.push((format!("ratings-seat-{seat}.svg"), of.ratings_in_seat(seat, name)));
    }
    pictures.extend(of.scores().map(|picture| ("scores.svg".to_string(), picture)));
    pictures.extend(of.told());
    pictures
}

/// Data for drawing the charts of a league individually.
pub struct Pictures<'a> {
    title: &'a str,
    bots: &'a [LeagueBot],
    /// The finished games.
    games: Vec<LeagueGame>,
    table: Standings,
    /// The bots that have played, in descending order of strength.
    names: Vec<String>,
    /// A map from a bot's ID to its index in `names`.
    places: HashMap<i64, usize>,
}

impl<'a> Pictures<'a> {
    /// Prepares the charts for these games.
    #[must_use]
    pub fn of(
        title: &'a str,
        bots: &'a [LeagueBot],
        games: &[LeagueGame],
        model: Model,
        seats_differ: bool,
    ) -> Pictures<'a> {
        let games: Vec<LeagueGame> =
            games.iter().filter(|game| game.state == GameState::Done).cloned().collect();
        let table = Standings::of(bots, &games, model, seats_differ);
        let names: Vec<String> =
            table.rows.iter().filter(|row| row.is_rated()).map(|row| row.name.clone()).collect();
        let place = |bot: &LeagueBot| Some((bot.id, names.iter().position(|name| *name == bot.name)?));
        let places = bots.iter().filter_map(place).collect();
        Pictures { title, bots, games, table, names, places }
    }

    /// Returns the standings.
    #[must_use]
    pub fn standings(&self) -> &Standings {
        &self.table
    }

    /// Returns all seats of all games: the game, the seat and the bot's index.
    fn parts(&self) -> impl Iterator<Item = (&LeagueGame, usize, usize)> {
        self.games.iter().flat_map(move |game| {
            let seats = game.seats.iter().enumerate();
            seats.filter_map(move |(at, seat)| Some((game, at, *self.places.get(&seat.bot)?)))
        })
    }

    /// Returns every pair of bots in every game, from each bot's point of view: the indices of both bots, and the first
    /// bot's lead in points.
    fn duels(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        self.games.iter().filter(|game| game.is_rated()).flat_map(move |game| {
            duels(game.seats.len()).flat_map(|[a, b]| [[a, b], [b, a]]).filter_map(move |both| {
                let [own, other] = both.map(|at| &game.seats[at]);
                let [bot, opponent] = [own, other].map(|seat| self.places.get(&seat.bot).copied());
                Some((bot?, opponent?, own.points - other.points))
            })
        })
    }

    /// Draws the strengths with intervals.
    #[must_use]
    pub fn ratings(&self) -> String {
        let ranked = self.table.rows.iter().filter(|row| row.is_rated());
        let bars: Vec<Rating> = ranked
            .map(|row| Rating { name: row.name.clone(), value: row.strength, interval: row.interval })
            .collect();
        let apart = match self.table.group_count() {
            0 | 1 => String::new(),
            groups => format!(", separately for each of {groups} groups without games between them"),
        };
        ratings(&format!("{}: strength{apart}", self.title), self.table.model.unit(), &bars)
    }

    /// Draws the strengths in one seat, given the name of the seat.
    fn ratings_in_seat(&self, seat: usize, name: &str) -> String {
        let bars = self.table.rows.iter().filter(|row| row.is_rated()).filter_map(|row| {
            let SeatStrength { strength, interval } = row.by_seat?[seat];
            Some(Rating { name: row.name.clone(), value: strength, interval })
        });
        let title = format!("{}: strength as {name}", self.title);
        ratings(&title, "points per game", &bars.collect::<Vec<_>>())
    }

    /// Draws the results between the bots.
    #[must_use]
    pub fn head_to_head(&self) -> String {
        let count = self.names.len();
        let mut cells: Vec<Vec<Option<Meeting>>> = vec![vec![None; count]; count];
        for (bot, other, ahead) in self.duels() {
            let cell = cells[bot][other].get_or_insert(Meeting { ahead: 0.0, games: 0 });
            cell.ahead += ahead;
            cell.games += 1;
        }
        // Turn sums into means.
        cells.iter_mut().flatten().flatten().for_each(|cell| cell.ahead /= f64::from(cell.games));
        let title = format!("{}: lead of the row over the column", self.title);
        head_to_head(&title, "points per game", &self.names, &cells)
    }

    /// Draws how the ratings changed as more games were played.
    #[must_use]
    pub fn progress(&self) -> String {
        let mut tracks: Vec<Track> = self
            .names
            .iter()
            .take(LINES)
            .map(|name| Track { name: name.clone(), points: Vec::new() })
            .collect();
        for step in 1..=STEPS {
            let count = self.games.len() * step / STEPS;
            let table = Standings::of(self.bots, &self.games[..count], self.table.model, false);
            for track in &mut tracks {
                let row = table.rows.iter().find(|row| row.name == track.name && row.is_rated());
                track.points.extend(row.map(|row| ProgressPoint {
                    games: count as u64,
                    value: row.strength,
                    interval: row.interval,
                }));
            }
        }
        progress(&format!("{}: estimates", self.title), self.table.model.unit(), &tracks)
    }

    /// Draws the number of wins, draws and losses of each bot.
    fn results(&self) -> String {
        let mut outcomes: Vec<Results> =
            self.names.iter().map(|name| Results { name: name.clone(), counts: [0; 3] }).collect();
        // In a game with more than two players, the results against each of the others count.
        for (bot, _, ahead) in self.duels() {
            let is_behind = ahead.total_cmp(&0.0).reverse();
            outcomes[bot].counts[(is_behind as i8 + 1) as usize] += 1;
        }
        results(&format!("{}: games won, drawn and lost", self.title), &outcomes)
    }

    /// Draws the thinking times of moves.
    fn times(&self, limits: Limits) -> String {
        let of_turn = limits.turn.map(|limit| limit.as_secs_f64());
        let of_game = limits.game.map_or(String::new(), |limit| format!(", {limit:?} a game"));
        let mut times: Vec<Turns> = self
            .names
            .iter()
            .take(LINES)
            .map(|name| Turns { name: name.clone(), values: Vec::new() })
            .collect();
        for (game, seat, bot) in self.parts() {
            if let Some(of_bot) = times.get_mut(bot) {
                of_bot.values.extend(answer_times(game, seat));
            }
        }
        move_times(&format!("{}: thinking time{of_game}", self.title), &times, of_turn)
    }

    /// Draws the distribution of scores, or returns `None` if the points only distinguish wins from losses.
    fn scores(&self) -> Option<String> {
        let mut scores: Vec<Scores> =
            self.names.iter().map(|name| Scores { name: name.clone(), values: Vec::new() }).collect();
        for (game, seat, bot) in self.parts() {
            scores[bot].values.push(game.seats[seat].points);
        }
        scores.truncate(LINES);
        let is_graded = scores.iter().flat_map(|of| &of.values).any(|&points| points != 0.0 && points != 1.0);
        is_graded.then(|| distributions(&format!("{}: scores", self.title), "contest points", &scores))
    }

    /// Draws the numbers that the best bots print per turn, and returns each chart with its file name.
    fn told(&self) -> Vec<(String, String)> {
        let mut by_word: BTreeMap<String, Vec<Vec<(u32, f64)>>> = BTreeMap::new();
        for (game, seat, bot) in self.parts().filter(|&(_, _, bot)| bot < LINES) {
            for (word, turn, value) in told(game, seat) {
                by_word.entry(word).or_insert_with(|| vec![Vec::new(); LINES])[bot].push((turn, value));
            }
        }
        let drawn = by_word.into_iter().take(MAX_WORDS).map(|(word, by_bot)| {
            let of_bots =
                self.names.iter().zip(by_bot).map(|(name, values)| Turns { name: name.clone(), values });
            let picture = by_turn(&format!("{}: {word}", self.title), &word, &of_bots.collect::<Vec<_>>());
            let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
            (format!("told-{}.svg", word.chars().map(plain).collect::<String>()), picture)
        });
        drawn.collect()
    }
}

/// Returns the numbers that a bot prints per turn: the name, the turn and the value.
fn told(game: &LeagueGame, seat: usize) -> Vec<(String, u32, f64)> {
    let record: Option<serde_json::Value> =
        game.record.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let attributes = record.as_ref().and_then(|record| record["attributes"].as_array());
    let of_seat =
        attributes.into_iter().flatten().filter(|told| told["player"].as_u64() == Some(seat as u64));
    let number = |value: &serde_json::Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
    of_seat
        .filter_map(|told| {
            let turn = u32::try_from(told["turn"].as_u64()?).ok()?;
            Some((told["name"].as_str()?.to_string(), turn, number(&told["value"])?))
        })
        .collect()
}

/// Returns the times of a bot's answers in seconds, each with its turn, counted from 1.
fn answer_times(game: &LeagueGame, seat: usize) -> Vec<(u32, f64)> {
    let record: Option<serde_json::Value> =
        game.record.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let times = record.as_ref().and_then(|record| record["times_ms"][seat].as_array());
    let times = times.into_iter().flatten().filter_map(serde_json::Value::as_f64);
    (1..).zip(times.map(|ms| ms / 1e3)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::testing;

    #[test]
    fn seats_that_differ_have_their_own_pictures() {
        let bots = [(1, "one"), (2, "two"), (3, "three")]
            .map(|(id, name)| LeagueBot { name: name.into(), ..testing::bot(id) });
        let truth = [[6.0, -3.0, -3.0], [1.0, 1.0, -2.0]];
        let game = |id: i64| {
            let noise = (id / 6 % 2) as f64;
            let [zero, one] = [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]][id as usize % 6];
            let points = truth[0][zero] - truth[1][one] + noise;
            testing::game(id, [zero as i64 + 1, one as i64 + 1], [points, 0.0])
        };
        let games: Vec<LeagueGame> = (0..60).map(game).collect();
        let seats = Some(["Order", "Chaos"]);
        let table = Standings::of(&bots, &games, Model::Points, true);
        let row = table.rows.iter().find(|row| row.name == "one").unwrap();
        let [order, chaos] = row.by_seat.unwrap();
        for (found, true_one) in [(order, 6.0), (chaos, 1.0)] {
            assert!((found.strength - true_one).abs() < 0.01 && found.interval.unwrap().contains(true_one));
        }
        let text = table.text(["Order", "Chaos"], false);
        let reach = (order.interval.unwrap().high - order.interval.unwrap().low) / 2.0;
        assert!(text.contains(&format!("{:+.2} +/- {reach:.2}", order.strength)), "{text}");
        let pictures = pictures("L", &bots, &games, Model::Points, seats, Limits::NONE);
        for (seat, name) in ["Order", "Chaos"].iter().enumerate() {
            let file = format!("ratings-seat-{seat}.svg");
            let (_, picture) = pictures.iter().find(|(name, _)| *name == file).unwrap();
            assert!(picture.contains(&format!("strength as {name}")) && picture.contains("two"));
        }
    }

    #[test]
    fn what_bots_tell_of_their_turns_has_pictures() {
        let bot = |id: i64, name: &str| LeagueBot { name: name.to_string(), ..testing::bot(id) };
        let record = r#"{"attributes": [
            {"name": "depth", "player": 0, "turn": 1, "value": "9"}, {"name": "depth", "player": 0, "turn": 2, "value": "8.5"},
            {"name": "depth", "player": 0, "value": "1"}, {"name": "word", "player": 1, "turn": 1, "value": "high"},
            {"name": "a/b", "player": 1, "turn": 1, "value": 3}, {"name": "map", "turn": 1, "value": "4"}]}"#;
        let game = |record: Option<&str>| LeagueGame {
            record: record.map(str::to_string),
            ..testing::game(1, [1, 2], [1.0, 0.0])
        };
        let bots = [bot(1, "one"), bot(2, "two")];
        let names = |record| {
            let pictures = pictures("L", &bots, &[game(record)], Model::Elo, None, Limits::NONE);
            pictures.into_iter().map(|(name, _)| name).skip(5).collect::<Vec<_>>()
        };
        assert_eq!(names(Some(record)), ["told-a-b.svg", "told-depth.svg"]);
        assert!(names(None).is_empty());
        let limits = Limits::per_game(std::time::Duration::from_secs(30));
        let pictures = pictures("L", &bots, &[game(None)], Model::Elo, None, limits);
        assert!(
            pictures
                .iter()
                .any(|(name, text)| name == "times.svg" && text.contains("thinking time, 30s a game"))
        );
        assert_eq!(
            told(&game(Some(record)), 0),
            [("depth".to_string(), 1, 9.0), ("depth".to_string(), 2, 8.5)]
        );
    }
}
