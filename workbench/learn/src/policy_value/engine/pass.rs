//! The forward and backward pass of a chunk of positions through all layers.

use super::convolution::{add, convolve, rectify_back, weigh};
use super::{CHUNK, Example, LossTerms, Output, OutputGradient};
use crate::policy_value::layers::{Gradient, Layers, padded};
use contender_nn::lanes::{Kernel, Lanes};
use contender_nn::planes::{Planes, embed};
use contender_nn::policy_value::{SIDES, Shape};
use contender_nn::product::{Left, Shape as Product, product};
use contender_nn::winograd::{Finish, PLACES, Size};

/// The working memory of one thread.
pub(super) struct Pass {
    size: Size,
    inputs: Vec<Planes>,
    /// The maps after the embedding and after every convolution, `[layer][position]`.
    maps: Vec<Vec<f32>>,
    /// The gradient with respect to the maps of a layer, and the gradient with respect to the maps inside its block.
    delta: [Vec<f32>; 2],
    tiles: [Vec<f32>; 2],
    zeros: Vec<f32>,
    base: Vec<f32>,
    /// The logits, `[position][cell][head]`.
    logits: Vec<f32>,
    logits_delta: Vec<f32>,
    /// The features as `[position][cell]`, with padded cells.
    features: Vec<f32>,
    features_delta: Vec<f32>,
    /// The hidden neurons, `[position][hidden]`.
    neurons: Vec<f32>,
    neurons_delta: Vec<f32>,
    pub(super) gradient: Gradient,
}

impl Pass {
    pub(super) fn new(shape: Shape) -> Pass {
        let map = vec![0.0; CHUNK * shape.frame.area() * shape.channels];
        let tiles = vec![0.0; CHUNK * PLACES * shape.frame.tiles() * shape.channels];
        let logits = vec![0.0; CHUNK * shape.cells() * shape.head_stride()];
        let features = vec![0.0; CHUNK * padded(shape.cells())];
        let neurons = vec![0.0; CHUNK * shape.hidden_stride()];
        Pass {
            size: Size { width: 0, height: 0 },
            inputs: vec![Planes::default(); CHUNK],
            maps: vec![map.clone(); 2 * shape.blocks + 1],
            delta: [map.clone(), map],
            tiles: [tiles.clone(), tiles],
            zeros: vec![0.0; shape.channels],
            base: vec![0.0; shape.channels],
            logits: logits.clone(),
            logits_delta: logits,
            features: features.clone(),
            features_delta: features,
            neurons: neurons.clone(),
            neurons_delta: neurons,
            gradient: Gradient::new(shape),
        }
    }

    /// Loads the inputs of a chunk. All later steps write only the cells inside a map, so the other cells must be set
    /// to 0 whenever the size changes.
    pub(super) fn load<E: Example>(&mut self, chunk: &[&E], shape: Shape) {
        let size = chunk[0].size();
        assert!(
            size.width <= shape.frame.width && size.height <= shape.frame.height,
            "{size:?} is too large"
        );
        if size != self.size {
            self.size = size;
            self.maps.iter_mut().chain(&mut self.delta).for_each(|map| map.fill(0.0));
            self.features.fill(0.0);
        }
        for (example, input) in chunk.iter().zip(&mut self.inputs) {
            example.encode(input);
            assert!(
                input.fits(shape.planes) && input.size() == size,
                "the input has the wrong number of channels or cells"
            );
        }
    }
}

/// The forward and backward pass of one chunk.
pub(super) struct Both<'a, E> {
    pub(super) layers: &'a Layers,
    pub(super) pass: &'a mut Pass,
    pub(super) chunk: &'a [&'a E],
    /// Factor for the examples' gradients.
    pub(super) scale: f32,
}

impl<E: Example> Kernel for Both<'_, E> {
    type Output = LossTerms;

    #[inline(always)]
    unsafe fn run<L: Lanes>(mut self) -> LossTerms {
        // SAFETY: `Pass::load` has checked the inputs, and all memory is allocated for chunks of the largest size.
        unsafe {
            self.forward::<L>();
            let terms = self.heads::<L>();
            self.backward::<L>();
            terms
        }
    }
}

impl<E: Example> Both<'_, E> {
    /// Returns the distance between the maps of two positions, in numbers.
    #[inline(always)]
    fn map_step(&self) -> usize {
        self.pass.size.area() * self.layers.shape.channels
    }

    #[inline(always)]
    unsafe fn forward<L: Lanes>(&mut self) {
        let (size, channels, map_step) = (self.pass.size, self.layers.shape.channels, self.map_step());
        let count = self.chunk.len();
        let pass = &mut *self.pass;
        // SAFETY: guaranteed by the kernel.
        unsafe {
            for (at, input) in pass.inputs[..count].iter().enumerate() {
                let map = pass.maps[0].as_mut_ptr().add(at * map_step);
                let weights = self.layers.embed.as_ptr();
                embed::<L>(input, self.layers.shape.planes, channels, weights, pass.base.as_mut_ptr(), map);
            }
            for (layer, convolution) in self.layers.convolutions.iter().enumerate() {
                let (before, after) = pass.maps.split_at_mut(layer + 1);
                // The shortcut of a block adds the block's input, which is one layer further back.
                let around = (layer % 2 == 1).then(|| before[layer - 1].as_ptr());
                convolve::<L>(
                    (size, channels, count, map_step),
                    &mut pass.tiles,
                    before[layer].as_ptr(),
                    &convolution.weights,
                    convolution.bias.as_ptr(),
                    pass.zeros.as_ptr(),
                    after[0].as_mut_ptr(),
                    |at| match around {
                        Some(around) => Finish::AddAndRectify(around.wrapping_add(at * map_step)),
                        None => Finish::Rectify,
                    },
                );
            }
        }
    }

    /// Computes the heads, the loss, and the backward pass of the heads. Leaves the gradient with respect to the last
    /// map in the working memory.
    #[inline(always)]
    unsafe fn heads<L: Lanes>(&mut self) -> LossTerms {
        // SAFETY: guaranteed by the kernel.
        unsafe {
            self.outputs::<L>();
            let terms = self.losses();
            self.heads_back::<L>();
            terms
        }
    }

    /// Computes the logits, the features and the hidden neurons.
    #[inline(always)]
    unsafe fn outputs<L: Lanes>(&mut self) {
        let (layers, shape) = (self.layers, self.layers.shape);
        let (size, channels, map_step) = (self.pass.size, shape.channels, self.map_step());
        let (stride, hidden, cells) = (shape.head_stride(), shape.hidden_stride(), padded(shape.cells()));
        let (count, width) = (self.chunk.len(), shape.frame.width);
        let logit_step = shape.cells() * stride;
        let value_head = shape.heads() - 1;
        let pass = &mut *self.pass;
        // SAFETY: guaranteed by the kernel.
        unsafe {
            let last = pass.maps.last().expect("there is an embedding").as_ptr();
            let by_row = Product { rows: size.width, depth: channels, columns: stride };
            for at in 0..count {
                for y in 0..size.height {
                    let first = last.add(at * map_step + size.place(0, y) * channels);
                    let out = pass.logits.as_mut_ptr().add(at * logit_step + y * width * stride);
                    let left = Left { first, row: channels, step: 1 };
                    product::<L>(
                        by_row,
                        left,
                        layers.heads.as_ptr(),
                        (layers.heads_bias.as_ptr(), 0),
                        (out, stride),
                    );
                }
                let logits = &pass.logits[at * logit_step..];
                for cell in live(size, width) {
                    pass.features[at * cells + cell] = logits[cell * stride + value_head].max(0.0);
                }
            }
            product::<L>(
                Product { rows: count, depth: shape.cells(), columns: hidden },
                Left { first: pass.features.as_ptr(), row: cells, step: 1 },
                layers.hidden.as_ptr(),
                (layers.hidden_bias.as_ptr(), 0),
                (pass.neurons.as_mut_ptr(), hidden),
            );
        }
    }

    /// Computes the loss of every example, and the gradients with respect to the logits and the hidden neurons.
    #[inline(always)]
    fn losses(&mut self) -> LossTerms {
        let (layers, shape, size) = (self.layers, self.layers.shape, self.pass.size);
        let (stride, hidden) = (shape.head_stride(), shape.hidden_stride());
        let (count, width) = (self.chunk.len(), shape.frame.width);
        let logit_step = shape.cells() * stride;
        let pass = &mut *self.pass;
        let sums = &mut pass.gradient;
        let mut terms = LossTerms::default();
        pass.logits_delta[..count * logit_step].fill(0.0);
        for (at, example) in self.chunk.iter().enumerate() {
            let logits = &pass.logits[at * logit_step..][..logit_step];
            let mut wait = [0.0; SIDES];
            wait[..shape.sides].copy_from_slice(&layers.wait_bias);
            for (side, wait) in wait[..shape.sides].iter_mut().enumerate() {
                let (head, first) = (shape.first_head(side) + shape.actions, side * shape.cells());
                for cell in live(size, width) {
                    *wait += logits[cell * stride + head] * layers.wait[first + cell];
                }
            }
            let neurons = &pass.neurons[at * hidden..][..hidden];
            let mut value = layers.value_bias;
            for (neuron, weight) in neurons.iter().zip(&layers.value) {
                value += neuron.max(0.0) * weight;
            }
            let deltas = &mut pass.logits_delta[at * logit_step..][..logit_step];
            let mut delta = OutputGradient { logits: deltas, wait: [0.0; SIDES], value: 0.0 };
            let seen = example.loss(&Output { shape, logits, wait, value }, &mut delta);
            terms.iter_mut().zip(seen).for_each(|(sum, part)| *sum += part);
            let (of_waits, of_value) = (delta.wait.map(|part| self.scale * part), self.scale * delta.value);
            deltas.iter_mut().for_each(|part| *part *= self.scale);
            for (side, &of_wait) in of_waits[..shape.sides].iter().enumerate() {
                let (head, first) = (shape.first_head(side) + shape.actions, side * shape.cells());
                for cell in live(size, width) {
                    sums.wait[first + cell] += of_wait * logits[cell * stride + head];
                    deltas[cell * stride + head] = of_wait * layers.wait[first + cell];
                }
                sums.wait_bias[side] += of_wait;
            }
            sums.value_bias += of_value;
            for (neuron, &sum) in neurons.iter().enumerate() {
                sums.value[neuron] += of_value * sum.max(0.0);
                let part = if sum > 0.0 { of_value * layers.value[neuron] } else { 0.0 };
                pass.neurons_delta[at * hidden + neuron] = part;
                sums.hidden_bias[neuron] += part;
            }
        }
        terms
    }

    /// Computes the gradients of the heads from the gradients of the logits and the neurons.
    #[inline(always)]
    unsafe fn heads_back<L: Lanes>(&mut self) {
        let (layers, shape) = (self.layers, self.layers.shape);
        let (size, channels, map_step) = (self.pass.size, shape.channels, self.map_step());
        let (stride, hidden, cells) = (shape.head_stride(), shape.hidden_stride(), padded(shape.cells()));
        let (count, width) = (self.chunk.len(), shape.frame.width);
        let logit_step = shape.cells() * stride;
        let value_head = shape.heads() - 1;
        let pass = &mut *self.pass;
        let sums = &mut pass.gradient;
        // SAFETY: guaranteed by the kernel.
        unsafe {
            let last = pass.maps.last().expect("there is an embedding").as_ptr();
            let of_hidden = sums.hidden.as_mut_ptr();
            product::<L>(
                Product { rows: shape.cells(), depth: count, columns: hidden },
                Left { first: pass.features.as_ptr(), row: 1, step: cells },
                pass.neurons_delta.as_ptr(),
                (of_hidden, hidden),
                (of_hidden, hidden),
            );
            product::<L>(
                Product { rows: count, depth: hidden, columns: cells },
                Left { first: pass.neurons_delta.as_ptr(), row: hidden, step: 1 },
                layers.hidden_back.as_ptr(),
                // Any zeros will do: without neurons there are no features.
                (ZEROS.as_ptr(), 0),
                (pass.features_delta.as_mut_ptr(), cells),
            );
            let [delta, _] = &mut pass.delta;
            for at in 0..count {
                let deltas = &mut pass.logits_delta[at * logit_step..][..logit_step];
                for cell in live(size, width) {
                    let is_active = pass.features[at * cells + cell] > 0.0;
                    let part = if is_active { pass.features_delta[at * cells + cell] } else { 0.0 };
                    deltas[cell * stride + value_head] = part;
                    let row = &deltas[cell * stride..][..stride];
                    sums.heads_bias.iter_mut().zip(row).for_each(|(sum, part)| *sum += part);
                }
                for y in 0..size.height {
                    let map = at * map_step + size.place(0, y) * channels;
                    let deltas = deltas.as_ptr().add(y * width * stride);
                    let of_heads = sums.heads.as_mut_ptr();
                    product::<L>(
                        Product { rows: channels, depth: size.width, columns: stride },
                        Left { first: last.add(map), row: 1, step: channels },
                        deltas,
                        (of_heads, stride),
                        (of_heads, stride),
                    );
                    product::<L>(
                        Product { rows: size.width, depth: stride, columns: channels },
                        Left { first: deltas, row: stride, step: 1 },
                        layers.heads_back.as_ptr(),
                        (pass.zeros.as_ptr(), 0),
                        (delta.as_mut_ptr().add(map), channels),
                    );
                }
            }
        }
    }

    /// Computes the backward pass of the blocks and the embedding.
    #[inline(always)]
    unsafe fn backward<L: Lanes>(&mut self) {
        let (layers, shape) = (self.layers, self.layers.shape);
        let (size, channels, map_step) = (self.pass.size, shape.channels, self.map_step());
        let count = self.chunk.len();
        let pass = &mut *self.pass;
        let sums = &mut pass.gradient;
        let sizes = (size, channels, count, map_step);
        let [outer, inner] = &mut pass.delta;
        // SAFETY: guaranteed by the kernel.
        unsafe {
            for layer in (0..layers.convolutions.len()).rev() {
                // The second convolution of a block passes its gradient to the inside of the block, and the first one
                // adds it to the outside, where the gradient of the shortcut already is.
                let is_second = layer % 2 == 1;
                let (from, to) =
                    if is_second { (&mut *outer, &mut *inner) } else { (&mut *inner, &mut *outer) };
                let length = count * map_step;
                rectify_back(&mut from[..length], &pass.maps[layer + 1][..length]);
                let (of_weights, of_bias) = &mut sums.convolutions[layer];
                weigh::<L>(sizes, &mut pass.tiles, pass.maps[layer].as_ptr(), from.as_ptr(), of_weights);
                for cell in from[..length].chunks_exact(channels) {
                    of_bias.iter_mut().zip(cell).for_each(|(sum, part)| *sum += part);
                }
                let to = to.as_mut_ptr();
                let back = &layers.convolutions[layer].back;
                let zeros = pass.zeros.as_ptr();
                convolve::<L>(sizes, &mut pass.tiles, from.as_ptr(), back, zeros, zeros, to, |at| {
                    if is_second {
                        Finish::Write
                    } else {
                        Finish::Add(to.wrapping_add(at * map_step).cast_const())
                    }
                });
            }
            let length = count * map_step;
            rectify_back(&mut outer[..length], &pass.maps[0][..length]);
            for (at, input) in pass.inputs[..count].iter().enumerate() {
                let mut everywhere = vec![0.0; channels];
                let map = &outer[at * map_step..][..map_step];
                let mut number = 0;
                for y in 0..size.height {
                    for x in 0..size.width {
                        let part = &map[size.place(x, y) * channels..][..channels];
                        add(&mut everywhere, part, 1.0);
                        for &(channel, value) in input.cell(number) {
                            add(&mut sums.embed[usize::from(channel) * channels..], part, value);
                        }
                        number += 1;
                    }
                }
                for &(channel, value) in input.everywhere() {
                    add(&mut sums.embed[usize::from(channel) * channels..], &everywhere, value);
                }
                add(&mut sums.embed[shape.planes * channels..], &everywhere, 1.0);
            }
        }
    }
}

/// Zeros, as many as the largest possible number of padded cells.
pub(super) static ZEROS: [f32; 4096] = [0.0; 4096];

/// Returns the cells inside a map, as indices in a frame of this width.
#[inline(always)]
pub(super) fn live(size: Size, width: usize) -> impl Iterator<Item = usize> {
    (0..size.height).flat_map(move |y| y * width..y * width + size.width)
}
