//! Tests with games and positions from the contest's referee: every state, every end, every map.
//!
//! The files are in `shared/data` next to the repository, or in the folder named by the environment variable
//! `CONTENDER_DATA`. Without them, only the two games in this folder are checked.

use contender_cellularena::{
    map, position, Cell, CellularenaJudge, CellularenaProtocol, Dir, Kind, Organ, Protein, State,
};
use contender_game::{
    contest::{Judge, OpenJudge},
    rules::{Player, Simultaneous},
};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

/// Returns the lines of a file, or `None` if the file does not exist.
fn records(name: &str) -> Option<Vec<Value>> {
    let folder = std::env::var_os("CONTENDER_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let Ok(file) = File::open(folder.join(name)) else {
        eprintln!("skipped: {} is not there", folder.join(name).display());
        return None;
    };
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    Some(lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect())
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

/// Returns the state in a record of the kind `init` or `turn`.
fn state_of(record: &Value) -> State {
    let rows: Vec<&str> =
        record["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    let mut state = State::empty(rows[0].len(), rows.len()).unwrap();
    for (y, row) in rows.iter().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            let cell = Cell::new(x, y);
            match letter {
                '.' => {}
                '#' => state.build_wall(cell).unwrap(),
                _ => state.put_source(cell, Protein::ALL[letter as usize - 'A' as usize]).unwrap(),
            }
        }
    }
    for player in Player::BOTH {
        let stock = &record["stock"][player.index()];
        state.set_stock(player, [0, 1, 2, 3].map(|at| number(&stock[at]) as i32)).unwrap();
    }
    let organ = |organ: &Value| Organ {
        id: number(&organ[0]) as u16,
        owner: Player::from_index(number(&organ[1]) as usize),
        cell: Cell::new(number(&organ[2]) as usize, number(&organ[3]) as usize),
        kind: Kind::from_word(organ[4].as_str().unwrap()).unwrap(),
        dir: Dir::ALL.into_iter().find(|dir| organ[5] == dir.letter().to_string()).unwrap(),
        parent: number(&organ[6]) as u16,
        root: number(&organ[7]) as u16,
    };
    state.put_organs(record["organs"].as_array().unwrap().iter().map(organ).collect()).unwrap();
    state
}

fn assert_like(state: &State, record: &Value, place: &str) {
    assert_eq!(position::canonical(state), position::canonical(&state_of(record)), "{place}");
    assert_eq!(format!("{:016x}", position::hash(state)), record["hash"], "{place}");
}

/// Plays every game of a file with the judge and compares the results. Returns the numbers of games and turns.
fn replay(name: &str, records: Vec<Value>) -> (usize, usize) {
    let (mut games, mut turns) = (0, 0);
    let mut under_way: Option<CellularenaJudge> = None;
    let mut pending: Option<State> = None;
    for record in records {
        let place = format!("{name}, game {games}, turn {}", record["t"]);
        match record["k"].as_str().unwrap() {
            "init" => {
                let start = state_of(&record);
                assert_like(&start, &record, &place);
                if let Some(seed) = record["seed"].as_str().and_then(|seed| seed.parse().ok()) {
                    assert_eq!(map::generate(seed).unwrap(), start, "{place}");
                }
                pending = Some(start);
            }
            "turn" => {
                if let Some(mut start) = pending.take() {
                    // Positions from late in a game record the turn's number in their first turn.
                    start.set_turns(number(&record["t"]) as u8 - 1);
                    under_way = Some(CellularenaProtocol::judge(start));
                }
                let judge = under_way.as_mut().unwrap();
                let before = judge.state().clone();
                let questions = judge.ask();
                assert_eq!(questions.len(), 2, "{place}: the game is over already");
                for question in questions {
                    let lines = record["act"][question.player.index()].as_array().unwrap().iter();
                    let lines: Vec<String> = lines.map(|line| line.as_str().unwrap().to_string()).collect();
                    if judge.answer(question.player, &lines).is_err() {
                        judge.fail(question.player);
                    }
                }
                assert_like(judge.state(), &record, &place);
                // Replaying the recorded turn leads to the same state.
                let mut again = CellularenaProtocol::judge(before);
                again.replay(judge.moves().last().unwrap()).unwrap();
                assert_eq!((again.state(), again.failed()), (judge.state(), judge.failed()), "{place}");
                turns += 1;
            }
            "end" => {
                let mut judge = under_way.take().unwrap();
                let is_position = record["g"].is_null();
                assert!(is_position || judge.ask().is_empty(), "{place}: the game is not over");
                let state = judge.state();
                for player in Player::BOTH {
                    let at = player.index();
                    assert_eq!(i64::from(state.points()[player]), number(&record["organs"][at]), "{place}");
                    assert_eq!(state.protein_count(player), number(&record["proteins"][at]), "{place}");
                }
                let winner =
                    judge.points().iter().position(|&points| points == 1).map_or(-1, |seat| seat as i64);
                assert_eq!(winner, number(&record["winner"]), "{place}");
                assert_eq!(judge.points(), [i32::from(winner == 0), i32::from(winner == 1)], "{place}");
                games += 1;
            }
            kind => panic!("{place}: a record of the kind {kind}"),
        }
    }
    (games, turns)
}

#[test]
fn the_games_of_the_repository_are_reproduced() {
    let lines = include_str!("../games.jsonl").lines();
    let records = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(replay("games.jsonl", records), (2, 16));
}

#[test]
fn recorded_games_and_positions_are_reproduced() {
    for (name, counts) in
        [("cellularena-games.jsonl.gz", (40, 2531)), ("cellularena-edge.jsonl.gz", (44, 66))]
    {
        if let Some(records) = records(name) {
            assert_eq!(replay(name, records), counts);
        }
    }
}
