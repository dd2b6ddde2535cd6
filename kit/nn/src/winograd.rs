//! 3 x 3 convolutions with Winograd's minimal filtering algorithm F(4x4, 3x3), which needs only a quarter of the
//! multiplications.
//!
//! The output is divided into tiles of 4 x 4 cells. The 6 x 6 cells around each tile are transformed to 36 numbers for
//! every channel. The 3 x 3 weights are transformed in the same way once in advance. A convolution then consists of 36
//! matrix products, one for each position in a transformed tile: a tiles x channels matrix times a channels x channels
//! matrix. Finally, the products are transformed back to 4 x 4 cells.
//!
//! Source: Lavin and Gray, "Fast algorithms for convolutional neural networks", 2016, with the points 0, 1, -1, 2, -2.

use crate::lanes::Lanes;
use crate::product::{product, Left, Shape};

/// Number of positions in a transformed tile.
pub const PLACES: usize = 36;

/// The size of a map, without its border and padding.
///
/// In memory, a map has a border of zeros, and more rows and columns of zeros that pad it to whole tiles. The channels
/// of a cell are next to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Number of cells in a row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

impl Size {
    /// Returns the number of cells.
    #[must_use]
    pub fn cells(self) -> usize {
        self.width * self.height
    }

    /// Returns the number of tiles in a row and in a column.
    #[inline(always)]
    fn tiles_each_way(self) -> (usize, usize) {
        ((self.width + 3) / 4, (self.height + 3) / 4)
    }

    /// Returns the number of tiles.
    #[inline(always)]
    #[must_use]
    pub fn tiles(self) -> usize {
        let (across, down) = self.tiles_each_way();
        across * down
    }

    /// Returns the distance between adjacent rows of the map in memory, in cells.
    #[inline(always)]
    #[must_use]
    pub fn stride(self) -> usize {
        4 * self.tiles_each_way().0 + 2
    }

    /// Returns the number of cells of the map in memory.
    #[inline(always)]
    #[must_use]
    pub fn area(self) -> usize {
        self.stride() * (4 * self.tiles_each_way().1 + 2)
    }

    /// Returns the index of a cell in memory.
    #[inline(always)]
    #[must_use]
    pub fn place(self, x: usize, y: usize) -> usize {
        (y + 1) * self.stride() + x + 1
    }
}

/// Transforms the weights of a convolution, `[3][3][inputs][outputs]`, to the 36 matrices `[36][inputs][outputs]`.
///
/// # Panics
/// Panics if the lengths of the slices do not match.
pub fn transform_weights(weights: &[f32], products: &mut [f32]) {
    let step = weights.len() / 9;
    assert_eq!((weights.len(), products.len()), (9 * step, PLACES * step), "weights of 3 x 3");
    for at in 0..step {
        let mut half = [[0.0; 3]; 6];
        for x in 0..3 {
            let column = [weights[x * step + at], weights[(3 + x) * step + at], weights[(6 + x) * step + at]];
            let transformed = weights_line(column);
            for (row, value) in half.iter_mut().zip(transformed) {
                row[x] = value;
            }
        }
        for (y, row) in half.into_iter().enumerate() {
            for (x, value) in weights_line(row).into_iter().enumerate() {
                products[(6 * y + x) * step + at] = value;
            }
        }
    }
}

fn weights_line([a, b, c]: [f32; 3]) -> [f32; 6] {
    let (outer, wide) = (a + c, a + 4.0 * c);
    [a / 4.0, -(outer + b) / 6.0, (b - outer) / 6.0, (wide + 2.0 * b) / 24.0, (wide - 2.0 * b) / 24.0, c]
}

/// Transforms all tiles of a map. The result is `tiles[place * step + channels * tile + channel]`.
///
/// # Safety
/// The machine must support the instructions of `L`. `map` must be a map of this size, `tiles` must have enough space,
/// and `channels` must be a multiple of 16.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // Either of the two indices may come first.
pub unsafe fn transform_map<L: Lanes>(
    size: Size,
    channels: usize,
    map: *const f32,
    tiles: *mut f32,
    step: usize,
) {
    let (across, down) = size.tiles_each_way();
    let row = size.stride() * channels;
    for tile in 0..across * down {
        let (x, y) = (tile % across, tile / across);
        let mut channel = 0;
        while channel < channels {
            // SAFETY: the map has 6 x 6 cells from this one on.
            unsafe {
                let from = map.add(4 * y * row + 4 * x * channels + channel);
                let zero = L::splat(0.0);
                let mut half = [[zero; 6]; 6];
                for at in 0..6 {
                    let mut column = [zero; 6];
                    for (line, value) in column.iter_mut().enumerate() {
                        *value = L::load(from.add(line * row + at * channels));
                    }
                    half[at] = map_line(column);
                }
                let to = tiles.add(tile * channels + channel);
                for at in 0..6 {
                    let line = map_line([
                        half[0][at],
                        half[1][at],
                        half[2][at],
                        half[3][at],
                        half[4][at],
                        half[5][at],
                    ]);
                    for (place, value) in line.into_iter().enumerate() {
                        value.store(to.add((6 * at + place) * step));
                    }
                }
            }
            channel += L::COUNT;
        }
    }
}

#[inline(always)]
unsafe fn map_line<L: Lanes>(d: [L; 6]) -> [L; 6] {
    // SAFETY: the caller guarantees that the machine has the instructions.
    unsafe {
        let (two, four) = (L::splat(2.0), L::splat(4.0));
        let (minus_four, minus_five) = (L::splat(-4.0), L::splat(-5.0));
        let near = d[2].mul_add(minus_four, d[4]);
        let near_odd = d[1].mul_add(minus_four, d[3]);
        let far = d[4].sub(d[2]);
        let far_odd = d[3].sub(d[1]);
        [
            d[0].mul_add(four, d[2].mul_add(minus_five, d[4])),
            near.add(near_odd),
            near.sub(near_odd),
            far_odd.mul_add(two, far),
            far_odd.mul_add(L::splat(-2.0), far),
            d[1].mul_add(four, d[3].mul_add(minus_five, d[5])),
        ]
    }
}

/// Computes the 36 matrix products for all tiles: `[36][tiles][inputs]` times `[36][inputs][outputs]` gives
/// `[36][tiles][outputs]`.
///
/// # Safety
/// The machine must support the instructions of `L`, and the pointers must be valid for these sizes. `outputs` must be
/// a multiple of 16, and `zeros` must have `outputs` zeros.
#[inline(always)]
pub unsafe fn multiply<L: Lanes>(
    tiles: usize,
    [inputs, outputs]: [usize; 2],
    left: *const f32,
    right: *const f32,
    zeros: *const f32,
    out: *mut f32,
) {
    let shape = Shape { rows: tiles, depth: inputs, columns: outputs };
    for place in 0..PLACES {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let left = Left { first: left.add(place * tiles * inputs), row: inputs, step: 1 };
            let right = right.add(place * inputs * outputs);
            product::<L>(shape, left, right, (zeros, 0), (out.add(place * tiles * outputs), outputs));
        }
    }
}

/// The final step of a convolution, applied to the sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// Writes the sums.
    Write,
    /// Adds the sums to the values of this map, which may be the output.
    Add(*const f32),
    /// Replaces negative sums with 0.
    Rectify,
    /// Adds the values of this map, which may be the output, and then rectifies the sums.
    AddAndRectify(*const f32),
}

/// Transforms all tiles back, adds the bias and writes the result to the map's cells. `tiles` has the layout of
/// [`transform_map`].
///
/// # Safety
/// The requirements of [`transform_map`] apply. In addition, `bias` must have a number for each channel, and an added
/// map must have the same size.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // Either of the two indices may come first.
pub unsafe fn write_map<L: Lanes>(
    size: Size,
    channels: usize,
    tiles: *const f32,
    step: usize,
    bias: *const f32,
    map: *mut f32,
    finish: Finish,
) {
    let (across, down) = size.tiles_each_way();
    for tile in 0..across * down {
        let (x, y) = (4 * (tile % across), 4 * (tile / across));
        let (columns, rows) = ((size.width - x).min(4), (size.height - y).min(4));
        let mut channel = 0;
        while channel < channels {
            // SAFETY: only live cells are written.
            unsafe {
                let from = tiles.add(tile * channels + channel);
                let zero = L::splat(0.0);
                let mut half = [[zero; 4]; 6];
                for at in 0..6 {
                    let mut column = [zero; 6];
                    for (line, value) in column.iter_mut().enumerate() {
                        *value = L::load(from.add((6 * line + at) * step));
                    }
                    half[at] = tile_line(column);
                }
                let bias = L::load(bias.add(channel));
                for line in 0..rows {
                    let values = tile_line([
                        half[0][line],
                        half[1][line],
                        half[2][line],
                        half[3][line],
                        half[4][line],
                        half[5][line],
                    ]);
                    let place = size.place(x, y + line) * channels + channel;
                    for (column, value) in values.into_iter().enumerate().take(columns) {
                        let place = place + column * channels;
                        let sum = value.add(bias);
                        let result = match finish {
                            Finish::Write => sum,
                            Finish::Add(more) => sum.add(L::load(more.add(place))),
                            Finish::Rectify => sum.max(zero),
                            Finish::AddAndRectify(more) => sum.add(L::load(more.add(place))).max(zero),
                        };
                        result.store(map.add(place));
                    }
                }
            }
            channel += L::COUNT;
        }
    }
}

#[inline(always)]
unsafe fn tile_line<L: Lanes>(m: [L; 6]) -> [L; 4] {
    // SAFETY: the caller guarantees that the machine has the instructions.
    unsafe {
        let (near, near_odd) = (m[1].add(m[2]), m[1].sub(m[2]));
        let (far, far_odd) = (m[3].add(m[4]), m[3].sub(m[4]));
        [
            m[0].add(near).add(far),
            far_odd.mul_add(L::splat(2.0), near_odd),
            far.mul_add(L::splat(4.0), near),
            far_odd.mul_add(L::splat(8.0), near_odd).add(m[5]),
        ]
    }
}
