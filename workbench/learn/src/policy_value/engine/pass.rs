//! Chunks of positions forward and backward through all layers.

use super::convolution::{add, convolve, rectify_back, weigh};
use super::{Blame, CHUNK, Example, Figures, Said};
use crate::policy_value::ready::{Gradient, Ready, padded};
use contender_nn::lanes::{Kernel, Lanes};
use contender_nn::planes::{Planes, embed};
use contender_nn::policy_value::Shape;
use contender_nn::product::{Left, Shape as Product, product};
use contender_nn::winograd::{Finish, PLACES, Size};

/// Memory of one thread.
pub(super) struct Pass {
    size: Size,
    inputs: Vec<Planes>,
    /// `[layer][position]`: after the embedding and every convolution.
    maps: Vec<Vec<f32>>,
    /// Gradients by the maps of one layer, and of the one inside of its block.
    blame: [Vec<f32>; 2],
    tiles: [Vec<f32>; 2],
    zeros: Vec<f32>,
    base: Vec<f32>,
    /// `[position][cell][head]`.
    logits: Vec<f32>,
    logits_blame: Vec<f32>,
    /// `[position][cell]`, cells padded.
    features: Vec<f32>,
    features_blame: Vec<f32>,
    /// `[position][hidden]`.
    neurons: Vec<f32>,
    neurons_blame: Vec<f32>,
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
            blame: [map.clone(), map],
            tiles: [tiles.clone(), tiles],
            zeros: vec![0.0; shape.channels],
            base: vec![0.0; shape.channels],
            logits: logits.clone(),
            logits_blame: logits,
            features: features.clone(),
            features_blame: features,
            neurons: neurons.clone(),
            neurons_blame: neurons,
            gradient: Gradient::new(shape),
        }
    }

    /// Takes the inputs of a chunk. Only live cells are written later, so the rest must be zeros once for every size.
    pub(super) fn load<E: Example>(&mut self, chunk: &[&E], shape: Shape) {
        let size = chunk[0].size();
        assert!(
            size.width <= shape.frame.width && size.height <= shape.frame.height,
            "{size:?} is too large"
        );
        if size != self.size {
            self.size = size;
            self.maps.iter_mut().chain(&mut self.blame).for_each(|map| map.fill(0.0));
            self.features.fill(0.0);
        }
        for (example, input) in chunk.iter().zip(&mut self.inputs) {
            example.encode(input);
            assert!(
                input.fits(shape.planes) && input.size() == size,
                "the input has other channels or cells"
            );
        }
    }
}

/// A pass forward and backward of one chunk.
pub(super) struct Both<'a, E> {
    pub(super) ready: &'a Ready,
    pub(super) pass: &'a mut Pass,
    pub(super) chunk: &'a [&'a E],
    /// What the examples' gradients are multiplied by.
    pub(super) scale: f32,
}

impl<E: Example> Kernel for Both<'_, E> {
    type Output = Figures;

    #[inline(always)]
    unsafe fn run<L: Lanes>(mut self) -> Figures {
        // SAFETY: `Pass::load` has checked inputs, and all memory is for chunks of the largest size.
        unsafe {
            self.forward::<L>();
            let figures = self.heads::<L>();
            self.backward::<L>();
            figures
        }
    }
}

impl<E: Example> Both<'_, E> {
    /// Numbers from the map of a position to that of the next.
    #[inline(always)]
    fn map_step(&self) -> usize {
        self.pass.size.area() * self.ready.shape.channels
    }

    #[inline(always)]
    unsafe fn forward<L: Lanes>(&mut self) {
        let (size, channels, map_step) = (self.pass.size, self.ready.shape.channels, self.map_step());
        let count = self.chunk.len();
        let pass = &mut *self.pass;
        // SAFETY: as the kernel says.
        unsafe {
            for (at, input) in pass.inputs[..count].iter().enumerate() {
                let map = pass.maps[0].as_mut_ptr().add(at * map_step);
                let weights = self.ready.embed.as_ptr();
                embed::<L>(input, self.ready.shape.planes, channels, weights, pass.base.as_mut_ptr(), map);
            }
            for (layer, convolution) in self.ready.convolutions.iter().enumerate() {
                let (before, after) = pass.maps.split_at_mut(layer + 1);
                // What goes around a block is what came in, one layer further back.
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

    /// The heads forward, the loss, and the heads backward: leaves the gradient by the last map.
    #[inline(always)]
    unsafe fn heads<L: Lanes>(&mut self) -> Figures {
        let (ready, shape) = (self.ready, self.ready.shape);
        let (size, channels, map_step) = (self.pass.size, shape.channels, self.map_step());
        let (stride, hidden, cells) = (shape.head_stride(), shape.hidden_stride(), padded(shape.cells()));
        let (count, width) = (self.chunk.len(), shape.frame.width);
        let logit_step = shape.cells() * stride;
        let pass = &mut *self.pass;
        let sums = &mut pass.gradient;
        let mut figures = Figures::default();
        // SAFETY: as the kernel says.
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
                        ready.heads.as_ptr(),
                        (ready.heads_bias.as_ptr(), 0),
                        (out, stride),
                    );
                }
                let logits = &pass.logits[at * logit_step..];
                for cell in live(size, width) {
                    pass.features[at * cells + cell] = logits[cell * stride + shape.actions + 1].max(0.0);
                }
            }
            product::<L>(
                Product { rows: count, depth: shape.cells(), columns: hidden },
                Left { first: pass.features.as_ptr(), row: cells, step: 1 },
                ready.hidden.as_ptr(),
                (ready.hidden_bias.as_ptr(), 0),
                (pass.neurons.as_mut_ptr(), hidden),
            );
            pass.logits_blame[..count * logit_step].fill(0.0);
            for (at, example) in self.chunk.iter().enumerate() {
                let logits = &pass.logits[at * logit_step..][..logit_step];
                let mut wait = ready.wait_bias;
                for cell in live(size, width) {
                    wait += logits[cell * stride + shape.actions] * ready.wait[cell];
                }
                let neurons = &pass.neurons[at * hidden..][..hidden];
                let mut value = ready.value_bias;
                for (neuron, weight) in neurons.iter().zip(&ready.value) {
                    value += neuron.max(0.0) * weight;
                }
                let blamed = &mut pass.logits_blame[at * logit_step..][..logit_step];
                let mut blame = Blame { logits: blamed, wait: 0.0, value: 0.0 };
                let seen = example.loss(&Said { logits, wait, value }, &mut blame);
                figures.iter_mut().zip(seen).for_each(|(sum, part)| *sum += part);
                let (of_wait, of_value) = (self.scale * blame.wait, self.scale * blame.value);
                blamed.iter_mut().for_each(|part| *part *= self.scale);
                for cell in live(size, width) {
                    sums.wait[cell] += of_wait * logits[cell * stride + shape.actions];
                    blamed[cell * stride + shape.actions] = of_wait * ready.wait[cell];
                }
                sums.wait_bias += of_wait;
                sums.value_bias += of_value;
                for (neuron, &sum) in neurons.iter().enumerate() {
                    sums.value[neuron] += of_value * sum.max(0.0);
                    let part = if sum > 0.0 { of_value * ready.value[neuron] } else { 0.0 };
                    pass.neurons_blame[at * hidden + neuron] = part;
                    sums.hidden_bias[neuron] += part;
                }
            }
            let of_hidden = sums.hidden.as_mut_ptr();
            product::<L>(
                Product { rows: shape.cells(), depth: count, columns: hidden },
                Left { first: pass.features.as_ptr(), row: 1, step: cells },
                pass.neurons_blame.as_ptr(),
                (of_hidden, hidden),
                (of_hidden, hidden),
            );
            product::<L>(
                Product { rows: count, depth: hidden, columns: cells },
                Left { first: pass.neurons_blame.as_ptr(), row: hidden, step: 1 },
                ready.hidden_back.as_ptr(),
                // Any zeros: there are no features without neurons.
                (ZEROS.as_ptr(), 0),
                (pass.features_blame.as_mut_ptr(), cells),
            );
            let [blame, _] = &mut pass.blame;
            for at in 0..count {
                let blamed = &mut pass.logits_blame[at * logit_step..][..logit_step];
                for cell in live(size, width) {
                    let is_active = pass.features[at * cells + cell] > 0.0;
                    let part = if is_active { pass.features_blame[at * cells + cell] } else { 0.0 };
                    blamed[cell * stride + shape.actions + 1] = part;
                    let row = &blamed[cell * stride..][..stride];
                    sums.heads_bias.iter_mut().zip(row).for_each(|(sum, part)| *sum += part);
                }
                for y in 0..size.height {
                    let map = at * map_step + size.place(0, y) * channels;
                    let blamed = blamed.as_ptr().add(y * width * stride);
                    let of_heads = sums.heads.as_mut_ptr();
                    product::<L>(
                        Product { rows: channels, depth: size.width, columns: stride },
                        Left { first: last.add(map), row: 1, step: channels },
                        blamed,
                        (of_heads, stride),
                        (of_heads, stride),
                    );
                    product::<L>(
                        Product { rows: size.width, depth: stride, columns: channels },
                        Left { first: blamed, row: stride, step: 1 },
                        ready.heads_back.as_ptr(),
                        (pass.zeros.as_ptr(), 0),
                        (blame.as_mut_ptr().add(map), channels),
                    );
                }
            }
        }
        figures
    }

    /// The blocks and the embedding backward.
    #[inline(always)]
    unsafe fn backward<L: Lanes>(&mut self) {
        let (ready, shape) = (self.ready, self.ready.shape);
        let (size, channels, map_step) = (self.pass.size, shape.channels, self.map_step());
        let count = self.chunk.len();
        let pass = &mut *self.pass;
        let sums = &mut pass.gradient;
        let sizes = (size, channels, count, map_step);
        let [outer, inner] = &mut pass.blame;
        // SAFETY: as the kernel says.
        unsafe {
            for layer in (0..ready.convolutions.len()).rev() {
                // The second convolution of a block hands its gradient to the inside, the first hands that on, and what went around
                // the block is there already.
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
                let back = &ready.convolutions[layer].back;
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

/// As many zeros as there may be cells, padded.
pub(super) static ZEROS: [f32; 4096] = [0.0; 4096];

/// The live cells, as numbers of cells of a frame of this width.
#[inline(always)]
pub(super) fn live(size: Size, width: usize) -> impl Iterator<Item = usize> {
    (0..size.height).flat_map(move |y| y * width..y * width + size.width)
}
