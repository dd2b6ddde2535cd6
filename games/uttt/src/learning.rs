//! Training of the value network for Ultimate Tic-Tac-Toe, under all eight symmetries of the board.
//!
//! The loops over rows are plain Rust. The loops run several times as fast if they are compiled for the machine's own
//! vector instructions (`-C target-cpu=native`).

use crate::value_network::{self as net, ValueNetwork, HIDDEN, INPUTS, NUMBERS, ONE, ROWS, STORED_ONE};
use crate::{ChampionBot, ChampionSettings, Move, State, UctBot, UctSettings};
use contender_game::{
    contest::{Bot, Clock, Limits},
    rules::{Game, Player, Rng, Turn},
    settings,
    settings::Shipped,
};
use contender_nn::quantise::unpack_numbers;
use contender_search::NoChance;
use contender_value::{pairs, Chooser, Maker, Model, Opponent, Pairs, Record, Unit, ValueLearnedGame};

settings! {
    /// Settings of the games, and of the training on these games.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Play {
        /// Iterations per move of `solver`, the best bot without a network, in the first generation.
        solver: u64 = 300, 1..=u64::MAX;
        /// Iterations per move of `champion` in all later generations.
        champion: u64 = 100, 1..=u64::MAX;
        /// Maximum number of random moves that begin a game.
        opening: u32 = 12, 0..=u32::MAX - 1;
        /// Probability that a later move is random.
        blunder: f64 = 0.05, 0.0..=1.0;
        /// Share of the game's result in the target; the rest is the search's value.
        result: f32 = 0.5, 0.0..=1.0;
    }
}

/// The game. The best bot without a network plays the first generation.
pub struct Uttt {
    play: Play,
    net: Option<ValueNetwork>,
}

impl ValueLearnedGame for Uttt {
    type Settings = Play;
    type Sample = Sample;
    type Network = TrainedNetwork;
    const CHECK: usize = 50;

    fn new(play: Play) -> Uttt {
        Uttt { play, net: None }
    }

    fn play_with(&mut self, network: &[u8]) -> Result<(), String> {
        self.net = Some(ValueNetwork::read(network)?);
        Ok(())
    }

    fn pairs<'a>(&self, network: Option<&[u8]>, opponent: Opponent<'a>) -> Result<Pairs<'a>, String> {
        let play = self.play;
        let player = |network: Option<&[u8]>| -> Result<Maker<'a, crate::Uttt>, String> {
            let net = network.map(ValueNetwork::read).transpose()?;
            Ok(Box::new(move |seed| -> Chooser<'a, crate::Uttt> {
                let (mut bot, clock) = player(&play, net.as_ref(), seed);
                Box::new(move |state, player| bot.choose(state, player, &clock))
            }))
        };
        let start = move |seed| {
            let (mut rng, mut state) = (Rng::new(seed), State::default());
            for _ in 0..rng.below(play.opening + 1) {
                let mut next = state;
                next.play(state.random_move(&mut rng, &mut Vec::new()));
                if next.turn() == Turn::Over {
                    break;
                }
                state = next;
            }
            state
        };
        pairs::<crate::Uttt, NoChance>(Unit::Wins, start, player, network, opponent)
    }

    fn game(&mut self, seed: u64) -> Result<Vec<Sample>, String> {
        Ok(game(&self.play, self.net.as_ref(), seed))
    }

    fn network(&self, seed: u64) -> TrainedNetwork {
        TrainedNetwork::new(seed, self.play.result)
    }

    /// Removes the positions in which the player to act can win at once, because the network never evaluates them.
    fn examples(&self, mut samples: Vec<Sample>) -> Vec<Sample> {
        samples.retain(|sample| !net::can_win(&sample.state));
        samples
    }
}

/// Returns the player of games and of matches: the champion with the network, or the solver without one.
fn player(play: &Play, net: Option<&ValueNetwork>, seed: u64) -> (Box<dyn Bot<State, Move>>, Clock) {
    match net {
        None => (Box::new(UctBot::new(UctSettings::SOLVER, seed)), Clock::new(Limits::nodes(play.solver))),
        Some(net) => {
            let bot = ChampionBot::new(ChampionSettings::default(), net.clone());
            (Box::new(bot), Clock::new(Limits::nodes(play.champion)))
        }
    }
}

/// Plays one game and returns its positions with their values and the result. The champion plays the game with the
/// network. If there is no network, the solver plays. The seed determines everything.
#[must_use]
pub fn game(play: &Play, net: Option<&ValueNetwork>, seed: u64) -> Vec<Sample> {
    let mut rng = Rng::new(seed);
    let (mut bot, clock) = player(play, net, seed);
    let mut state = State::default();
    let random = rng.below(play.opening + 1);
    let mut samples = Vec::new();
    while let Turn::Player(player) = state.turn() {
        let mut mv = state.random_move(&mut rng, &mut Vec::new());
        if state.plies() >= random {
            let best = bot.analyse(&state, player, &clock).moves[0];
            let value = best.value[0] as f32;
            samples.push(Sample { state, value, result: 0.0 });
            if rng.unit() >= play.blunder {
                mv = best.mv;
            }
        }
        bot.observe(&state, player, &mv);
        state.play(mv);
    }
    for sample in &mut samples {
        let own = if sample.state.mover() == Player::Zero { state.value() } else { -state.value() };
        sample.result = (1 + own) as f32 / 2.0;
    }
    samples
}

/// A position that was searched in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The position. The position's last move is not stored, so it is unknown after reading.
    pub state: State,
    /// The search's value for the player to act, from 0 to 1.
    pub value: f32,
    /// The final result for the player to act: 0, 0.5 or 1.
    pub result: f32,
}

/// A record contains the marks of X and of O (nine little-endian 16-bit sets each), the player, the target (9 for
/// none), the value in 255ths and the result in halves.
impl Record for Sample {
    const BYTES: usize = 40;

    fn write(&self, bytes: &mut Vec<u8>) {
        for player in Player::BOTH {
            bytes.extend((0..9).flat_map(|board| self.state.marks(player, board).to_le_bytes()));
        }
        bytes.push(self.state.mover() as u8);
        bytes.push(self.state.target().unwrap_or(9) as u8);
        bytes.push((self.value.clamp(0.0, 1.0) * 255.0).round() as u8);
        bytes.push((self.result * 2.0).round() as u8);
    }

    fn read(bytes: &[u8]) -> Result<Sample, String> {
        let set = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let marks = [0, 18].map(|half| std::array::from_fn(|board| set(half + 2 * board)));
        if bytes[36] > 1 || bytes[37] > 9 || bytes[39] > 2 {
            return Err("a sample's player, target or result is out of range".to_string());
        }
        let target = Some(usize::from(bytes[37])).filter(|&target| target < 9);
        let state = State::from_marks(&marks, Player::BOTH[usize::from(bytes[36])], target)?;
        Ok(Sample { state, value: f32::from(bytes[38]) / 255.0, result: f32::from(bytes[39]) / 2.0 })
    }
}

type Row = [f32; HIDDEN];

/// The network with floating-point weights.
pub struct TrainedNetwork {
    /// The weights of each input, the biases, the rows of output weights, and the output biases.
    numbers: Vec<f32>,
    /// The share of the game's result in the target; the rest is the search's value.
    result: f32,
}

/// The row of biases, which follows the rows of the inputs.
const BIASES: usize = INPUTS;
const OUTPUTS: usize = INPUTS + 1;
const ALL: usize = OUTPUTS + ROWS;

/// Maximum absolute value of a weight. With this limit, the sums of the quantised network fit into 16 bits.
const MAX_WEIGHT: f32 = 8.0;

/// A sample in the form that the network uses.
struct Seen {
    inputs: Vec<u16>,
    /// Index of the row of output weights.
    row: usize,
    target: f32,
}

impl TrainedNetwork {
    /// Creates a network with small random weights and equal rows of output weights. `result` is the share of the
    /// game's result in the target, from 0 to 1; the rest is the search's value.
    #[must_use]
    pub fn new(seed: u64, result: f32) -> TrainedNetwork {
        let mut rng = Rng::new(seed);
        let mut random = |count: usize, scale: f32| -> Vec<f32> {
            (0..count).map(|_| (rng.unit() as f32 * 2.0 - 1.0) * scale).collect()
        };
        let mut numbers = random(INPUTS * HIDDEN, 0.15);
        numbers.extend([0.3; HIDDEN]);
        numbers.extend(random(HIDDEN, 0.3).repeat(ROWS));
        numbers.extend([0.0; ROWS]);
        TrainedNetwork { numbers, result }
    }

    fn row(&self, row: usize) -> &Row {
        self.numbers[row * HIDDEN..][..HIDDEN].try_into().expect("a row has HIDDEN numbers")
    }

    fn bias(&self, row: usize) -> f32 {
        self.numbers[ALL * HIDDEN + row]
    }

    /// Returns the expected result, from 0 to 1, for the player who has just moved in a sample's position.
    #[must_use]
    pub fn evaluate(&self, sample: &Sample) -> f32 {
        self.forward(&Seen::new(sample, &SYMMETRIES[0], self.result)).1
    }

    /// Returns the sums of the hidden layer and the expected result.
    fn forward(&self, seen: &Seen) -> (Row, f32) {
        let mut sums = *self.row(BIASES);
        for &input in &seen.inputs {
            add(&mut sums, self.row(usize::from(input)));
        }
        let mut parts = [0.0f32; 16];
        for (sums, weights) in sums.chunks_exact(16).zip(self.row(OUTPUTS + seen.row).chunks_exact(16)) {
            for at in 0..16 {
                let clipped = sums[at].clamp(0.0, 1.0);
                parts[at] += clipped * clipped * weights[at];
            }
        }
        (sums, 1.0 / (1.0 + (-(self.bias(seen.row) + parts.iter().sum::<f32>())).exp()))
    }
}

/// The loss is logistic. Every use of a sample rotates or reflects the board at random.
impl Model for TrainedNetwork {
    type Example = Sample;

    fn numbers(&mut self) -> &mut Vec<f32> {
        &mut self.numbers
    }

    fn learn(&self, sample: &Sample, share: f32, rng: &mut Rng, gradient: &mut [f32]) -> f64 {
        let seen = Seen::new(sample, &SYMMETRIES[rng.below(8) as usize], self.result);
        let (sums, value) = self.forward(&seen);
        let error = share * (value - seen.target);
        let (rows, biases) = gradient.split_at_mut(ALL * HIDDEN);
        biases[seen.row] += error;
        let mut hidden = [0.0; HIDDEN];
        let (weights, outputs) = (self.row(OUTPUTS + seen.row), row_mut(rows, OUTPUTS + seen.row));
        for at in 0..HIDDEN {
            let clipped = sums[at].clamp(0.0, 1.0);
            let slope = if clipped < 1.0 { 2.0 * clipped } else { 0.0 };
            hidden[at] = error * weights[at] * slope;
            outputs[at] += error * clipped * clipped;
        }
        add(row_mut(rows, BIASES), &hidden);
        for &input in &seen.inputs {
            add(row_mut(rows, usize::from(input)), &hidden);
        }
        cross_entropy(value, seen.target)
    }

    fn restrict(&mut self) {
        self.numbers.iter_mut().for_each(|number| *number = number.clamp(-MAX_WEIGHT, MAX_WEIGHT));
    }

    fn loss(&self, samples: &[Sample]) -> f64 {
        let loss = |sample: &Sample| {
            let seen = Seen::new(sample, &SYMMETRIES[0], self.result);
            cross_entropy(self.forward(&seen).1, seen.target)
        };
        samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
    }

    fn write(&self) -> Vec<u8> {
        let numbers = self.numbers.iter().enumerate().map(|(at, number)| (number * one(at)).round() as i32);
        net::write_numbers(&numbers.collect::<Vec<i32>>())
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), String> {
        let numbers = unpack_numbers(bytes, NUMBERS)?.into_iter().enumerate();
        self.numbers = numbers.map(|(at, number)| f32::from(number) / one(at)).collect();
        Ok(())
    }
}

/// Returns the fixed-point representation of 1 at this index of a stored network.
fn one(at: usize) -> f32 {
    if at < OUTPUTS * HIDDEN {
        STORED_ONE
    } else {
        ONE as f32
    }
}

fn row_mut(rows: &mut [f32], row: usize) -> &mut Row {
    (&mut rows[row * HIDDEN..][..HIDDEN]).try_into().expect("a row has HIDDEN numbers")
}

fn cross_entropy(value: f32, target: f32) -> f64 {
    let value = f64::from(value.clamp(1e-6, 1.0 - 1e-6));
    let target = f64::from(target);
    -(target * value.ln() + (1.0 - target) * (1.0 - value).ln())
}

fn add(sums: &mut Row, weights: &Row) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum += weight;
    }
}

/// The images of the nine boards, or of a board's nine cells, under the eight symmetries of the square.
const SYMMETRIES: [[usize; 9]; 8] = {
    let mut symmetries = [[0; 9]; 8];
    let mut at = 0;
    while at < 72 {
        let (symmetry, row, column) = (at / 9, at % 9 / 3, at % 3);
        let (row, column) = if symmetry & 1 == 1 { (column, row) } else { (row, column) };
        let row = if symmetry & 2 == 2 { 2 - row } else { row };
        let column = if symmetry & 4 == 4 { 2 - column } else { column };
        symmetries[symmetry][at % 9] = 3 * row + column;
        at += 1;
    }
    symmetries
};

impl Seen {
    /// Returns the sample under a symmetry, from the view of the player who has just moved.
    fn new(sample: &Sample, symmetry: &[usize; 9], result: f32) -> Seen {
        let mut inputs = Vec::with_capacity(64);
        net::inputs(&sample.state, sample.state.mover().other(), |input| {
            inputs.push(net::turned_input(input, symmetry) as u16);
        });
        let next = net::next_board(&sample.state);
        let target = 1.0 - (result * sample.result + (1.0 - result) * sample.value);
        Seen { inputs, row: symmetry.get(next).copied().unwrap_or(next), target }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_survive_writing_and_reading() {
        let play = Play { solver: 20, champion: 20, opening: 8, blunder: 0.1, result: 0.5 };
        for sample in (0..20).flat_map(|seed| game(&play, None, seed)) {
            let (mut bytes, mut again) = (Vec::new(), Vec::new());
            sample.write(&mut bytes);
            assert_eq!(bytes.len(), Sample::BYTES);
            let read = Sample::read(&bytes).unwrap();
            read.write(&mut again);
            assert_eq!(again, bytes);
            assert_eq!(read.state.allowed(), sample.state.allowed());
        }
        assert!(Sample::read(&[255; 40]).is_err());
    }

    #[test]
    fn symmetries_are_permutations() {
        for symmetry in &SYMMETRIES {
            let mut seen: Vec<usize> = (0..INPUTS).map(|input| net::turned_input(input, symmetry)).collect();
            seen.sort_unstable();
            assert!(seen.iter().copied().eq(0..INPUTS));
        }
    }
}
