//! Random games to the end, the inner loop of searches with rollouts.

use super::{State, CLOSED, NONE};
use crate::tables::{COUNT, FULL, HAS_LINE, NTH, WINNING};
use contender_game::rules::{Game, Player, Rng};

/// The rule by which the players of a rollout choose their moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Plays a uniformly random legal move.
    Random,
    /// Plays a move that wins the game if there is one, or else a random move.
    Finishing,
    /// Plays a move that wins the game if there is one, or else a move that wins a small board, or else a random move.
    Winning,
}

/// The styles as constants, so that each style is compiled to its own loop.
const RANDOM: u8 = Style::Random as u8;
const FINISHING: u8 = Style::Finishing as u8;
const WINS: u8 = Style::Winning as u8;

/// Plays random moves to the end of the game and returns its value: 1 if player 0 has won, -1 if player 1 has won, 0
/// for a draw.
///
/// A move is drawn as `floor(r * n / 2^32)` for a random 32-bit `r` and `n` moves, so its probability differs from `1 /
/// n` by less than `2^-32`. One 64-bit random number is enough for two moves. The only branch that depends on the marks
/// separates forced boards from free choices. Whether a move closes a board is computed without a branch. At the end
/// `state` is the final state of the game, but its last move is not set.
#[inline]
pub fn rollout(state: &mut State, rng: &mut Rng) -> i32 {
    if state.allowed == 0 {
        return state.value();
    }
    play_out::<RANDOM>(state, rng, u32::MAX).unwrap_or(0)
}

/// Plays like [`rollout`], but in this style and with at most `most` moves. The maximum is one less if X would make the
/// last of these moves. Returns `None` if the game is not over after these moves. After the call, `state` must not be
/// used any more.
#[inline]
pub fn rollout_with(state: &mut State, rng: &mut Rng, style: Style, most: u32) -> Option<i32> {
    if state.allowed == 0 {
        return Some(state.value());
    }
    match style {
        Style::Random => play_out::<RANDOM>(state, rng, most),
        Style::Finishing => play_out::<FINISHING>(state, rng, most),
        Style::Winning => play_out::<WINS>(state, rng, most),
    }
}

#[inline(always)]
fn play_out<const STYLE: u8>(state: &mut State, rng: &mut Rng, most: u32) -> Option<i32> {
    let mut play =
        Playout { empty: [0; 16], counts: 0, marks: [[0; 16]; 2], won: state.won, target: state.target };
    for board in 0..9 {
        let empty = if state.open >> board & 1 == 1 { usize::from(state.empty(board)) } else { 0 };
        play.empty[board] = empty as u32 | u32::from(COUNT[empty]) << 16;
        play.counts |= u64::from(COUNT[empty]) << (7 * board);
        play.marks[0][board] = state.marks(Player::Zero, board);
        play.marks[1][board] = state.marks(Player::One, board);
    }
    let value = play.play_out::<STYLE>(state.mover, rng, most);
    state.open = 0;
    for board in 0..9 {
        let closed = if play.empty[board] == 0 { CLOSED } else { 0 };
        state.open |= u16::from(closed == 0) << board;
        state.boards[board] = u32::from(play.marks[0][board]) | u32::from(play.marks[1][board]) << 9 | closed;
    }
    *state = State { won: play.won, allowed: 0, target: NONE, last: NONE, ..*state };
    value
}

/// The parts of a state that are needed for a rollout. Arrays have 16 entries instead of 9, so that an index of four
/// bits does not need a bounds check.
struct Playout {
    /// The playable cells of each small board. The bits from 16 up contain the number of these cells, which saves a
    /// look-up between two moves. The entry is 0 for a closed board.
    empty: [u32; 16],
    /// The numbers of playable cells of all small boards, with seven bits for each board.
    counts: u64,
    marks: [[u16; 16]; 2],
    won: [u16; 2],
    /// The small board to play in, or [`NONE`] for a free choice.
    target: u8,
}

impl Playout {
    #[inline(always)]
    fn play_out<const STYLE: u8>(&mut self, mover: Player, rng: &mut Rng, most: u32) -> Option<i32> {
        let mut random = rng.next_u64();
        // A game has at most 81 moves, and one more step detects the end.
        let mut left = most.min(84);
        if mover == Player::One && left > 0 {
            left -= 1;
            if let Some(value) = self.step::<1, STYLE>(random as u32) {
                return Some(value);
            }
            random = rng.next_u64();
        }
        for _ in 0..left / 2 {
            if let Some(value) = self.step::<0, STYLE>(random as u32) {
                return Some(value);
            }
            if let Some(value) = self.step::<1, STYLE>((random >> 32) as u32) {
                return Some(value);
            }
            random = rng.next_u64();
        }
        None
    }

    /// Makes a move of player `MOVER`. Returns the value of the game if the game is over before or after the move.
    #[inline(always)]
    fn step<const MOVER: usize, const STYLE: u8>(&mut self, random: u32) -> Option<i32> {
        let wins = if STYLE == RANDOM { None } else { self.wins::<MOVER, STYLE>(random) };
        let (board, cell) = match wins {
            Some(choice) => choice,
            None => {
                let (board, nth) = if self.target == NONE {
                    match self.free_choice(random) {
                        Some(choice) => choice,
                        None => return Some(self.value_by_count()),
                    }
                } else {
                    let board = usize::from(self.target & 15);
                    (board, scale(random, self.empty[board] >> 16))
                };
                (board, NTH[self.empty[board] as usize & 511][nth as usize & 15] & 15)
            }
        };
        let empty = self.empty[board];
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

    /// Returns a small board and a cell on it that wins that board. Returns `None` if the style does not look for
    /// winning moves, or if there is no such cell.
    #[inline(always)]
    fn wins<const MOVER: usize, const STYLE: u8>(&self, random: u32) -> Option<(usize, u8)> {
        let closing = WINNING[usize::from(self.won[MOVER] & FULL)];
        let cells = |board: usize| {
            WINNING[usize::from(self.marks[MOVER][board] & FULL)] & self.empty[board] as u16 & FULL
        };
        let wants = |board: usize| STYLE == WINS || closing >> board & 1 == 1;
        let nth = |cells: u16| {
            let cells = usize::from(cells);
            NTH[cells][scale(random, u32::from(COUNT[cells])) as usize & 15] & 15
        };
        if self.target != NONE {
            let board = usize::from(self.target & 15);
            let cells = cells(board);
            return if cells != 0 && wants(board) { Some((board, nth(cells))) } else { None };
        }
        let mut boards = 0;
        for board in (0..9).filter(|&board| wants(board) && cells(board) != 0) {
            if closing >> board & 1 == 1 {
                return Some((board, nth(cells(board))));
            }
            boards |= 1 << board;
        }
        if boards == 0 {
            return None;
        }
        let board = usize::from(nth(boards));
        Some((board, nth(cells(board))))
    }

    /// Returns a small board and the index of one of its empty cells. All empty cells of the grid are equally likely.
    /// Returns `None` if no cell is empty.
    ///
    /// One multiplication gives all nine prefix sums, and two additions compare all of them. A sum is at most 81, so it
    /// fits into seven bits.
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
        // A field greater than `nth` carries into its eighth bit.
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

/// Returns `floor(random * n / 2^32)`.
#[inline(always)]
fn scale(random: u32, n: u32) -> u32 {
    ((u64::from(random) * u64::from(n)) >> 32) as u32
}

/// Returns a number with `count` one bits, `width` bits apart.
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

    /// Compares the result for every move in random positions with a plain loop that counts moves one by one.
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
                // The smallest random number that leads to this move.
                let random = ((at as u64) << 32).div_euclid(all.len() as u64) + u64::from(at > 0);
                assert_eq!(play.free_choice(random as u32), Some(expected), "{counts:?}");
            }
        }
    }
}
