//! A league in pictures.

use crate::store::{Bot, Game, GameState};
use crate::table::{Model, Table};
use contender_plot::{
    Point, Rating, Scores, Times, Track, distributions, head_to_head, move_times, progress, ratings,
};
use std::collections::HashMap;

/// How many of the best bots have a line of their own where lines would cover each other.
const LINES: usize = 12;
/// How many times the ratings are computed for the progress of the estimates.
const STEPS: usize = 16;

/// Pictures of a league, each with the name of its file: ratings with intervals, who beats whom, how the estimates grew sure, how scores
/// are distributed, and how long moves take. The games have their records.
#[must_use]
pub fn pictures(title: &str, bots: &[Bot], games: &[Game], model: Model) -> Vec<(&'static str, String)> {
    let table = Table::of(bots, games, model, false);
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
    let seats = |game: &Game| [0, 1].map(|seat| ids.get(&game.bots[seat]).copied());

    let bars: Vec<Rating> = ranked
        .iter()
        .map(|row| Rating { name: row.name.clone(), value: row.strength, interval: row.interval })
        .collect();

    let mut cells = vec![vec![(0.0, 0_u32); names.len()]; names.len()];
    let mut scores: Vec<Scores> =
        names.iter().map(|name| Scores { name: name.clone(), values: Vec::new() }).collect();
    let mut times: Vec<Times> =
        names.iter().take(LINES).map(|name| Times { name: name.clone(), moves: Vec::new() }).collect();
    for game in &done {
        let seats = seats(game);
        for seat in 0..2 {
            let Some(bot) = seats[seat] else { continue };
            scores[bot].values.push(game.points[seat]);
            if let Some(other) = seats[1 - seat] {
                let cell = &mut cells[bot][other];
                cell.0 += game.points[seat] - game.points[1 - seat];
                cell.1 += 1;
            }
            if let Some(of_bot) = times.get_mut(bot) {
                of_bot.moves.extend(answer_times(game, seat));
            }
        }
    }
    let cells: Vec<Vec<Option<f64>>> = cells
        .into_iter()
        .map(|row| row.into_iter().map(|(sum, games)| (games > 0).then(|| sum / f64::from(games))).collect())
        .collect();
    scores.truncate(LINES);

    let mut tracks: Vec<Track> =
        names.iter().take(LINES).map(|name| Track { name: name.clone(), points: Vec::new() }).collect();
    for step in 1..=STEPS {
        let count = done.len() * step / STEPS;
        let so_far: Vec<Game> = done[..count].iter().map(|&game| game.clone()).collect();
        let table = Table::of(bots, &so_far, model, false);
        for track in &mut tracks {
            let row = table.rows.iter().find(|row| row.name == track.name && row.games > 0);
            track.points.extend(row.map(|row| Point {
                games: count as u64,
                value: row.strength,
                interval: row.interval,
            }));
        }
    }
    vec![
        ("ratings.svg", ratings(&format!("{title}: strength"), unit, &bars)),
        (
            "head-to-head.svg",
            head_to_head(
                &format!("{title}: points of the row above the column"),
                "points a game",
                &names,
                &cells,
            ),
        ),
        ("progress.svg", progress(&format!("{title}: estimates"), unit, &tracks)),
        ("scores.svg", distributions(&format!("{title}: scores"), "contest points", &scores)),
        ("times.svg", move_times(&format!("{title}: thinking time"), &times, None)),
    ]
}

/// The times of a bot's answers by turn, from 1, in seconds.
fn answer_times(game: &Game, seat: usize) -> Vec<(u32, f64)> {
    let record: Option<serde_json::Value> =
        game.record.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let times = record.as_ref().and_then(|record| record["times_ms"][seat].as_array());
    let times = times.into_iter().flatten().filter_map(serde_json::Value::as_f64);
    (1..).zip(times.map(|ms| ms / 1e3)).collect()
}
