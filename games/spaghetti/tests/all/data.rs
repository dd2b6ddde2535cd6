//! Recorded games: the sample in this repository, and all games if the data folder exists. Every recorded score must be
//! reproduced.

use contender_game::rules::Game;
use contender_spaghetti::{notation, State};
use flate2::read::GzDecoder;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// Two of the recorded games.
const SAMPLE: &str = include_str!("../games.jsonl");

/// Returns the folder of recorded games: `CONTENDER_DATA` if set, or else `data` in the folder `shared` next to the
/// repository.
fn data() -> PathBuf {
    std::env::var_os("CONTENDER_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    )
}

#[test]
fn recorded_games_have_their_running_scores() {
    let path = data().join("spaghetti-games.jsonl.gz");
    let mut text = SAMPLE.to_string();
    match File::open(&path) {
        Ok(file) => _ = GzDecoder::new(file).read_to_string(&mut text).unwrap(),
        Err(_) => eprintln!("the sample alone: no {}", path.display()),
    }
    let mut games = 0;
    for line in text.lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let moves = game["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap());
        let moves: Vec<_> = moves.map(|mv| notation::parse_move(mv).unwrap()).collect();
        let running = game["running"].as_array().unwrap();
        let mut state = State::new([moves[0], moves[1]]).unwrap();
        assert_eq!(moves.len(), running.len() + 2);
        for (mv, recorded) in moves[2..].iter().zip(running) {
            state.check(*mv).unwrap();
            state.play(*mv);
            assert_eq!(serde_json::json!(state.scores()), *recorded, "game {games}, after {mv}");
        }
        assert_eq!(serde_json::json!(state.scores()), game["score"]);
        games += 1;
    }
    assert!([2, 152].contains(&games));
}
