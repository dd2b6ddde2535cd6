//! The value network, which gives the value of a position to the player who has just moved.
//!
//! There are 379 binary inputs, about forty of them set, and one hidden layer. The output is the dot product of the
//! squared clipped sums and one of several rows of weights. The next board determines which row is used. A move changes
//! few inputs. So the sums for all positions after the moves of one position are computed from shared sums (an
//! accumulator).
//!
//! Sources: Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018 (the
//! accumulator). The author of a top bot in the arena describes the inputs for both players' cells and boards, for
//! drawn boards and for the next board. This author also describes the squares and the rows of output weights. Another
//! author had the idea to distinguish empty cells by the player who would win the board there.

use crate::rules::bits;
use crate::tables::{FULL, WINNING};
use crate::{Move, State};
use contender_game::{
    rules::{Game, Player, Turn},
    settings::Shipped,
};
use contender_nn::quantise::{pack_numbers, unpack_numbers};

/// Number of inputs.
pub const INPUTS: usize = 379;
/// Number of neurons in the hidden layer.
pub const HIDDEN: usize = 256;
/// Number of rows of output weights: one for each board that may be next, and one for a free choice.
pub const ROWS: usize = 10;
/// Number of weights and biases in a network: the weights of each input, the biases, the rows of output weights, and
/// the output biases.
pub const NUMBERS: usize = (INPUTS + 1 + ROWS) * HIDDEN + ROWS;
/// Fixed-point representation of 1 in weights and activations. Its square is the largest square of an integer that fits
/// into a signed 16-bit number.
pub const ONE: i32 = 181;

/// Fixed-point representation of 1 in the stored input weights. The number is half of `ONE`, which saves one bit per
/// weight in a packed bot.
pub const STORED_ONE: f32 = ONE as f32 / 2.0;

/// Number of sets of cells per small board that are inputs (see [`board_sets`]).
const BOARD_SETS: usize = 4;
/// Number of sets of small boards that are inputs (see [`grid_sets`]).
const GRID_SETS: usize = 5;
/// The first input for sets of small boards.
const GRID: usize = BOARD_SETS * 81;
/// The first input for the next board.
const NEXT: usize = GRID + GRID_SETS * 9;

/// Calls `set` with the number of each input that is set, from the view of `own`, who moved last.
///
/// An input for a cell of an open board has the number `9 * board + cell` plus an offset: 0 for a mark of `own`, 81 for
/// a mark of the opponent, 162 for an empty cell that would win the small board for `own`, and 243 for an empty cell
/// that would win it for the opponent. An input for a small board has the board's number plus an offset: 324 if `own`
/// has won it, 333 if the opponent has won it, 342 if it is drawn, 351 if it is open and would win the game for `own`,
/// and 360 if it is open and would win the game for the opponent. The input for the board to play in has the number 369
/// plus the board's number, or 378 for a free choice.
pub fn inputs(state: &State, own: Player, mut set: impl FnMut(usize)) {
    position_inputs(state, own, &mut set);
    set(NEXT + next_board(state));
}

/// Returns the row of output weights: the board to play in, or 9 for a free choice.
#[inline]
#[must_use]
pub fn next_board(state: &State) -> usize {
    state.target().unwrap_or(9)
}

/// Returns the number of an input after a symmetry, which moves boards and the cells in each board in the same way.
/// `turn[n]` is the new index of the board or cell with index `n`.
#[must_use]
pub fn turned_input(input: usize, turn: &[usize; 9]) -> usize {
    match input {
        cell if cell < GRID => 9 * (9 * (cell / 81) + turn[cell / 9 % 9]) + turn[cell % 9],
        free if free == NEXT + 9 => free,
        board => 9 * (board / 9) + turn[board % 9],
    }
}

/// Calls `set` with the inputs, except the board to play in.
fn position_inputs(state: &State, own: Player, set: &mut impl FnMut(usize)) {
    for board in bits(state.open()) {
        for (kind, cells) in board_sets(state, own, board).into_iter().enumerate() {
            bits(cells).for_each(|cell| set(81 * kind + 9 * board + cell));
        }
    }
    for (kind, boards) in grid_sets(state, own).into_iter().enumerate() {
        bits(boards).for_each(|board| set(GRID + 9 * kind + board));
    }
}

/// Returns four sets of cells of a small board: the marks of `own`, the opponent's marks, and the empty cells that
/// would win the board for `own` and for the opponent. All sets are empty if the board is closed.
#[inline(always)]
fn board_sets(state: &State, own: Player, board: usize) -> [u16; BOARD_SETS] {
    if state.open() >> board & 1 == 0 {
        return [0; BOARD_SETS];
    }
    let [zero, one] = [own, own.other()].map(|player| state.marks(player, board));
    let empty = state.empty(board);
    [zero, one, WINNING[usize::from(zero)] & empty, WINNING[usize::from(one)] & empty]
}

/// Returns five sets of small boards: boards that `own` has won, boards that the opponent has won, drawn boards, and
/// open boards that would win the game for `own` and for the opponent.
#[inline(always)]
fn grid_sets(state: &State, own: Player) -> [u16; GRID_SETS] {
    let (open, zero, one) = (state.open(), state.won(own), state.won(own.other()));
    let winning = |won: u16| WINNING[usize::from(won & FULL)] & open;
    [zero, one, FULL & !(open | zero | one), winning(zero), winning(one)]
}

/// Returns whether the player to act can win the game with the next move. The network does not evaluate such a
/// position.
#[inline(always)]
#[must_use]
pub fn can_win(state: &State) -> bool {
    let player = state.mover();
    let boards = WINNING[usize::from(state.won(player) & FULL)] & state.allowed();
    bits(boards).any(|board| WINNING[usize::from(state.marks(player, board))] & state.empty(board) != 0)
}

type Sums = [i16; HIDDEN];

/// A network with 16-bit weights.
#[derive(Clone)]
pub struct ValueNetwork {
    /// The weights of each input, followed by the biases.
    weights: Box<[Sums; INPUTS + 1]>,
    outputs: Box<[Sums; ROWS]>,
    /// The output biases, in units of `ONE * ONE * ONE`.
    biases: [i32; ROWS],
}

/// Returns the bytes that [`ValueNetwork::read`] reads. The numbers are the weights of the inputs and the biases, in
/// units of 1 / [`STORED_ONE`], followed by the rows of output weights and the output biases, in units of 1 / [`ONE`].
///
/// Numbers are clamped to 16 bits, and the bytes are compressed.
#[must_use]
pub fn write_numbers(numbers: &[i32]) -> Vec<u8> {
    pack_numbers(numbers.iter().copied())
}

impl Shipped for ValueNetwork {
    const NAME: &'static str = "net";

    /// Returns the champion's network. `lab/notes/uttt.md` contains the recipe of its training run.
    fn shipped() -> ValueNetwork {
        ValueNetwork::read(&contender_nn::include_data!("net.bin"))
            .expect("a test reads the network that is compiled in")
    }

    /// Reads a network that [`write_numbers`] wrote.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be decoded, if there is a wrong number of weights, or if the sum of output
    /// weights can exceed 32 bits.
    fn read(bytes: &[u8]) -> Result<ValueNetwork, String> {
        let mut numbers = unpack_numbers(bytes, NUMBERS)?.into_iter();
        let mut next = || numbers.next().unwrap_or(0);
        let mut weights = Box::new([[0; HIDDEN]; INPUTS + 1]);
        weights.iter_mut().flatten().for_each(|weight| *weight = next().saturating_mul(2));
        let mut outputs = Box::new([[0; HIDDEN]; ROWS]);
        outputs.iter_mut().flatten().for_each(|weight| *weight = next());
        let mut biases = [0; ROWS];
        biases.iter_mut().for_each(|bias| *bias = i32::from(next()) * ONE * ONE);
        for (row, &bias) in outputs.iter().zip(&biases) {
            let largest: i64 = row.iter().map(|&weight| i64::from(weight).abs()).sum();
            if largest * i64::from(ONE * ONE) + i64::from(bias).abs() > i64::from(i32::MAX) {
                return Err("the network's output weights are too large".to_string());
            }
        }
        Ok(ValueNetwork { weights, outputs, biases })
    }
}

impl ValueNetwork {
    /// Returns the expected result, from 0 to 1, for the player who has just moved. The game must not be over.
    #[must_use]
    pub fn evaluate(&self, state: &State) -> f32 {
        let mut rows = Rows::new();
        inputs(state, state.mover().other(), |input| rows.push(input));
        logistic(self.logit(&self.sums(&rows), &Rows::new(), &Rows::new(), next_board(state)))
    }

    /// Appends the expected result, from 0 to 1, for the player to act after each of its legal moves. If a move ends
    /// the game or lets the opponent win at once, the value is exactly 0, 0.5 or 1, and is marked with `true`. For any
    /// other move the value is the [`evaluate`](ValueNetwork::evaluate) of the next position, but work that several
    /// moves share is done only once.
    pub fn evaluate_moves(&self, state: &State, moves: &[Move], values: &mut Vec<(f32, bool)>) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has AVX2.
            #[allow(unsafe_code)]
            unsafe {
                self.evaluate_moves_avx2(state, moves, values);
            }
            return;
        }
        self.evaluate_moves_plain(state, moves, values);
    }

    /// Runs the portable code, compiled for 256-bit vectors.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    #[allow(unsafe_code)]
    unsafe fn evaluate_moves_avx2(&self, state: &State, moves: &[Move], values: &mut Vec<(f32, bool)>) {
        self.evaluate_moves_plain(state, moves, values);
    }

    /// Evaluates like [`evaluate_moves`](ValueNetwork::evaluate_moves), without AVX2.
    #[inline(always)]
    pub fn evaluate_moves_plain(&self, state: &State, moves: &[Move], values: &mut Vec<(f32, bool)>) {
        let own = state.mover();
        let (mut added, mut removed) = (Rows::new(), Rows::new());
        position_inputs(state, own, &mut |input| added.push(input));
        let base = self.sums(&added);
        let grid = grid_sets(state, own);
        let first = values.len();
        for &mv in moves {
            let mut next = *state;
            next.play(mv);
            if next.turn() == Turn::Over {
                values.push(((1 + own.sign() * next.value()) as f32 / 2.0, true));
                continue;
            }
            if can_win(&next) {
                values.push((0.0, true));
                continue;
            }
            added.clear();
            removed.clear();
            let mut change = |first: usize, before: u16, after: u16| {
                bits(after & !before).for_each(|at| added.push(first + at));
                bits(before & !after).for_each(|at| removed.push(first + at));
            };
            let board = mv.board();
            let sets = board_sets(state, own, board).into_iter().zip(board_sets(&next, own, board));
            for (kind, (before, after)) in sets.enumerate() {
                change(81 * kind + 9 * board, before, after);
            }
            if next.open() != state.open() {
                for (kind, (before, after)) in grid.into_iter().zip(grid_sets(&next, own)).enumerate() {
                    change(GRID + 9 * kind, before, after);
                }
            }
            added.push(NEXT + next_board(&next));
            values.push((self.logit(&base, &added, &removed, next_board(&next)), false));
        }
        for (value, is_over) in &mut values[first..] {
            let share = logistic(*value);
            *value = if *is_over { *value } else { share };
        }
    }

    /// Returns the sum of the biases and these rows.
    #[inline(always)]
    fn sums(&self, rows: &Rows) -> Sums {
        let mut sums = self.weights[INPUTS];
        for (at, part) in sums.chunks_exact_mut(PART).enumerate() {
            let part: &mut [i16; PART] = part.try_into().expect("chunks are of this size");
            let mut own = *part;
            self.add(&mut own, at, rows);
            *part = own;
        }
        sums
    }

    /// Returns the logit of the expected result for these sums, after adding and removing some rows.
    #[inline(always)]
    fn logit(&self, sums: &Sums, added: &Rows, removed: &Rows, row: usize) -> f32 {
        let mut dot = 0;
        let parts = sums.chunks_exact(PART).zip(self.outputs[row].chunks_exact(PART));
        for (at, (part, weights)) in parts.enumerate() {
            let mut part: [i16; PART] = part.try_into().expect("chunks are of this size");
            self.add(&mut part, at, added);
            self.subtract(&mut part, at, removed);
            for (&sum, &weight) in part.iter().zip(weights) {
                let clipped = sum.max(0).min(ONE as i16);
                dot += i32::from(clipped * clipped) * i32::from(weight);
            }
        }
        (dot + self.biases[row]) as f32 / (ONE * ONE * ONE) as f32
    }

    #[inline(always)]
    fn add(&self, part: &mut [i16; PART], at: usize, rows: &Rows) {
        for &row in rows.numbers() {
            let weights = &self.weights[usize::from(row)][PART * at..][..PART];
            for (sum, weight) in part.iter_mut().zip(weights) {
                *sum = sum.wrapping_add(*weight);
            }
        }
    }

    #[inline(always)]
    fn subtract(&self, part: &mut [i16; PART], at: usize, rows: &Rows) {
        for &row in rows.numbers() {
            let weights = &self.weights[usize::from(row)][PART * at..][..PART];
            for (sum, weight) in part.iter_mut().zip(weights) {
                *sum = sum.wrapping_sub(*weight);
            }
        }
    }
}

/// Number of neurons that are summed at a time: half of all neurons, which fit into registers while rows are added.
const PART: usize = HIDDEN / 2;

/// A list of rows of weights.
struct Rows {
    numbers: [u16; INPUTS],
    count: usize,
}

impl Rows {
    fn new() -> Rows {
        Rows { numbers: [0; INPUTS], count: 0 }
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    fn push(&mut self, row: usize) {
        self.numbers[self.count] = row as u16;
        self.count += 1;
    }

    #[inline(always)]
    fn numbers(&self) -> &[u16] {
        &self.numbers[..self.count]
    }
}

/// Returns the logistic function, accurate to 0.0001. A fraction is used because its result is equal on every machine
/// (Lambert's continued fraction of the hyperbolic tangent).
#[inline(always)]
fn logistic(logit: f32) -> f32 {
    let half = (0.5 * logit).clamp(-4.97, 4.97);
    let square = half * half;
    let above = half * (135_135.0 + square * (17_325.0 + square * (378.0 + square)));
    let below = 135_135.0 + square * (62_370.0 + square * (3_150.0 + square * 28.0));
    0.5 + 0.5 * above / below
}
