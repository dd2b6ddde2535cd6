//! Matrix products, the most time-consuming part of every layer.

use crate::lanes::{Kernel, Lanes};

/// The layout of the left matrix: the number in row `r` and column `k` is at index `row * r + step * k`.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    /// A pointer to the first number.
    pub first: *const f32,
    /// Distance between adjacent rows, in numbers.
    pub row: usize,
    /// Distance between adjacent columns, in numbers.
    pub step: usize,
}

/// The dimensions of a matrix product: a `rows` x `depth` matrix times a `depth` x `columns` matrix.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of rows of the left matrix.
    pub rows: usize,
    /// Number of columns of the left matrix.
    pub depth: usize,
    /// Number of columns of the right matrix, a multiple of 16.
    pub columns: usize,
}

/// Computes `out = start + left * right`. The rows of the right matrix are adjacent, without gaps. `start` and `out`
/// are each a pointer and a row stride in elements. With a stride of 0, all rows start from the same bias. `start` may
/// be `out`.
///
/// A block of the result stays in registers during the entire sum over `depth`.
///
/// # Safety
/// The machine must support the instructions of `L`, and all pointers must be valid for these sizes.
#[inline(always)]
pub unsafe fn product<L: Lanes>(
    shape: Shape,
    left: Left,
    right: *const f32,
    start: (*const f32, usize),
    out: (*mut f32, usize),
) {
    // SAFETY: guaranteed by the caller. All layers share one function, because the blocks of every height make it long.
    unsafe { L::call(Whole { shape, left, right, start, out }) }
}

struct Whole {
    shape: Shape,
    left: Left,
    right: *const f32,
    start: (*const f32, usize),
    out: (*mut f32, usize),
}

impl Kernel for Whole {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes>(self) {
        // SAFETY: guaranteed by the caller of `product`.
        unsafe { blocks::<L>(self.shape, self.left, self.right, self.start, self.out) }
    }
}

#[inline(always)]
unsafe fn blocks<L: Lanes>(
    shape: Shape,
    left: Left,
    right: *const f32,
    start: (*const f32, usize),
    out: (*mut f32, usize),
) {
    // 6 x 2 sums, two right numbers and one left number fill the 16 registers of AVX; AVX-512 has 32.
    let most = if L::COUNT == 16 { 12 } else { 6 };
    let count = (shape.rows + most - 1) / most;
    let mut row = 0;
    for block in 0..count {
        // Blocks have similar heights, because a block of a single row would wait for its sums most of the time.
        let rows = (shape.rows - row + count - block - 1) / (count - block);
        let left = Left { first: left.first.wrapping_add(row * left.row), ..left };
        let start = (start.0.wrapping_add(row * start.1), start.1);
        let out = (out.0.wrapping_add(row * out.1), out.1);
        // SAFETY: these are the following rows; guaranteed by the caller.
        unsafe {
            match rows {
                1 => panels::<L, 1>(shape, left, right, start, out),
                2 => panels::<L, 2>(shape, left, right, start, out),
                3 => panels::<L, 3>(shape, left, right, start, out),
                4 => panels::<L, 4>(shape, left, right, start, out),
                5 => panels::<L, 5>(shape, left, right, start, out),
                6 => panels::<L, 6>(shape, left, right, start, out),
                7 if L::COUNT == 16 => panels::<L, 7>(shape, left, right, start, out),
                8 if L::COUNT == 16 => panels::<L, 8>(shape, left, right, start, out),
                9 if L::COUNT == 16 => panels::<L, 9>(shape, left, right, start, out),
                10 if L::COUNT == 16 => panels::<L, 10>(shape, left, right, start, out),
                11 if L::COUNT == 16 => panels::<L, 11>(shape, left, right, start, out),
                _ => panels::<L, 12>(shape, left, right, start, out),
            }
        }
        row += rows;
    }
}

#[inline(always)]
unsafe fn panels<L: Lanes, const R: usize>(
    shape: Shape,
    left: Left,
    right: *const f32,
    start: (*const f32, usize),
    out: (*mut f32, usize),
) {
    let mut column = 0;
    while column < shape.columns {
        let right = right.wrapping_add(column);
        let start = (start.0.wrapping_add(column), start.1);
        let out = (out.0.wrapping_add(column), out.1);
        // SAFETY: these are the following columns; guaranteed by the caller.
        unsafe {
            if column + 2 * L::COUNT <= shape.columns {
                block::<L, R, 2>(shape, left, right, start, out);
                column += 2 * L::COUNT;
            } else {
                block::<L, R, 1>(shape, left, right, start, out);
                column += L::COUNT;
            }
        }
    }
}

#[inline(always)]
#[allow(clippy::needless_range_loop)] // Registers are named by two indices.
unsafe fn block<L: Lanes, const R: usize, const V: usize>(
    shape: Shape,
    left: Left,
    right: *const f32,
    start: (*const f32, usize),
    out: (*mut f32, usize),
) {
    // SAFETY: R rows and V vectors of columns are within the matrices; guaranteed by the caller.
    unsafe {
        let mut sums = [[L::splat(0.0); V]; R];
        for r in 0..R {
            for v in 0..V {
                sums[r][v] = L::load(start.0.add(r * start.1 + v * L::COUNT));
            }
        }
        for k in 0..shape.depth {
            let mut row = [L::splat(0.0); V];
            for v in 0..V {
                row[v] = L::load(right.add(k * shape.columns + v * L::COUNT));
            }
            for r in 0..R {
                let factor = L::splat(*left.first.add(r * left.row + k * left.step));
                for v in 0..V {
                    sums[r][v] = factor.mul_add(row[v], sums[r][v]);
                }
            }
        }
        for r in 0..R {
            for v in 0..V {
                sums[r][v].store(out.0.add(r * out.1 + v * L::COUNT));
            }
        }
    }
}
