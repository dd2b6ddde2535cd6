//! The state and its moves.

use crate::tables::{COUNT, FULL, HAS_LINE, NTH};
use crate::Move;
use contender_game::{Game, Player, Rng, Turn};

/// Set in the integer of a small board that nobody may play in any more.
const CLOSED: u32 = 1 << 18;
/// Neither a target nor a last move.
const NONE: u8 = u8::MAX;

/// A state: 48 bytes, copied rather than undone.
///
/// A small board is one integer: the marks of player `p` are the nine bits from bit `9 * p` on, bit 18 says that it is closed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    boards: [u32; 9],
    /// The small boards each player has won, a set.
    won: [u16; 2],
    /// The small boards that are neither won nor full, a set.
    open: u16,
    /// Those of them that the player to act may play in; none once the game is over.
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
    /// The state with these marks, `marks[player][small board]` as sets of cells, and this player to act in `target`, or anywhere.
    /// The last move is unknown.
    ///
    /// # Errors
    /// Marks that no game leaves: two in one cell, lines of both players in a small board, both players with a line of boards, a
    /// wrong number of marks, a target that is closed.
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
            return Err(format!("{} X and {} O with {:?} to move cannot be", counts[0], counts[1], mover));
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

    /// The player to act, or who would be next if the game is over.
    #[inline]
    #[must_use]
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// The small board that the player to act is bound to; `None` for free choice and when the game is over.
    #[inline]
    #[must_use]
    pub fn target(&self) -> Option<usize> {
        Some(usize::from(self.target)).filter(|_| self.target != NONE)
    }

    /// The move that led here, where known.
    #[must_use]
    pub fn last(&self) -> Option<Move> {
        Some(self.last).filter(|&last| last != NONE).map(|last| Move::from_index(usize::from(last)))
    }

    /// A player's marks on a small board 0..9, a set of cells.
    #[inline]
    #[must_use]
    pub fn marks(&self, player: Player, board: usize) -> u16 {
        (self.boards[board] >> (9 * player.index())) as u16 & FULL
    }

    /// The empty cells of a small board 0..9, open or not, a set.
    #[inline]
    #[must_use]
    pub fn empty(&self, board: usize) -> u16 {
        let marks = self.boards[board];
        !(marks | marks >> 9) as u16 & FULL
    }

    /// The small boards a player has won, a set.
    #[inline]
    #[must_use]
    pub fn won(&self, player: Player) -> u16 {
        self.won[player]
    }

    /// The small boards that are neither won nor full, a set.
    #[inline]
    #[must_use]
    pub fn open(&self) -> u16 {
        self.open
    }

    /// The small boards that the player to act may play in, a set; empty exactly when the game is over.
    #[inline]
    #[must_use]
    pub fn allowed(&self) -> u16 {
        self.allowed
    }

    /// Who has marked this cell.
    #[must_use]
    pub fn mark(&self, cell: Move) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.marks(player, cell.board()) >> cell.cell() & 1 == 1)
    }

    /// The number of marks on the grid, those on closed boards included.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.boards.iter().map(|board| (board & !CLOSED).count_ones()).sum()
    }

    /// Whether a move is legal.
    #[inline]
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.allowed >> mv.board() & 1 == 1 && self.empty(mv.board()) >> mv.cell() & 1 == 1
    }

    /// The number of legal moves.
    #[inline]
    #[must_use]
    pub fn count_moves(&self) -> u32 {
        bits(self.allowed).map(|board| u32::from(COUNT[usize::from(self.empty(board))])).sum()
    }

    /// Plays the move with this small board and cell.
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

    /// The small board and the cell of a uniformly random legal move of a game that is not over; without bias.
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

/// The members of a set of up to 16, smallest first.
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

    #[inline]
    fn play(&mut self, mv: Move) {
        self.mark_cell(mv.board(), mv.cell());
    }

    /// 1 for the winner and 0 for the other, `[0, 0]` for a draw and while the game goes on.
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

/// Plays random moves to the end of the game and returns its value: 1 if player 0 has won, -1 if player 1 has, 0 for a draw.
///
/// A move is drawn as `floor(r * n / 2^32)` for a random 32-bit `r` and `n` moves, so its probability differs from `1 / n` by less
/// than `2^-32`; one 64-bit random number serves two moves. Nothing branches on the marks but the choice between a forced board
/// and a free one: what closes is computed for every move. `state` ends as the game did, without its last move.
#[inline]
pub fn rollout(state: &mut State, rng: &mut Rng) -> i32 {
    if state.allowed == 0 {
        return state.value();
    }
    let mut play =
        Playout { empty: [0; 16], counts: 0, marks: [[0; 16]; 2], won: state.won, target: state.target };
    for board in 0..9 {
        let empty = if state.open >> board & 1 == 1 { usize::from(state.empty(board)) } else { 0 };
        play.empty[board] = empty as u32 | u32::from(COUNT[empty]) << 16;
        play.counts |= u64::from(COUNT[empty]) << (7 * board);
        play.marks[0][board] = state.marks(Player::Zero, board);
        play.marks[1][board] = state.marks(Player::One, board);
    }
    let value = play.play_out(state.mover, rng);
    state.open = 0;
    for board in 0..9 {
        let closed = if play.empty[board] == 0 { CLOSED } else { 0 };
        state.open |= u16::from(closed == 0) << board;
        state.boards[board] = u32::from(play.marks[0][board]) | u32::from(play.marks[1][board]) << 9 | closed;
    }
    *state = State { won: play.won, allowed: 0, target: NONE, last: NONE, ..*state };
    value
}

/// What a rollout needs of a state. There is room for 16 small boards, so that an index of four bits needs no check.
struct Playout {
    /// The cells that may be played in, small board by small board, and how many they are from bit 16 on, which saves a look-up
    /// between two moves; 0 for a closed board.
    empty: [u32; 16],
    /// The same numbers of cells, seven bits each.
    counts: u64,
    marks: [[u16; 16]; 2],
    won: [u16; 2],
    /// [`NONE`] for a free choice.
    target: u8,
}

impl Playout {
    #[inline(always)]
    fn play_out(&mut self, mover: Player, rng: &mut Rng) -> i32 {
        let mut random = rng.next_u64();
        if mover == Player::One {
            if let Some(value) = self.step::<1>(random as u32) {
                return value;
            }
            random = rng.next_u64();
        }
        loop {
            if let Some(value) = self.step::<0>(random as u32) {
                return value;
            }
            if let Some(value) = self.step::<1>((random >> 32) as u32) {
                return value;
            }
            random = rng.next_u64();
        }
    }

    /// A random move of player `MOVER`; the value instead if the game is over, before it or by it.
    #[inline(always)]
    fn step<const MOVER: usize>(&mut self, random: u32) -> Option<i32> {
        let (board, nth) = if self.target == NONE {
            match self.free_choice(random) {
                Some(choice) => choice,
                None => return Some(self.value_by_count()),
            }
        } else {
            let board = usize::from(self.target & 15);
            (board, scale(random, self.empty[board] >> 16))
        };
        let empty = self.empty[board];
        let cell = NTH[empty as usize & 511][nth as usize & 15] & 15;
        let bit = 1 << cell;
        let own = self.marks[MOVER][board] | bit;
        self.marks[MOVER][board] = own;
        let has_line = HAS_LINE[usize::from(own & FULL)];
        self.empty[board] = ((empty ^ u32::from(bit)) - (1 << 16)) & u32::from(has_line).wrapping_sub(1);
        let taken = 1 + ((empty >> 16) - 1) * u32::from(has_line);
        self.counts -= u64::from(taken) << (7 * board);
        self.won[MOVER] |= u16::from(has_line) << board;
        if HAS_LINE[usize::from(self.won[MOVER] & FULL)] {
            return Some(1 - 2 * MOVER as i32);
        }
        self.target = if self.empty[usize::from(cell)] == 0 { NONE } else { cell };
        None
    }

    /// A small board and the number of one of its empty cells, with all empty cells equally likely; nothing if there is none.
    ///
    /// All nine prefix sums come from one multiplication, and all comparisons with them from two additions; a sum is at most 81, so
    /// seven bits hold it.
    #[inline(always)]
    fn free_choice(&self, random: u32) -> Option<(usize, u32)> {
        const EVERY: u64 = ones(7, 9);
        const EVEN: u64 = ones(14, 5);
        const ODD: u64 = ones(14, 4);
        if self.counts == 0 {
            return None;
        }
        // Field `i` is the number of moves on small boards 0 to `i`.
        let sums = self.counts.wrapping_mul(EVERY) & (u64::MAX >> 1);
        let nth = scale(random, (sums >> 56) as u32);
        // A field that is beyond `nth` carries into its eighth bit.
        let carry = 127 - u64::from(nth);
        let even = (((sums & (EVEN * 127)) + carry * EVEN) >> 7) & EVEN;
        let odd = ((((sums >> 7) & (ODD * 127)) + carry * ODD) >> 7) & ODD;
        let beyond = (even.wrapping_mul(EVEN) >> 56) + ((odd.wrapping_mul(ODD) >> 42) & 127);
        let board = 9 - beyond as usize;
        let before = ((sums << 7) >> (7 * board)) & 127;
        Some((board & 15, nth - before as u32))
    }

    #[inline]
    fn value_by_count(&self) -> i32 {
        let [zero, one] = self.won.map(u16::count_ones);
        i32::from(zero > one) - i32::from(one > zero)
    }
}

/// `floor(random * n / 2^32)`.
#[inline(always)]
fn scale(random: u32, n: u32) -> u32 {
    ((u64::from(random) * u64::from(n)) >> 32) as u32
}

/// A one in every `width` bits, `count` of them.
const fn ones(width: u32, count: u32) -> u64 {
    let mut set = 0;
    let mut at = 0;
    while at < count {
        set |= 1 << (width * at);
        at += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number of a move in random positions, against counting the moves one by one.
    #[test]
    fn free_choices_count_as_the_obvious_way_does() {
        let mut rng = Rng::new(1);
        for _ in 0..2_000 {
            let counts = [(); 9].map(|()| if rng.below(3) == 0 { 0 } else { rng.below(10) });
            let all: Vec<(usize, u32)> =
                (0..9).flat_map(|board| (0..counts[board]).map(move |nth| (board, nth))).collect();
            let packed = counts.iter().rev().fold(0, |packed, &count| packed << 7 | u64::from(count));
            let play =
                Playout { empty: [0; 16], counts: packed, marks: [[0; 16]; 2], won: [0; 2], target: NONE };
            assert_eq!(play.free_choice(0).is_none(), all.is_empty());
            for (at, &expected) in all.iter().enumerate() {
                // The smallest random number that gives this move.
                let random = ((at as u64) << 32).div_euclid(all.len() as u64) + u64::from(at > 0);
                assert_eq!(play.free_choice(random as u32), Some(expected), "{counts:?}");
            }
        }
    }
}
