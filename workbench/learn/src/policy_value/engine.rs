//! Gradients of networks with a policy and a value, on the kernels that the bots evaluate with.
//!
//! A chunk of positions of the same size goes forward and backward through all layers together, so that transformed weights are
//! fetched once for all of them. Chunks are dealt to a fixed number of parts, whose sums are added in order: the result does not
//! depend on how many threads there are.
//!
//! A 3 x 3 convolution carries gradients back as a convolution with the weights turned; the gradient of its weights is, at each of
//! Winograd's 36 places, a product of the transformed input and the transformed gradient.

use super::parallel::in_parallel;
use super::ready::{Gradient, Ready, padded};
use contender_nn::lanes::{Instructions, Kernel, Lanes};
use contender_nn::planes::{Planes, embed};
use contender_nn::policy_value::Shape;
use contender_nn::product::{Left, Shape as Product, product};
use contender_nn::winograd::{Finish, PLACES, Size, multiply, transform_map, write_map};

/// Positions that go through the layers together.
const CHUNK: usize = 4;
/// Sums of gradients that are computed apart.
const PARTS: usize = 8;

/// A position to learn from.
pub trait Example: Sync {
    /// Puts the position into `input`.
    fn encode(&self, input: &mut Planes);

    /// The size of its live part.
    fn size(&self) -> Size;

    /// Writes the gradient of the loss by what the network says, all 0 before, and returns figures to be summed.
    fn loss(&self, said: &Said<'_>, gradient: &mut Blame<'_>) -> Figures;
}

/// What a network says of a position.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// Outputs by cell of the frame, as in a `Workspace` of the kit.
    pub logits: &'a [f32],
    /// The number for waiting.
    pub wait: f32,
    /// The value.
    pub value: f32,
}

/// The gradient of a loss by the same.
#[derive(Debug)]
pub struct Blame<'a> {
    /// By the outputs of cells.
    pub logits: &'a mut [f32],
    /// By the number for waiting.
    pub wait: f32,
    /// By the value.
    pub value: f32,
}

/// Sums over positions, of the loss's own choice.
pub type Figures = [f64; 6];

/// A training's network, ready for passes forward and backward.
pub struct Engine {
    ready: Ready,
    threads: usize,
}

impl Engine {
    /// The network with these parameters, for so many threads.
    ///
    /// # Panics
    /// If there are not as many parameters as the shape has.
    #[must_use]
    pub fn new(shape: Shape, parameters: &[f32], threads: usize) -> Engine {
        assert_eq!(parameters.len(), shape.parameters(), "a number for each parameter");
        assert!(padded(shape.cells()) <= ZEROS.len(), "{:?} is too large", shape.frame);
        Engine { ready: Ready::new(shape, parameters), threads }
    }

    /// Takes other parameters.
    ///
    /// # Panics
    /// If there are not as many as the shape has.
    pub fn set(&mut self, parameters: &[f32]) {
        *self = Engine::new(self.ready.shape, parameters, self.threads);
    }

    /// Adds the gradient of the mean loss of the examples to `gradient`, and returns the sums of their figures.
    ///
    /// # Panics
    /// If an input does not fit the network.
    pub fn gradient<E: Example>(&self, examples: &[&E], gradient: &mut [f32]) -> Figures {
        let shape = self.ready.shape;
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
                let mut figures = Figures::default();
                for chunk in parts[at] {
                    pass.load(chunk, shape);
                    let seen = run(Both { ready: &self.ready, pass: &mut *pass, chunk, scale });
                    figures.iter_mut().zip(seen).for_each(|(sum, part)| *sum += part);
                }
                let mut sum = vec![0.0; shape.parameters()];
                pass.gradient.drain_into(shape, &layout, &mut sum);
                (sum, figures)
            },
        );
        let mut figures = Figures::default();
        for (sum, seen) in results {
            gradient.iter_mut().zip(sum).for_each(|(gradient, part)| *gradient += part);
            figures.iter_mut().zip(seen).for_each(|(sum, part)| *sum += part);
        }
        figures
    }
}

/// Runs with the widest vectors of the machine.
fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    let kernel = match super::avx512::run(kernel) {
        Ok(output) => return output,
        Err(kernel) => kernel,
    };
    Instructions::best().run(kernel)
}

/// Memory of one thread.
struct Pass {
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
    gradient: Gradient,
}

impl Pass {
    fn new(shape: Shape) -> Pass {
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
    fn load<E: Example>(&mut self, chunk: &[&E], shape: Shape) {
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
struct Both<'a, E> {
    ready: &'a Ready,
    pass: &'a mut Pass,
    chunk: &'a [&'a E],
    scale: f32,
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
static ZEROS: [f32; 4096] = [0.0; 4096];

/// The live cells, as numbers of cells of a frame of this width.
#[inline(always)]
fn live(size: Size, width: usize) -> impl Iterator<Item = usize> {
    (0..size.height).flat_map(move |y| y * width..y * width + size.width)
}

#[inline(always)]
fn add(to: &mut [f32], part: &[f32], value: f32) {
    for (to, part) in to.iter_mut().zip(part) {
        *to += value * part;
    }
}

/// No gradient goes through what was cut off at 0.
#[inline(always)]
fn rectify_back(blame: &mut [f32], map: &[f32]) {
    for (blame, &number) in blame.iter_mut().zip(map) {
        *blame = if number > 0.0 { *blame } else { 0.0 };
    }
}

/// A 3 x 3 convolution of the maps of a chunk.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // All that a layer has.
unsafe fn convolve<L: Lanes>(
    (size, channels, count, map_step): (Size, usize, usize, usize),
    tiles: &mut [Vec<f32>; 2],
    from: *const f32,
    weights: &[f32],
    bias: *const f32,
    zeros: *const f32,
    to: *mut f32,
    finish: impl Fn(usize) -> Finish,
) {
    let of_one = size.tiles() * channels;
    let step = count * of_one;
    let [tiles, results] = tiles;
    let (tiles, results) = (tiles.as_mut_ptr(), results.as_mut_ptr());
    // SAFETY: as the kernel says.
    unsafe {
        for at in 0..count {
            transform_map::<L>(size, channels, from.add(at * map_step), tiles.add(at * of_one), step);
        }
        multiply::<L>(count * size.tiles(), [channels; 2], tiles, weights.as_ptr(), zeros, results);
        for at in 0..count {
            let (results, to) = (results.add(at * of_one), to.add(at * map_step));
            write_map::<L>(size, channels, results, step, bias, to, finish(at));
        }
    }
}

/// Adds the gradient of transformed weights: transformed inputs times transformed gradients by outputs.
#[inline(always)]
unsafe fn weigh<L: Lanes>(
    (size, channels, count, map_step): (Size, usize, usize, usize),
    tiles: &mut [Vec<f32>; 2],
    input: *const f32,
    blame: *const f32,
    sum: &mut [f32],
) {
    let of_one = size.tiles() * channels;
    let step = count * of_one;
    let [inputs, blames] = tiles;
    let (inputs, blames) = (inputs.as_mut_ptr(), blames.as_mut_ptr());
    // SAFETY: as the kernel says.
    unsafe {
        for at in 0..count {
            transform_map::<L>(size, channels, input.add(at * map_step), inputs.add(at * of_one), step);
            transform_blame::<L>(size, channels, blame.add(at * map_step), blames.add(at * of_one), step);
        }
        let shape = Product { rows: channels, depth: count * size.tiles(), columns: channels };
        for place in 0..PLACES {
            let left = Left { first: inputs.add(place * step), row: 1, step: channels };
            let sum = sum.as_mut_ptr().add(place * channels * channels);
            product::<L>(shape, left, blames.add(place * step), (sum, channels), (sum, channels));
        }
    }
}

/// Transforms gradients by outputs to 36 places: the transpose of how results are transformed back.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // Two indices, of which either may come first.
unsafe fn transform_blame<L: Lanes>(
    size: Size,
    channels: usize,
    map: *const f32,
    tiles: *mut f32,
    step: usize,
) {
    let across = size.width.div_ceil(4);
    for tile in 0..size.tiles() {
        let first = size.place(4 * (tile % across), 4 * (tile / across)) * channels;
        let mut channel = 0;
        while channel < channels {
            // SAFETY: maps have whole tiles, of zeros where no live cells are.
            unsafe {
                let zero = L::splat(0.0);
                let mut half = [[zero; 6]; 4];
                for x in 0..4 {
                    let mut column = [zero; 4];
                    for y in 0..4 {
                        column[y] = L::load(map.add(first + (y * size.stride() + x) * channels + channel));
                    }
                    half[x] = blame_line(column);
                }
                for y in 0..6 {
                    let line = blame_line([half[0][y], half[1][y], half[2][y], half[3][y]]);
                    for x in 0..6 {
                        line[x].store(tiles.add((6 * y + x) * step + tile * channels + channel));
                    }
                }
            }
            channel += L::COUNT;
        }
    }
}

#[inline(always)]
unsafe fn blame_line<L: Lanes>(y: [L; 4]) -> [L; 6] {
    // SAFETY: as the caller says.
    unsafe {
        let (even, odd) = (y[0].add(y[2]), y[1].add(y[3]));
        let far = y[2].mul_add(L::splat(4.0), y[0]);
        let twice = L::splat(2.0);
        let far_odd = y[3].mul_add(L::splat(4.0), y[1]);
        [
            y[0],
            even.add(odd),
            even.sub(odd),
            far_odd.mul_add(twice, far),
            far_odd.mul_add(L::splat(-2.0), far),
            y[3],
        ]
    }
}

#[cfg(test)]
mod tests;
