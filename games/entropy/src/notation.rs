//! Moves as text, and the picture of the board.
//!
//! - A cell is a row letter and a column letter: `Bc`.
//! - Bots write moves like this: `Bc` places the drawn chip, `BcBg` slides a chip, `BcBc` passes. A pass that is read
//!   may name any chip. A pass that is written names the first occupied cell, row by row.
//! - Recorded placements begin with the drawn colour: `3Bc`.

use crate::cell::GRID;
use crate::{Cell, Colour, Move, State, SIZE};
use contender_game::{
    board::{Ink, Line, Picture, Sign, Square},
    contest::{is_not, Notation},
    rules::{Chance, Game, Player, Turn},
};

impl Notation for State {
    fn read(&self, text: &str) -> Result<Move, String> {
        let mv = match self.turn() {
            Turn::Player(Player::One) => {
                let cell = parse_cell(text.as_bytes());
                Move::Place(cell.ok_or_else(|| is_not(text, "a cell from Aa to Gg, for example Bc"))?)
            }
            Turn::Player(Player::Zero) => {
                let (from, to) = parse_slide(text).ok_or_else(|| {
                    is_not(text, "two cells from Aa to Gg, for example BcBg, or BcBc to pass")
                })?;
                if from != to {
                    Move::Slide { from, to }
                } else if self.is_occupied(from) {
                    Move::Pass
                } else {
                    return Err(format!("there is no chip on {from} to pass with"));
                }
            }
            Turn::Chance => return Err("a chip must be drawn first".to_string()),
            Turn::Over => return Err("the game is over".to_string()),
        };
        self.check(mv).map(|()| mv)
    }

    fn write(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => cell.to_string(),
            Move::Slide { from, to } => format!("{from}{to}"),
            Move::Pass => {
                let cell = self.occupied_cells().next().unwrap_or(Cell::new(0, 0));
                format!("{cell}{cell}")
            }
        }
    }

    /// Returns the move, with the drawn colour before a placement.
    fn write_record(&self, mv: Move) -> String {
        let text = self.write(mv);
        self.drawn().map_or(text.clone(), |colour| format!("{colour}{text}"))
    }

    /// Reads a placement with the drawn colour before it, or a move of Order. The bag must contain the colour.
    fn read_record(&mut self, text: &str) -> Result<Move, String> {
        if self.turn() == Turn::Player(Player::Zero) {
            return self.read(text);
        }
        let (colour, cell) = parse_placement(text)?;
        let mut next = self.clone();
        match self.drawn() {
            None => draw(&mut next, colour)?,
            Some(drawn) if drawn == colour => {}
            Some(drawn) => return Err(format!("the drawn chip is {drawn}, not {colour}")),
        }
        let mv = Move::Place(cell);
        next.check(mv)?;
        *self = next;
        Ok(mv)
    }

    /// Returns the picture of the board, with the values of rows and columns, the score and the bag. An arrow shows the
    /// latest slide.
    fn picture(&self, last: Option<Move>, _viewer: Option<Player>) -> Picture {
        let is_marked = |cell: Cell| match last {
            Some(Move::Place(at)) => cell == at,
            Some(Move::Slide { from, to }) => cell == from || cell == to,
            Some(Move::Pass) | None => false,
        };
        let table = self.table();
        let mut picture = GRID.picture(|row, column| {
            let cell = Cell::new(row, column);
            let sign = match self.colour(cell) {
                0 => Sign::dot(),
                colour => chip(colour, colour),
            };
            Square { is_marked: is_marked(cell), ..Square::from(sign) }
        });
        if let Some(Move::Slide { from, to }) = last {
            let at = |cell: Cell| SIZE * cell.row() + cell.column();
            picture.lines = vec![Line { from: at(from), to: at(to), ink: Ink::Plain, is_arrow: true }];
        }
        let points = |line| match table.value(line) {
            0 => Sign::dot(),
            value => Sign::plain(value),
        };
        picture.right = self.rows().iter().map(|&row| points(row)).collect();
        picture.below = self.columns().iter().map(|&column| points(column)).collect();
        let points = self.points();
        let mut score = vec![
            Sign::plain(format!("patterns {}: ", self.score())),
            Sign::letter(Ink::Seat(Player::Zero), format!("Order {}", points[0])),
            Sign::plain(", "),
            Sign::letter(Ink::Seat(Player::One), format!("Chaos {}", points[1])),
        ];
        if let Some(colour) = self.drawn() {
            score.extend([Sign::plain("   drawn "), chip(colour, format!(" {colour} "))]);
        }
        let mut bag = vec![Sign::plain("bag ")];
        for colour in 1..=7 {
            bag.push(chip(colour, format!(" {colour} ")));
            bag.push(Sign::plain(format!("×{} ", self.left(colour))));
        }
        picture.notes = vec![score, bag];
        picture
    }
}

/// Draws a chip of this colour from the bag.
///
/// # Errors
/// Returns an error if it is not chance's turn or no such chip is left. In this case the state is unchanged.
pub fn draw(state: &mut State, colour: Colour) -> Result<(), String> {
    if state.turn() != Turn::Chance {
        return Err("no chip can be drawn now".to_string());
    }
    if state.left(colour) == 0 {
        return Err(format!("no chip of colour {colour} is left in the bag"));
    }
    state.resolve(colour);
    Ok(())
}

/// Parses a placement with its colour, for example `3Bc`.
///
/// # Errors
/// Returns an error if the text is anything else.
pub fn parse_placement(text: &str) -> Result<(Colour, Cell), String> {
    let parsed = match text.as_bytes() {
        [digit, cell @ ..] => parse_digit(*digit).zip(parse_cell(cell)),
        [] => None,
    };
    parsed.ok_or_else(|| is_not(text, "a colour and a cell, for example 3Bc"))
}

/// Parses a colour of one digit.
///
/// # Errors
/// Returns an error if the text is not one of `1` to `7`.
pub fn parse_colour(text: &str) -> Result<Colour, String> {
    match text.as_bytes() {
        [digit] => parse_digit(*digit),
        _ => None,
    }
    .ok_or_else(|| is_not(text, "a colour from 1 to 7"))
}

pub(crate) fn parse_digit(byte: u8) -> Option<Colour> {
    (b'1'..=b'7').contains(&byte).then(|| byte - b'0')
}

fn parse_cell(text: &[u8]) -> Option<Cell> {
    GRID.cell(text).map(|(row, column)| Cell::new(row, column))
}

pub(crate) fn parse_slide(text: &str) -> Option<(Cell, Cell)> {
    let (from, to) = (text.as_bytes().get(..2)?, text.as_bytes().get(2..)?);
    parse_cell(from).zip(parse_cell(to))
}

fn chip(colour: Colour, text: impl ToString) -> Sign {
    Sign::chip(Ink::Piece(usize::from(colour) - 1), text)
}
