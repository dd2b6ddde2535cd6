//! The state of a game and its rules.

use crate::moves::{Cell, Move, Tile, CELLS};
use crate::paths::{fold, Before, Paths};
use contender_game::rules::{Game, Player, Rng, Turn};

/// Points of each player before the first move.
pub const START_SCORE: i32 = 50;

const EMPTY: u8 = 3;

/// A position with its scores.
///
/// A state is a flat value of about 600 bytes. Equality compares all bytes. So states with equal tiles can differ if
/// the tiles were placed in a different order: the ports inside paths keep old values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub(crate) paths: Paths,
    /// The index of each cell's tile, or `EMPTY`; one entry is unused.
    pub(crate) tiles: [u8; 64],
    /// The set of empty cells, one bit each.
    pub(crate) empty: u64,
    pub(crate) scores: [i16; 2],
    pub(crate) mover: Player,
    pub(crate) last: Option<Move>,
}

/// Data for undoing [`State::make`].
#[derive(Clone, Copy, Debug)]
pub struct Memo {
    before: Before,
    gain: i16,
    last: Option<Move>,
}

impl Default for State {
    fn default() -> State {
        State::empty()
    }
}

impl State {
    /// Returns the board without any tile, with Blue to move. The empty board is meant for experiments, because the
    /// contest starts from [`State::new`].
    #[must_use]
    pub fn empty() -> State {
        State {
            paths: Paths::new(),
            tiles: [EMPTY; 64],
            empty: (1 << CELLS) - 1,
            scores: [START_SCORE as i16; 2],
            mover: Player::Zero,
            last: None,
        }
    }

    /// Returns the start of a game with these two tiles on the board.
    ///
    /// # Errors
    /// Returns an error if both tiles are on the same cell.
    pub fn new(start: [Move; 2]) -> Result<State, String> {
        let mut state = State::empty();
        for tile in start {
            state.check(tile).map_err(|error| format!("start tile {tile}: {error}"))?;
            state.lay(tile);
        }
        Ok(state)
    }

    /// Returns the tile on a cell.
    #[must_use]
    pub fn tile(&self, cell: Cell) -> Option<Tile> {
        Tile::ALL.get(usize::from(self.tiles[cell.index()])).copied()
    }

    /// Returns whether no tile is on the cell.
    #[inline]
    #[must_use]
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.empty >> cell.index() & 1 != 0
    }

    /// Returns the number of empty cells.
    #[must_use]
    pub fn empty_cells(&self) -> u32 {
        self.empty.count_ones()
    }

    /// Returns both scores as the sums of all gains and losses. Unlike [`Game::points`], these scores can be negative.
    #[inline]
    #[must_use]
    pub fn scores(&self) -> [i32; 2] {
        self.scores.map(i32::from)
    }

    /// Returns the last move, or `None` if no move was played. Start tiles do not count.
    #[must_use]
    pub fn last(&self) -> Option<Move> {
        self.last
    }

    /// Returns the mover's gain or loss from a legal move.
    #[must_use]
    pub fn gain(&self, mv: Move) -> i32 {
        self.paths.clone().place(mv, self.mover).0
    }

    /// Returns a hash of everything on which later gains depend (see [`Paths::key`]).
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.paths.key(self.empty) ^ State::key_of_turn(self.empty, self.mover)
    }

    /// Returns the part of the key that does not depend on paths.
    #[inline]
    pub(crate) fn key_of_turn(empty: u64, mover: Player) -> u64 {
        fold(empty) ^ mover.index() as u64
    }

    /// Checks that the cell of a move is empty.
    ///
    /// # Errors
    /// Returns an error if the cell is not empty; the text is shown to the user.
    pub fn check(&self, mv: Move) -> Result<(), String> {
        if self.is_empty(mv.cell()) {
            Ok(())
        } else {
            Err(format!("cell {} already has a tile", mv.cell()))
        }
    }

    /// Places a tile on the board without counting points.
    fn lay(&mut self, mv: Move) {
        self.put(mv);
        self.paths.place(mv, Player::Zero);
    }

    #[inline]
    pub(crate) fn put(&mut self, mv: Move) {
        debug_assert!(self.is_empty(mv.cell()), "{mv} is not legal");
        self.tiles[mv.cell().index()] = mv.tile() as u8;
        self.empty &= !(1 << mv.cell().index());
    }
}

impl Game for State {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Turn {
        if self.empty == 0 {
            Turn::Over
        } else {
            Turn::Player(self.mover)
        }
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        let mut rest = self.empty;
        while rest != 0 {
            let cell = Cell::from_index(rest.trailing_zeros() as usize);
            moves.extend(Tile::ALL.map(|tile| Move::new(cell, tile)));
            rest &= rest - 1;
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.make(mv);
    }

    /// Returns the scores as the contest's referee reports them: negative scores become 0.
    #[inline]
    fn points(&self) -> [i32; 2] {
        self.scores().map(|score| score.max(0))
    }

    /// Returns Blue's score minus Red's score. Both scores may be negative.
    #[inline]
    fn value(&self) -> i32 {
        let [blue, red] = self.scores();
        blue - red
    }

    fn random_move(&self, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Move {
        let number = rng.below(3 * self.empty_cells());
        let mut rest = self.empty;
        for _ in 0..number / 3 {
            rest &= rest - 1;
        }
        Move::new(Cell::from_index(rest.trailing_zeros() as usize), Tile::ALL[number as usize % 3])
    }
}

impl State {
    /// Plays a legal move like [`Game::play`] and returns the data that [`unmake`](State::unmake) needs. This is faster
    /// than copying the state.
    #[inline]
    pub fn make(&mut self, mv: Move) -> Memo {
        self.put(mv);
        let (gain, before) = self.paths.place(mv, self.mover);
        let memo = Memo { before, gain: gain as i16, last: self.last };
        self.scores[self.mover] += memo.gain;
        self.mover = self.mover.other();
        self.last = Some(mv);
        memo
    }

    /// Undoes `mv`, the latest move, and restores every field.
    #[inline]
    pub fn unmake(&mut self, mv: Move, memo: Memo) {
        self.last = memo.last;
        self.mover = self.mover.other();
        self.scores[self.mover] -= memo.gain;
        self.paths.remove(mv, &memo.before);
        self.tiles[mv.cell().index()] = EMPTY;
        self.empty |= 1 << mv.cell().index();
    }
}
