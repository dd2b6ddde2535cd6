//! The state of a game and its moves, with implementations of the game traits.

use crate::cell::{between, cells, first_above, select, Targets, BOARD, ONES};
use crate::lines::CELL_BITS;
use crate::{Cell, LineTable, Scoring, SIZE};
use contender_game::rules::{Chance, Game, Player, Rng, Turn};

/// Number of chips of each colour, and number of colours. Colours are `1..=7`.
pub const CHIPS: usize = 7;

/// The colour of a chip, `1..=7`.
pub type Colour = u8;

/// Index of the first column in the array of the board's lines.
const COLUMNS: usize = 8;

/// A decision of a player. The colour of the chip that Chaos places is part of the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Chaos puts the drawn chip on this empty cell.
    Place(Cell),
    /// Order slides the chip on `from` to `to`.
    Slide {
        /// The cell of the chip.
        from: Cell,
        /// The destination: another cell in the same row or column, with only empty cells on the way.
        to: Cell,
    },
    /// Order moves no chip.
    Pass,
}

/// The next event in the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Draw,
    Chaos,
    Order,
    Over,
}

/// A position: the board, the bag, the player to act, and the score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The rows from the top, as numbers of lines (see [`LineTable`]) whose lowest cell is in column `a`. From index
    /// [`COLUMNS`] on, the columns from the left, whose lowest cell is in row `A`. Two lines are always 0, so that no
    /// index needs a check.
    lines: [u32; 16],
    occupied: u64,
    /// In byte `c`, the number of chips of colour `c` that are left in the bag. Byte 0 is 0.
    bag: u64,
    table: &'static LineTable,
    score: u16,
    drawn: Colour,
    phase: Phase,
}

impl Default for State {
    fn default() -> State {
        State::new(Scoring::Rules)
    }
}

impl State {
    /// Creates the start of a game, with an empty board and a full bag.
    #[must_use]
    pub fn new(scoring: Scoring) -> State {
        State {
            lines: [0; 16],
            occupied: 0,
            bag: CHIPS as u64 * (ONES - 1),
            table: LineTable::get(scoring),
            score: 0,
            drawn: 0,
            phase: Phase::Draw,
        }
    }

    /// Creates the position with these chips on the board: `colours[row][column]`, with 0 for an empty cell. All other
    /// chips are in the bag. `turn` is chance, Chaos with a drawn chip, or Order. If the board is full, the game is
    /// over, and `turn` is ignored.
    ///
    /// # Errors
    /// Returns an error if a colour does not exist or has more than seven chips, or if Order must move on an empty
    /// board.
    pub fn from_cells(
        colours: &[[Colour; SIZE]; SIZE],
        turn: NextTurn,
        scoring: Scoring,
    ) -> Result<State, String> {
        let mut state = State::new(scoring);
        for cell in Cell::all() {
            let colour = colours[cell.row()][cell.column()];
            if colour != 0 {
                state.take(colour)?;
                state.drawn = colour;
                state.apply(state.placement(cell));
                state.occupied |= cell.bit();
            }
        }
        state.drawn = 0;
        state.score = state.recount();
        match turn {
            _ if state.occupied == BOARD => state.phase = Phase::Over,
            NextTurn::Chance => {}
            NextTurn::Chaos(colour) => {
                state.take(colour)?;
                state.drawn = colour;
                state.phase = Phase::Chaos;
            }
            NextTurn::Order if state.occupied == 0 => {
                return Err("Order never moves on an empty board".to_string())
            }
            NextTurn::Order => state.phase = Phase::Order,
        }
        Ok(state)
    }

    fn take(&mut self, colour: Colour) -> Result<(), String> {
        if !(1..=CHIPS as Colour).contains(&colour) {
            return Err(format!("invalid colour {colour}: expected 1 to 7"));
        }
        if self.left(colour) == 0 {
            return Err(format!("there are only seven chips of colour {colour}"));
        }
        self.bag -= 1 << (8 * colour);
        Ok(())
    }

    /// Returns the colour of the chip on a cell, or 0 if the cell is empty.
    #[inline]
    #[must_use]
    pub fn colour(&self, cell: Cell) -> Colour {
        (self.lines[cell.row()] >> (CELL_BITS * cell.column()) & 7) as Colour
    }

    /// Returns the number of chips of a colour left in the bag. The drawn chip does not count.
    ///
    /// # Panics
    /// Panics if the colour is above 7.
    #[inline]
    #[must_use]
    pub fn left(&self, colour: Colour) -> u32 {
        assert!(colour <= CHIPS as Colour, "colours are 1 to 7");
        (self.bag >> (8 * colour)) as u32 & 0xff
    }

    /// Returns the drawn chip that Chaos must place, or `None` if it is not Chaos's turn.
    #[inline]
    #[must_use]
    pub fn drawn(&self) -> Option<Colour> {
        (self.phase == Phase::Chaos).then_some(self.drawn)
    }

    /// Returns the number of chips on the board, `0..=49`.
    #[inline]
    #[must_use]
    pub fn placed(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// Returns the current score of the board.
    #[inline]
    #[must_use]
    pub fn score(&self) -> i32 {
        i32::from(self.score)
    }

    /// Returns the table of line values that the score is based on.
    #[inline]
    #[must_use]
    pub fn table(&self) -> &'static LineTable {
        self.table
    }

    /// Returns the seven rows from the top as numbers of lines; the lowest cell is in column `a`.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.lines[..SIZE]
    }

    /// Returns the seven columns from the left as numbers of lines; the lowest cell is in row `A`.
    #[inline]
    #[must_use]
    pub fn columns(&self) -> &[u32] {
        &self.lines[COLUMNS..COLUMNS + SIZE]
    }

    /// Returns whether there is a chip on the cell.
    #[inline]
    #[must_use]
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.occupied & cell.bit() != 0
    }

    /// Returns the occupied cells, row by row.
    pub fn occupied_cells(&self) -> impl Iterator<Item = Cell> {
        cells(self.occupied)
    }

    /// Returns the set of the occupied cells.
    #[inline]
    pub(crate) fn occupied(&self) -> u64 {
        self.occupied
    }

    /// Lets Order move again, as if no more chips came.
    pub(crate) fn pass_chaos(&mut self) {
        debug_assert!(self.phase == Phase::Draw, "Order has moved");
        self.phase = Phase::Order;
    }

    /// Returns the score after a legal move, without playing it. Looks up only the two or three changed lines, before
    /// and after the move.
    #[inline]
    #[must_use]
    pub fn score_after(&self, mv: Move) -> i32 {
        i32::from(match mv {
            Move::Place(cell) => self.rescored(self.placement(cell)),
            Move::Slide { from, to } => self.rescored(self.slide(from, to)),
            Move::Pass => self.score,
        })
    }

    /// Returns the changes to the lines when the drawn chip is placed.
    #[inline]
    fn placement(&self, cell: Cell) -> [Change; 2] {
        let chip = u32::from(self.drawn);
        [
            Change { line: cell.row(), bits: chip << (CELL_BITS * cell.column()) },
            Change { line: COLUMNS + cell.column(), bits: chip << (CELL_BITS * cell.row()) },
        ]
    }

    /// Returns the changes to the lines in a slide: the line along the slide, the crossing line that the chip leaves,
    /// and the crossing line that it reaches.
    #[inline]
    fn slide(&self, from: Cell, to: Cell) -> [Change; 3] {
        let chip = u32::from(self.colour(from));
        let is_in_row = from.row() == to.row();
        let (along, across) = if is_in_row { (0, COLUMNS) } else { (COLUMNS, 0) };
        let (same, leaves, reaches) = if is_in_row {
            (from.row(), from.column(), to.column())
        } else {
            (from.column(), from.row(), to.row())
        };
        let crossing = chip << (CELL_BITS * same);
        [
            Change { line: along + same, bits: chip << (CELL_BITS * leaves) | chip << (CELL_BITS * reaches) },
            Change { line: across + leaves, bits: crossing },
            Change { line: across + reaches, bits: crossing },
        ]
    }

    /// Returns the score after these changes, each of which must affect a different line.
    #[inline]
    fn rescored<const N: usize>(&self, changes: [Change; N]) -> u16 {
        changes.iter().fold(self.score, |score, change| {
            let line = self.lines[change.line];
            score + self.table.value(line ^ change.bits) - self.table.value(line)
        })
    }

    #[inline]
    fn apply<const N: usize>(&mut self, changes: [Change; N]) {
        for change in changes {
            self.lines[change.line] ^= change.bits;
        }
    }

    /// Checks that a move of the player to act is legal.
    ///
    /// # Errors
    /// Returns an error if the move is illegal; the text is shown to the user.
    pub fn check(&self, mv: Move) -> Result<(), String> {
        match (self.phase, mv) {
            (Phase::Chaos, Move::Place(cell)) if self.is_occupied(cell) => {
                Err(format!("there is already a chip on {cell}"))
            }
            (Phase::Chaos, Move::Place(_)) | (Phase::Order, Move::Pass) => Ok(()),
            (Phase::Order, Move::Slide { from, .. }) if !self.is_occupied(from) => {
                Err(format!("there is no chip on {from}"))
            }
            (Phase::Order, Move::Slide { to, .. }) if self.is_occupied(to) => {
                Err(format!("there is already a chip on {to}"))
            }
            (Phase::Order, Move::Slide { from, to }) => match between(from, to) {
                None => Err(format!("{from} and {to} share neither row nor column")),
                Some(way) => match cells(way & self.occupied).next() {
                    None => Ok(()),
                    Some(chip) => Err(format!("the chip on {chip} blocks the way from {from} to {to}")),
                },
            },
            (Phase::Chaos, _) => Err("it is Chaos's turn to place a chip".to_string()),
            (Phase::Order, _) => Err("it is Order's turn to slide a chip or pass".to_string()),
            (Phase::Draw, _) => Err("a chip must be drawn first".to_string()),
            (Phase::Over, _) => Err("the game is over".to_string()),
        }
    }

    /// Returns the score, counted again from all 14 lines.
    fn recount(&self) -> u16 {
        self.lines.iter().map(|&line| self.table.value(line)).sum()
    }
}

/// The bits of a line's number that a move flips.
#[derive(Clone, Copy)]
struct Change {
    /// The index of the line among the 14 lines.
    line: usize,
    bits: u32,
}

/// The player to act, for [`State::from_cells`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextTurn {
    /// A chip must be drawn.
    Chance,
    /// Chaos must place a chip of this colour.
    Chaos(Colour),
    /// Order must move.
    Order,
}

impl Game for State {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Turn {
        match self.phase {
            Phase::Draw => Turn::Chance,
            Phase::Chaos => Turn::Player(Player::One),
            Phase::Order => Turn::Player(Player::Zero),
            Phase::Over => Turn::Over,
        }
    }

    /// Appends, for Chaos, the empty cells row by row. For Order, appends the pass, then the slides to the east, west,
    /// south and north, each in ascending order of targets.
    fn moves(&self, moves: &mut Vec<Move>) {
        match self.phase {
            Phase::Chaos => moves.extend(cells(!self.occupied & BOARD).map(Move::Place)),
            Phase::Order => {
                moves.push(Move::Pass);
                let targets = Targets::new(self.occupied);
                moves.extend(targets.slides(self.occupied).map(|(from, to)| Move::Slide { from, to }));
            }
            Phase::Draw | Phase::Over => {}
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        match mv {
            Move::Place(cell) => {
                let changes = self.placement(cell);
                self.score = self.rescored(changes);
                self.apply(changes);
                self.occupied ^= cell.bit();
                self.drawn = 0;
                self.phase = if self.occupied == BOARD { Phase::Over } else { Phase::Order };
            }
            Move::Slide { from, to } => {
                let changes = self.slide(from, to);
                self.score = self.rescored(changes);
                self.apply(changes);
                self.occupied ^= from.bit() ^ to.bit();
                self.phase = Phase::Draw;
            }
            Move::Pass => self.phase = Phase::Draw,
        }
    }

    /// Returns 120 + S for Order and 280 − S for Chaos, where S is the score of the board. The sum of the points is
    /// 400. Both players have equal points for S = 80, which the organisers considered a typical score.
    fn points(&self) -> [i32; 2] {
        [120 + self.score(), 280 - self.score()]
    }

    #[inline]
    fn value(&self) -> i32 {
        self.score()
    }

    fn random_move(&self, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Move {
        if self.phase == Phase::Chaos {
            let empty = !self.occupied & BOARD;
            return Move::Place(select(empty, rng.below(empty.count_ones())));
        }
        assert!(self.phase == Phase::Order, "it is no player's turn");
        let targets = Targets::new(self.occupied).ranked();
        match rng.below(targets.count() + 1) {
            0 => Move::Pass,
            rank => {
                let (from, to) = targets.nth(self.occupied, rank - 1);
                Move::Slide { from, to }
            }
        }
    }
}

impl Chance for State {
    type Outcome = Colour;

    /// Appends the colours left in the bag; the weight of a colour is its number of chips.
    fn outcomes(&self, outcomes: &mut Vec<(Colour, u32)>) {
        if self.phase == Phase::Draw {
            let colours = (1..=CHIPS as Colour).map(|colour| (colour, self.left(colour)));
            outcomes.extend(colours.filter(|&(_, left)| left > 0));
        }
    }

    #[inline]
    fn resolve(&mut self, colour: Colour) {
        debug_assert!(self.phase == Phase::Draw && self.left(colour) > 0, "a chip that can be drawn");
        self.bag = self.bag.wrapping_sub(1 << (8 * (colour & 7)));
        self.drawn = colour & 7;
        self.phase = Phase::Chaos;
    }

    #[inline]
    fn random_outcome(&self, rng: &mut Rng, _scratch: &mut Vec<(Colour, u32)>) -> Colour {
        assert!(self.phase == Phase::Draw, "it is not chance's turn");
        // Byte c of the sums is the number of chips with a colour of at most c.
        let sums = self.bag.wrapping_mul(ONES);
        let rank = rng.below((sums >> 56) as u32);
        (first_above(sums, rank) / 8) as Colour
    }
}
