//! Moves and positions as text, and the picture of the board.
//!
//! - Moves: `row column`, both 0 to 8 from the top-left corner: `4 4`.
//! - Positions: the side to move, the 81 cells row by row, and the small board to play in or `-1` for free choice:
//!   `O ....X............................................................................ 1`. Who has won which small board follows
//!   from the cells.

use crate::{Move, State};
use contender_game::{excerpt, Game, Ink, Notation, Picture, Player, Sign, Square, Turn};

impl Notation for State {
    /// As the contest's referee reads it: the line is split at single spaces, the first two pieces must be integers, text after
    /// them is ignored. So a leading space, two spaces in a row or a comma are errors.
    fn read(&self, text: &str) -> Result<Move, String> {
        let mut pieces = text.split(' ');
        let mut number = || pieces.next().and_then(|piece| piece.parse::<i32>().ok());
        let (Some(row), Some(column)) = (number(), number()) else {
            return Err(format!(
                "{} is not a row and a column with one space between them, for example 4 4",
                quoted(text)
            ));
        };
        legal(self, row, column)
    }

    fn write(&self, mv: Move) -> String {
        mv.to_string()
    }

    /// As a person or a record writes it: two numbers with spaces or a comma between them, `4 4` or `4,4`.
    fn read_record(&mut self, text: &str) -> Result<Move, String> {
        let mut numbers = text.split([' ', ',']).filter(|piece| !piece.is_empty()).map(str::parse::<i32>);
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(row)), Some(Ok(column)), None) => legal(self, row, column),
            _ => Err(format!("{} is not a row and a column, for example 4 4", quoted(text))),
        }
    }

    fn picture(&self, last: Option<Move>, _viewer: Option<Player>) -> Picture {
        picture(self, last)
    }
}

fn legal(state: &State, row: i32, column: i32) -> Result<Move, String> {
    if !(0..9).contains(&row) || !(0..9).contains(&column) {
        return Err(format!("{row} {column} is not on the board: rows and columns are 0 to 8"));
    }
    let mv = Move::at(row as usize, column as usize);
    if state.is_legal(mv) {
        return Ok(mv);
    }
    Err(match (state.turn(), state.mark(mv), state.target()) {
        (Turn::Over, ..) => "the game is over".to_string(),
        (_, Some(_), _) => format!("the cell {mv} is taken"),
        (_, _, Some(target)) if target != mv.board() => {
            format!("the cell {mv} is in small board {}, and the move must be in {target}", mv.board())
        }
        _ => format!("the cell {mv} is in small board {}, which is closed", mv.board()),
    })
}

/// An error's quotation of what was read.
fn quoted(text: &str) -> String {
    format!("\"{}\"", excerpt(text))
}

/// The letter of a player: X moves first.
#[must_use]
pub fn letter(player: Player) -> char {
    ['X', 'O'][player]
}

/// The position as text.
#[must_use]
pub fn write_state(state: &State) -> String {
    let cells: String = grid().map(|cell| state.mark(cell).map_or('.', letter)).collect();
    let target = state.target().map_or("-1".to_string(), |target| target.to_string());
    format!("{} {cells} {target}", letter(state.mover()))
}

/// The 81 cells row by row of the grid.
fn grid() -> impl Iterator<Item = Move> {
    (0..81).map(|at| Move::at(at / 9, at % 9))
}

/// Reads a position. The last move is unknown in it.
///
/// # Errors
/// What is wrong with the text or with the position.
pub fn parse_state(text: &str) -> Result<State, String> {
    let pieces: Vec<&str> = text.split_whitespace().take(4).collect();
    let [side, cells, target] = pieces[..] else {
        return Err(format!("{} is not the side to move, 81 cells and the target", quoted(text)));
    };
    let mover = match side {
        "X" => Player::Zero,
        "O" => Player::One,
        _ => return Err(format!("the side to move is X or O, not {}", quoted(side))),
    };
    if cells.len() != 81 {
        return Err(format!("a position has 81 cells, not {}", cells.len()));
    }
    let mut marks = [[0; 9]; 2];
    for (cell, mark) in grid().zip(cells.bytes()) {
        match mark {
            b'X' => marks[0][cell.board()] |= 1 << cell.cell(),
            b'O' => marks[1][cell.board()] |= 1 << cell.cell(),
            b'.' => {}
            _ => return Err(format!("the cell {cell} is not X, O or a dot")),
        }
    }
    let target = match target.parse::<i32>() {
        Ok(-1) => None,
        Ok(target @ 0..=8) => Some(target as usize),
        _ => return Err(format!("the target is a small board 0 to 8 or -1, not {}", quoted(target))),
    };
    State::from_marks(&marks, mover, target)
}

/// The board: won small boards filled with the winner's colour, the cells that the player to act may take as dots.
fn picture(state: &State, last: Option<Move>) -> Picture {
    let mut picture = Picture::new(0..9, 0..9, |row, column| {
        let cell = Move::at(row, column);
        let mark = state.mark(cell);
        let owner = Player::BOTH.into_iter().find(|&player| state.won(player) >> cell.board() & 1 == 1);
        let text = mark.map_or(String::new(), |player| letter(player).to_string());
        let sign = match (owner, mark) {
            (Some(owner), _) => Sign::block(Ink::Seat(owner), text),
            (None, Some(player)) => Sign::letter(Ink::Seat(player), text),
            (None, None) if state.is_legal(cell) => Sign::dot(),
            (None, None) => Sign::default(),
        };
        Square { is_marked: last == Some(cell), ..Square::new(cell.to_string(), sign) }
    });
    picture.block = 3;
    let won = |player| {
        let count = state.won(player).count_ones();
        Sign::block(Ink::Seat(player), format!(" {} {count} ", letter(player)))
    };
    let space = || Sign::plain(" ");
    let notes =
        vec![won(Player::Zero), space(), won(Player::One), space(), space(), Sign::plain(to_move(state))];
    picture.standing = Some(Player::BOTH.map(|player| state.won(player).count_ones() as i32));
    picture.notes = vec![notes];
    picture
}

fn to_move(state: &State) -> String {
    match (state.turn(), state.target()) {
        (Turn::Over, _) => match state.points() {
            [1, _] => "X has won".to_string(),
            [_, 1] => "O has won".to_string(),
            _ => "a draw".to_string(),
        },
        (_, Some(target)) => format!("{} moves in board {target}", letter(state.mover())),
        (_, None) => format!("{} moves in any open board", letter(state.mover())),
    }
}
