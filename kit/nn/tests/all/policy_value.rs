//! Tests of networks over maps against slow reference implementations in `f64`, with every instruction set of the
//! machine.

use contender_nn::lanes::Instructions;
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_nn::winograd::Size;
use proptest::prelude::*;

/// The largest networks: their frame, their channels in units of 16, and their blocks. Miri needs minutes for the small
/// ones.
const MAX: (Size, usize, usize) =
    if cfg!(miri) { (Size { width: 5, height: 3 }, 1, 1) } else { (Size { width: 13, height: 9 }, 2, 2) };
const CASES: u32 = if cfg!(miri) { 4 } else { 120 };

/// A generator of small, different numbers.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * n as f32) as usize % n
    }
}

/// Computes the last map of the network directly from the definition, cell by cell.
fn slow_map(shape: Shape, parameters: &[f32], input: &Planes) -> Vec<f64> {
    let layout = shape.layout();
    let size = input.size();
    let (width, height, channels) = (size.width, size.height, shape.channels);
    let number = |at: usize| f64::from(parameters[at]);
    let dense = input.dense(shape.planes);
    let mut map = vec![0.0; width * height * channels];
    for cell in 0..width * height {
        for to in 0..channels {
            let mut sum = number(layout.embed_bias.start + to);
            for from in 0..shape.planes {
                sum += f64::from(dense[cell * shape.planes + from])
                    * number(layout.embed.start + from * channels + to);
            }
            map[cell * channels + to] = sum.max(0.0);
        }
    }
    let convolve = |map: &[f64], layer: usize, around: Option<&[f64]>| {
        let [weights, bias] = &layout.convolutions[layer];
        let mut out = vec![0.0; map.len()];
        for y in 0..height {
            for x in 0..width {
                for to in 0..channels {
                    let at = (y * width + x) * channels + to;
                    let mut sum = number(bias.start + to) + around.map_or(0.0, |around| around[at]);
                    for dy in 0..3 {
                        for dx in 0..3 {
                            let (row, column) = (y + dy, x + dx);
                            if (1..=height).contains(&row) && (1..=width).contains(&column) {
                                for from in 0..channels {
                                    let weight =
                                        weights.start + ((3 * dy + dx) * channels + from) * channels + to;
                                    sum += number(weight)
                                        * map[((row - 1) * width + column - 1) * channels + from];
                                }
                            }
                        }
                    }
                    out[at] = sum.max(0.0);
                }
            }
        }
        out
    };
    for block in 0..shape.blocks {
        let inner = convolve(&map, 2 * block, None);
        map = convolve(&inner, 2 * block + 1, Some(&map));
    }
    map
}

/// Evaluates the network directly from its definition, cell by cell.
fn slow(shape: Shape, parameters: &[f32], input: &Planes) -> (Vec<f64>, Vec<f64>, f64) {
    let layout = shape.layout();
    let Size { width, height } = input.size();
    let channels = shape.channels;
    let number = |at: usize| f64::from(parameters[at]);
    let map = slow_map(shape, parameters, input);
    let heads = shape.heads();
    let mut logits = Vec::new();
    let mut wait: Vec<f64> = layout.wait_bias.clone().map(number).collect();
    let mut neurons: Vec<f64> = layout.hidden_bias.clone().map(number).collect();
    for cell in 0..width * height {
        let of_frame = cell / width * shape.frame.width + cell % width;
        for head in 0..heads {
            let mut sum = number(layout.heads_bias.start + head);
            for from in 0..channels {
                sum += map[cell * channels + from] * number(layout.heads.start + from * heads + head);
            }
            let (side, action) = (head / (shape.actions + 1), head % (shape.actions + 1));
            if head + 1 < heads && action < shape.actions {
                logits.push(sum);
            } else if head + 1 < heads {
                wait[side] += sum * number(layout.wait.start + side * shape.cells() + of_frame);
            } else {
                for (neuron, to) in neurons.iter_mut().enumerate() {
                    *to += sum.max(0.0) * number(layout.hidden.start + of_frame * shape.hidden + neuron);
                }
            }
        }
    }
    let mut value = number(layout.value_bias.start);
    for (neuron, of) in neurons.into_iter().enumerate() {
        value += of.max(0.0) * number(layout.value.start + neuron);
    }
    (logits, wait, value)
}

fn some_input(numbers: &mut Numbers, size: Size, planes: usize) -> Planes {
    let mut input = Planes::new(size);
    input.spread(numbers.below(planes) as u16, numbers.next());
    for _ in 0..size.width * size.height {
        for _ in 0..numbers.below(5) {
            input.set(numbers.below(planes) as u16, numbers.next());
        }
        input.end_cell();
    }
    input
}

fn close(fast: f32, slow: f64, scale: f64, what: &str) -> Result<(), TestCaseError> {
    prop_assert!((f64::from(fast) - slow).abs() < 1e-4 * scale, "{}: {} instead of {}", what, fast, slow);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn networks_equal_their_definition(
        seed in any::<u64>(),
        (width, height) in (1..=MAX.0.width, 1..=MAX.0.height),
        (wide, blocks, sides, actions) in (1..=MAX.1, 0..=MAX.2, 1..=2usize, 1..=17usize),
        (hidden, planes) in (1..=20usize, 1..=12usize),
    ) {
        let frame = MAX.0;
        let shape = Shape { planes, channels: 16 * wide, blocks, sides, actions, hidden, frame };
        let mut numbers = Numbers(seed);
        let parameters: Vec<f32> = (0..shape.parameters()).map(|_| 0.2 * numbers.next()).collect();
        let network = Network::new(shape, &parameters);
        // An evaluation with another size comes first, to show whether it leaves anything behind.
        let inputs = [frame, Size { width, height }].map(|size| some_input(&mut numbers, size, planes));
        let (logits, wait, value) = slow(shape, &parameters, &inputs[1]);
        let scale = logits.iter().fold(1.0f64, |most, logit| most.max(logit.abs()));
        for instructions in Instructions::all() {
            let mut work = Workspace::new(shape);
            for input in &inputs {
                network.evaluate(instructions, input, &mut work);
            }
            for (at, &logit) in logits.iter().enumerate() {
                let (cell, side, action) = (at / actions / sides, at / actions % sides, at % actions);
                let of_frame = cell / width * frame.width + cell % width;
                close(work.logit(of_frame, side, action), logit, scale, "a logit")?;
            }
            for (&fast, &slow) in work.wait.iter().zip(&wait) {
                close(fast, slow, scale * 4.0, "waiting")?;
            }
            close(work.value, value, scale * 4.0, "the value")?;
        }
    }
}

#[test]
fn the_network_of_the_write_up_has_about_98_thousand_parameters() {
    let frame = Size { width: 24, height: 12 };
    let shape = Shape { planes: 93, channels: 32, blocks: 4, sides: 1, actions: 14, hidden: 70, frame };
    assert_eq!(shape.parameters(), 98_110);
}
