//! The network: what a position is worth to the player who has just moved.
//!
//! 199 binary inputs, of which some twenty are set, feed one hidden layer; its clipped sums give one number. A move changes few inputs,
//! so the sums of all positions after a position's moves come from one common set of sums (an accumulator).
//!
//! Sources: Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018 (the accumulator); the
//! inputs are those that an author of a top bot of the arena names: own and other's cells and boards, drawn boards, the next board.

use crate::rules::bits;
use crate::tables::{FULL, HAS_LINE};
use crate::{Move, State};
use contender_game::{Game, Player, Turn};
use contender_nn::quantise::{from_bytes, to_bytes};

/// Inputs.
pub const INPUTS: usize = 199;
/// Neurons of the hidden layer.
pub const HIDDEN: usize = 128;
/// Numbers of a network: weights of each input, biases, weights of the output, its bias.
pub const NUMBERS: usize = (INPUTS + 2) * HIDDEN + 1;
/// What 1 is in weights and activations.
pub const ONE: i32 = 256;

const CELLS: usize = 81;
const BOARDS: usize = 2 * CELLS;
const DRAWN: usize = BOARDS + 18;
const NEXT: usize = DRAWN + 9;

/// Calls `set` with the number of each input that is set, from the view of `own`, who has moved last.
///
/// Cells 0 to 80 own and 81 to 161 the other's, on open boards only; boards won 162 to 170 own and 171 to 179 the other's; drawn boards
/// 180 to 188; the board to play in 189 to 197, or 198 for free choice.
pub fn inputs(state: &State, own: Player, mut set: impl FnMut(usize)) {
    position_inputs(state, own, &mut set);
    set(NEXT + state.target().unwrap_or(9));
}

/// The inputs without the board to play in.
fn position_inputs(state: &State, own: Player, set: &mut impl FnMut(usize)) {
    for (side, player) in [own, own.other()].into_iter().enumerate() {
        for board in bits(state.open()) {
            bits(state.marks(player, board)).for_each(|cell| set(side * CELLS + 9 * board + cell));
        }
        bits(state.won(player)).for_each(|board| set(BOARDS + 9 * side + board));
    }
    let drawn = FULL & !(state.open() | state.won(own) | state.won(own.other()));
    bits(drawn).for_each(|board| set(DRAWN + board));
}

type Sums = [i16; HIDDEN];

/// A network with 16-bit numbers.
#[derive(Clone)]
pub struct Net {
    /// Weights of each input, then the biases.
    weights: Box<[Sums; INPUTS + 1]>,
    output: Sums,
    /// In units of `ONE * ONE`.
    bias: i32,
}

/// The bytes that [`Net::read`] reads, of the weights of the inputs one after the other, the biases, the weights of the output, all in
/// units of 1 / [`ONE`], and the output's bias in the same unit.
///
/// Numbers are clamped to 16 bits.
#[must_use]
pub fn write_numbers(numbers: &[i32]) -> Vec<u8> {
    let clamp = |&number: &i32| number.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
    to_bytes(&numbers.iter().map(clamp).collect::<Vec<i16>>())
}

impl Net {
    /// Reads what [`write_numbers`] wrote of a network.
    ///
    /// # Errors
    /// Bytes that are no numbers, or a wrong number of numbers.
    pub fn read(bytes: &[u8]) -> Result<Net, String> {
        let numbers = from_bytes(bytes).ok_or("the network's bytes are no 16-bit numbers")?;
        if numbers.len() != NUMBERS {
            return Err(format!("the network has {} numbers instead of {NUMBERS}", numbers.len()));
        }
        let mut numbers = numbers.into_iter();
        let mut next = || numbers.next().unwrap_or(0);
        let mut weights = Box::new([[0; HIDDEN]; INPUTS + 1]);
        weights.iter_mut().flatten().for_each(|weight| *weight = next());
        let mut output = [0; HIDDEN];
        output.iter_mut().for_each(|weight| *weight = next());
        Ok(Net { weights, output, bias: i32::from(next()) * ONE })
    }

    /// The expected result, 0 to 1, of the player who has just moved, in a game that goes on.
    #[must_use]
    pub fn evaluate(&self, state: &State) -> f32 {
        let mut sums = self.weights[INPUTS];
        inputs(state, state.mover().other(), |input| add(&mut sums, &self.weights[input]));
        self.value(&sums)
    }

    /// Appends the expected result, 0 to 1, of the player to act after each of its legal moves; exactly 0, 0.5 or 1, and `true`, where a
    /// move ends the game. Same as [`evaluate`](Net::evaluate) of each position after them, with the work they share done once.
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

    /// The same code as for any machine, which the compiler makes vectors of 256 bits of.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    #[allow(unsafe_code)]
    unsafe fn evaluate_moves_avx2(&self, state: &State, moves: &[Move], values: &mut Vec<(f32, bool)>) {
        self.evaluate_moves_plain(state, moves, values);
    }

    /// [`evaluate_moves`](Net::evaluate_moves) without AVX2.
    #[inline(always)]
    pub fn evaluate_moves_plain(&self, state: &State, moves: &[Move], values: &mut Vec<(f32, bool)>) {
        let own = state.mover();
        let mut base = self.weights[INPUTS];
        position_inputs(state, own, &mut |input| add(&mut base, &self.weights[input]));
        // A plain loop: what is called with a closure might be compiled apart, without the vectors of the caller.
        for &mv in moves {
            let mut next = *state;
            next.play(mv);
            if next.turn() == Turn::Over {
                values.push(((1 + own.sign() * next.value()) as f32 / 2.0, true));
                continue;
            }
            let mut sums = base;
            let (board, cell) = (mv.board(), mv.cell());
            if next.open() >> board & 1 == 1 {
                add(&mut sums, &self.weights[9 * board + cell]);
            } else {
                for (side, player) in [own, own.other()].into_iter().enumerate() {
                    for cell in bits(state.marks(player, board)) {
                        subtract(&mut sums, &self.weights[side * CELLS + 9 * board + cell]);
                    }
                }
                let is_won = HAS_LINE[usize::from(next.marks(own, board))];
                add(&mut sums, &self.weights[if is_won { BOARDS } else { DRAWN } + board]);
            }
            add(&mut sums, &self.weights[NEXT + next.target().unwrap_or(9)]);
            values.push((self.value(&sums), false));
        }
    }

    #[inline(always)]
    fn value(&self, sums: &Sums) -> f32 {
        let mut dot = 0;
        for (&sum, &weight) in sums.iter().zip(&self.output) {
            dot += i32::from(sum.max(0).min(ONE as i16)) * i32::from(weight);
        }
        let logit = (dot + self.bias) as f32 / (ONE * ONE) as f32;
        1.0 / (1.0 + (-logit).exp())
    }
}

#[inline(always)]
fn add(sums: &mut Sums, weights: &Sums) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = sum.wrapping_add(*weight);
    }
}

#[inline(always)]
fn subtract(sums: &mut Sums, weights: &Sums) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = sum.wrapping_sub(*weight);
    }
}
