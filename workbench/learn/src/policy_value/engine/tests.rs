//! Gradients, compared with finite differences.

use super::pass::live;
use super::*;
use contender_game::rules::Rng;
use contender_nn::policy_value::{Network, Workspace};

/// A position whose loss is a random linear function of the network's outputs and of the square of the value.
struct Linear {
    shape: Shape,
    input: Planes,
    slopes: Vec<f32>,
    of_wait: [f32; SIDES],
    of_value: f32,
}

impl Example for Linear {
    fn encode(&self, input: &mut Planes) {
        input.clone_from(&self.input);
    }

    fn size(&self) -> Size {
        self.input.size()
    }

    fn loss(&self, output: &Output<'_>, delta: &mut OutputGradient<'_>) -> LossTerms {
        let mut loss = f64::from(self.of_value * output.value * output.value);
        delta.wait = self.of_wait;
        loss += output.wait.iter().zip(&self.of_wait).map(|(wait, of)| f64::from(wait * of)).sum::<f64>();
        delta.value = 2.0 * self.of_value * output.value;
        let size = self.size();
        for cell in live(size, self.shape.frame.width) {
            for (side, action) in (0..2 * self.shape.actions).map(|at| (at % 2, at / 2)) {
                let at = cell * self.shape.head_stride() + self.shape.first_head(side) + action;
                loss += f64::from(self.slopes[at]) * f64::from(output.logits[at]);
                delta.logits[at] = self.slopes[at];
            }
        }
        [loss, 0.0, 0.0, 0.0, 0.0, 1.0]
    }
}

const FRAME: Size = Size { width: 9, height: 6 };
const SHAPE: Shape =
    Shape { planes: 7, channels: 16, blocks: 2, sides: 2, actions: 3, hidden: 5, frame: FRAME };

fn random(rng: &mut Rng) -> f32 {
    2.0 * rng.unit() as f32 - 1.0
}

/// Returns a position with a random size that fits the shape.
fn linear(shape: Shape, rng: &mut Rng) -> Linear {
    let size = Size { width: 1 + rng.index(shape.frame.width), height: 1 + rng.index(shape.frame.height) };
    let mut input = Planes::new(size);
    let last = shape.planes as u16 - 1;
    input.spread(last, random(rng));
    for _ in 0..size.width * size.height {
        input.set(rng.below(u32::from(last)) as u16, random(rng));
        input.end_cell();
    }
    let slopes = (0..shape.cells() * shape.head_stride()).map(|_| random(rng)).collect();
    Linear { shape, input, slopes, of_wait: [random(rng), random(rng)], of_value: random(rng) }
}

fn parameters(shape: Shape, rng: &mut Rng) -> Vec<f32> {
    (0..shape.parameters()).map(|_| 0.3 * random(rng)).collect()
}

/// Returns the mean loss, computed with the bots' evaluation.
fn loss(parameters: &[f32], examples: &[Linear]) -> f64 {
    let network = Network::new(SHAPE, parameters);
    let mut work = Workspace::new(SHAPE);
    let losses = examples.iter().map(|example| {
        network.evaluate(Instructions::best(), &example.input, &mut work);
        let mut logits = work.logits.clone();
        let output = Output { shape: SHAPE, logits: &work.logits, wait: work.wait, value: work.value };
        example.loss(&output, &mut OutputGradient { logits: &mut logits, wait: [0.0; SIDES], value: 0.0 })[0]
    });
    losses.sum::<f64>() / examples.len() as f64
}

#[test]
fn gradients_equal_finite_differences() {
    let mut rng = Rng::new(2);
    let examples: Vec<Linear> = (0..12).map(|_| linear(SHAPE, &mut rng)).collect();
    let parameters = parameters(SHAPE, &mut rng);
    let mut gradient = vec![0.0; SHAPE.parameters()];
    let chosen: Vec<&Linear> = examples.iter().collect();
    let terms = Engine::new(SHAPE, &parameters, 2).gradient(&chosen, &mut gradient);
    assert!((terms[0] / 12.0 - loss(&parameters, &examples)).abs() < 1e-3);
    let layout = SHAPE.layout();
    let mut layers = vec![("embed", layout.embed), ("embed bias", layout.embed_bias)];
    for [weights, bias] in layout.convolutions {
        layers.extend([("convolution", weights), ("bias", bias)]);
    }
    layers.extend([("heads", layout.heads), ("heads bias", layout.heads_bias), ("wait", layout.wait)]);
    layers.extend([("wait bias", layout.wait_bias), ("hidden", layout.hidden)]);
    layers.extend([
        ("hidden bias", layout.hidden_bias),
        ("value", layout.value),
        ("value bias", layout.value_bias),
    ]);
    // Each layer is tested separately, in several random directions, so that kinks of single neurons matter little.
    for (name, range) in layers {
        for _ in 0..4 {
            let direction: Vec<f32> = range.clone().map(|_| random(&mut rng)).collect();
            let slope: f64 =
                range.clone().zip(&direction).map(|(at, &part)| f64::from(gradient[at] * part)).sum();
            let step = 1e-3 / (range.len() as f32).sqrt().max(1.0);
            let moved = |sign: f32| {
                let mut parameters = parameters.clone();
                for (at, part) in range.clone().zip(&direction) {
                    parameters[at] += sign * step * part;
                }
                loss(&parameters, &examples)
            };
            let measured = (moved(1.0) - moved(-1.0)) / (2.0 * f64::from(step));
            let size = range.clone().map(|at| f64::from(gradient[at]).powi(2)).sum::<f64>().sqrt();
            assert!(
                (slope - measured).abs() < 0.02 * size + 1e-3,
                "{name}: {slope} instead of {measured}, {size}"
            );
        }
    }
}

#[test]
fn gradients_do_not_depend_on_threads_and_add_up() {
    let mut rng = Rng::new(2);
    let examples: Vec<Linear> = (0..37).map(|_| linear(SHAPE, &mut rng)).collect();
    let chosen: Vec<&Linear> = examples.iter().collect();
    let parameters = parameters(SHAPE, &mut rng);
    let of = |threads: usize, examples: &[&Linear]| {
        let mut gradient = vec![0.0; SHAPE.parameters()];
        Engine::new(SHAPE, &parameters, threads).gradient(examples, &mut gradient);
        gradient
    };
    let all = of(1, &chosen);
    assert_eq!(all, of(3, &chosen));
    let mut sum = vec![0.0f64; SHAPE.parameters()];
    for one in &chosen {
        sum.iter_mut().zip(of(1, &[*one])).for_each(|(sum, part)| *sum += f64::from(part) / 37.0);
    }
    for (sum, part) in sum.iter().zip(all) {
        assert!((sum - f64::from(part)).abs() < 1e-4, "{sum} {part}");
    }
}
