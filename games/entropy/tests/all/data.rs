//! Tests with recorded games, replayed move by move with every intermediate score compared.

use contender_entropy::{State, CONTEST};
use contender_game::{
    contest::Notation,
    rules::{Game, Turn},
    settings::Options,
};
use serde_json::Value;
use std::io::Read;
use std::path::PathBuf;

/// Two of the recorded games.
const SAMPLE: &str = include_str!("../games.jsonl");

/// Returns the sample and, if the data folder exists, all recorded games.
fn games() -> Vec<Value> {
    let folder = std::env::var_os("CONTENDER_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = folder.join("entropy-games.jsonl.gz");
    let mut text = SAMPLE.to_string();
    match std::fs::File::open(&path) {
        Ok(file) => _ = flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap(),
        Err(_) => eprintln!("the sample alone: no {}", path.display()),
    }
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn moves(game: &Value) -> Vec<String> {
    game["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap().to_string()).collect()
}

#[test]
fn every_running_score_of_real_games_is_right() {
    let games = games();
    assert!([2, 152].contains(&games.len()));
    for game in &games {
        let mut state = State::default();
        let scores = moves(game).into_iter().map(|mv| {
            state.play_record(&mv).unwrap_or_else(|error| panic!("{mv}: {error}"));
            state.score()
        });
        let scores: Vec<i32> = scores.collect();
        let running: Vec<i32> =
            game["running"].as_array().unwrap().iter().map(|s| s.as_i64().unwrap() as i32).collect();
        assert_eq!(scores, running);
        assert_eq!(state.turn(), Turn::Over);
        assert_eq!(i64::from(state.score()), game["score"].as_i64().unwrap());
    }
}

#[test]
fn the_judge_replays_real_games_as_they_are_written() {
    for game in games().iter().take(20) {
        let mut judge = CONTEST.recorded(&[], &mut Options::default()).unwrap();
        for mv in moves(game) {
            judge.replay(&mv).unwrap();
        }
        assert_eq!(judge.moves(), moves(game));
        assert!(judge.ask().is_empty());
        let score = game["score"].as_i64().unwrap() as i32;
        assert_eq!(judge.points(), [120 + score, 280 - score]);
    }
}
