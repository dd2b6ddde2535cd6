//! The network: the linear evaluation plus a hidden layer for everything that is not linear.
//!
//! The hidden layer sees each of the 14 lines as a whole, through the pattern of its chips ([`PATTERNS`]). Every
//! pattern has a row of weights for each distance of a line from the edge, and these rows are added. The layer also
//! sees the turn and the inputs of the linear evaluation, which show how lines interact. So the value of a line can
//! exceed the value of its palindromes and its potential palindromes, and the weights of inputs can depend on each
//! other.

use super::patterns::Patterns;
use super::predictions::{Prediction, NETWORK};
use super::{inputs, Inputs, Observer, Value, INPUTS, PATTERNS, POINT, TURNS};
use crate::{State, SIZE};
use contender_game::settings::Shipped;
use contender_nn::quantise::{pack_numbers, unpack_numbers};
use std::fmt;

/// Number of neurons in the hidden layer.
pub const HIDDEN: usize = 32;
/// Number of lines on a board.
pub const LINES: usize = 2 * SIZE;
/// Number of kinds of lines, by the distance from the edge: 0, 1, 2, or 3 for a line in the middle.
pub const KINDS: usize = SIZE / 2 + 1;
/// Number of rows of the hidden layer for lines: [`PATTERNS`] for each kind.
pub const LINE_ROWS: usize = KINDS * PATTERNS;
/// Number of outputs: one for each player's turns.
pub const OUTPUTS: usize = 2;
/// Number of weights and constants in a network (see [`write_numbers`]).
pub const NUMBERS: usize = (LINE_ROWS + INPUTS + TURNS + OUTPUTS) * HIDDEN + TURNS * (1 + INPUTS);

/// The unit of each input for the network, close to the input's standard deviation.
pub const SCALES: [f32; INPUTS] = [4.0, 8.0, 2.0, 8.0, 3.0, 16.0, 2.0, 1.0, 3.0, 3.0, 10.0, 1.0, 50.0, 20.0];

/// Fixed-point representation of 1 in the hidden layer, the outputs and the weights.
pub const ONE: f32 = 256.0;
/// Fixed-point representation of 1 point in the constants, which can be larger than the weights.
pub const CONSTANT_ONE: f32 = 64.0;

/// A row of weights for the hidden layer.
type Row = [i16; HIDDEN];

/// Returns the rows of the hidden layer for a state's lines: first for the rows of the board from the top, then for its
/// columns from the left.
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

/// A network whose numbers are in the form that bots use.
#[derive(Clone)]
pub struct Net {
    observer: Observer,
    patterns: &'static Patterns,
    lines: Box<[Row]>,
    /// The weights for one unit of each input.
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
    /// The linear weights for one unit of each input.
    weights: [f32; INPUTS],
}

/// Returns the bytes that [`Net::read`] reads. First come the rows for lines, for inputs, for turns and for the
/// outputs, in units of 1 / [`ONE`]. Then each turn has its constant, in units of 1 / [`CONSTANT_ONE`] points, and its
/// linear weights, in units of 1 / [`ONE`] points. Inputs are in units of [`SCALES`].
///
/// Numbers are rounded and clamped to 16 bits, and the bytes are compressed.
///
/// # Panics
/// Panics if there are not exactly [`NUMBERS`] numbers.
#[must_use]
pub fn write_numbers(numbers: &[f32]) -> Vec<u8> {
    assert_eq!(numbers.len(), NUMBERS, "a network has as many numbers");
    pack_numbers(numbers.iter().enumerate().map(|(at, &number)| (number * one(at)).round() as i32))
}

/// Returns the fixed-point representation of 1 for the number at this index.
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

    /// Returns the champion's network. `lab/notes/entropy-learning.md` contains the recipe of its training run.
    fn shipped() -> Net {
        Net::read(&contender_nn::include_data!("net.bin"))
            .expect("a test reads the network that is compiled in")
    }

    /// Reads a network that [`write_numbers`] wrote.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be decoded or contain a wrong number of numbers.
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
        // Adds eight sums at a time, to use the machine's vectors.
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

/// Returns the inputs in the form for the network, in units of [`SCALES`].
#[must_use]
pub fn scaled_inputs(state: &State) -> [f32; INPUTS] {
    let mut scaled = inputs(state).map(|input| input as f32);
    scaled.iter_mut().zip(SCALES).for_each(|(input, scale)| *input /= scale);
    scaled
}
