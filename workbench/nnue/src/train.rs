//! Fits the network to samples: logistic loss, Adam, all eight symmetries of the board.

use crate::sample::Sample;
use contender_game::Rng;
use contender_uttt::net::{self, HIDDEN, INPUTS, ONE};

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
    /// Weights of each input, then the biases, then the weights of the output.
    rows: Vec<Row>,
    bias: f32,
}

/// Where the rows beyond the inputs are.
const BIASES: usize = INPUTS;
const OUTPUT: usize = INPUTS + 1;

impl Network {
    /// Small random weights.
    #[must_use]
    pub fn new(seed: u64) -> Network {
        let mut rng = Rng::new(seed);
        let mut row = |scale: f32| {
            let mut row = [0.0; HIDDEN];
            row.fill_with(|| (rng.unit() as f32 * 2.0 - 1.0) * scale);
            row
        };
        let mut rows: Vec<Row> = (0..INPUTS).map(|_| row(0.2)).collect();
        rows.push([0.3; HIDDEN]);
        rows.push(row(0.3));
        Network { rows, bias: 0.0 }
    }

    /// The sums of the hidden layer and the expected result.
    fn forward(&self, inputs: &[u8]) -> (Row, f32) {
        let mut sums = self.rows[BIASES];
        for &input in inputs {
            add(&mut sums, &self.rows[usize::from(input)], 1.0);
        }
        let mut parts = [0.0f32; 8];
        for (sums, weights) in sums.chunks_exact(8).zip(self.rows[OUTPUT].chunks_exact(8)) {
            for at in 0..8 {
                parts[at] += sums[at].clamp(0.0, 1.0) * weights[at];
            }
        }
        (sums, 1.0 / (1.0 + (-(self.bias + parts.iter().sum::<f32>())).exp()))
    }

    /// The mean logistic loss.
    #[must_use]
    pub fn loss(&self, samples: &[Sample], result: f32) -> f64 {
        let mut inputs = Vec::new();
        let loss = |sample: &Sample| {
            let target = list_inputs(sample, 0, result, &mut inputs);
            cross_entropy(self.forward(&inputs).1, target)
        };
        samples.iter().map(loss).sum::<f64>() / samples.len() as f64
    }

    /// The numbers as [`contender_uttt::net::Net::read`] reads them, rounded.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut numbers: Vec<i32> =
            self.rows.iter().flatten().map(|number| (number * ONE as f32).round() as i32).collect();
        numbers.push((self.bias * ONE as f32).round() as i32);
        net::write_numbers(&numbers)
    }
}

fn cross_entropy(value: f32, target: f32) -> f64 {
    let value = f64::from(value.clamp(1e-6, 1.0 - 1e-6));
    let target = f64::from(target);
    -(target * value.ln() + (1.0 - target) * (1.0 - value).ln())
}

fn add(sums: &mut Row, weights: &Row, factor: f32) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum += factor * weight;
    }
}

/// Cells of a 3 x 3 board under the eight symmetries of the square.
fn turned(symmetry: usize, cell: usize) -> usize {
    let (row, column) = (cell / 3, cell % 3);
    let (row, column) = if symmetry & 1 == 1 { (column, row) } else { (row, column) };
    let row = if symmetry & 2 == 2 { 2 - row } else { row };
    let column = if symmetry & 4 == 4 { 2 - column } else { column };
    3 * row + column
}

/// An input's number after a symmetry: boards and cells turn together.
fn turned_input(symmetry: usize, input: usize) -> usize {
    match input {
        0..162 => {
            let (side, cell) = (input / 81, input % 81);
            81 * side + 9 * turned(symmetry, cell / 9) + turned(symmetry, cell % 9)
        }
        162..198 => {
            let at = input - 162;
            162 + 9 * (at / 9) + turned(symmetry, at % 9)
        }
        _ => input,
    }
}

/// Lists the inputs of a sample under a symmetry and gives its target, for the player who has just moved.
fn list_inputs(sample: &Sample, symmetry: usize, result: f32, inputs: &mut Vec<u8>) -> f32 {
    inputs.clear();
    net::inputs(&sample.state, sample.state.mover().other(), |input| {
        inputs.push(turned_input(symmetry, input) as u8);
    });
    1.0 - (result * sample.result + (1.0 - result) * sample.value)
}

/// Adam's running means of gradients and their squares.
struct Moments {
    first: Vec<Row>,
    second: Vec<Row>,
    bias: [f32; 2],
    step: i32,
}

impl Moments {
    fn new() -> Moments {
        Moments {
            first: vec![[0.0; HIDDEN]; INPUTS + 2],
            second: vec![[0.0; HIDDEN]; INPUTS + 2],
            bias: [0.0; 2],
            step: 0,
        }
    }

    /// One step; weights stay within what the text of a network can hold.
    fn apply(&mut self, network: &mut Network, gradients: &mut [Row], bias: f32, rate: f32) {
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
        let [first, second] = &mut self.bias;
        network.bias = (network.bias - update(first, second, bias)).clamp(-8.0, 8.0);
    }
}

/// Fits a new network; `progress` hears after each epoch its number and the mean loss of it.
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
    let mut gradients = vec![[0.0; HIDDEN]; INPUTS + 2];
    let mut inputs = Vec::new();
    let steps = training.epochs as usize * samples.len().div_ceil(training.batch);
    let mut step = 0;
    for epoch in 1..=training.epochs {
        rng.shuffle(&mut order);
        let mut loss = 0.0;
        for batch in order.chunks(training.batch) {
            let mut bias = 0.0;
            for &number in batch {
                let symmetry = rng.below(8) as usize;
                let target = list_inputs(&samples[number as usize], symmetry, training.result, &mut inputs);
                let (sums, value) = network.forward(&inputs);
                loss += cross_entropy(value, target);
                let error = (value - target) / batch.len() as f32;
                bias += error;
                let mut hidden = [0.0; HIDDEN];
                for at in 0..HIDDEN {
                    let is_between = sums[at] > 0.0 && sums[at] < 1.0;
                    hidden[at] = if is_between { error * network.rows[OUTPUT][at] } else { 0.0 };
                    gradients[OUTPUT][at] += error * sums[at].clamp(0.0, 1.0);
                }
                add(&mut gradients[BIASES], &hidden, 1.0);
                for &input in &inputs {
                    add(&mut gradients[usize::from(input)], &hidden, 1.0);
                }
            }
            let rate =
                training.rate * 0.5 * (1.0 + (std::f32::consts::PI * step as f32 / steps as f32).cos());
            moments.apply(&mut network, &mut gradients, bias, rate);
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
        for symmetry in 0..8 {
            let mut seen: Vec<usize> = (0..INPUTS).map(|input| turned_input(symmetry, input)).collect();
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
        let mut inputs = Vec::new();
        for sample in &samples {
            list_inputs(sample, 0, 0.5, &mut inputs);
            let (float, whole) = (network.forward(&inputs).1, quantised.evaluate(&sample.state));
            assert!((float - whole).abs() < 0.05, "{float} {whole}");
        }
    }
}
