//! A league in pictures.

use crate::game::{Bot, Game, GameState};
use crate::standings::{Model, SeatStrength, Standings};
use contender_game::Limits;
use contender_plot::{
    Meeting, Point, Rating, Results, Scores, Track, Turns, by_turn, distributions, head_to_head, move_times,
    progress, ratings, results,
};
use std::collections::{BTreeMap, HashMap};

/// How many of the best bots have a line of their own where lines would cover each other.
const LINES: usize = 12;
/// How many of the words that bots tell of their turns have a picture; a bot can make up as many as it likes.
const MOST_WORDS: usize = 16;
/// How many times the ratings are computed for the progress of the estimates.
const STEPS: usize = 16;

/// Pictures of a league, each with the name of its file: ratings with intervals, also by seat where `seats` has the names of seats that
/// differ, who beats whom, how the estimates grew sure, how often
/// bots win, how scores are distributed where they are more than wins, how long moves take, and every number that bots tell of their turns. The games have their records; `limits` are those of
/// the league.
#[must_use]
pub fn pictures(
    title: &str,
    bots: &[Bot],
    games: &[Game],
    model: Model,
    seats: Option<[&str; 2]>,
    limits: Limits,
) -> Vec<(String, String)> {
    let of_turn = limits.turn.map(|limit| limit.as_secs_f64());
    let of_game = limits.game.map_or(String::new(), |limit| format!(", {limit:?} a game"));
    let table = Standings::of(bots, games, model, seats.is_some());
    let unit = match model {
        Model::Points => "points a game",
        Model::Elo => "Elo",
        Model::Trueskill => "TrueSkill",
        Model::Openskill => "OpenSkill",
    };
    let ranked: Vec<_> = table.rows.iter().filter(|row| row.games > 0).collect();
    let names: Vec<String> = ranked.iter().map(|row| row.name.clone()).collect();
    let ids: HashMap<i64, usize> = bots
        .iter()
        .filter_map(|bot| Some((bot.id, names.iter().position(|name| *name == bot.name)?)))
        .collect();
    let done: Vec<&Game> = games.iter().filter(|game| game.state == GameState::Done).collect();
    let in_seats = |game: &Game| [0, 1].map(|seat| ids.get(&game.bots[seat]).copied());

    let bars: Vec<Rating> = ranked
        .iter()
        .map(|row| Rating { name: row.name.clone(), value: row.strength, interval: row.interval })
        .collect();

    let mut cells: Vec<Vec<Option<Meeting>>> = vec![vec![None; names.len()]; names.len()];
    let mut scores: Vec<Scores> =
        names.iter().map(|name| Scores { name: name.clone(), values: Vec::new() }).collect();
    let mut outcomes: Vec<Results> =
        names.iter().map(|name| Results { name: name.clone(), counts: [0; 3] }).collect();
    let mut times: Vec<Turns> =
        names.iter().take(LINES).map(|name| Turns { name: name.clone(), values: Vec::new() }).collect();
    let mut told_by_turn: BTreeMap<String, Vec<Vec<(u32, f64)>>> = BTreeMap::new();
    for game in &done {
        let in_seats = in_seats(game);
        for seat in 0..2 {
            let Some(bot) = in_seats[seat] else { continue };
            scores[bot].values.push(game.points[seat]);
            let is_behind = game.points[seat].total_cmp(&game.points[1 - seat]).reverse();
            outcomes[bot].counts[(is_behind as i8 + 1) as usize] += 1;
            if let Some(other) = in_seats[1 - seat] {
                let cell = cells[bot][other].get_or_insert(Meeting { ahead: 0.0, games: 0 });
                cell.ahead += game.points[seat] - game.points[1 - seat];
                cell.games += 1;
            }
            if let Some(of_bot) = times.get_mut(bot) {
                of_bot.values.extend(answer_times(game, seat));
                for (word, turn, value) in told(game, seat) {
                    let by_bot = told_by_turn.entry(word).or_insert_with(|| vec![Vec::new(); LINES]);
                    by_bot[bot].push((turn, value));
                }
            }
        }
    }
    // Sums become means.
    cells.iter_mut().flatten().flatten().for_each(|cell| cell.ahead /= f64::from(cell.games));
    scores.truncate(LINES);

    let mut tracks: Vec<Track> =
        names.iter().take(LINES).map(|name| Track { name: name.clone(), points: Vec::new() }).collect();
    for step in 1..=STEPS {
        let count = done.len() * step / STEPS;
        let so_far: Vec<Game> = done[..count].iter().map(|&game| game.clone()).collect();
        let table = Standings::of(bots, &so_far, model, false);
        for track in &mut tracks {
            let row = table.rows.iter().find(|row| row.name == track.name && row.games > 0);
            track.points.extend(row.map(|row| Point {
                games: count as u64,
                value: row.strength,
                interval: row.interval,
            }));
        }
    }
    let mut pictures = vec![
        ("ratings.svg".to_string(), ratings(&format!("{title}: strength"), unit, &bars)),
        (
            "head-to-head.svg".to_string(),
            head_to_head(
                &format!("{title}: points of the row above the column"),
                "points a game",
                &names,
                &cells,
            ),
        ),
        ("progress.svg".to_string(), progress(&format!("{title}: estimates"), unit, &tracks)),
        ("results.svg".to_string(), results(&format!("{title}: games won, drawn and lost"), &outcomes)),
        ("times.svg".to_string(), move_times(&format!("{title}: thinking time{of_game}"), &times, of_turn)),
    ];
    for (seat, name) in seats.into_iter().flatten().enumerate() {
        let bars: Vec<Rating> = ranked
            .iter()
            .filter_map(|row| {
                let SeatStrength { strength, interval } = row.by_seat?[seat];
                Some(Rating { name: row.name.clone(), value: strength, interval })
            })
            .collect();
        let picture = ratings(&format!("{title}: strength as {name}"), "points a game", &bars);
        pictures.push((format!("ratings-seat-{seat}.svg"), picture));
    }
    // Points of a win and a loss are no distribution.
    if scores.iter().flat_map(|of| &of.values).any(|&points| points != 0.0 && points != 1.0) {
        let picture = distributions(&format!("{title}: scores"), "contest points", &scores);
        pictures.push(("scores.svg".to_string(), picture));
    }
    for (word, by_bot) in told_by_turn.into_iter().take(MOST_WORDS) {
        let of_bots = names.iter().zip(by_bot).map(|(name, values)| Turns { name: name.clone(), values });
        let picture = by_turn(&format!("{title}: {word}"), &word, &of_bots.collect::<Vec<_>>());
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
        pictures.push((format!("told-{}.svg", word.chars().map(plain).collect::<String>()), picture));
    }
    pictures
}

/// The numbers that a bot tells of its turns: the word, the turn and the value.
fn told(game: &Game, seat: usize) -> Vec<(String, u32, f64)> {
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

/// The times of a bot's answers by turn, from 1, in seconds.
fn answer_times(game: &Game, seat: usize) -> Vec<(u32, f64)> {
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
            .map(|(id, name)| Bot { name: name.into(), ..testing::bot(id) });
        let truth = [[6.0, -3.0, -3.0], [1.0, 1.0, -2.0]];
        let game = |id: i64| {
            let noise = (id / 6 % 2) as f64;
            let [zero, one] = [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]][id as usize % 6];
            let points = truth[0][zero] - truth[1][one] + noise;
            testing::game(id, [zero as i64 + 1, one as i64 + 1], [points, 0.0])
        };
        let games: Vec<Game> = (0..60).map(game).collect();
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
        let bot = |id: i64, name: &str| Bot { name: name.to_string(), ..testing::bot(id) };
        let record = r#"{"attributes": [
            {"name": "depth", "player": 0, "turn": 1, "value": "9"}, {"name": "depth", "player": 0, "turn": 2, "value": "8.5"},
            {"name": "depth", "player": 0, "value": "1"}, {"name": "word", "player": 1, "turn": 1, "value": "high"},
            {"name": "a/b", "player": 1, "turn": 1, "value": 3}, {"name": "map", "turn": 1, "value": "4"}]}"#;
        let game = |record: Option<&str>| Game {
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
