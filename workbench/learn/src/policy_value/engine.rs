//! Gradients of networks with a policy and a value, computed with the same kernels as the bots' evaluation.
//!
//! A chunk of positions with the same size passes through all layers together, so that transformed weights are loaded
//! only once per chunk. The chunks are divided into a fixed number of parts, whose sums are added in order. The result
//! therefore does not depend on the number of threads.

mod convolution;
mod pass;
#[cfg(test)]
mod tests;

use super::layers::{Layers, padded};
use super::parallel::in_parallel;
use contender_nn::lanes::{Instructions, Kernel};
use contender_nn::planes::Planes;
use contender_nn::policy_value::{SIDES, Shape};
use contender_nn::winograd::Size;
use pass::{Both, Pass, ZEROS};

/// Number of positions in a chunk.
const CHUNK: usize = 4;
/// Number of separately computed sums of gradients.
const PARTS: usize = 8;

/// A position from which the network learns.
pub trait Example: Sync {
    /// Writes the position to `input`.
    fn encode(&self, input: &mut Planes);

    /// Returns the size of the position's map, without border and padding.
    fn size(&self) -> Size;

    /// Writes the gradient of the loss with respect to the network's outputs to `gradient`, which initially contains
    /// only zeros. Returns terms that are summed over the examples.
    fn loss(&self, output: &Output<'_>, gradient: &mut OutputGradient<'_>) -> LossTerms;
}

/// A network's output for a position.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// The network's shape.
    pub shape: Shape,
    /// The outputs for each cell of the frame, as in the kit's `Workspace`.
    pub logits: &'a [f32],
    /// The logit for waiting, for each side.
    pub wait: [f32; SIDES],
    /// The value.
    pub value: f32,
}

/// The gradient of a loss with respect to an [`Output`].
#[derive(Debug)]
pub struct OutputGradient<'a> {
    /// The gradient with respect to the outputs of cells.
    pub logits: &'a mut [f32],
    /// The gradient with respect to the logits for waiting.
    pub wait: [f32; SIDES],
    /// The gradient with respect to the value.
    pub value: f32,
}

/// Sums over positions. The loss function defines the meaning of each sum.
pub type LossTerms = [f64; 6];

/// A network that is being trained, ready for forward and backward passes.
pub struct Engine {
    layers: Layers,
    threads: usize,
}

impl Engine {
    /// Creates the engine with these parameters, for `threads` threads.
    ///
    /// # Panics
    /// Panics if the number of parameters does not match the shape.
    #[must_use]
    pub fn new(shape: Shape, parameters: &[f32], threads: usize) -> Engine {
        assert_eq!(parameters.len(), shape.parameters(), "there must be a number for each parameter");
        assert!(padded(shape.cells()) <= ZEROS.len(), "{:?} is too large", shape.frame);
        Engine { layers: Layers::new(shape, parameters), threads }
    }

    /// Replaces the parameters.
    ///
    /// # Panics
    /// Panics if the number of parameters does not match the shape.
    pub fn set(&mut self, parameters: &[f32]) {
        *self = Engine::new(self.layers.shape, parameters, self.threads);
    }

    /// Adds the gradient of the examples' mean loss to `gradient`, and returns the sums of their terms.
    ///
    /// # Panics
    /// Panics if an input does not fit the network.
    pub fn gradient<E: Example>(&self, examples: &[&E], gradient: &mut [f32]) -> LossTerms {
        let shape = self.layers.shape;
        let mut by_size: Vec<&E> = examples.to_vec();
        by_size.sort_by_key(|example| (example.size().height, example.size().width));
        let same = |a: &&E, b: &&E| a.size() == b.size();
        let chunks: Vec<&[&E]> = by_size.chunk_by(same).flat_map(|group| group.chunks(CHUNK)).collect();
        let scale = 1.0 / examples.len().max(1) as f32;
        let parts: Vec<&[&[&E]]> = chunks.chunks(chunks.len().div_ceil(PARTS).max(1)).collect();
        let layout = shape.layout();
        let results = in_parallel(
            self.threads,
            parts.len(),
            || Pass::new(shape),
            |pass, at| {
                let mut terms = LossTerms::default();
                for chunk in parts[at] {
                    pass.load(chunk, shape);
                    let seen = run(Both { layers: &self.layers, pass: &mut *pass, chunk, scale });
                    terms.iter_mut().zip(seen).for_each(|(sum, part)| *sum += part);
                }
                let mut sum = vec![0.0; shape.parameters()];
                pass.gradient.drain_into(shape, &layout, &mut sum);
                (sum, terms)
            },
        );
        let mut terms = LossTerms::default();
        for (sum, seen) in results {
            gradient.iter_mut().zip(sum).for_each(|(gradient, part)| *gradient += part);
            terms.iter_mut().zip(seen).for_each(|(sum, part)| *sum += part);
        }
        terms
    }
}

/// Runs a kernel with the machine's widest vectors.
fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    let kernel = match super::avx512::run(kernel) {
        Ok(output) => return output,
        Err(kernel) => kernel,
    };
    Instructions::best().run(kernel)
}
