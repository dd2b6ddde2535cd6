//! The parameters of a network, in the layout that training needs. Convolution weights are transformed for both
//! directions, and their gradients are transformed back.

use contender_nn::policy_value::{Layout, Shape, widen};
use contender_nn::winograd::{PLACES, transform_weights};
use std::ops::Range;

/// Parameters prepared for forward and backward passes.
pub(super) struct Layers {
    pub(super) shape: Shape,
    /// The weights of the embedding as `[planes][channels]`, followed by the bias.
    pub(super) embed: Vec<f32>,
    pub(super) convolutions: Vec<Convolution>,
    /// The weights of the heads as `[channels][heads]`, with padded heads.
    pub(super) heads: Vec<f32>,
    /// The same weights as `[heads][channels]`, with padded heads.
    pub(super) heads_back: Vec<f32>,
    pub(super) heads_bias: Vec<f32>,
    pub(super) wait: Vec<f32>,
    pub(super) wait_bias: Vec<f32>,
    /// The weights of the hidden layer as `[cells][hidden]`, with padded neurons.
    pub(super) hidden: Vec<f32>,
    /// The same weights as `[hidden][cells]`, with padded neurons and padded cells.
    pub(super) hidden_back: Vec<f32>,
    pub(super) hidden_bias: Vec<f32>,
    pub(super) value: Vec<f32>,
    pub(super) value_bias: f32,
}

pub(super) struct Convolution {
    /// The transformed weights, `[36][inputs][outputs]`.
    pub(super) weights: Vec<f32>,
    /// The transformed weights for the backward pass, `[36][outputs][inputs]`.
    pub(super) back: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

/// Returns the next multiple of 16.
pub(super) fn padded(number: usize) -> usize {
    number.next_multiple_of(16)
}

fn transposed(numbers: &[f32], columns: usize, stride: usize) -> Vec<f32> {
    let rows = numbers.len() / columns;
    let mut result = vec![0.0; columns * stride];
    for row in 0..rows {
        for column in 0..columns {
            result[column * stride + row] = numbers[row * columns + column];
        }
    }
    result
}

impl Layers {
    pub(super) fn new(shape: Shape, parameters: &[f32]) -> Layers {
        let layout = shape.layout();
        let numbers = |range: &Range<usize>| &parameters[range.clone()];
        let channels = shape.channels;
        let convolution = |[weights, bias]: &[Range<usize>; 2]| {
            let weights = numbers(weights);
            // The weights are rotated by 180 degrees, with inputs and outputs swapped.
            let mut turned = vec![0.0; weights.len()];
            for place in 0..9 {
                for from in 0..channels {
                    for to in 0..channels {
                        turned[((8 - place) * channels + to) * channels + from] =
                            weights[(place * channels + from) * channels + to];
                    }
                }
            }
            let [forward, back] = [weights, &turned].map(|weights| {
                let mut products = vec![0.0; PLACES * channels * channels];
                transform_weights(weights, &mut products);
                products
            });
            Convolution { weights: forward, back, bias: numbers(bias).to_vec() }
        };
        let heads = widen(numbers(&layout.heads), shape.heads(), shape.head_stride());
        let hidden = widen(numbers(&layout.hidden), shape.hidden, shape.hidden_stride());
        Layers {
            shape,
            embed: parameters[layout.embed.start..layout.embed_bias.end].to_vec(),
            convolutions: layout.convolutions.iter().map(convolution).collect(),
            heads_back: transposed(&heads, shape.head_stride(), channels),
            heads,
            heads_bias: widen(numbers(&layout.heads_bias), shape.heads(), shape.head_stride()),
            wait: numbers(&layout.wait).to_vec(),
            wait_bias: numbers(&layout.wait_bias).to_vec(),
            hidden_back: transposed(&hidden, shape.hidden_stride(), padded(shape.cells())),
            hidden,
            hidden_bias: widen(numbers(&layout.hidden_bias), shape.hidden, shape.hidden_stride()),
            value: widen(numbers(&layout.value), shape.hidden, shape.hidden_stride()),
            value_bias: parameters[layout.value_bias.start],
        }
    }
}

/// The sums of gradients, in the same layout as [`Layers`].
pub(super) struct Gradient {
    pub(super) embed: Vec<f32>,
    /// Gradients of the transformed weights and of the bias.
    pub(super) convolutions: Vec<(Vec<f32>, Vec<f32>)>,
    pub(super) heads: Vec<f32>,
    pub(super) heads_bias: Vec<f32>,
    pub(super) wait: Vec<f32>,
    pub(super) wait_bias: Vec<f32>,
    pub(super) hidden: Vec<f32>,
    pub(super) hidden_bias: Vec<f32>,
    pub(super) value: Vec<f32>,
    pub(super) value_bias: f32,
}

impl Gradient {
    pub(super) fn new(shape: Shape) -> Gradient {
        let (channels, heads, hidden) = (shape.channels, shape.head_stride(), shape.hidden_stride());
        let convolution = (vec![0.0; PLACES * channels * channels], vec![0.0; channels]);
        Gradient {
            embed: vec![0.0; (shape.planes + 1) * channels],
            convolutions: vec![convolution; 2 * shape.blocks],
            heads: vec![0.0; channels * heads],
            heads_bias: vec![0.0; heads],
            wait: vec![0.0; shape.sides * shape.cells()],
            wait_bias: vec![0.0; shape.sides],
            hidden: vec![0.0; padded(shape.cells()) * hidden],
            hidden_bias: vec![0.0; hidden],
            value: vec![0.0; hidden],
            value_bias: 0.0,
        }
    }

    /// Adds these gradients to `sum`, in the [order](Layout) of the parameters, and sets them to 0.
    pub(super) fn drain_into(&mut self, shape: Shape, layout: &Layout, sum: &mut [f32]) {
        let mut add = |range: &Range<usize>, from: &mut [f32]| {
            sum[range.clone()].iter_mut().zip(&*from).for_each(|(sum, part)| *sum += part);
            from.fill(0.0);
        };
        let embed = shape.planes * shape.channels;
        add(&layout.embed, &mut self.embed[..embed]);
        add(&layout.embed_bias, &mut self.embed[embed..]);
        let mut weights = vec![0.0; 9 * shape.channels * shape.channels];
        for ([of_weights, of_bias], (products, bias)) in
            layout.convolutions.iter().zip(&mut self.convolutions)
        {
            transform_back(products, &mut weights);
            products.fill(0.0);
            add(of_weights, &mut weights);
            add(of_bias, bias);
        }
        let mut narrow = |range: &Range<usize>, from: &mut [f32], narrow: usize, wide: usize| {
            let rows = sum[range.clone()].chunks_mut(narrow).zip(from.chunks(wide));
            rows.for_each(|(sum, row)| sum.iter_mut().zip(row).for_each(|(sum, part)| *sum += part));
            from.fill(0.0);
        };
        let (heads, hidden) = ((shape.heads(), shape.head_stride()), (shape.hidden, shape.hidden_stride()));
        narrow(&layout.heads, &mut self.heads, heads.0, heads.1);
        narrow(&layout.heads_bias, &mut self.heads_bias, heads.0, heads.1);
        narrow(&layout.wait, &mut self.wait, 1, 1);
        narrow(&layout.wait_bias, &mut self.wait_bias, 1, 1);
        narrow(&layout.hidden, &mut self.hidden, hidden.0, hidden.1);
        narrow(&layout.hidden_bias, &mut self.hidden_bias, hidden.0, hidden.1);
        narrow(&layout.value, &mut self.value, hidden.0, hidden.1);
        sum[layout.value_bias.start] += std::mem::take(&mut self.value_bias);
    }
}

/// Converts the gradient of the transformed weights to the gradient of the original weights. This is the transpose of
/// [`transform_weights`].
fn transform_back(products: &[f32], weights: &mut [f32]) {
    let step = weights.len() / 9;
    for at in 0..step {
        let mut half = [[0.0; 6]; 3];
        for y in 0..6 {
            let row = std::array::from_fn(|x| products[(6 * y + x) * step + at]);
            for (x, value) in back_line(row).into_iter().enumerate() {
                half[x][y] = value;
            }
        }
        for (x, column) in half.into_iter().enumerate() {
            for (y, value) in back_line(column).into_iter().enumerate() {
                weights[(3 * y + x) * step + at] = value;
            }
        }
    }
}

fn back_line(d: [f32; 6]) -> [f32; 3] {
    let (near, far) = (d[1] + d[2], d[3] + d[4]);
    [
        d[0] / 4.0 - near / 6.0 + far / 24.0,
        (d[2] - d[1]) / 6.0 + (d[3] - d[4]) / 12.0,
        (far - near) / 6.0 + d[5],
    ]
}
