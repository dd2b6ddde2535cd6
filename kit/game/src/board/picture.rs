//! Boards as plain data. A game describes a position only once. The description becomes text in a terminal
//! ([`Picture::to_text`]) or, in the workbench, SVG.

use crate::rules::Player;

/// A position as a picture: a grid of squares with labels around it, lines over it and notes below it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Picture {
    /// The labels of the rows, from the top.
    pub rows: Vec<String>,
    /// The labels of the columns, from the left.
    pub columns: Vec<String>,
    /// The squares row by row, `rows.len() * columns.len()` in total.
    pub squares: Vec<Square>,
    /// The text at the right end of each row, for example the row's value; empty if there is no such text.
    pub right: Vec<Sign>,
    /// The text at the lower end of each column; empty if there is no such text.
    pub below: Vec<Sign>,
    /// Number of rows and columns between two thick grid lines; 0 for no thick lines.
    pub block: usize,
    /// Whether the left wall belongs to player 0 and the right wall to player 1. Squares are then drawn large, so that
    /// readers can follow the paths.
    pub has_walls: bool,
    /// Lines over the board. A terminal does not show these lines, so the squares or the notes must give the same
    /// information.
    pub lines: Vec<Line>,
    /// The current score of both players, if points count only at the end of the game: for example won boards or
    /// organs.
    pub standing: Option<[i32; 2]>,
    /// Lines of text below the board.
    pub notes: Vec<Vec<Sign>>,
}

/// One square of a board.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Square {
    /// The name of the square in moves of the game, for example `Bc`.
    pub name: String,
    /// The sign on the square: one character, or nothing.
    pub sign: Sign,
    /// The direction of the piece on the square.
    pub arrow: Option<Side>,
    /// The shape of the piece on the square. A terminal shows only the sign, which must give the same information.
    pub shape: Option<Shape>,
    /// The paths through the square.
    pub paths: Vec<Path>,
    /// Whether the latest move changed the square.
    pub is_marked: bool,
}

/// A piece of text in a colour.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sign {
    /// The text.
    pub text: String,
    /// The colour of the text, or of the piece behind the text.
    pub ink: Ink,
    /// The background of the text.
    pub look: Look,
}

/// The background of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Look {
    /// No background: the letters are coloured.
    #[default]
    Letter,
    /// A round chip.
    Chip,
    /// A coloured background that fills the square.
    Block,
}

/// The shape of a piece. Pieces with a direction point to one side of their square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A thick ring.
    Ring,
    /// A disc.
    Disc,
    /// A pointed piece that strikes in its direction.
    Spike,
    /// A cup that opens in its direction.
    Cup,
    /// A tube that shoots in its direction.
    Tube,
}

/// A colour, named by its use. The code that shows the picture chooses the actual colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ink {
    /// Ordinary text.
    #[default]
    Plain,
    /// Pale, for less important text.
    Dim,
    /// A loss of points for the owner of the piece.
    Loss,
    /// The colour of a player.
    Seat(Player),
    /// The colour of the `n`-th kind of piece, modulo [`Ink::PIECES`].
    Piece(usize),
}

/// A side of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The upper side.
    Top,
    /// The right side.
    Right,
    /// The lower side.
    Bottom,
    /// The left side.
    Left,
}

/// A path through a square, from the middle of one side to the middle of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path {
    /// The side at the start of the path.
    pub from: Side,
    /// The side at the end of the path.
    pub to: Side,
    /// The colour of the path.
    pub ink: Ink,
}

/// A line from the middle of one square to the middle of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Number of the first square.
    pub from: usize,
    /// Number of the last square.
    pub to: usize,
    /// The colour of the line.
    pub ink: Ink,
    /// Whether the line has an arrowhead at its end.
    pub is_arrow: bool,
}

impl Ink {
    /// Number of kinds of pieces that have different colours.
    pub const PIECES: usize = 8;
}

impl Sign {
    /// Creates coloured letters.
    pub fn letter(ink: Ink, text: impl ToString) -> Sign {
        Sign { text: text.to_string(), ink, look: Look::Letter }
    }

    /// Creates ordinary text.
    pub fn plain(text: impl ToString) -> Sign {
        Sign::letter(Ink::Plain, text)
    }

    /// Creates text on a chip of this colour.
    pub fn chip(ink: Ink, text: impl ToString) -> Sign {
        Sign { text: text.to_string(), ink, look: Look::Chip }
    }

    /// Creates text on a background of this colour.
    pub fn block(ink: Ink, text: impl ToString) -> Sign {
        Sign { text: text.to_string(), ink, look: Look::Block }
    }

    /// Returns the dot of an empty square.
    #[must_use]
    pub fn dot() -> Sign {
        Sign::letter(Ink::Dim, '·')
    }
}

impl Square {
    /// Creates a square with only a sign on it.
    #[must_use]
    pub fn new(name: String, sign: Sign) -> Square {
        Square { name, sign, ..Square::default() }
    }
}

impl From<Sign> for Square {
    /// Returns a square without a name.
    fn from(sign: Sign) -> Square {
        Square { sign, ..Square::default() }
    }
}

impl Picture {
    /// Creates the picture of a board with these labels; `square(row, column)` returns each square.
    pub fn new<R: ToString, C: ToString>(
        rows: impl IntoIterator<Item = R>,
        columns: impl IntoIterator<Item = C>,
        mut square: impl FnMut(usize, usize) -> Square,
    ) -> Picture {
        let rows: Vec<String> = rows.into_iter().map(|label| label.to_string()).collect();
        let columns: Vec<String> = columns.into_iter().map(|label| label.to_string()).collect();
        let width = columns.len();
        let squares = (0..rows.len() * width).map(|at| square(at / width, at % width)).collect();
        Picture { rows, columns, squares, ..Picture::default() }
    }

    /// Also puts the labels at the right and the lower end of the board.
    pub fn label_all_sides(&mut self) {
        let labels = |labels: &[String]| labels.iter().map(|label| Sign::letter(Ink::Dim, label)).collect();
        self.right = labels(&self.rows);
        self.below = labels(&self.columns);
    }

    /// Returns the board with numbers instead of signs in the squares that have a number. A number is shown as an
    /// integer or as a fraction with two digits.
    #[must_use]
    pub fn with_numbers(&self, numbers: &[Option<f64>]) -> Picture {
        let mut picture = self.clone();
        for (at, square) in picture.squares.iter_mut().enumerate() {
            square.is_marked = false;
            square.sign.text = match numbers.get(at).copied().flatten() {
                Some(number) if number.fract() == 0.0 => format!("{number:.0}"),
                Some(number) => format!("{number:.2}").replacen("0.", ".", 1),
                None if square.sign.look == Look::Letter => "·".to_string(),
                None => String::new(),
            };
        }
        picture
    }

    /// Returns the squares whose names are in a text, in the order of the text: `Bc` and `Bg` in `3BcBg`. If several
    /// names match at the same position of the text, the longest one counts. A name that is a number must match a whole
    /// number: `1 2` is not in `1 23`.
    #[must_use]
    pub fn named_in(&self, text: &str) -> Vec<usize> {
        let mut found = Vec::new();
        let mut before = '\0';
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_here = |name: &str| {
                let splits_number =
                    |a: char, b: Option<char>| a.is_ascii_digit() && b.map_or(false, |b| b.is_ascii_digit());
                let (start, end) = (name.chars().next(), name.chars().last().unwrap_or('\0'));
                rest.strip_prefix(name).map_or(false, |after| {
                    !splits_number(before, start) && !splits_number(end, after.chars().next())
                })
            };
            let here = self
                .squares
                .iter()
                .enumerate()
                .filter(|(_, square)| !square.name.is_empty() && is_here(&square.name));
            let longest = here.max_by_key(|(_, square)| square.name.len());
            let length = longest.map_or(first.len_utf8(), |(_, square)| square.name.len());
            found.extend(longest.map(|(at, _)| at));
            before = rest[..length].chars().last().unwrap_or('\0');
            rest = &rest[length..];
        }
        found
    }
}

impl Side {
    /// The sides, clockwise from the top.
    pub const ALL: [Side; 4] = [Side::Top, Side::Right, Side::Bottom, Side::Left];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_found_by_their_names() {
        let letters = Picture::new(['A', 'B'], ['a', 'b'], |row, column| {
            let name = format!("{}{}", ["A", "B"][row], ["a", "b"][column]);
            Square::new(name, Sign::dot())
        });
        for (text, squares) in
            [("3Ba", vec![2]), ("AaBb", vec![0, 3]), ("Ab123456v", vec![1]), ("", vec![]), ("äA", vec![])]
        {
            assert_eq!(letters.named_in(text), squares, "{text}");
        }
        let numbers =
            Picture::new(0..12, 0..12, |row, column| Square::new(format!("{row} {column}"), Sign::dot()));
        assert_eq!(numbers.named_in("1 2"), [14]);
        assert_eq!(numbers.named_in("1 11, 11 1"), [23, 133]);
        assert_eq!(numbers.named_in("1 23"), [], "no column 23");
    }
}
