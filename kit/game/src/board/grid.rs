//! Rectangular boards whose rows and columns are labelled with letters.

use crate::board::{Picture, Square};

/// A board whose cells are named by a row letter and a column letter, such as `Bc`. Rows are counted from the top,
/// columns from the left.
///
/// ```
/// use contender_game::board::{Grid, Sign, Square};
///
/// let grid = Grid { first_row: b'A', first_column: b'a', rows: 2, columns: 3 };
/// assert_eq!((grid.cell(b"Bc"), grid.name(1, 2)), (Some((1, 2)), "Bc".to_string()));
/// let picture = grid.picture(|row, column| Square::from(Sign::plain(row + column)));
/// assert_eq!(picture.named_in("BcAa"), [5, 0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// The letter of the first row.
    pub first_row: u8,
    /// The letter of the first column.
    pub first_column: u8,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

impl Grid {
    /// Returns the row with this letter, or `None` if no row has it.
    #[must_use]
    pub fn row(&self, letter: u8) -> Option<usize> {
        place(letter, self.first_row, self.rows)
    }

    /// Returns the column with this letter, or `None` if no column has it.
    #[must_use]
    pub fn column(&self, letter: u8) -> Option<usize> {
        place(letter, self.first_column, self.columns)
    }

    /// Returns the row and the column of the cell with this two-letter name, or `None` if no cell has this name.
    #[must_use]
    pub fn cell(&self, name: &[u8]) -> Option<(usize, usize)> {
        match *name {
            [row, column] => self.row(row).zip(self.column(column)),
            _ => None,
        }
    }

    /// Returns the name of a cell.
    #[must_use]
    pub fn name(&self, row: usize, column: usize) -> String {
        [(self.first_row, row), (self.first_column, column)]
            .map(|(first, at)| letter(first, at))
            .iter()
            .collect()
    }

    /// Returns a picture of the board with row and column labels. The closure `square(row, column)` returns each
    /// square; this function sets the square's name.
    #[must_use]
    pub fn picture(&self, mut square: impl FnMut(usize, usize) -> Square) -> Picture {
        let rows = (0..self.rows).map(|row| letter(self.first_row, row));
        let columns = (0..self.columns).map(|column| letter(self.first_column, column));
        Picture::new(rows, columns, |row, column| Square {
            name: self.name(row, column),
            ..square(row, column)
        })
    }
}

fn place(letter: u8, first: u8, count: usize) -> Option<usize> {
    letter.checked_sub(first).map(usize::from).filter(|&at| at < count)
}

fn letter(first: u8, at: usize) -> char {
    char::from(first + at as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Sign;

    #[test]
    fn cells_and_their_names() {
        let grid = Grid { first_row: b'A', first_column: b'a', rows: 2, columns: 20 };
        for row in 0..2 {
            for column in 0..20 {
                assert_eq!(grid.cell(grid.name(row, column).as_bytes()), Some((row, column)));
            }
        }
        assert_eq!(grid.name(1, 19), "Bt");
        for wrong in ["", "A", "Aaa", "aA", "Ca", "Au", "@a", "A`"] {
            assert_eq!(grid.cell(wrong.as_bytes()), None, "{wrong}");
        }
        let picture = grid.picture(|_, column| Square::from(Sign::plain(column)));
        assert_eq!((picture.rows.join(""), picture.columns.len()), ("AB".to_string(), 20));
        assert_eq!((picture.squares[23].name.as_str(), picture.squares[23].sign.text.as_str()), ("Bd", "3"));
    }
}
