//! Plain 3 × 3 tic-tac-toe. The lowest league of the arena plays it over the same protocol.

use crate::tables::{FULL, WINNING};
use crate::State;
use contender_game::rules::Player;

/// The row and the column of a cell.
pub(crate) type Cell = (usize, usize);

/// A board with the marks of this bot and of the opponent.
#[derive(Default)]
pub(crate) struct PlainBoard {
    own: u16,
    theirs: u16,
}

impl PlainBoard {
    /// Returns the board if the game has been plain tic-tac-toe up to now. `state` and `seat` are the bot's current
    /// knowledge. `last` is the opponent's latest move, and `cells` are the cells from which the bot must choose.
    pub fn recognise(
        state: &State,
        seat: Option<Player>,
        last: Option<Cell>,
        cells: &[Cell],
    ) -> Option<PlainBoard> {
        match (seat, state.last()) {
            // In the plain game X has 9 moves instead of 81. O has 8, all in the corner; in the big game this happens
            // only after 0 0.
            (None, None) if last != Some((0, 0)) && cells.iter().chain(&last).all(is_in_corner) => {
                Some(PlainBoard::default())
            }
            // After 0 0 both games look alike, but in the big game the next answer sends the opponent out of the
            // corner.
            (Some(Player::One), Some(own))
                if state.plies() == 2
                    && state.marks(Player::Zero, 0) == 1
                    && last.iter().all(is_in_corner) =>
            {
                Some(PlainBoard { own: 1 << own.cell(), theirs: 1 })
            }
            _ => None,
        }
    }

    /// Takes the opponent's move and returns the answer. The answer wins if possible. Otherwise it blocks the opponent,
    /// or else takes the centre, a corner or a side, in this order.
    ///
    /// # Errors
    /// Returns an error if the move is off the board or on a taken cell, or if the board is full.
    pub fn answer(&mut self, last: Option<Cell>) -> Result<Cell, String> {
        if let Some((row, column)) = last {
            if !is_in_corner(&(row, column)) {
                return Err(format!("{row} {column} is not on the board of 3 x 3 that is played on"));
            }
            let cell = 1 << (3 * row + column);
            if (self.own | self.theirs) & cell != 0 {
                return Err(format!("cell {row} {column} is taken"));
            }
            self.theirs |= cell;
        }
        let lines = [self.own, self.theirs].map(|marks| WINNING[usize::from(marks)]);
        let wanted = [lines[0], lines[1], 0b000_010_000, 0b101_000_101, FULL];
        let free = wanted.into_iter().map(|cells| cells & FULL & !(self.own | self.theirs));
        let cells =
            free.into_iter().find(|&cells| cells != 0).ok_or("a move is requested, but the board is full")?;
        let cell = cells.trailing_zeros() as usize;
        self.own |= 1 << cell;
        Ok((cell / 3, cell % 3))
    }
}

fn is_in_corner(&(row, column): &Cell) -> bool {
    row < 3 && column < 3
}
