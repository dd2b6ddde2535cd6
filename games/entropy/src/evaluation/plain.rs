//! Direct implementations of the inputs' definitions, without tables or bit sets. They are slow, and serve as the
//! reference in tests of the fast implementations.
//!
//! If the write-up is ambiguous, the comments in this module describe the chosen interpretation.

use super::{Inputs, INPUTS};
use crate::{Cell, Colour, State, SIZE};

/// A board: `board[row][column]` is a colour, or 0 if the cell is empty.
pub type Board = [[Colour; SIZE]; SIZE];

/// Returns the board of a state.
#[must_use]
pub fn board(state: &State) -> Board {
    let mut board = [[0; SIZE]; SIZE];
    for cell in Cell::all() {
        board[cell.row()][cell.column()] = state.colour(cell);
    }
    board
}

/// Returns all inputs, in the order of [`NAMES`](super::NAMES).
#[must_use]
pub fn inputs(state: &State) -> Inputs {
    let board = board(state);
    let (largest, others) = threats(&board);
    let mobilities = mobilities(&board);
    let contributing = contributing(&board);
    let mut inputs = [0; INPUTS];
    inputs[..4].copy_from_slice(&[4, 5, 6, 7].map(|length| potentials(&board, length)));
    inputs[4..].copy_from_slice(&[
        largest,
        others,
        holes(&board, 1),
        holes(&board, 2),
        ring(&board, 0),
        ring(&board, 1),
        distances(&board),
        imbalance(state),
        cells().map(|(row, column)| mobilities[row][column]).sum(),
        cells()
            .filter(|&(row, column)| !contributing[row][column])
            .map(|(row, column)| mobilities[row][column])
            .sum(),
    ]);
    inputs
}

fn cells() -> impl Iterator<Item = (usize, usize)> {
    (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| (row, column)))
}

/// Returns all stretches of `length` cells in rows and columns.
fn stretches(length: usize) -> impl Iterator<Item = Vec<(usize, usize)>> {
    (0..SIZE).flat_map(move |line| {
        (0..=SIZE - length).flat_map(move |start| {
            let places = start..start + length;
            [
                places.clone().map(|at| (line, at)).collect::<Vec<_>>(),
                places.map(|at| (at, line)).collect::<Vec<_>>(),
            ]
        })
    })
}

fn is_palindrome(board: &Board, stretch: &[(usize, usize)]) -> bool {
    let colours = || stretch.iter().map(|&(row, column)| board[row][column]);
    colours().all(|colour| colour != 0) && colours().eq(colours().rev())
}

/// Returns the current score under the rules.
#[must_use]
pub fn points(board: &Board) -> i32 {
    let scoring = |length: usize| stretches(length).filter(|stretch| is_palindrome(board, stretch)).count();
    (2..=SIZE).map(|length| (length * scoring(length)) as i32).sum()
}

/// Returns the number of potential palindromes: the number of palindromes of exactly `length` cells that one more chip
/// could create, over all empty cells and all seven colours. It does not matter whether the bag still contains the
/// colour. A placement that creates two palindromes counts twice. The middle chip of a palindrome can have any colour,
/// so an empty middle counts seven times.
#[must_use]
pub fn potentials(board: &Board, length: usize) -> i32 {
    cells().map(|cell| potentials_at(board, length, cell)).sum()
}

/// Returns the number of palindromes that a chip on this cell could create. Returns 0 if the cell is occupied.
#[must_use]
pub fn potentials_at(board: &Board, length: usize, (row, column): (usize, usize)) -> i32 {
    if board[row][column] != 0 {
        return 0;
    }
    let mut count = 0;
    for colour in 1..=7 {
        let mut after = *board;
        after[row][column] = colour;
        let new = stretches(length)
            .filter(|stretch| stretch.contains(&(row, column)) && is_palindrome(&after, stretch));
        count += new.count() as i32;
    }
    count
}

/// Returns the cells that the chip on `from` can reach with one slide.
fn reach(board: &Board, from: (usize, usize)) -> Vec<(usize, usize)> {
    let mut reached = Vec::new();
    for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
        let (mut row, mut column) = (from.0 as i32 + down, from.1 as i32 + right);
        let inside = 0..SIZE as i32;
        while inside.contains(&row) && inside.contains(&column) && board[row as usize][column as usize] == 0 {
            reached.push((row as usize, column as usize));
            row += down;
            column += right;
        }
    }
    reached
}

fn slid(board: &Board, from: (usize, usize), to: (usize, usize)) -> Board {
    let mut after = *board;
    after[to.0][to.1] = after[from.0][from.1];
    after[from.0][from.1] = 0;
    after
}

/// Returns the threats. A slide's gain is the number of points that the chip makes in its new place minus the points
/// that it loses in its old place. The result contains the largest gain, or 0 if no slide gains points, and the sum of
/// all other positive gains.
#[must_use]
pub fn threats(board: &Board) -> (i32, i32) {
    let gains = || cells().flat_map(|from| gains(board, from));
    let largest = gains().max().unwrap_or(0);
    (largest, gains().sum::<i32>() - largest)
}

/// Returns the positive gains of slides of the chip on a cell.
fn gains(board: &Board, from: (usize, usize)) -> Vec<i32> {
    if board[from.0][from.1] == 0 {
        return Vec::new();
    }
    let now = points(board);
    let gain = |to| points(&slid(board, from, to)) - now;
    reach(board, from).into_iter().map(gain).filter(|&gain| gain > 0).collect()
}

/// Returns the largest gain for each chip, or 0 if none of its slides gains points.
#[must_use]
pub fn best_gains(board: &Board) -> [[i32; SIZE]; SIZE] {
    let mut best = [[0; SIZE]; SIZE];
    for (row, column) in cells() {
        best[row][column] = gains(board, (row, column)).into_iter().max().unwrap_or(0);
    }
    best
}

/// Returns the number of holes, which are connected areas of exactly `size` empty cells. Cells are connected along
/// edges.
#[must_use]
pub fn holes(board: &Board, size: usize) -> i32 {
    areas(board).into_iter().filter(|area| area.len() == size).count() as i32
}

/// Returns the connected areas of empty cells, each as a list of its cells. Cells are connected along edges.
#[must_use]
pub fn areas(board: &Board) -> Vec<Vec<(usize, usize)>> {
    let mut is_seen = board.map(|row| row.map(|colour| colour != 0));
    let mut areas = Vec::new();
    for start in cells() {
        let (mut area, mut open) = (Vec::new(), vec![start]);
        while let Some((row, column)) = open.pop() {
            if !std::mem::replace(&mut is_seen[row][column], true) {
                area.push((row, column));
                open.extend(cells().filter(|&(r, c)| r.abs_diff(row) + c.abs_diff(column) == 1));
            }
        }
        if !area.is_empty() {
            areas.push(area);
        }
    }
    areas
}

/// Returns the number of chips on the ring `depth` steps from the edge: 0 is the outer ring, 1 the second.
#[must_use]
pub fn ring(board: &Board, depth: usize) -> i32 {
    let is_on = |row: usize, column: usize| steps_from_edge(row, column) == depth;
    cells().filter(|&(row, column)| board[row][column] != 0 && is_on(row, column)).count() as i32
}

/// Returns the number of steps from a cell to the edge of the board.
#[must_use]
pub fn steps_from_edge(row: usize, column: usize) -> usize {
    row.min(column).min(SIZE - 1 - row).min(SIZE - 1 - column)
}

/// Returns the sum of the chips' Manhattan distances to the centre.
#[must_use]
pub fn distances(board: &Board) -> i32 {
    let middle = SIZE / 2;
    let chips = cells().filter(|&(row, column)| board[row][column] != 0);
    chips.map(|(row, column)| (row.abs_diff(middle) + column.abs_diff(middle)) as i32).sum()
}

/// Returns the colour imbalance: the number of chips that are not on the board, for the colour with the fewest chips on
/// the board.
#[must_use]
pub fn imbalance(state: &State) -> i32 {
    let placed = |colour| state.occupied_cells().filter(|&cell| state.colour(cell) == colour).count() as i32;
    SIZE as i32 - (1..=7).map(placed).min().unwrap_or(0)
}

/// Returns the two-turn mobility of each chip: the number of cells that it can reach with one or two slides while all
/// other chips stay. The chip's own cell does not count.
#[must_use]
pub fn mobilities(board: &Board) -> [[i32; SIZE]; SIZE] {
    let mut mobilities = [[0; SIZE]; SIZE];
    for from in cells().filter(|&(row, column)| board[row][column] != 0) {
        let mut reached = reach(board, from);
        for to in reached.clone() {
            reached.extend(reach(&slid(board, from, to), to));
        }
        reached.retain(|&cell| cell != from);
        reached.sort_unstable();
        reached.dedup();
        mobilities[from.0][from.1] = reached.len() as i32;
    }
    mobilities
}

/// Returns the cells that belong to a scoring palindrome.
#[must_use]
pub fn contributing(board: &Board) -> [[bool; SIZE]; SIZE] {
    let mut contributing = [[false; SIZE]; SIZE];
    for stretch in (2..=SIZE).flat_map(stretches).filter(|stretch| is_palindrome(board, stretch)) {
        for (row, column) in stretch {
            contributing[row][column] = true;
        }
    }
    contributing
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the occupied cells of the write-up's example, with invented colours.
    fn example() -> Board {
        let rows = ["a..def.", "a.cdefg", "abcdefg", "a.cdefg", ".b.d.fg", "ab.....", "abcde.g"];
        let mut board = [[0; SIZE]; SIZE];
        for (row, text) in board.iter_mut().zip(rows) {
            for (column, (cell, letter)) in row.iter_mut().zip(text.chars()).enumerate() {
                *cell = if letter == '.' { 0 } else { 1 + column as u8 };
            }
        }
        board
    }

    #[test]
    fn the_example_has_the_published_values() {
        let board = example();
        assert_eq!(cells().filter(|&(row, column)| board[row][column] != 0).count(), 35);
        assert_eq!((ring(&board, 0), ring(&board, 1)), (18, 10));
        assert_eq!(distances(&board), 117);
        assert_eq!((holes(&board, 1), holes(&board, 2)), (3, 0));
        let mobilities = mobilities(&board);
        let chips = cells().filter(|&(row, column)| board[row][column] != 0);
        let listed: Vec<i32> = chips.map(|(row, column)| mobilities[row][column]).collect();
        let published = [
            3, 3, 0, 1, 2, 3, 0, 0, 0, 1, 0, 4, 0, 0, 0, 0, 0, 2, 7, 0, 6, 0, 0, 4, 7, 7, 5, 1, 8, 0, 0, 6,
            5, 7, 6,
        ];
        assert_eq!(listed, published);
        assert_eq!(published.iter().sum::<i32>(), 88);
    }

    fn row(text: &str) -> Board {
        let mut board = [[0; SIZE]; SIZE];
        for (cell, digit) in board[3].iter_mut().zip(text.bytes()) {
            *cell = if digit == b'.' { 0 } else { digit - b'0' };
        }
        board
    }

    #[test]
    fn points_by_hand() {
        assert_eq!(points(&row("112121.")), 16);
        assert_eq!(points(&row("1212121")), 37);
        assert_eq!(points(&row("1111111")), 77);
    }

    #[test]
    fn potentials_by_hand() {
        let potentials = |text: &str| [4, 5, 6, 7].map(|length| potentials(&row(text), length));
        assert_eq!(potentials("122.345"), [1, 0, 0, 0]);
        // Any colour completes 12.21, but no longer palindrome.
        assert_eq!(potentials("12.2134"), [0, 7, 0, 0]);
        // A 1 in front would make 12321; 1221 would also need a second 2.
        assert_eq!(potentials(".232145"), [0, 1, 0, 0]);
        assert_eq!(potentials("123.321"), [0, 7, 0, 7]);
        // A 3 does not make a palindrome of 122 331, but a 3 in the hole makes 123321.
        assert_eq!(potentials("12.3214"), [1, 0, 1, 0]);
    }

    #[test]
    fn threats_by_hand() {
        assert_eq!(threats(&row("1..1...")), (2, 2), "either chip may slide next to the other");
        assert_eq!(threats(&row("1.21...")), (3, 0));
        assert_eq!(threats(&row("1.2.1..")), (0, 0), "121 needs two slides");
        assert_eq!(threats(&row("11..1..")), (5, 0), "111 is worth 7, but 11 is there already");
    }
}
