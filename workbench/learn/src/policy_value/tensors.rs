//! The same gradients by the tensors of burn, on any of its backends: on a graphics card, or on the processor for tests.
//!
//! All parameters are one tensor and layers are slices of it, so its gradient is in the order of the parameters. A batch goes forward on
//! the device, and the losses of what the network says are computed here. The sum of all that it said, each number times the loss's
//! gradient by it, has the gradient of the loss.

#[cfg(test)]
mod tests;

use super::engine::{Blame, Example, Figures, Said};
use super::parallel::in_parallel;
use burn_tensor::activation::relu;
use burn_tensor::backend::AutodiffBackend;
use burn_tensor::module::conv2d;
use burn_tensor::ops::ConvOptions;
use burn_tensor::{Tensor, TensorData};
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Layout, Shape, widen};
use std::ops::Range;

/// Numbers in the maps of the positions that go through the layers together: a gigabyte. For the way back burn keeps several times that.
const NUMBERS: usize = 1 << 28;

/// A training's network on a device of burn's, ready for passes forward and backward.
pub struct TensorEngine<B: AutodiffBackend> {
    shape: Shape,
    layout: Layout,
    parameters: Tensor<B, 1>,
    device: B::Device,
    /// For what is computed here.
    threads: usize,
}

impl<B: AutodiffBackend> TensorEngine<B> {
    /// The network with these parameters on a device; encoding and losses are for so many threads.
    ///
    /// # Panics
    /// If there are not as many parameters as the shape has.
    #[must_use]
    pub fn new(shape: Shape, parameters: &[f32], device: B::Device, threads: usize) -> TensorEngine<B> {
        assert_eq!(parameters.len(), shape.parameters(), "a number for each parameter");
        let parameters = Tensor::from_data(parameters, &device).require_grad();
        TensorEngine { shape, layout: shape.layout(), parameters, device, threads }
    }

    /// Takes other parameters.
    ///
    /// # Panics
    /// If there are not as many as the shape has.
    pub fn set(&mut self, parameters: &[f32]) {
        *self = TensorEngine::new(self.shape, parameters, self.device.clone(), self.threads);
    }

    /// Adds the gradient of the mean loss of the examples to `gradient`, and returns the sums of their figures.
    ///
    /// # Panics
    /// If an input does not fit the network, or the device fails.
    pub fn gradient<E: Example>(&self, examples: &[&E], gradient: &mut [f32]) -> Figures {
        let of_position = self.shape.cells() * self.shape.channels * (2 * self.shape.blocks + 1);
        let mut figures = Figures::default();
        for chunk in examples.chunks((NUMBERS / of_position).max(1)) {
            let said = self.forward(self.input(chunk));
            let scale = 1.0 / examples.len() as f32;
            let (blame, seen) = self.losses(chunk, &numbers(said.to_data()), scale);
            figures.iter_mut().zip(seen).for_each(|(sum, part)| *sum += part);
            let blame = Tensor::from_data(TensorData::new(blame, said.dims()), &self.device);
            let gradients = (said * blame).sum().backward();
            let parts = self.parameters.grad(&gradients).expect("all outputs come of parameters");
            gradient.iter_mut().zip(numbers(parts.into_data())).for_each(|(sum, part)| *sum += part);
        }
        figures
    }

    /// `[position][cell][plane]` for all cells of the frame, with one plane more, of ones on live cells.
    fn input<E: Example>(&self, examples: &[&E]) -> Tensor<B, 3> {
        let Shape { planes, frame, .. } = self.shape;
        let of_examples = in_parallel(self.threads, examples.len(), Planes::default, |input, at| {
            examples[at].encode(input);
            let size = input.size();
            assert!(
                input.fits(planes) && size.width <= frame.width && size.height <= frame.height,
                "{size:?} is too large, or has other channels or cells"
            );
            let mut whole = vec![0.0; self.shape.cells() * (planes + 1)];
            for (at, cell) in input.dense(planes).chunks(planes).enumerate() {
                let place = at / size.width * frame.width + at % size.width;
                let to = &mut whole[place * (planes + 1)..][..planes + 1];
                to[..planes].copy_from_slice(cell);
                to[planes] = 1.0;
            }
            whole
        });
        let shape = [examples.len(), self.shape.cells(), planes + 1];
        Tensor::from_data(TensorData::new(of_examples.concat(), shape), &self.device)
    }

    /// What the network says of each position: `[cell][action]`, the number for waiting and the value.
    fn forward(&self, input: Tensor<B, 3>) -> Tensor<B, 2> {
        let Shape { planes, channels, actions, hidden, frame, .. } = self.shape;
        let (layout, cells, heads) = (&self.layout, self.shape.cells(), self.shape.heads());
        let [count, ..] = input.dims();
        let part = |range: &Range<usize>| self.parameters.clone().slice([range.clone()]);
        let table = |range: &Range<usize>, rows: usize| part(range).reshape([rows, range.len() / rows]);
        let live = input.clone().narrow(2, planes, 1);
        let live_map = live.clone().reshape([count, 1, frame.height, frame.width]);
        // The plane of ones carries the bias, so that cells that are not live stay zeros.
        let embedding = table(&(layout.embed.start..layout.embed_bias.end), planes + 1);
        let embedded = relu(input.reshape([count * cells, planes + 1]).matmul(embedding));
        let mut map = embedded.reshape([count, frame.height, frame.width, channels]).permute([0, 3, 1, 2]);
        let convolve = |map: Tensor<B, 4>, [weights, bias]: &[Range<usize>; 2]| {
            let weights = part(weights).reshape([3, 3, channels, channels]).permute([3, 2, 0, 1]);
            conv2d(map, weights, Some(part(bias)), ConvOptions::new([1, 1], [1, 1], [1, 1], 1))
        };
        for block in layout.convolutions.chunks(2) {
            let inner = relu(convolve(map.clone(), &block[0])) * live_map.clone();
            map = relu(convolve(inner, &block[1]) + map) * live_map.clone();
        }
        let by_cell = map.permute([0, 2, 3, 1]).reshape([count * cells, channels]);
        let said = by_cell.matmul(table(&layout.heads, channels)) + table(&layout.heads_bias, 1);
        let said = said.reshape([count, cells, heads]) * live;
        let head =
            |at: usize, length: usize| said.clone().narrow(2, at, length).reshape([count, cells * length]);
        let wait = head(actions, 1).matmul(table(&layout.wait, cells)) + table(&layout.wait_bias, 1);
        let features = relu(head(actions + 1, 1));
        let neurons = relu(features.matmul(table(&layout.hidden, cells)) + table(&layout.hidden_bias, 1));
        let value = neurons.matmul(table(&layout.value, hidden)) + table(&layout.value_bias, 1);
        Tensor::cat(vec![head(0, actions), wait, value], 1)
    }

    /// The gradient of the losses, times `scale`, by what was said, in its order, and the sums of figures.
    fn losses<E: Example>(&self, examples: &[&E], said: &[f32], scale: f32) -> (Vec<f32>, Figures) {
        let (actions, stride) = (self.shape.actions, self.shape.head_stride());
        let of_cells = self.shape.cells() * actions;
        let mut figures = Figures::default();
        let of_examples = in_parallel(
            self.threads,
            examples.len(),
            || (),
            |(), at| {
                let (said, last) = said[at * (of_cells + 2)..][..of_cells + 2].split_at(of_cells);
                let logits = widen(said, actions, stride);
                let mut blamed = vec![0.0; logits.len()];
                let mut blame = Blame { logits: &mut blamed, wait: 0.0, value: 0.0 };
                let said = Said { logits: &logits, wait: last[0], value: last[1] };
                let seen = examples[at].loss(&said, &mut blame);
                let last = [blame.wait, blame.value];
                let by_action = blamed.chunks(stride).flat_map(|cell| &cell[..actions]);
                (by_action.chain(&last).map(|part| scale * part).collect::<Vec<f32>>(), seen)
            },
        );
        let mut blame = Vec::with_capacity(said.len());
        for (part, seen) in of_examples {
            blame.extend(part);
            figures.iter_mut().zip(seen).for_each(|(sum, part)| *sum += part);
        }
        (blame, figures)
    }
}

fn numbers(data: TensorData) -> Vec<f32> {
    data.into_vec().expect("all numbers are of 32 bits")
}
