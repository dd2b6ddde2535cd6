//! The score of a whole board without a table and without branches, all 14 lines side by side.
//!
//! The board is kept as seven vectors of 16 bytes: vector `i` has the `i`-th cell of every line, rows in lanes 0 to 6, columns in
//! lanes 7 to 13. A stretch from `i` to `j` is a palindrome if its ends are equal and the stretch between them is one, so 21 byte
//! comparisons, each across all lines at once, find every palindrome of the board. The loops over lanes are plain code that the
//! compiler turns into vector instructions; x86-64's basic SSE2 is enough.
//!
//! A whole board from scratch takes it as long as 14 look-ups in [`LineTable`](contender_entropy::LineTable) take (ratios of 0.8 to 1.2 in
//! several runs of `contender bench entropy`), without the table's 2 MiB of cache. But games score moves, and a move changes two or
//! three lines: the table is asked for these alone and scores 4.5 times as many moves a second as the lanes, which do all lines
//! again. So the state keeps its score by the table, and the lanes are for whole boards and an independent twin of it.

use contender_entropy::{Cell, Colour, SIZE, State};

const LANES: usize = 16;
type Lane = [u8; LANES];

/// A board laid out for scoring all lines at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneBoard {
    /// `cells[i][line]`: a colour, or for an empty cell a number that no other cell of the line has.
    cells: [Lane; SIZE],
    /// `filled[i][line]`: 255 where there is a chip, else 0.
    filled: [Lane; SIZE],
}

impl Default for LaneBoard {
    fn default() -> LaneBoard {
        let mut cells = [[0; LANES]; SIZE];
        for (at, lane) in cells.iter_mut().enumerate() {
            lane.fill(empty(at));
        }
        LaneBoard { cells, filled: [[0; LANES]; SIZE] }
    }
}

/// What stands for an empty cell at this place of its line: above all colours, and different at every place so that two empty
/// cells never look equal.
fn empty(at: usize) -> u8 {
    0x10 + at as u8
}

impl LaneBoard {
    /// The board of a state.
    #[must_use]
    pub fn new(state: &State) -> LaneBoard {
        let mut board = LaneBoard::default();
        for cell in state.occupied_cells() {
            board.set(cell, state.colour(cell));
        }
        board
    }

    /// Puts a chip of this colour on a cell, or empties it with colour 0.
    #[inline]
    pub fn set(&mut self, cell: Cell, colour: Colour) {
        // A cell is place `column` of its row's lane, and place `row` of its column's.
        for (at, lane) in [(cell.column(), cell.row()), (cell.row(), SIZE + cell.column())] {
            self.cells[at][lane] = if colour == 0 { empty(at) } else { colour };
            self.filled[at][lane] = if colour == 0 { 0 } else { 255 };
        }
    }

    /// What every line is worth: rows, then columns, then two zeros.
    #[inline]
    #[must_use]
    pub fn line_values(&self) -> [u8; 16] {
        let mut values = [0; LANES];
        // The palindromes of each length from those two shorter; of length 0 all, of length 1 the chips.
        let even = self.palindromes::<2>(&[[255; LANES]; SIZE], &mut values);
        let even = self.palindromes::<4>(&even, &mut values);
        self.palindromes::<6>(&even, &mut values);
        let odd = self.palindromes::<3>(&self.filled, &mut values);
        let odd = self.palindromes::<5>(&odd, &mut values);
        self.palindromes::<7>(&odd, &mut values);
        values
    }

    /// The palindromes of this length, 255 at their first cells, and their worth added to `values`. The length is a constant so that the
    /// loops unroll.
    #[inline(always)]
    fn palindromes<const LENGTH: usize>(&self, shorter: &[Lane; SIZE], values: &mut Lane) -> [Lane; SIZE] {
        let mut found = [[0; LANES]; SIZE];
        for start in 0..=SIZE - LENGTH {
            let (first, last) = (&self.cells[start], &self.cells[start + LENGTH - 1]);
            for lane in 0..LANES {
                let equal = if first[lane] == last[lane] { 255 } else { 0 };
                found[start][lane] = equal & shorter[start + 1][lane];
                values[lane] += found[start][lane] & LENGTH as u8;
            }
        }
        found
    }

    /// The score of the board.
    #[inline]
    #[must_use]
    pub fn score(&self) -> u32 {
        self.line_values().iter().map(|&value| u32::from(value)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_entropy::{LineTable, Scoring};
    use contender_game::{Chance, Game, Rng, Turn};

    #[test]
    fn scores_are_those_of_the_rules() {
        let mut rng = Rng::new(2);
        for _ in 0..60 {
            let mut state = State::default();
            loop {
                assert_eq!(LaneBoard::new(&state).score() as i32, state.score(), "{state:?}");
                match state.turn() {
                    Turn::Over => break,
                    Turn::Chance => state.resolve(state.random_outcome(&mut rng, &mut Vec::new())),
                    Turn::Player(_) => state.play(state.random_move(&mut rng, &mut Vec::new())),
                }
            }
        }
    }

    #[test]
    fn lines_are_those_of_the_table_on_dense_boards_of_few_colours() {
        let mut rng = Rng::new(3);
        let table = LineTable::get(Scoring::Rules);
        for round in 0..20_000 {
            let (mut board, mut lines) = (LaneBoard::default(), [0; 14]);
            let colours = 1 + round % 7;
            for cell in Cell::all() {
                board.set(cell, 7);
                let colour = rng.below(colours + 1) as u8;
                board.set(cell, colour);
                lines[cell.row()] |= u32::from(colour) << (3 * cell.column());
                lines[7 + cell.column()] |= u32::from(colour) << (3 * cell.row());
            }
            let by_table = lines.map(|line| table.value(line) as u8);
            assert_eq!(board.line_values()[..14], by_table);
            assert_eq!(board.line_values()[14..], [0, 0]);
        }
    }
}
