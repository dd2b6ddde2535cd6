//! Fits the network to samples: logistic loss, Adam, all eight symmetries of the board.
//!
//! The loops over rows are plain; built for the machine's own vectors (`-C target-cpu=native`) they are several times as fast.

use crate::sample::Sample;
use contender_game::Rng;
use contender_uttt::net::{self, HIDDEN, INPUTS, ONE, ROWS, STORED_ONE};

/// How a network is fitted.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// Passes over the samples, each with a random symmetry for every sample.
    pub epochs: u32,
    /// Samples of a step.
    pub batch: usize,
    /// Step size at the start; it falls to nothing like a cosine.
    pub rate: f32,
    /// The target is this share of the game's result, the rest is the search's value.
    pub result: f32,
}

type Row = [f32; HIDDEN];

/// The network in floating point.
pub struct Network {
    /// Weights of each input, then the biases, then the rows of output weights.
    rows: Vec<Row>,
    biases: [f32; ROWS],
}

/// Where the rows beyond the inputs are.
const BIASES: usize = INPUTS;
const OUTPUTS: usize = INPUTS + 1;
const ALL: usize = OUTPUTS + ROWS;

/// A sample as the network sees it.
struct Seen {
    inputs: Vec<u16>,
    /// The row of output weights.
    row: usize,
    target: f32,
}

impl Network {
    /// Small random weights; the rows of output weights begin equal.
    #[must_use]
    pub fn new(seed: u64) -> Network {
        let mut rng = Rng::new(seed);
        let mut row = |scale: f32| {
            let mut row = [0.0; HIDDEN];
            row.fill_with(|| (rng.unit() as f32 * 2.0 - 1.0) * scale);
            row
        };
        let mut rows: Vec<Row> = (0..INPUTS).map(|_| row(0.15)).collect();
        rows.push([0.3; HIDDEN]);
        rows.extend([row(0.3); ROWS]);
        Network { rows, biases: [0.0; ROWS] }
    }

    /// The sums of the hidden layer and the expected result.
    fn forward(&self, seen: &Seen) -> (Row, f32) {
        let mut sums = self.rows[BIASES];
        for &input in &seen.inputs {
            add(&mut sums, &self.rows[usize::from(input)]);
        }
        let mut parts = [0.0f32; 16];
        for (sums, weights) in sums.chunks_exact(16).zip(self.rows[OUTPUTS + seen.row].chunks_exact(16)) {
            for at in 0..16 {
                let clipped = sums[at].clamp(0.0, 1.0);
                parts[at] += clipped * clipped * weights[at];
            }
        }
        (sums, 1.0 / (1.0 + (-(self.biases[seen.row] + parts.iter().sum::<f32>())).exp()))
    }

    /// The mean logistic loss.
    #[must_use]
    pub fn loss(&self, samples: &[Sample], result: f32) -> f64 {
        let mut seen = Seen::new();
        let loss = |sample: &Sample| {
            seen.look(sample, &SYMMETRIES[0], result);
            cross_entropy(self.forward(&seen).1, seen.target)
        };
        samples.iter().map(loss).sum::<f64>() / samples.len() as f64
    }

    /// The numbers as [`contender_uttt::net::Net::read`] reads them, rounded.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let (inputs, outputs) = self.rows.split_at(OUTPUTS);
        let inputs = inputs.iter().flatten().map(|number| number * STORED_ONE);
        let outputs = outputs.iter().flatten().chain(&self.biases).map(|number| number * ONE as f32);
        net::write_numbers(&inputs.chain(outputs).map(|number| number.round() as i32).collect::<Vec<i32>>())
    }
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

/// Where the nine boards, or the cells of a board, go under the eight symmetries of the square.
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
    fn new() -> Seen {
        Seen { inputs: Vec::new(), row: 0, target: 0.0 }
    }

    /// The sample under a symmetry, for the player who has just moved.
    fn look(&mut self, sample: &Sample, symmetry: &[usize; 9], result: f32) {
        self.inputs.clear();
        net::inputs(&sample.state, sample.state.mover().other(), |input| {
            self.inputs.push(net::turned_input(input, symmetry) as u16);
        });
        let next = net::next_board(&sample.state);
        self.row = symmetry.get(next).copied().unwrap_or(next);
        self.target = 1.0 - (result * sample.result + (1.0 - result) * sample.value);
    }
}

/// Adam's running means of gradients and their squares.
struct Moments {
    first: Vec<Row>,
    second: Vec<Row>,
    biases: [[f32; 2]; ROWS],
    step: i32,
}

impl Moments {
    fn new() -> Moments {
        Moments {
            first: vec![[0.0; HIDDEN]; ALL],
            second: vec![[0.0; HIDDEN]; ALL],
            biases: [[0.0; 2]; ROWS],
            step: 0,
        }
    }

    /// One step, which also clears the gradients.
    fn apply(&mut self, network: &mut Network, gradients: &mut [Row], biases: &[f32; ROWS], rate: f32) {
        const DECAYS: [f32; 2] = [0.9, 0.999];
        self.step += 1;
        let scale = rate * (1.0 - DECAYS[1].powi(self.step)).sqrt() / (1.0 - DECAYS[0].powi(self.step));
        let update = |first: &mut f32, second: &mut f32, gradient: f32| {
            *first += (1.0 - DECAYS[0]) * (gradient - *first);
            *second += (1.0 - DECAYS[1]) * (gradient * gradient - *second);
            scale * *first / (second.sqrt() + 1e-8)
        };
        for (row, gradients) in gradients.iter_mut().enumerate() {
            let (first, second) = (&mut self.first[row], &mut self.second[row]);
            for at in 0..HIDDEN {
                let weight = &mut network.rows[row][at];
                *weight = (*weight - update(&mut first[at], &mut second[at], gradients[at])).clamp(-8.0, 8.0);
                gradients[at] = 0.0;
            }
        }
        for ((bias, [first, second]), &gradient) in
            network.biases.iter_mut().zip(&mut self.biases).zip(biases)
        {
            *bias = (*bias - update(first, second, gradient)).clamp(-8.0, 8.0);
        }
    }
}

/// Fits a new network; `progress` hears after each epoch its number and the mean loss of it. Samples in which a player can win at once
/// must not be among them, as the network is not asked about these.
#[must_use]
pub fn train(
    samples: &[Sample],
    training: &Training,
    seed: u64,
    mut progress: impl FnMut(u32, f64, &Network),
) -> Network {
    let mut network = Network::new(seed);
    let mut moments = Moments::new();
    let mut rng = Rng::new(seed ^ 1);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut gradients = vec![[0.0; HIDDEN]; ALL];
    let mut seen = Seen::new();
    let steps = training.epochs as usize * samples.len().div_ceil(training.batch);
    let mut step = 0;
    for epoch in 1..=training.epochs {
        rng.shuffle(&mut order);
        let mut loss = 0.0;
        for batch in order.chunks(training.batch) {
            let mut biases = [0.0; ROWS];
            for &number in batch {
                let symmetry = &SYMMETRIES[rng.below(8) as usize];
                seen.look(&samples[number as usize], symmetry, training.result);
                let (sums, value) = network.forward(&seen);
                loss += cross_entropy(value, seen.target);
                let error = (value - seen.target) / batch.len() as f32;
                biases[seen.row] += error;
                let mut hidden = [0.0; HIDDEN];
                let weights = &network.rows[OUTPUTS + seen.row];
                let gradient = &mut gradients[OUTPUTS + seen.row];
                for at in 0..HIDDEN {
                    let clipped = sums[at].clamp(0.0, 1.0);
                    let slope = if clipped < 1.0 { 2.0 * clipped } else { 0.0 };
                    hidden[at] = error * weights[at] * slope;
                    gradient[at] += error * clipped * clipped;
                }
                add(&mut gradients[BIASES], &hidden);
                for &input in &seen.inputs {
                    add(&mut gradients[usize::from(input)], &hidden);
                }
            }
            let rate =
                training.rate * 0.5 * (1.0 + (std::f32::consts::PI * step as f32 / steps as f32).cos());
            moments.apply(&mut network, &mut gradients, &biases, rate);
            step += 1;
        }
        progress(epoch, loss / samples.len() as f64, &network);
    }
    network
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Play, Who, game};
    use contender_uttt::net::Net;

    fn samples() -> Vec<Sample> {
        (0..20)
            .flat_map(|seed| {
                game(&Play { player: Who::Solver, iterations: 20, opening: 8, blunder: 0.1 }, seed)
            })
            .collect()
    }

    #[test]
    fn samples_survive_writing_and_reading() {
        for sample in samples() {
            let read = Sample::read(&sample.write()).unwrap();
            assert_eq!(read.write(), sample.write());
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

    #[test]
    fn training_learns_and_what_is_written_evaluates_alike() {
        let samples = samples();
        let training = Training { epochs: 6, batch: 64, rate: 0.005, result: 0.5 };
        let before = Network::new(1).loss(&samples, 0.5);
        let network = train(&samples, &training, 1, |_, _, _| ());
        assert!(network.loss(&samples, 0.5) < 0.9 * before, "{before}");
        let quantised = Net::read(&network.write()).unwrap();
        let mut seen = Seen::new();
        for sample in &samples {
            seen.look(sample, &SYMMETRIES[0], 0.5);
            let (float, whole) = (network.forward(&seen).1, quantised.evaluate(&sample.state));
            assert!((float - whole).abs() < 0.05, "{float} {whole}");
        }
    }
}
