//! The state, its moves, and the game's traits.

use crate::cell::{between, cells, select, Targets, BOARD, HIGHS, ONES};
use crate::lines::CELL_BITS;
use crate::{Cell, LineTable, Scoring, SIZE};
use contender_game::{Chance, Game, Player, Rng, Turn, Undo};

/// Chips of each colour, and the number of colours; colours are `1..=7`.
pub const CHIPS: usize = 7;

/// The colour of a chip, `1..=7`.
pub type Colour = u8;

/// A decision of a player. The colour that Chaos places is in the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Chaos puts the drawn chip on this empty cell.
    Place(Cell),
    /// Order slides the chip on `from` to `to`.
    Slide {
        /// Where the chip is.
        from: Cell,
        /// Where it stops: another cell of its row or column, with only empty cells up to it.
        to: Cell,
    },
    /// Order moves no chip.
    Pass,
}

/// What happens next; the numbers keep the hot paths free of branches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Draw,
    Chaos,
    Order,
    Over,
}

/// A position: the board, the bag, who is to act, the score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Every row as the number of a line (see [`LineTable`]), the cell of column `a` lowest.
    rows: [u32; SIZE],
    /// Every column likewise, the cell of row `A` lowest.
    columns: [u32; SIZE],
    occupied: u64,
    /// Chips left of colour `c` in byte `c`; byte 0 is 0.
    bag: u64,
    table: &'static LineTable,
    score: u16,
    drawn: Colour,
    phase: Phase,
}

/// What unmaking a move needs.
#[derive(Clone, Copy, Debug)]
pub struct Memo {
    score: u16,
    drawn: Colour,
}

impl Default for State {
    fn default() -> State {
        State::new(Scoring::Rules)
    }
}

impl State {
    /// The start of a game: an empty board and a full bag.
    #[must_use]
    pub fn new(scoring: Scoring) -> State {
        State {
            rows: [0; SIZE],
            columns: [0; SIZE],
            occupied: 0,
            bag: CHIPS as u64 * (ONES - 1),
            table: LineTable::get(scoring),
            score: 0,
            drawn: 0,
            phase: Phase::Draw,
        }
    }

    /// The position with these chips on the board, `colours[row][column]`, 0 where there is none, and the others in the bag.
    /// `turn` says whether chance, Chaos with a drawn chip, or Order acts; a full board is the end of the game whatever it says.
    ///
    /// # Errors
    /// More than seven chips of a colour, no such colour, Order to move on an empty board.
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
                state.put(cell, u32::from(colour));
            }
        }
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
            return Err(format!("there is no colour {colour}, only 1 to 7"));
        }
        if self.left(colour) == 0 {
            return Err(format!("there are only seven chips of colour {colour}"));
        }
        self.bag -= 1 << (8 * colour);
        Ok(())
    }

    /// The colour of the chip on a cell, 0 if there is none.
    #[inline]
    #[must_use]
    pub fn colour(&self, cell: Cell) -> Colour {
        (self.rows[cell.row()] >> (CELL_BITS * cell.column()) & 7) as Colour
    }

    /// How many chips of a colour are left in the bag; the drawn chip is out of it.
    ///
    /// # Panics
    /// If the colour is above 7.
    #[inline]
    #[must_use]
    pub fn left(&self, colour: Colour) -> u32 {
        assert!(colour <= CHIPS as Colour, "colours are 1 to 7");
        (self.bag >> (8 * colour)) as u32 & 0xff
    }

    /// The drawn chip that Chaos is to place, if it is Chaos's turn.
    #[inline]
    #[must_use]
    pub fn drawn(&self) -> Option<Colour> {
        (self.phase == Phase::Chaos).then_some(self.drawn)
    }

    /// How many chips are on the board, `0..=49`.
    #[inline]
    #[must_use]
    pub fn placed(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// The score of the board as it stands.
    #[inline]
    #[must_use]
    pub fn score(&self) -> i32 {
        i32::from(self.score)
    }

    /// The table the score is taken from.
    #[inline]
    #[must_use]
    pub fn table(&self) -> &'static LineTable {
        self.table
    }

    /// The seven rows from the top as numbers of lines, the cell of column `a` lowest.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> &[u32; SIZE] {
        &self.rows
    }

    /// The seven columns from the left as numbers of lines, the cell of row `A` lowest.
    #[inline]
    #[must_use]
    pub fn columns(&self) -> &[u32; SIZE] {
        &self.columns
    }

    /// Whether there is a chip on the cell.
    #[inline]
    #[must_use]
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.occupied & cell.bit() != 0
    }

    /// The occupied cells, row by row.
    pub fn occupied_cells(&self) -> impl Iterator<Item = Cell> {
        cells(self.occupied)
    }

    /// The score after a legal move, without playing it: two to four look-ups.
    #[inline]
    #[must_use]
    pub fn score_after(&self, mv: Move) -> i32 {
        let table = self.table;
        let old = match mv {
            Move::Pass => return self.score(),
            Move::Place(cell) => {
                let (row, column) = (self.rows[cell.row()], self.columns[cell.column()]);
                let colour = u32::from(self.drawn);
                let new =
                    table.value(row | in_row(colour, cell)) + table.value(column | in_column(colour, cell));
                return i32::from(self.score + new - table.value(row) - table.value(column));
            }
            Move::Slide { from, to } => {
                let colour = u32::from(self.colour(from));
                if from.row() == to.row() {
                    let row = self.rows[from.row()];
                    let (leaves, reaches) = (self.columns[from.column()], self.columns[to.column()]);
                    let new = table.value(row ^ in_row(colour, from) ^ in_row(colour, to))
                        + table.value(leaves ^ in_column(colour, from))
                        + table.value(reaches | in_column(colour, to));
                    (new, table.value(row) + table.value(leaves) + table.value(reaches))
                } else {
                    let column = self.columns[from.column()];
                    let (leaves, reaches) = (self.rows[from.row()], self.rows[to.row()]);
                    let new = table.value(column ^ in_column(colour, from) ^ in_column(colour, to))
                        + table.value(leaves ^ in_row(colour, from))
                        + table.value(reaches | in_row(colour, to));
                    (new, table.value(column) + table.value(leaves) + table.value(reaches))
                }
            }
        };
        i32::from(self.score + old.0 - old.1)
    }

    /// Checks a move of the player to act, in words for the user.
    ///
    /// # Errors
    /// Why the move is not legal.
    pub fn check(&self, mv: Move) -> Result<(), String> {
        match (self.phase, mv) {
            (Phase::Chaos, Move::Place(cell)) if self.is_occupied(cell) => {
                Err(format!("there is a chip on {cell} already"))
            }
            (Phase::Chaos, Move::Place(_)) | (Phase::Order, Move::Pass) => Ok(()),
            (Phase::Order, Move::Slide { from, .. }) if !self.is_occupied(from) => {
                Err(format!("there is no chip on {from}"))
            }
            (Phase::Order, Move::Slide { to, .. }) if self.is_occupied(to) => {
                Err(format!("there is a chip on {to} already"))
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

    /// Puts a chip on an empty cell or takes it away again; the score stays.
    #[inline]
    fn put(&mut self, cell: Cell, colour: u32) {
        self.rows[cell.row()] ^= in_row(colour, cell);
        self.columns[cell.column()] ^= in_column(colour, cell);
        self.occupied ^= cell.bit();
    }

    /// The score from all 14 lines.
    fn recount(&self) -> u16 {
        self.rows.iter().chain(&self.columns).map(|&line| self.table.value(line)).sum()
    }
}

/// Who acts, for [`State::from_cells`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextTurn {
    /// A chip is to be drawn.
    Chance,
    /// Chaos is to place a chip of this colour.
    Chaos(Colour),
    /// Order is to move.
    Order,
}

#[inline]
fn in_row(colour: u32, cell: Cell) -> u32 {
    colour << (CELL_BITS * cell.column())
}

#[inline]
fn in_column(colour: u32, cell: Cell) -> u32 {
    colour << (CELL_BITS * cell.row())
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

    /// Chaos: the empty cells row by row. Order: the pass, then the slides eastwards, westwards, southwards and northwards, each
    /// by rising target.
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
        self.make(mv);
    }

    /// 120 + S for Order, 280 − S for Chaos: they add up to 400, and 80 is what the organisers took for a typical score.
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
        let targets = Targets::new(self.occupied);
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

    /// The colours that are left in the bag, each weighing as many chips as there are of it.
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
        // Byte c of `sums` counts the chips of colours up to c. The drawn colour is the first byte above the random rank; the sums
        // are at most 49, so the subtraction borrows from the added high bits only.
        let sums = self.bag.wrapping_mul(ONES);
        let rank = rng.below((sums >> 56) as u32);
        let above = ((sums | HIGHS) - u64::from(rank + 1) * ONES) & HIGHS;
        (above.trailing_zeros() / 8) as Colour
    }
}

impl Undo for State {
    type Memo = Memo;

    #[inline]
    fn make(&mut self, mv: Move) -> Memo {
        let memo = Memo { score: self.score, drawn: self.drawn };
        self.score = self.score_after(mv) as u16;
        match mv {
            Move::Place(cell) => {
                self.put(cell, u32::from(self.drawn));
                self.drawn = 0;
                self.phase = if self.occupied == BOARD { Phase::Over } else { Phase::Order };
            }
            Move::Slide { from, to } => {
                let colour = u32::from(self.colour(from));
                self.put(from, colour);
                self.put(to, colour);
                self.phase = Phase::Draw;
            }
            Move::Pass => self.phase = Phase::Draw,
        }
        memo
    }

    #[inline]
    fn unmake(&mut self, mv: Move, memo: Memo) {
        match mv {
            Move::Place(cell) => {
                self.put(cell, u32::from(memo.drawn));
                self.phase = Phase::Chaos;
            }
            Move::Slide { from, to } => {
                let colour = u32::from(self.colour(to));
                self.put(from, colour);
                self.put(to, colour);
                self.phase = Phase::Order;
            }
            Move::Pass => self.phase = Phase::Order,
        }
        self.score = memo.score;
        self.drawn = memo.drawn;
    }
}
