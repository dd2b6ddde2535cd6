//! The state of a game and its moves.

mod playout;

pub use playout::{rollout, rollout_with, Style};

use crate::tables::{COUNT, FULL, HAS_LINE, NTH};
use crate::Move;
use contender_game::rules::{mix, Game, Player, Rng, Turn};

/// The bit that marks a small board as closed.
const CLOSED: u32 = 1 << 18;
/// The value that stands for a missing target or a missing last move.
const NONE: u8 = u8::MAX;

/// A state of 48 bytes. Searches copy it instead of undoing moves.
///
/// Each small board is one integer: the marks of player `p` are the nine bits from bit `9 * p`, and bit 18 is set if
/// the board is closed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    boards: [u32; 9],
    /// For each player, the set of small boards that it has won.
    won: [u16; 2],
    /// The set of small boards that are neither won nor full.
    open: u16,
    /// The set of open small boards that the player to act may play in; empty when the game is over.
    allowed: u16,
    target: u8,
    last: u8,
    mover: Player,
}

impl Default for State {
    fn default() -> State {
        State {
            boards: [0; 9],
            won: [0; 2],
            open: FULL,
            allowed: FULL,
            target: NONE,
            last: NONE,
            mover: Player::Zero,
        }
    }
}

impl State {
    /// Creates the state with these marks: `marks[player][small board]` is a set of cells. `mover` must play in
    /// `target`, or anywhere if it is `None`. The last move is unknown.
    ///
    /// # Errors
    /// Returns an error if no game leads to these marks: for example if a cell has two marks, if both players have a
    /// line in a small board or a line of boards, if the number of marks is wrong, or if the target is closed.
    pub fn from_marks(marks: &[[u16; 9]; 2], mover: Player, target: Option<usize>) -> Result<State, String> {
        let mut state = State { mover, ..State::default() };
        let mut counts = [0u32; 2];
        for (board, (&zero, &one)) in marks[0].iter().zip(&marks[1]).enumerate() {
            if zero & one != 0 || (zero | one) & !FULL != 0 {
                return Err(format!("small board {board} has two marks in one cell"));
            }
            counts[0] += zero.count_ones();
            counts[1] += one.count_ones();
            state.boards[board] = u32::from(zero) | u32::from(one) << 9;
            let lines = [zero, one].map(|set| HAS_LINE[usize::from(set)]);
            if lines == [true; 2] {
                return Err(format!("small board {board} has lines of both players"));
            }
            for player in Player::BOTH {
                if lines[player.index()] {
                    state.won[player] |= 1 << board;
                }
            }
            if lines != [false; 2] || zero | one == FULL {
                state.close(board);
            }
        }
        if counts[0] != counts[1] + mover.index() as u32 {
            return Err(format!(
                "{} X and {} O with {:?} to move is impossible",
                counts[0], counts[1], mover
            ));
        }
        let lines = state.won.map(|set| HAS_LINE[usize::from(set)]);
        if lines == [true; 2] {
            return Err("both players have three small boards in a line".to_string());
        }
        state.allowed = if lines == [false; 2] { state.open } else { 0 };
        if let Some(target) = target.filter(|_| state.allowed != 0) {
            if target > 8 || state.open >> target & 1 == 0 {
                return Err(format!("small board {target} is closed and cannot be the target"));
            }
            state.target = target as u8;
            state.allowed = 1 << target;
        }
        Ok(state)
    }

    fn close(&mut self, board: usize) {
        self.boards[board] |= CLOSED;
        self.open &= !(1 << board);
    }

    /// Returns the player to act. If the game is over, this is the player whose turn would be next.
    #[inline]
    #[must_use]
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// Returns the small board that the player to act must play in, or `None` for a free choice and when the game is
    /// over.
    #[inline]
    #[must_use]
    pub fn target(&self) -> Option<usize> {
        Some(usize::from(self.target)).filter(|_| self.target != NONE)
    }

    /// Returns the move that led to this state, if known.
    #[must_use]
    pub fn last(&self) -> Option<Move> {
        Some(self.last).filter(|&last| last != NONE).map(|last| Move::from_index(usize::from(last)))
    }

    /// Returns the set of a player's marks on a small board 0..9.
    #[inline]
    #[must_use]
    pub fn marks(&self, player: Player, board: usize) -> u16 {
        (self.boards[board] >> (9 * player.index())) as u16 & FULL
    }

    /// Returns the set of empty cells on a small board 0..9, whether the board is open or not.
    #[inline]
    #[must_use]
    pub fn empty(&self, board: usize) -> u16 {
        let marks = self.boards[board];
        !(marks | marks >> 9) as u16 & FULL
    }

    /// Returns the set of small boards that a player has won.
    #[inline]
    #[must_use]
    pub fn won(&self, player: Player) -> u16 {
        self.won[player]
    }

    /// Returns the set of small boards that are neither won nor full.
    #[inline]
    #[must_use]
    pub fn open(&self) -> u16 {
        self.open
    }

    /// Returns the set of small boards that the player to act may play in. The set is empty only when the game is over.
    #[inline]
    #[must_use]
    pub fn allowed(&self) -> u16 {
        self.allowed
    }

    /// Returns the player who has marked this cell, if it is marked.
    #[must_use]
    pub fn mark(&self, cell: Move) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.marks(player, cell.board()) >> cell.cell() & 1 == 1)
    }

    /// Returns the number of marks on the grid, including marks on closed boards.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.boards.iter().map(|board| (board & !CLOSED).count_ones()).sum()
    }

    /// Returns whether a move is legal.
    #[inline]
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.allowed >> mv.board() & 1 == 1 && self.empty(mv.board()) >> mv.cell() & 1 == 1
    }

    /// Returns a hash of everything that affects later play: the marks, the player to act, and the board to play in.
    #[must_use]
    pub fn key(&self) -> u64 {
        let words = [0, 3, 6].map(|first| {
            (first..first + 3).fold(0, |word, board| {
                let [zero, one] = Player::BOTH.map(|player| u64::from(self.marks(player, board)));
                word << 18 | zero << 9 | one
            })
        });
        let turn = u64::from(self.allowed) << 1 | self.mover as u64;
        mix(&[words[0], words[1], words[2], turn])
    }

    /// Returns the number of legal moves.
    #[inline]
    #[must_use]
    pub fn count_moves(&self) -> u32 {
        bits(self.allowed).map(|board| u32::from(COUNT[usize::from(self.empty(board))])).sum()
    }

    /// Plays the move on this cell of this small board.
    #[inline]
    fn mark_cell(&mut self, board: usize, cell: usize) {
        let shift = 9 * self.mover.index();
        let marks = self.boards[board] | 1 << (cell + shift);
        self.boards[board] = marks;
        let has_line = HAS_LINE[(marks >> shift) as usize & 511];
        let is_full = (marks | marks >> 9) as u16 & FULL == FULL;
        if has_line || is_full {
            self.close(board);
            self.won[self.mover] |= u16::from(has_line) << board;
        }
        self.last = (9 * board + cell) as u8;
        let is_won = has_line && HAS_LINE[usize::from(self.won[self.mover]) & 511];
        self.mover = self.mover.other();
        let target = self.open & 1 << cell;
        self.target = if target != 0 && !is_won { cell as u8 } else { NONE };
        self.allowed = match (is_won, target) {
            (true, _) => 0,
            (false, 0) => self.open,
            (false, target) => target,
        };
    }

    /// Returns the small board and the cell of a uniformly random legal move, without bias. The game must not be over.
    #[inline]
    fn pick(&self, rng: &mut Rng) -> (usize, usize) {
        if let Some(board) = self.target() {
            let empty = usize::from(self.empty(board));
            let nth = rng.below(u32::from(COUNT[empty]));
            return (board, usize::from(NTH[empty][nth as usize & 15]));
        }
        let mut nth = rng.below(self.count_moves());
        for board in bits(self.allowed) {
            let empty = usize::from(self.empty(board));
            let count = u32::from(COUNT[empty]);
            if nth < count {
                return (board, usize::from(NTH[empty][nth as usize & 15]));
            }
            nth -= count;
        }
        unreachable!("the draw is below the number of moves")
    }
}

/// Returns the members of a set with at most 16 elements, in ascending order.
#[inline]
pub(crate) fn bits(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        Some(next).filter(|&next| next < 16)
    })
}

impl Game for State {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Turn {
        if self.allowed == 0 {
            Turn::Over
        } else {
            Turn::Player(self.mover)
        }
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        for board in bits(self.allowed) {
            moves.extend(bits(self.empty(board)).map(|cell| Move::new(board, cell)));
        }
    }

    fn move_count(&self, _scratch: &mut Vec<Move>) -> usize {
        self.count_moves() as usize
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.mark_cell(mv.board(), mv.cell());
    }

    /// Returns 1 for the winner and 0 for the loser. Returns `[0, 0]` for a draw, and also if the game is not over.
    fn points(&self) -> [i32; 2] {
        if self.allowed != 0 {
            return [0, 0];
        }
        let lines = self.won.map(|set| i32::from(HAS_LINE[usize::from(set) & 511]));
        if lines != [0, 0] {
            return lines;
        }
        let [zero, one] = self.won.map(u16::count_ones);
        [i32::from(zero > one), i32::from(one > zero)]
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Move {
        let (board, cell) = self.pick(rng);
        Move::new(board, cell)
    }
}
