//! Tests with perft counts, mid-game positions and whole games that independent programs computed.

use contender_game::{
    contest::Notation,
    rules::{perft, Game},
};
use contender_uttt::{position, State};
use std::path::PathBuf;

/// Returns the text of a data file. If the file does not exist, prints a note and returns `None`.
fn data(name: &str) -> Option<String> {
    let folder = std::env::var_os("CONTENDER_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("skipped: no {}", path.display());
    }
    text
}

fn play<'a>(moves: impl Iterator<Item = &'a str>) -> State {
    moves.fold(State::default(), |mut state, text| {
        let mv = state.read_record(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        state.play(mv);
        state
    })
}

fn numbers(text: &str) -> Vec<u64> {
    text.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

#[test]
fn perft_agrees_from_the_start() {
    for (depth, count) in [1, 81, 720, 6_336, 55_080, 473_256, 4_020_960].into_iter().enumerate() {
        assert_eq!(perft(&State::default(), depth as u32), count);
    }
}

#[test]
fn perft_agrees_in_the_middle_of_games() {
    let Some(text) = data("uttt-perft.txt") else { return };
    let mut checked = 0;
    for line in text.lines().filter_map(|line| line.strip_prefix("moves ")) {
        let (moves, counts) = line.split_once(':').unwrap();
        let moves: Vec<String> =
            moves.split_whitespace().map(|rc| format!("{} {}", &rc[..1], &rc[1..])).collect();
        let state = play(moves.iter().map(String::as_str));
        for (depth, count) in numbers(counts).into_iter().enumerate() {
            assert_eq!(perft(&state, depth as u32 + 1), count, "{line}");
        }
        checked += 1;
    }
    assert!(checked > 10);
}

#[test]
fn positions_agree() {
    let Some(text) = data("uttt-positions.txt") else { return };
    let mut checked = 0;
    for block in text.split("position ").skip(1) {
        let field = |name: &str| {
            let mut lines = block.lines().filter_map(|line| line.strip_prefix(name));
            lines.next().unwrap_or_else(|| panic!("no {name} in {block}")).trim()
        };
        let state = play(field("moves ").split_whitespace());
        assert_eq!(state.plies().to_string(), field("ply "));
        let cells: String = (0..9).map(|row| field(&format!("row{row} "))).collect();
        let written = format!("{} {cells} {}", field("side "), field("target "));
        assert_eq!(position::write_state(&state), written, "{block}");
        let read = position::parse_state(&written).unwrap();
        assert_eq!(position::write_state(&read), written);
        let mut moves = Vec::new();
        read.moves(&mut moves);
        let mut listed: Vec<String> =
            moves.iter().map(|mv| format!("{},{}", mv.row(), mv.column())).collect();
        listed.sort();
        let legal = field("legal ");
        let mut expected: Vec<&str> = legal.split_once(':').unwrap().1.split_whitespace().collect();
        expected.sort_unstable();
        assert_eq!(listed, expected);
        for (depth, count) in numbers(field("perft ")).into_iter().enumerate() {
            assert_eq!(perft(&state, depth as u32 + 1), count, "{block}");
        }
        checked += 1;
    }
    assert_eq!(checked, 20);
}

#[test]
fn whole_games_end_as_recorded() {
    let text = include_str!("../games.txt").to_string() + &data("uttt-games.txt").unwrap_or_default();
    let mut checked = 0;
    for line in text.lines().filter(|line| line.starts_with("game ")) {
        let (head, moves) = line.split_once(" : ").unwrap();
        let head: Vec<&str> = head.split_whitespace().collect();
        let state = play(moves.split_whitespace());
        let points = match head[5] {
            "X" => [1, 0],
            "O" => [0, 1],
            _ => [0, 0],
        };
        assert_eq!(state.turn(), contender_game::rules::Turn::Over, "{line}");
        assert_eq!(state.points(), points, "{line}");
        assert_eq!(state.plies().to_string(), head[3]);
        checked += 1;
    }
    assert!([4, 64].contains(&checked));
}
