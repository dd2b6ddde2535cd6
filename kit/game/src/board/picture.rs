//! Board pictures as plain data. A game describes each position once. The description is then rendered as terminal text
//! ([`Picture::to_text`]) or, in the workbench, as SVG.

use crate::rules::Player;

/// A picture of a position: a grid of squares, with labels around the grid, lines across it and notes below it.
///
/// ```
/// use contender_game::board::{ansi, Ink, Picture, Sign, Square};
/// use contender_game::rules::Player;
///
/// let picture = Picture::new(["1", "2"], ["a", "b"], |row, column| {
///     let sign = if row == column { Sign::letter(Ink::Seat(Player::Zero), 'X') } else { Sign::dot() };
///     Square::new(format!("{}{}", ["a", "b"][column], row + 1), sign)
/// });
/// assert_eq!(ansi::plain(&picture.to_text()), "   a  b\n1  X  · \n2  ·  X \n");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Picture {
    /// The row labels, from top to bottom.
    pub rows: Vec<String>,
    /// The column labels, from left to right.
    pub columns: Vec<String>,
    /// The squares in row order. There are `rows.len() * columns.len()` of them.
    pub squares: Vec<Square>,
    /// Texts at the right end of the rows, for example the row values. Empty if there are none.
    pub right: Vec<Sign>,
    /// Texts below the columns. Empty if there are none.
    pub below: Vec<Sign>,
    /// Distance between thick grid lines, in rows and columns; 0 means no thick lines.
    pub block: usize,
    /// Whether the left wall belongs to player 0 and the right wall to player 1. Squares are then drawn large, so that
    /// readers can follow the paths.
    pub has_walls: bool,
    /// Lines drawn across the board. Terminal output omits these lines, so the squares or the notes must show the same
    /// information.
    pub lines: Vec<Line>,
    /// The current score of each player, for games that award points only at the end: for example the number of boards
    /// won.
    pub standing: Option<[i32; 2]>,
    /// Lines of text below the board.
    pub notes: Vec<Vec<Sign>>,
}

/// One square of a board.
///
/// The example of [`Picture`] uses this type.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Square {
    /// The square's name in move notation, for example `Bc`.
    pub name: String,
    /// The sign on the square: at most one character.
    pub sign: Sign,
    /// The direction of the piece on the square.
    pub arrow: Option<Side>,
    /// The shape of the piece on the square. Terminal output shows only the sign, so the sign must give the same
    /// information.
    pub shape: Option<PieceShape>,
    /// The paths through the square.
    pub paths: Vec<Path>,
    /// Whether the latest move changed the square.
    pub is_marked: bool,
}

/// A short text with a colour.
///
/// The example of [`Picture`] uses this type.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sign {
    /// The text.
    pub text: String,
    /// The colour of the text, or of the piece that the text is drawn on.
    pub ink: Ink,
    /// The style of the text's background.
    pub look: Look,
}

/// The style of a text's background.
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
pub enum PieceShape {
    /// A thick ring.
    Ring,
    /// A disc.
    Disc,
    /// A piece with a spike that points in its direction.
    Spike,
    /// A cup that is open in its direction.
    Cup,
    /// A tube that points in its direction.
    Tube,
}

/// A colour, named after its purpose. The code that shows the picture chooses the actual colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ink {
    /// Ordinary text.
    #[default]
    Plain,
    /// Pale, for less important text.
    Dim,
    /// The colour that marks a loss of points for the owner of a piece.
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
    /// Number of different piece colours.
    pub const PIECES: usize = 8;
}

impl Sign {
    /// Creates a sign with coloured letters.
    pub fn letter(ink: Ink, text: impl ToString) -> Sign {
        Sign { text: text.to_string(), ink, look: Look::Letter }
    }

    /// Creates a sign in the ordinary text colour.
    pub fn plain(text: impl ToString) -> Sign {
        Sign::letter(Ink::Plain, text)
    }

    /// Creates a sign on a chip of this colour.
    pub fn chip(ink: Ink, text: impl ToString) -> Sign {
        Sign { text: text.to_string(), ink, look: Look::Chip }
    }

    /// Creates a sign on a square filled with this colour.
    pub fn block(ink: Ink, text: impl ToString) -> Sign {
        Sign { text: text.to_string(), ink, look: Look::Block }
    }

    /// Creates the dot that marks an empty square.
    #[must_use]
    pub fn dot() -> Sign {
        Sign::letter(Ink::Dim, '·')
    }
}

impl Square {
    /// Creates a square that contains only a sign.
    #[must_use]
    pub fn new(name: String, sign: Sign) -> Square {
        Square { name, sign, ..Square::default() }
    }
}

impl From<Sign> for Square {
    /// Creates a square without a name.
    fn from(sign: Sign) -> Square {
        Square { sign, ..Square::default() }
    }
}

impl Picture {
    /// Creates a picture with these labels. The closure `square(row, column)` returns each square.
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

    /// Adds the labels on the right and at the bottom of the board, too.
    pub fn label_all_sides(&mut self) {
        let labels = |labels: &[String]| labels.iter().map(|label| Sign::letter(Ink::Dim, label)).collect();
        self.right = labels(&self.rows);
        self.below = labels(&self.columns);
    }

    /// Returns a copy of the picture in which numbers replace the signs. Squares without a number keep their sign.
    /// Numbers are shown as integers or with two decimal places.
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

    /// Returns the squares whose names occur in a text, in order of occurrence. For example, `3BcBg` contains `Bc` and
    /// `Bg`. If several names match at the same position of the text, the longest one counts. A digit of a name must
    /// not match part of a longer number: the name `1 2` does not occur in `1 23`.
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
    /// All sides, clockwise from the top.
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
