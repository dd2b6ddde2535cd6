//! The backward pass of 3 x 3 convolutions, computed with Winograd's method.
//!
//! The gradient with respect to a convolution's input is a convolution with the rotated weights. The gradient with
//! respect to its weights is, at each of Winograd's 36 places, a product of the transformed input and the transformed
//! gradient.

use contender_nn::lanes::Lanes;
use contender_nn::product::{Left, Shape as Product, product};
use contender_nn::winograd::{Finish, PLACES, Size, multiply, transform_map, write_map};

/// Adds the numbers in `part`, multiplied by `value`.
#[inline(always)]
pub(super) fn add(to: &mut [f32], part: &[f32], value: f32) {
    for (to, part) in to.iter_mut().zip(part) {
        *to += value * part;
    }
}

/// Sets the gradient to 0 for all numbers that the rectifier has replaced by 0.
#[inline(always)]
pub(super) fn rectify_back(delta: &mut [f32], map: &[f32]) {
    for (delta, &number) in delta.iter_mut().zip(map) {
        *delta = if number > 0.0 { *delta } else { 0.0 };
    }
}

/// Computes a 3 x 3 convolution of all maps in a chunk. The tuple contains the maps' size, the number of channels, the
/// number of maps, and the distance between two maps in numbers.
///
/// # Safety
/// The machine must support the instructions of `L`. Maps and tiles must have space for this number of maps of this
/// size. There must be a weight for each place, input and output, and a number in `bias` and `zeros` for each channel.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // A layer has this many parts.
pub(super) unsafe fn convolve<L: Lanes>(
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
    // SAFETY: guaranteed by the caller, see above.
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

/// Adds the gradient of transformed weights: transformed inputs times transformed gradients of the outputs.
///
/// # Safety
/// The requirements of [`convolve`] apply. In addition, `sum` must have a number for each place, input and output.
#[inline(always)]
pub(super) unsafe fn weigh<L: Lanes>(
    (size, channels, count, map_step): (Size, usize, usize, usize),
    tiles: &mut [Vec<f32>; 2],
    input: *const f32,
    delta: *const f32,
    sum: &mut [f32],
) {
    let of_one = size.tiles() * channels;
    let step = count * of_one;
    let [inputs, deltas] = tiles;
    let (inputs, deltas) = (inputs.as_mut_ptr(), deltas.as_mut_ptr());
    // SAFETY: guaranteed by the caller, see above.
    unsafe {
        for at in 0..count {
            transform_map::<L>(size, channels, input.add(at * map_step), inputs.add(at * of_one), step);
            transform_delta::<L>(size, channels, delta.add(at * map_step), deltas.add(at * of_one), step);
        }
        let shape = Product { rows: channels, depth: count * size.tiles(), columns: channels };
        for place in 0..PLACES {
            let left = Left { first: inputs.add(place * step), row: 1, step: channels };
            let sum = sum.as_mut_ptr().add(place * channels * channels);
            product::<L>(shape, left, deltas.add(place * step), (sum, channels), (sum, channels));
        }
    }
}

/// Transforms gradients of outputs to 36 places. This is the transpose of the transformation of results.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // There are two indices, and either may come first.
unsafe fn transform_delta<L: Lanes>(
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
            // SAFETY: maps consist of whole tiles, with zeros outside the live cells.
            unsafe {
                let zero = L::splat(0.0);
                let mut half = [[zero; 6]; 4];
                for x in 0..4 {
                    let mut column = [zero; 4];
                    for y in 0..4 {
                        column[y] = L::load(map.add(first + (y * size.stride() + x) * channels + channel));
                    }
                    half[x] = delta_line(column);
                }
                for y in 0..6 {
                    let line = delta_line([half[0][y], half[1][y], half[2][y], half[3][y]]);
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
unsafe fn delta_line<L: Lanes>(y: [L; 4]) -> [L; 6] {
    // SAFETY: guaranteed by the caller.
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
