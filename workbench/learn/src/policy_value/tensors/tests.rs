//! The gradients of burn's tensors against those of our own kernels, on burn's backend for processors.

use super::*;
use crate::adam::Adam;
use crate::policy_value::engine::Engine;
use crate::policy_value::engine::tests::{Linear, linear, parameters};
use burn_autodiff::Autodiff;
use burn_flex::Flex;
use contender_game::Rng;
use contender_nn::winograd::Size;

type OnProcessor = TensorEngine<Autodiff<Flex>>;

/// Sizes that differ in each number, among them none of some layers; heads fill their memory and do not.
const SHAPES: [Shape; 4] = [
    shape([7, 16, 2, 3, 5], [9, 6]),
    shape([4, 32, 1, 14, 20], [5, 8]),
    shape([3, 16, 0, 1, 1], [4, 4]),
    shape([93, 16, 3, 14, 7], [24, 12]),
];

const fn shape(
    [planes, channels, blocks, actions, hidden]: [usize; 5],
    [width, height]: [usize; 2],
) -> Shape {
    Shape { planes, channels, blocks, actions, hidden, frame: Size { width, height } }
}

fn distance(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>().sqrt()
}

/// Asserts that two gradients agree in each layer, to a ten-thousandth of their length.
fn assert_near(shape: Shape, ours: &[f32], theirs: &[f32]) {
    let Layout { embed, embed_bias, convolutions, heads, heads_bias, .. } = shape.layout();
    let Layout { wait, wait_bias, hidden, hidden_bias, value, value_bias, .. } = shape.layout();
    let mut layers = vec![embed, embed_bias, heads, heads_bias, wait, wait_bias];
    layers.extend([hidden, hidden_bias, value, value_bias]);
    layers.extend(convolutions.into_iter().flatten());
    let zeros = vec![0.0; ours.len()];
    for layer in layers {
        let length = distance(&ours[layer.clone()], &zeros);
        let apart = distance(&ours[layer.clone()], &theirs[layer.clone()]);
        assert!(apart <= 1e-4 * length + 1e-6, "{shape:?} {layer:?}: {apart} of {length}");
    }
}

#[test]
fn gradients_are_those_of_our_own_kernels() {
    let mut rng = Rng::new(1);
    for shape in SHAPES {
        let examples: Vec<Linear> = (0..9).map(|_| linear(shape, &mut rng)).collect();
        let chosen: Vec<&Linear> = examples.iter().collect();
        let parameters = parameters(shape, &mut rng);
        // What is there already is added to.
        let [mut ours, mut theirs] = [(); 2].map(|()| vec![0.01; parameters.len()]);
        let figures = Engine::new(shape, &parameters, 1).gradient(&chosen, &mut ours);
        let same = OnProcessor::new(shape, &parameters, Default::default(), 2).gradient(&chosen, &mut theirs);
        assert_near(shape, &ours, &theirs);
        assert!((figures[0] - same[0]).abs() <= 1e-4 * (1.0 + figures[0].abs()), "{figures:?} {same:?}");
        assert_eq!(figures[5], same[5]);
    }
}

/// Adds the gradient by these parameters for a batch.
type GradientOf<'a> = dyn FnMut(&[f32], &[&Linear], &mut [f32]) + 'a;

#[test]
fn steps_lead_to_the_same_parameters() {
    let mut rng = Rng::new(2);
    let shape = SHAPES[0];
    let batches: Vec<Vec<Linear>> =
        (0..6).map(|_| (0..5).map(|_| linear(shape, &mut rng)).collect()).collect();
    let start = parameters(shape, &mut rng);
    let learned = |gradient_of: &mut GradientOf<'_>| {
        let (mut parameters, mut adam) = (start.clone(), Adam::new(start.len()));
        let mut gradient = vec![0.0; start.len()];
        for batch in &batches {
            gradient_of(&parameters, &batch.iter().collect::<Vec<_>>(), &mut gradient);
            adam.step(&mut parameters, &mut gradient, 1e-3);
        }
        parameters
    };
    let mut own = Engine::new(shape, &start, 1);
    let ours = learned(&mut |parameters, batch, gradient| {
        own.set(parameters);
        own.gradient(batch, gradient);
    });
    let mut on_device = OnProcessor::new(shape, &start, Default::default(), 1);
    let theirs = learned(&mut |parameters, batch, gradient| {
        on_device.set(parameters);
        on_device.gradient(batch, gradient);
    });
    // Adam's first steps are as long for the smallest gradients, whose signs rounding decides, as for the largest.
    let moved = distance(&start, &ours);
    let apart = distance(&ours, &theirs);
    assert!(moved > 0.0 && apart < 0.2 * moved, "{apart} of {moved}");
}
