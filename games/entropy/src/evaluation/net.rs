//! The network: the linear evaluation, and what it cannot say.
//!
//! A hidden layer sees each of the 14 lines as a whole, by the pattern of its chips ([`PATTERNS`]): every pattern has a
//! row of numbers for lines of each distance from the edge, and these rows are added. It also sees the inputs of the
//! linear evaluation, which tell how lines work together, and the turn. So a line may count for more than its
//! palindromes and those one chip away, and the weights of inputs may depend on each other.

use super::patterns::Patterns;
use super::predictions::{Prediction, NETWORK};
use super::{inputs, Inputs, Observer, Value, INPUTS, PATTERNS, POINT, TURNS};
use crate::{State, SIZE};
use contender_game::settings::Shipped;
use contender_nn::quantise::{pack_numbers, unpack_numbers};
use std::fmt;

/// Neurons of the hidden layer.
pub const HIDDEN: usize = 32;
/// Lines of a board.
pub const LINES: usize = 2 * SIZE;
/// Kinds of lines: the edge, the two lines within, the middle.
pub const KINDS: usize = SIZE / 2 + 1;
/// Rows of the hidden layer for lines: [`PATTERNS`] for each kind.
pub const LINE_ROWS: usize = KINDS * PATTERNS;
/// Outputs: one for the turns of each player.
pub const OUTPUTS: usize = 2;
/// Numbers of a network: see [`write_numbers`].
pub const NUMBERS: usize = (LINE_ROWS + INPUTS + TURNS + OUTPUTS) * HIDDEN + TURNS * (1 + INPUTS);

/// Scale of each input for the network: about the size of its variation.
pub const SCALES: [f32; INPUTS] = [4.0, 8.0, 2.0, 8.0, 3.0, 16.0, 2.0, 1.0, 3.0, 3.0, 10.0, 1.0, 50.0, 20.0];

/// Fixed-point representation of 1 in the hidden layer, the outputs and the weights.
pub const ONE: f32 = 256.0;
/// Fixed-point representation of 1 point in the constants, which are larger.
pub const CONSTANT_ONE: f32 = 64.0;

/// A row of the hidden layer.
type Row = [i16; HIDDEN];

/// Returns the rows of the hidden layer that a state's lines add: of rows from the top, then of columns from the left.
#[must_use]
pub fn line_rows(state: &State) -> [usize; LINES] {
    rows_of(Patterns::get(), state)
}

#[inline]
fn rows_of(patterns: &Patterns, state: &State) -> [usize; LINES] {
    let mut rows = [0; LINES];
    for (side, lines) in [state.rows(), state.columns()].into_iter().enumerate() {
        for (place, &line) in lines.iter().enumerate() {
            rows[side * SIZE + place] = place.min(SIZE - 1 - place) * PATTERNS + patterns.of(line);
        }
    }
    rows
}

/// A network in the numbers that bots calculate with.
#[derive(Clone)]
pub struct Net {
    observer: Observer,
    patterns: &'static Patterns,
    lines: Box<[Row]>,
    /// For one unit of each input.
    inputs: [[f32; HIDDEN]; INPUTS],
    turns: Box<[Turn]>,
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Net")
    }
}

#[derive(Clone)]
struct Turn {
    biases: [f32; HIDDEN],
    outputs: [f32; HIDDEN],
    constant: f32,
    /// For one unit of each input.
    weights: [f32; INPUTS],
}

/// Returns the bytes that [`Net::read`] reads, of the rows for lines, for inputs, for turns and of the outputs, in
/// units of 1 / [`ONE`]; then for each turn its constant, in 1 / [`CONSTANT_ONE`] points, and its linear weights, in 1
/// / [`ONE`] points. Inputs are in units of [`SCALES`].
///
/// Numbers are rounded and clamped to 16 bits; the bytes are compressed.
///
/// # Panics
/// If there are not [`NUMBERS`] numbers.
#[must_use]
pub fn write_numbers(numbers: &[f32]) -> Vec<u8> {
    assert_eq!(numbers.len(), NUMBERS, "a network has as many numbers");
    pack_numbers(numbers.iter().enumerate().map(|(at, &number)| (number * one(at)).round() as i32))
}

/// Returns the fixed-point representation of 1 for the number at this place.
#[must_use]
pub fn one(at: usize) -> f32 {
    let linear = NUMBERS - TURNS * (1 + INPUTS);
    let is_constant = at >= linear && (at - linear) % (1 + INPUTS) == 0;
    if is_constant {
        CONSTANT_ONE
    } else {
        ONE
    }
}

impl Shipped for Net {
    const NAME: &'static str = "net";

    /// Returns the network that the champion plays with; `lab/notes/entropy-learning.md` has the recipe it was made by.
    fn shipped() -> Net {
        Net::read(&contender_nn::include_data!("net.bin"))
            .expect("a test reads the network that is compiled in")
    }

    /// Reads what [`write_numbers`] wrote.
    ///
    /// # Errors
    /// Bytes that are not numbers, or a wrong number of them.
    fn read(bytes: &[u8]) -> Result<Net, String> {
        let mut numbers = unpack_numbers(bytes, NUMBERS)?.into_iter();
        let mut next = || numbers.next().unwrap_or(0);
        let mut lines = vec![[0; HIDDEN]; LINE_ROWS];
        lines.iter_mut().flatten().for_each(|number| *number = next());
        let mut row = |one: f32| {
            let mut row = [0.0; HIDDEN];
            row.iter_mut().for_each(|number| *number = f32::from(next()) / one);
            row
        };
        let inputs = SCALES.map(|scale| row(ONE * scale));
        let biases: Vec<_> = (0..TURNS).map(|_| row(ONE)).collect();
        let outputs: Vec<_> = (0..OUTPUTS).map(|_| row(ONE)).collect();
        let mut turn = |(turn, biases): (usize, [f32; HIDDEN])| Turn {
            biases,
            outputs: outputs[turn % OUTPUTS],
            constant: f32::from(next()) / CONSTANT_ONE,
            weights: SCALES.map(|scale| f32::from(next()) / (ONE * scale)),
        };
        let turns = biases.into_iter().enumerate().map(&mut turn).collect();
        Ok(Net {
            observer: Observer::new(),
            patterns: Patterns::get(),
            lines: lines.into_boxed_slice(),
            inputs,
            turns,
        })
    }
}

impl Net {
    #[inline]
    fn rest(&self, turn: usize, rows: &[usize; LINES], inputs: &Inputs) -> f32 {
        let mut sums: Row = [0; HIDDEN];
        for &row in rows {
            add(&mut sums, &self.lines[row]);
        }
        let turn = &self.turns[turn];
        let mut hidden = turn.biases;
        for (hidden, sum) in hidden.iter_mut().zip(sums) {
            *hidden += f32::from(sum) * (1.0 / ONE);
        }
        let mut rest = turn.constant;
        for ((&input, row), weight) in inputs.iter().zip(&self.inputs).zip(&turn.weights) {
            let input = input as f32;
            rest += weight * input;
            for (hidden, weight) in hidden.iter_mut().zip(row) {
                *hidden += weight * input;
            }
        }
        // Eight sums at a time, so that they fit the machine's vectors.
        let mut parts = [0.0; 8];
        for (hidden, outputs) in hidden.chunks_exact(8).zip(turn.outputs.chunks_exact(8)) {
            for at in 0..8 {
                parts[at] += hidden[at].max(0.0) * outputs[at];
            }
        }
        rest + parts.iter().sum::<f32>()
    }
}

#[inline]
fn add(sums: &mut Row, row: &Row) {
    for (sum, number) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*number);
    }
}

impl Value for Net {
    const PREDICTIONS: &'static [Prediction] = NETWORK;

    fn value(&mut self, turn: usize, state: &State) -> i32 {
        let inputs = self.observer.inputs(state);
        let rest = self.rest(turn, &rows_of(self.patterns, state), &inputs);
        POINT * state.score() + (POINT as f32 * rest).round() as i32
    }
}

/// Returns the inputs as the network takes them, in units of [`SCALES`].
#[must_use]
pub fn scaled_inputs(state: &State) -> [f32; INPUTS] {
    let mut scaled = inputs(state).map(|input| input as f32);
    scaled.iter_mut().zip(SCALES).for_each(|(input, scale)| *input /= scale);
    scaled
}
