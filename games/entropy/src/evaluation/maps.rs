//! The inputs for each square, for pictures of a position.

use super::plain::{self, Board};
use crate::{State, SIZE};

/// A value for each square. A square may have no value.
type Map = Vec<Option<f64>>;

/// Returns a map for each input that belongs to squares, row by row from the top left:
///
/// - `potential4` to `potential7`: number of palindromes of this length that a chip on this empty cell could make, over
///   all colours;
/// - `threats`: the largest gain in points of a slide of this chip, if a slide can gain points;
/// - `holes`: the size of the empty area around this cell, if the area has one or two cells;
/// - `rings`: 1 for chips on the outer ring, 2 for chips on the second ring;
/// - `distances`: the distance from this chip to the centre;
/// - `mobility`: number of cells that this chip reaches in one or two slides; `idle_mobility` has the number only for
///   chips that are not in a palindrome.
#[must_use]
pub fn maps(state: &State) -> Vec<(&'static str, Map)> {
    let board = plain::board(state);
    let is_chip = |row: usize, column: usize| board[row][column] != 0;
    let contributing = plain::contributing(&board);
    let mobilities = plain::mobilities(&board);
    let best_gains = plain::best_gains(&board);
    let middle = SIZE / 2;
    let mut maps: Vec<(&'static str, Map)> = ["potential4", "potential5", "potential6", "potential7"]
        .into_iter()
        .zip(4..)
        .map(|(name, length)| {
            (name, map(|row, column| some(plain::potentials_at(&board, length, (row, column)))))
        })
        .collect();
    maps.extend([
        ("threats", map(|row, column| some(best_gains[row][column]))),
        ("holes", map(|row, column| some(hole(&board, (row, column))))),
        (
            "rings",
            map(|row, column| {
                let ring = plain::steps_from_edge(row, column) as i32 + 1;
                some(if is_chip(row, column) && ring <= 2 { ring } else { 0 })
            }),
        ),
        (
            "distances",
            map(|row, column| {
                let distance = row.abs_diff(middle) + column.abs_diff(middle);
                is_chip(row, column).then_some(distance as f64)
            }),
        ),
        ("mobility", map(|row, column| is_chip(row, column).then(|| f64::from(mobilities[row][column])))),
        (
            "idle_mobility",
            map(|row, column| {
                let is_idle = is_chip(row, column) && !contributing[row][column];
                is_idle.then(|| f64::from(mobilities[row][column]))
            }),
        ),
    ]);
    maps
}

fn map(of: impl Fn(usize, usize) -> Option<f64>) -> Map {
    (0..SIZE * SIZE).map(|at| of(at / SIZE, at % SIZE)).collect()
}

/// Returns a number, or `None` for zero: a map shows only non-zero values.
fn some(number: i32) -> Option<f64> {
    (number != 0).then(|| f64::from(number))
}

/// Returns the size of the empty area around an empty cell if it is 1 or 2, or else 0.
fn hole(board: &Board, cell: (usize, usize)) -> i32 {
    let size = plain::areas(board).into_iter().find(|area| area.contains(&cell)).map_or(0, |area| area.len());
    if size <= 2 {
        size as i32
    } else {
        0
    }
}
