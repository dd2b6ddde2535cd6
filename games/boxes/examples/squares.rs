//! Counts how often squares are complete at the end of a game, depending on their corners earlier in the game. The
//! output is the table of `champion/worth.rs`.
//!
//! ```sh
//! cargo run --release -p contender-boxes --example squares -- NAME,NAME,... games.csv [games.csv ...]
//! ```
//!
//! Files are published competitions (CSV), or text with one game per line: the two colours and the moves, for example
//! `12 Hh216534h Ik364521v ...`. In competitions only games between the named players count; `-` stands for all
//! players.

use contender_boxes::notation::parse_full_move;
use contender_boxes::parse_colour;
use contender_boxes::{Colour, Placement, Square, State};
use contender_game::rules::{Chance, Game, Turn};
use std::collections::BTreeMap;

/// For each number of own fixed, other own and empty corners: the squares complete at the end, and all squares.
type Counts = BTreeMap<(usize, usize, usize), (u64, u64)>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((names, files)) = arguments.split_first() else { return Err("NAMES FILE...".into()) };
    let names: Vec<&str> = names.split(',').collect();
    let mut counts = Counts::new();
    let mut games = 0;
    for file in files {
        for line in std::fs::read_to_string(file)?.lines() {
            let fields: Vec<&str> = line.split(',').collect();
            let (colours, moves) = match fields[..] {
                [game] => game.split_once(' ').ok_or("no moves")?,
                [_, _, _, one, _, status, two, _, other, ..] => {
                    let is_named = |name: &str| names == ["-"] || names.contains(&name);
                    let is_regular = |status: &str| ["WIN", "LOSE", "DRAW"].contains(&status);
                    if !is_named(one) || !is_named(two) || !is_regular(status) || !is_regular(other) {
                        continue;
                    }
                    (line, fields[11])
                }
                _ => return Err(format!("{file}: {line}").into()),
            };
            let colours = match fields[..] {
                [_] => colours.to_string(),
                _ => format!("{}{}", fields[9], fields[10]),
            };
            let colours = [parse_colour(&colours[..1])?, parse_colour(&colours[1..])?];
            games += u32::from(count(colours, moves, &mut counts)?);
        }
    }
    eprintln!("{games} games");
    for fixed in 0..=4 {
        for own in 0..=4 - fixed {
            for empty in 0..=4 - fixed - own {
                let (complete, all) = counts.get(&(fixed, own, empty)).copied().unwrap_or_default();
                let share = complete as f64 / (all.max(1)) as f64;
                println!(
                    "    ({fixed}, {own}, {empty}, {}), // {complete} of {all}",
                    (32768.0 * share).round()
                );
            }
        }
    }
    Ok(())
}

/// Adds a finished game to the counts. Returns whether the game was finished.
fn count(colours: [Colour; 2], moves: &str, counts: &mut Counts) -> Result<bool, String> {
    let mut moves = moves.split_whitespace().map(parse_full_move);
    let (placement, start) = moves.next().ok_or("no start tile")??;
    assert_eq!(placement, Placement::START);
    let mut states = vec![State::new(colours, start)];
    for mv in moves {
        let (placement, tile) = mv?;
        let mut state = states[states.len() - 1].clone();
        state.resolve(tile);
        state.play(placement);
        states.push(state);
    }
    let last = states[states.len() - 1].clone();
    if last.turn() != Turn::Over {
        return Ok(false);
    }
    let squares: Vec<Square> = Square::all().collect();
    for state in &states {
        let (filled, is_fixed) = (state.filled(), state.fixed());
        for colour in colours {
            let own = state.cells_of(colour);
            'squares: for square in &squares {
                let (mut fixed, mut loose, mut empty) = (0, 0, 0);
                for (row, column) in square.corners() {
                    let is_in = |set: &contender_boxes::Cells| set[column] >> row & 1 == 1;
                    match (is_in(own), is_in(&is_fixed)) {
                        (true, true) => fixed += 1,
                        (true, false) => loose += 1,
                        (false, true) => continue 'squares,
                        (false, false) => empty += u32::from(!is_in(filled)) as usize,
                    }
                }
                let (complete, all) = counts.entry((fixed, loose, empty)).or_default();
                *complete += u64::from(square.is_in(last.cells_of(colour)));
                *all += 1;
            }
        }
    }
    Ok(true)
}
