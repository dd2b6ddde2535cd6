//! A residual network over maps with two heads: a policy for every cell, and the value of the position.
//!
//! A 1 x 1 convolution embeds the input, blocks of two 3 x 3 convolutions follow, each with a way around it (He, Zhang,
//! Ren and Sun, "Deep residual learning for image recognition", 2016, without normalisation), then one 1 x 1
//! convolution gives for every cell a number for each action, one for waiting and one for the value. A linear layer
//! over the frame makes one number of those for waiting, and a layer of hidden neurons and an output make the value.
//! Everything but outputs is rectified. A network can tell the policies of two sides, own and enemy's: each has its
//! actions and its waiting.
//!
//! Only the live part of the frame is computed; cells outside of it are zeros in every layer.

use crate::lanes::{Instructions, Kernel, Lanes};
use crate::planes::{embed, Planes};
use crate::product::{product, Left, Shape as Product};
use crate::winograd::{multiply, transform_map, transform_weights, write_map, Finish, Size, PLACES};
use std::ops::Range;

/// The sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Channels of the input.
    pub planes: usize,
    /// Channels of the blocks: a multiple of 16.
    pub channels: usize,
    /// Residual blocks.
    pub blocks: usize,
    /// Sides whose policies it tells: 1 or 2.
    pub sides: usize,
    /// Actions of a cell that a side has.
    pub actions: usize,
    /// Hidden neurons of the value.
    pub hidden: usize,
    /// The largest map.
    pub frame: Size,
}

/// The ranges of each layer's numbers among all parameters, in this order. Weights are `[inputs][outputs]`, those of a
/// 3 x 3 convolution `[3][3][inputs][outputs]`.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Layout {
    pub embed: Range<usize>,
    pub embed_bias: Range<usize>,
    /// Weights and bias of each 3 x 3 convolution.
    pub convolutions: Vec<[Range<usize>; 2]>,
    /// To the actions and waiting of each side, and the value.
    pub heads: Range<usize>,
    pub heads_bias: Range<usize>,
    /// `[sides][cells]`.
    pub wait: Range<usize>,
    pub wait_bias: Range<usize>,
    pub hidden: Range<usize>,
    pub hidden_bias: Range<usize>,
    pub value: Range<usize>,
    pub value_bias: Range<usize>,
}

/// Returns the next multiple of 16, the length of the longest vectors.
fn padded(number: usize) -> usize {
    (number + 15) / 16 * 16
}

impl Shape {
    /// Cells of the frame.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.frame.width * self.frame.height
    }

    /// Outputs of a cell: actions and waiting of each side, and the value.
    #[must_use]
    pub fn heads(&self) -> usize {
        self.sides * (self.actions + 1) + 1
    }

    /// Returns the output of a cell that holds the first action of a side; the side's waiting comes after the last
    /// action.
    #[inline(always)]
    #[must_use]
    pub fn first_head(&self, side: usize) -> usize {
        side * (self.actions + 1)
    }

    /// Numbers from the outputs of a cell to those of the next in [`Workspace::logits`].
    #[must_use]
    pub fn head_stride(&self) -> usize {
        padded(self.heads())
    }

    /// Returns the number of hidden neurons in memory.
    #[must_use]
    pub fn hidden_stride(&self) -> usize {
        padded(self.hidden)
    }

    /// Returns the ranges of the parameters.
    ///
    /// # Panics
    /// If the number of channels is not a multiple of 16, or there are not one or two sides.
    #[must_use]
    pub fn layout(&self) -> Layout {
        assert!((1..=SIDES).contains(&self.sides), "{} sides", self.sides);
        assert!(self.channels % 16 == 0, "{} channels are no multiple of 16", self.channels);
        let mut end = 0;
        let mut next = |length: usize| {
            end += length;
            end - length..end
        };
        let channels = self.channels;
        Layout {
            embed: next(self.planes * channels),
            embed_bias: next(channels),
            convolutions: (0..2 * self.blocks)
                .map(|_| [next(9 * channels * channels), next(channels)])
                .collect(),
            heads: next(channels * self.heads()),
            heads_bias: next(self.heads()),
            wait: next(self.sides * self.cells()),
            wait_bias: next(self.sides),
            hidden: next(self.cells() * self.hidden),
            hidden_bias: next(self.hidden),
            value: next(self.hidden),
            value_bias: next(1),
        }
    }

    /// Returns the number of parameters.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.layout().value_bias.end
    }
}

/// A network made ready: weights of convolutions transformed, rows padded.
#[derive(Clone, Debug)]
pub struct Network {
    shape: Shape,
    /// `[planes][channels]`, then the bias.
    embed: Vec<f32>,
    convolutions: Vec<Convolution>,
    heads: Vec<f32>,
    heads_bias: Vec<f32>,
    wait: Vec<f32>,
    wait_bias: Vec<f32>,
    hidden: Vec<f32>,
    hidden_bias: Vec<f32>,
    value: Vec<f32>,
    value_bias: f32,
}

/// A 3 x 3 convolution made ready.
#[derive(Clone, Debug)]
struct Convolution {
    /// `[36][inputs][outputs]`.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// Rows of `from` numbers, each with zeros up to `to` numbers.
#[must_use]
pub fn widen(numbers: &[f32], from: usize, to: usize) -> Vec<f32> {
    let mut wide = vec![0.0; numbers.len() / from * to];
    for (wide, row) in wide.chunks_mut(to).zip(numbers.chunks(from)) {
        wide[..from].copy_from_slice(row);
    }
    wide
}

impl Network {
    /// Creates a network of this shape.
    ///
    /// # Panics
    /// If there are not as many parameters as the shape [has](Shape::parameters).
    #[must_use]
    pub fn new(shape: Shape, parameters: &[f32]) -> Network {
        let layout = shape.layout();
        assert_eq!(parameters.len(), shape.parameters(), "a network has a number for each parameter");
        let convolution = |[weights, bias]: &[Range<usize>; 2]| {
            let mut products = vec![0.0; PLACES * shape.channels * shape.channels];
            transform_weights(&parameters[weights.clone()], &mut products);
            Convolution { weights: products, bias: parameters[bias.clone()].to_vec() }
        };
        let wide_heads =
            |range: &Range<usize>| widen(&parameters[range.clone()], shape.heads(), shape.head_stride());
        let wide_hidden =
            |range: &Range<usize>| widen(&parameters[range.clone()], shape.hidden, shape.hidden_stride());
        Network {
            shape,
            embed: parameters[layout.embed.start..layout.embed_bias.end].to_vec(),
            convolutions: layout.convolutions.iter().map(convolution).collect(),
            heads: wide_heads(&layout.heads),
            heads_bias: wide_heads(&layout.heads_bias),
            wait: parameters[layout.wait.clone()].to_vec(),
            wait_bias: parameters[layout.wait_bias.clone()].to_vec(),
            hidden: wide_hidden(&layout.hidden),
            hidden_bias: wide_hidden(&layout.hidden_bias),
            value: wide_hidden(&layout.value),
            value_bias: parameters[layout.value_bias.start],
        }
    }

    /// Returns its sizes.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Evaluates one position; the results are in the workspace.
    ///
    /// # Panics
    /// If the input has other channels or is larger than the frame, or the workspace is for another shape.
    pub fn evaluate(&self, instructions: Instructions, input: &Planes, work: &mut Workspace) {
        let size = input.size();
        assert!(
            size.width <= self.shape.frame.width && size.height <= self.shape.frame.height,
            "{size:?} is too large"
        );
        assert!(input.fits(self.shape.planes), "the input has other channels or cells");
        assert_eq!(work.shape, self.shape, "the workspace is for another network");
        work.resize(size);
        instructions.run(Evaluate { network: self, input, work });
    }
}

/// The most sides.
pub const SIDES: usize = 2;

/// Memory for evaluations, and the results of the latest.
#[derive(Clone, Debug)]
pub struct Workspace {
    shape: Shape,
    size: Size,
    /// The maps between blocks, and the maps inside a block.
    maps: [Vec<f32>; 2],
    tiles: [Vec<f32>; 2],
    base: Vec<f32>,
    neurons: Vec<f32>,
    features: Vec<f32>,
    /// Outputs of each cell of the frame, row by row, [`Shape::head_stride`] numbers apart: see [`Shape::first_head`].
    /// Only those of live cells have a meaning.
    pub logits: Vec<f32>,
    /// The number for waiting of each side.
    pub wait: [f32; SIDES],
    /// The value.
    pub value: f32,
}

impl Workspace {
    /// Memory for networks of this shape.
    #[must_use]
    pub fn new(shape: Shape) -> Workspace {
        let map = vec![0.0; shape.frame.area() * shape.channels];
        let tiles = vec![0.0; PLACES * shape.frame.tiles() * shape.channels];
        Workspace {
            shape,
            size: Size { width: 0, height: 0 },
            maps: [map.clone(), map],
            tiles: [tiles.clone(), tiles],
            base: vec![0.0; shape.channels],
            neurons: vec![0.0; shape.hidden_stride()],
            features: vec![0.0; shape.cells()],
            logits: vec![0.0; shape.cells() * shape.head_stride()],
            wait: [0.0; SIDES],
            value: 0.0,
        }
    }

    /// Returns the shape of its networks.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the output of a cell of the frame for an action of a side.
    #[inline]
    #[must_use]
    pub fn logit(&self, cell: usize, side: usize, action: usize) -> f32 {
        self.logits[cell * self.shape.head_stride() + self.shape.first_head(side) + action]
    }

    /// Only live cells are ever written, so the rest must be zeros once for every size.
    fn resize(&mut self, size: Size) {
        if self.size != size {
            self.size = size;
            self.maps.iter_mut().for_each(|map| map.fill(0.0));
            self.features.fill(0.0);
        }
    }
}

struct Evaluate<'a> {
    network: &'a Network,
    input: &'a Planes,
    work: &'a mut Workspace,
}

impl Kernel for Evaluate<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes>(self) {
        let Evaluate { network, input, work } = self;
        let (shape, size) = (network.shape, work.size);
        let channels = shape.channels;
        let step = size.tiles() * channels;
        // SAFETY: `Network::evaluate` has checked input and workspace, and all memory is for the frame, the largest
        // size. `map` and `inner`, and `tiles` and `sums`, are different vectors, so a convolution never reads what it
        // writes; only `AddAndRectify` reads its output, each number before it writes it.
        unsafe {
            let [map, inner] = &mut work.maps;
            let [tiles, sums] = &mut work.tiles;
            let (map, inner, tiles, sums) =
                (map.as_mut_ptr(), inner.as_mut_ptr(), tiles.as_mut_ptr(), sums.as_mut_ptr());
            embed::<L>(input, shape.planes, channels, network.embed.as_ptr(), work.base.as_mut_ptr(), map);
            work.base.fill(0.0);
            // A block is two convolutions: `map` to `inner`, and `inner` back to `map`, to which the second one adds.
            for (number, convolution) in network.convolutions.iter().enumerate() {
                let (from, to, finish) = if number % 2 == 0 {
                    (map, inner, Finish::Rectify)
                } else {
                    (inner, map, Finish::AddAndRectify(map))
                };
                transform_map::<L>(size, channels, from, tiles, step);
                let weights = convolution.weights.as_ptr();
                multiply::<L>(size.tiles(), [channels; 2], tiles, weights, work.base.as_ptr(), sums);
                write_map::<L>(size, channels, sums, step, convolution.bias.as_ptr(), to, finish);
            }
            // The heads are a 1 x 1 convolution, a product for each row of the board: rows of the map are `size.place`
            // apart, with a border of zeros around them, and rows of the logits one row of the frame.
            let stride = shape.head_stride();
            let by_row = Product { rows: size.width, depth: channels, columns: stride };
            for y in 0..size.height {
                let left = Left { first: map.add(size.place(0, y) * channels), row: channels, step: 1 };
                let out = work.logits.as_mut_ptr().add(y * shape.frame.width * stride);
                product::<L>(
                    by_row,
                    left,
                    network.heads.as_ptr(),
                    (network.heads_bias.as_ptr(), 0),
                    (out, stride),
                );
            }
            // The last output of a cell is the feature of the value, and the one after a side's actions is its vote for
            // waiting; weights of cells outside the board are never used, because their outputs are not read.
            work.wait[..shape.sides].copy_from_slice(&network.wait_bias);
            for y in 0..size.height {
                for cell in y * shape.frame.width..y * shape.frame.width + size.width {
                    let heads = &work.logits[cell * stride..][..shape.heads()];
                    for side in 0..shape.sides {
                        let wait = heads[shape.first_head(side) + shape.actions];
                        work.wait[side] += network.wait[side * shape.cells() + cell] * wait;
                    }
                    work.features[cell] = heads[shape.heads() - 1].max(0.0);
                }
            }
            // Features of dead cells within these rows are 0 (`Workspace::resize`), so the product may run over them.
            let columns = shape.hidden_stride();
            let depth = (size.height - 1) * shape.frame.width + size.width;
            product::<L>(
                Product { rows: 1, depth, columns },
                Left { first: work.features.as_ptr(), row: 0, step: 1 },
                network.hidden.as_ptr(),
                (network.hidden_bias.as_ptr(), 0),
                (work.neurons.as_mut_ptr(), columns),
            );
            work.value = network.value_bias;
            for (neuron, weight) in work.neurons.iter().zip(&network.value) {
                work.value += neuron.max(0.0) * weight;
            }
        }
    }
}
