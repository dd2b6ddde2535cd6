//! A network that is trained with samples.

use super::Sample;
use contender_game::{
    rules::{Player, Rng},
    settings::Shipped,
};
use contender_value::{Evaluation, Features, Layout, Model, link};
use std::marker::PhantomData;
use std::ops::Range;

/// The network in floating point; see [`Evaluation`].
pub struct FeatureNetwork<G> {
    layout: Layout,
    numbers: Vec<f32>,
    game: PhantomData<fn() -> G>,
}

/// Number of features up to which all networks start with equally large weights. With more features, more of them occur
/// in a position, so the weights are smaller: otherwise most neurons would start clipped.
const FEW_FEATURES: f32 = 32.0;

/// Maximum absolute value of a parameter, which keeps the rounding errors in the file small.
const MAX_WEIGHT: f32 = 8.0;

impl<G: Features> FeatureNetwork<G> {
    /// Creates a network whose value is always 0, with different weights in its neurons. With 0 neurons, it is a
    /// weighted sum.
    #[must_use]
    pub fn new(neurons: usize, seed: u64) -> FeatureNetwork<G> {
        let layout = Layout::new(G::COUNT, neurons);
        let (mut rng, mut numbers) = (Rng::new(seed), vec![0.0; layout.count()]);
        numbers[layout.biases.clone()].fill(0.3);
        let width = 0.15 * (FEW_FEATURES / G::COUNT as f32).sqrt().min(1.0);
        numbers[layout.rows.clone()].fill_with(|| width * (2.0 * rng.unit() as f32 - 1.0));
        FeatureNetwork { layout, numbers, game: PhantomData }
    }

    /// Returns the sums of both players' neurons before clipping, and the weighted sum that gives the position's value
    /// for player 0.
    pub(super) fn forward(&self, sample: &Sample<G>) -> ([Vec<f32>; 2], f32) {
        let FeatureNetwork { layout, numbers, .. } = self;
        let mut sums = [(); 2].map(|()| numbers[layout.biases.clone()].to_vec());
        let mut worth = numbers[0];
        for player in Player::BOTH {
            let sign = player.sign() as f32;
            for &feature in sample.of(player) {
                worth += sign * numbers[1 + usize::from(feature)];
                let (to_own, to_other) = numbers[layout.row(feature.into())].split_at(layout.neurons);
                add(&mut sums[player], to_own);
                add(&mut sums[player.other()], to_other);
            }
        }
        for ((zero, one), output) in sums[0].iter().zip(&sums[1]).zip(&numbers[layout.outputs.clone()]) {
            worth += (clipped(*zero).powi(2) - clipped(*one).powi(2)) * output;
        }
        (sums, worth)
    }
}

fn clipped(sum: f32) -> f32 {
    sum.clamp(0.0, 1.0)
}

fn add(sums: &mut [f32], row: &[f32]) {
    for (sum, number) in sums.iter_mut().zip(row) {
        *sum += number;
    }
}

/// Returns the loss. Its derivative is `link(sum) - target`, as with the logistic loss for probabilities, and its
/// minimum is 0.
fn loss(sum: f32, target: f32) -> f64 {
    let (sum, target) = (f64::from(sum), f64::from(target));
    (1.0 + sum * sum).sqrt() - target * sum - (1.0 - target * target).sqrt()
}

impl<G: Features> Model for FeatureNetwork<G> {
    type Example = Sample<G>;

    fn numbers(&mut self) -> &mut Vec<f32> {
        &mut self.numbers
    }

    fn learn(&self, sample: &Sample<G>, share: f32, _: &mut Rng, gradient: &mut [f32]) -> f64 {
        let FeatureNetwork { layout, numbers, .. } = self;
        let (sums, sum) = self.forward(sample);
        let push = share * (link(f64::from(sum)) as f32 - sample.target);
        gradient[0] += push;
        // The gradient with respect to each neuron's sum, by player.
        let mut back = [(); 2].map(|()| vec![0.0; layout.neurons]);
        for player in Player::BOTH {
            let push = push * player.sign() as f32;
            for (neuron, &sum) in sums[player].iter().enumerate() {
                let clipped = clipped(sum);
                let slope = if clipped < 1.0 { 2.0 * clipped } else { 0.0 };
                back[player][neuron] = push * numbers[layout.outputs.start + neuron] * slope;
                gradient[layout.outputs.start + neuron] += push * clipped * clipped;
            }
            add(&mut gradient[layout.biases.clone()], &back[player]);
        }
        for player in Player::BOTH {
            for &feature in sample.of(player) {
                gradient[1 + usize::from(feature)] += push * player.sign() as f32;
                let (to_own, to_other) = gradient[layout.row(feature.into())].split_at_mut(layout.neurons);
                add(to_own, &back[player]);
                add(to_other, &back[player.other()]);
            }
        }
        loss(sum, sample.target)
    }

    fn parts(&self) -> Vec<(&'static str, Vec<Vec<Range<usize>>>)> {
        let layout = &self.layout;
        let features = (0..G::COUNT).map(|feature| vec![1 + feature..2 + feature, layout.row(feature)]);
        let neurons = layout.outputs.clone().map(|output| std::iter::once(output..output + 1).collect());
        vec![("features", features.collect()), ("neurons", neurons.collect())]
    }

    fn restrict(&mut self) {
        self.numbers.iter_mut().for_each(|number| *number = number.clamp(-MAX_WEIGHT, MAX_WEIGHT));
    }

    fn loss(&self, samples: &[Sample<G>]) -> f64 {
        let all: f64 = samples.iter().map(|sample| loss(self.forward(sample).1, sample.target)).sum();
        all / samples.len().max(1) as f64
    }

    fn write(&self) -> Vec<u8> {
        match self.layout.neurons {
            0 => Evaluation::<G>::new(self.numbers[0], &self.numbers[1..]).write(),
            neurons => Evaluation::<G>::network(neurons, self.numbers.clone()).write(),
        }
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), String> {
        let read = Evaluation::<G>::read(bytes)?;
        let (has, wanted) = (read.neurons(), self.layout.neurons);
        if has != wanted && has > 0 {
            return Err(format!("the network has {has} neurons, but the recipe asks for {wanted}"));
        }
        if has == 0 && read.numbers().len() != self.layout.linear.end {
            return Err("the weights belong to several stages of the game, but here it has one".to_string());
        }
        // A network that starts with weights begins with their values: its neurons count only after training.
        self.numbers[..read.numbers().len()].copy_from_slice(read.numbers());
        if has < wanted {
            self.numbers[self.layout.outputs.clone()].fill(0.0);
        }
        Ok(())
    }
}
