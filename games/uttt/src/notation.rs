//! Moves as text, and the picture of the board. A move is `row column`, both 0 to 8 from the top-left corner, for
//! example `4 4`.

use crate::tables::HAS_LINE;
use crate::{Move, State};
use contender_game::{
    board::{Ink, Picture, Sign, Square},
    contest::{is_not, Notation},
    rules::{Game, Player, Turn},
};

impl Notation for State {
    /// Reads a move in the same way as the contest's referee, which splits the line at single spaces. The first two
    /// pieces must be integers, and later pieces are ignored. So a leading space, two spaces in a row or a comma are
    /// errors.
    fn read(&self, text: &str) -> Result<Move, String> {
        let mut pieces = text.split(' ');
        let mut number = || pieces.next().and_then(|piece| piece.parse::<i32>().ok());
        match (number(), number()) {
            (Some(row), Some(column)) => legal(self, row, column),
            _ => Err(is_not(text, "a row and a column with one space between them, for example 4 4")),
        }
    }

    fn write(&self, mv: Move) -> String {
        mv.to_string()
    }

    /// Reads a move in the notation of people and records: two numbers separated by spaces or a comma, `4 4` or `4,4`.
    fn read_record(&mut self, text: &str) -> Result<Move, String> {
        let mut numbers = text.split([' ', ',']).filter(|piece| !piece.is_empty()).map(str::parse::<i32>);
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(row)), Some(Ok(column)), None) => legal(self, row, column),
            _ => Err(is_not(text, "a row and a column, for example 4 4")),
        }
    }

    /// Won small boards have the winner's colour. Dots mark the cells that the player to act may choose.
    fn picture(&self, last: Option<Move>, _viewer: Option<Player>) -> Picture {
        let mut picture = Picture::new(0..9, 0..9, |row, column| {
            let cell = Move::at(row, column);
            let mark = self.mark(cell);
            let owner = Player::BOTH.into_iter().find(|&player| self.won(player) >> cell.board() & 1 == 1);
            let text = mark.map_or(String::new(), |player| letter(player).to_string());
            let sign = match (owner, mark) {
                (Some(owner), _) => Sign::block(Ink::Seat(owner), text),
                (None, Some(player)) => Sign::letter(Ink::Seat(player), text),
                (None, None) if self.is_legal(cell) => Sign::dot(),
                (None, None) => Sign::default(),
            };
            Square { is_marked: last == Some(cell), ..Square::new(cell.to_string(), sign) }
        });
        picture.block = 3;
        let won = Player::BOTH.map(|player| self.won(player).count_ones() as i32);
        picture.standing = Some(won);
        let [x, o] = Player::BOTH
            .map(|player| Sign::block(Ink::Seat(player), format!(" {} {} ", letter(player), won[player])));
        picture.notes = vec![vec![x, Sign::plain(" "), o, Sign::plain("  "), Sign::plain(to_move(self))]];
        picture
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

/// Returns the letter of a player. X moves first.
#[must_use]
pub fn letter(player: Player) -> char {
    ['X', 'O'][player]
}

/// The names of the small boards, in the order of their numbers.
const BOARDS: [&str; 9] =
    ["top left", "top", "top right", "left", "middle", "right", "bottom left", "bottom", "bottom right"];

fn to_move(state: &State) -> String {
    match (state.turn(), state.target()) {
        (Turn::Over, _) => {
            let points = state.points();
            let winner = Player::BOTH.into_iter().find(|&player| points[player] == 1);
            winner.map_or("a draw with equal small boards".to_string(), |winner| {
                let has_line = HAS_LINE[usize::from(state.won(winner))];
                let how = if has_line { "three small boards in a row" } else { "more small boards" };
                format!("{} wins with {how}", letter(winner))
            })
        }
        (_, Some(target)) => format!("{} moves in the {} board", letter(state.mover()), BOARDS[target]),
        (_, None) => format!("{} moves in any open board", letter(state.mover())),
    }
}
