//! A residual network over maps with two heads: a policy for every cell, and a value for the position.
//!
//! A 1 x 1 convolution embeds the input. Blocks of two 3 x 3 convolutions follow, each block with a skip connection
//! (He, Zhang, Ren and Sun, "Deep residual learning for image recognition", 2016, without normalisation). Then a 1 x 1
//! convolution computes one number per action, one number for waiting and one number for the value in every cell. A
//! linear layer over the frame combines the numbers for waiting into a single number. A hidden layer and an output
//! neuron compute the value. All layers except the outputs are rectified. A network can have two policies, one for the
//! player and one for the enemy, each with separate outputs for actions and waiting.
//!
//! Only the cells of the current map are computed. All other cells of the frame are 0 in every layer.

use crate::lanes::{Instructions, Kernel, Lanes};
use crate::planes::{embed, Planes};
use crate::product::{product, Left, Shape as Product};
use crate::winograd::{multiply, transform_map, transform_weights, write_map, Finish, Size, PLACES};
use std::ops::Range;

/// The dimensions of a network.
///
/// The example of [`Network`] uses this type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Number of input channels.
    pub planes: usize,
    /// Number of channels in the blocks, a multiple of 16.
    pub channels: usize,
    /// Number of residual blocks.
    pub blocks: usize,
    /// Number of sides that have a policy: 1 or 2.
    pub sides: usize,
    /// Number of actions per cell and side.
    pub actions: usize,
    /// Number of hidden neurons in the value head.
    pub hidden: usize,
    /// The maximum size of a map.
    pub frame: Size,
}

/// The range of each layer in the list of parameters. The layers are stored in the order of the fields. Weights are
/// ordered `[inputs][outputs]`, or `[3][3][inputs][outputs]` for a 3 x 3 convolution.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Layout {
    pub embed: Range<usize>,
    pub embed_bias: Range<usize>,
    /// The ranges of the weights and the bias of each 3 x 3 convolution.
    pub convolutions: Vec<[Range<usize>; 2]>,
    /// The output weights for each side's actions and waiting, and for the value.
    pub heads: Range<usize>,
    pub heads_bias: Range<usize>,
    /// The weights that combine the cells' numbers for waiting, `[sides][cells]`.
    pub wait: Range<usize>,
    pub wait_bias: Range<usize>,
    pub hidden: Range<usize>,
    pub hidden_bias: Range<usize>,
    pub value: Range<usize>,
    pub value_bias: Range<usize>,
}

/// Rounds up to a multiple of 16, the largest vector length.
fn padded(number: usize) -> usize {
    (number + 15) / 16 * 16
}

impl Shape {
    /// Returns the number of cells in the frame.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.frame.cells()
    }

    /// Returns the number of outputs per cell: actions and waiting for each side, and the value.
    #[must_use]
    pub fn heads(&self) -> usize {
        self.sides * (self.actions + 1) + 1
    }

    /// Returns the index of the output for the first action of a side. The side's output for waiting follows its last
    /// action.
    #[inline(always)]
    #[must_use]
    pub fn first_head(&self, side: usize) -> usize {
        side * (self.actions + 1)
    }

    /// Returns the distance between the first outputs of adjacent cells in [`Workspace::logits`].
    #[must_use]
    pub fn head_stride(&self) -> usize {
        padded(self.heads())
    }

    /// Returns the number of hidden neurons, including padding.
    #[must_use]
    pub fn hidden_stride(&self) -> usize {
        padded(self.hidden)
    }

    /// Returns the layout of the parameters.
    ///
    /// # Panics
    /// Panics if the number of channels is not a multiple of 16, or if the number of sides is not 1 or 2.
    #[must_use]
    pub fn layout(&self) -> Layout {
        assert!((1..=SIDES).contains(&self.sides), "{} sides", self.sides);
        assert!(self.channels % 16 == 0, "{} channels are not a multiple of 16", self.channels);
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

/// A network that is prepared for evaluation: convolution weights are transformed, and rows are padded.
///
/// ```
/// use contender_nn::policy_value::{Network, Shape, Workspace};
/// use contender_nn::{lanes::Instructions, planes::Planes, winograd::Size};
///
/// let frame = Size { width: 3, height: 3 };
/// let shape = Shape { planes: 1, channels: 16, blocks: 1, sides: 1, actions: 2, hidden: 4, frame };
/// let mut parameters = vec![0.0; shape.parameters()];
/// parameters[shape.layout().value_bias.start] = 0.25;
/// let network = Network::new(shape, &parameters);
///
/// let mut input = Planes::new(frame);
/// (0..frame.cells()).for_each(|_| input.end_cell());
/// let mut output = Workspace::new(shape);
/// network.evaluate(Instructions::best(), &input, &mut output);
/// assert!((output.value - 0.25).abs() < 1e-6);
/// ```
#[derive(Clone, Debug)]
pub struct Network {
    shape: Shape,
    /// The weights `[planes][channels]`, followed by the bias.
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

/// A 3 x 3 convolution that is prepared for evaluation.
#[derive(Clone, Debug)]
struct Convolution {
    /// The transformed weights, `[36][inputs][outputs]`.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// Pads each row of `from` numbers with zeros to `to` numbers.
#[must_use]
pub fn widen(numbers: &[f32], from: usize, to: usize) -> Vec<f32> {
    let mut wide = vec![0.0; numbers.len() / from * to];
    for (wide, row) in wide.chunks_mut(to).zip(numbers.chunks(from)) {
        wide[..from].copy_from_slice(row);
    }
    wide
}

impl Network {
    /// Creates a network with this shape and these parameters.
    ///
    /// # Panics
    /// Panics if the number of parameters does not match the [shape](Shape::parameters).
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

    /// Returns the shape of the network.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Evaluates one position and writes the results to the workspace.
    ///
    /// # Panics
    /// Panics if the input has the wrong channels or is larger than the frame, or if the workspace was created for
    /// another shape.
    pub fn evaluate(&self, instructions: Instructions, input: &Planes, work: &mut Workspace) {
        let size = input.size();
        assert!(
            size.width <= self.shape.frame.width && size.height <= self.shape.frame.height,
            "{size:?} is too large"
        );
        assert!(input.fits(self.shape.planes), "the input has the wrong number of channels or cells");
        assert_eq!(work.shape, self.shape, "the workspace is for another network");
        work.resize(size);
        instructions.run(Evaluate { network: self, input, work });
    }
}

/// Maximum number of sides that have a policy.
pub const SIDES: usize = 2;

/// The working memory for evaluations, which also contains the latest results.
///
/// The example of [`Network`] uses this type.
#[derive(Clone, Debug)]
pub struct Workspace {
    shape: Shape,
    size: Size,
    /// Two maps: one between blocks, and one inside a block.
    maps: [Vec<f32>; 2],
    tiles: [Vec<f32>; 2],
    base: Vec<f32>,
    neurons: Vec<f32>,
    features: Vec<f32>,
    /// The outputs of the frame's cells, row by row. Each cell takes [`Shape::head_stride`] numbers (see
    /// [`Shape::first_head`]). Only the outputs of cells inside the map are meaningful.
    pub logits: Vec<f32>,
    /// The logit for waiting, for each side.
    pub wait: [f32; SIDES],
    /// The value of the position.
    pub value: f32,
}

impl Workspace {
    /// Creates the working memory for networks of this shape.
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

    /// Returns the shape of the networks that can use this memory.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the logit for an action of a side in a cell of the frame.
    #[inline]
    #[must_use]
    pub fn logit(&self, cell: usize, side: usize, action: usize) -> f32 {
        self.logits[cell * self.shape.head_stride() + self.shape.first_head(side) + action]
    }

    /// Sets the size of the map. After a change of size, zeroes all cells outside the map; they stay 0, because
    /// evaluations write only the map's cells.
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
        // SAFETY: `Network::evaluate` has checked the input and the workspace, and all memory is large enough for the
        // frame, the maximum size. `map` and `inner`, and `tiles` and `sums`, are different vectors, so a convolution
        // never reads its own output. Only `AddAndRectify` reads its output, but it reads each number before writing
        // it.
        unsafe {
            let [map, inner] = &mut work.maps;
            let [tiles, sums] = &mut work.tiles;
            let (map, inner, tiles, sums) =
                (map.as_mut_ptr(), inner.as_mut_ptr(), tiles.as_mut_ptr(), sums.as_mut_ptr());
            embed::<L>(input, shape.planes, channels, network.embed.as_ptr(), work.base.as_mut_ptr(), map);
            work.base.fill(0.0);
            // A block is two convolutions: from `map` to `inner`, and from `inner` back to `map`, where the second one
            // adds.
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
            // The heads are a 1 x 1 convolution, which is a matrix product for each row of the board. Rows of the map
            // have a border of zeros around them, and rows of the logits are one row of the frame apart.
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
            // The last output of a cell is its feature for the value, and the output after a side's actions is its vote
            // for waiting. Weights of cells outside the board are never used, because the outputs of these cells are
            // not read.
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
            // Features of dead cells within these rows are 0 (`Workspace::resize`), so the product may include them.
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
