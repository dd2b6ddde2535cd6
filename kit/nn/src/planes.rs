//! The input of a network: one number for each cell and channel. Most numbers are 0.

use crate::lanes::Lanes;
use crate::winograd::Size;

/// A sparse input. It stores the nonzero numbers of each cell, and the channels that have the same number in all cells.
///
/// ```
/// use contender_nn::{planes::Planes, winograd::Size};
///
/// let mut input = Planes::new(Size { width: 2, height: 1 });
/// input.spread(0, 0.5);
/// input.end_cell();
/// input.set(1, 1.0);
/// input.end_cell();
/// assert_eq!(input.dense(2), [0.5, 0.0, 0.5, 1.0]);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Planes {
    size: Size,
    spread: Vec<(u16, f32)>,
    entries: Vec<(u16, f32)>,
    /// The index in `entries` at which each cell's entries end.
    ends: Vec<u32>,
}

impl Default for Planes {
    fn default() -> Planes {
        Planes::new(Size { width: 0, height: 0 })
    }
}

impl Planes {
    /// Creates an input of this size that contains no cells yet.
    #[must_use]
    pub fn new(size: Size) -> Planes {
        Planes { size, spread: Vec::new(), entries: Vec::new(), ends: Vec::new() }
    }

    /// Removes all cells and sets a new size. Keeps the allocated memory.
    pub fn clear(&mut self, size: Size) {
        self.size = size;
        self.spread.clear();
        self.entries.clear();
        self.ends.clear();
    }

    /// Sets a channel to the same number in all cells.
    pub fn spread(&mut self, channel: u16, value: f32) {
        self.spread.push((channel, value));
    }

    /// Sets a channel of the current cell.
    #[inline]
    pub fn set(&mut self, channel: u16, value: f32) {
        self.entries.push((channel, value));
    }

    /// Moves on to the next cell, row by row.
    #[inline]
    pub fn end_cell(&mut self) {
        self.ends.push(self.entries.len() as u32);
    }

    /// Returns the size of the map.
    #[inline]
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the channels that are constant over all cells, with their numbers.
    #[must_use]
    pub fn everywhere(&self) -> &[(u16, f32)] {
        &self.spread
    }

    /// Returns the entries of a cell; cells are counted row by row.
    ///
    /// # Panics
    /// Panics if the cell does not exist.
    #[inline]
    #[must_use]
    pub fn cell(&self, at: usize) -> &[(u16, f32)] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start as usize..self.ends[at] as usize]
    }

    /// Returns all numbers in the order `[cell][channel]`.
    #[must_use]
    pub fn dense(&self, channels: usize) -> Vec<f32> {
        let mut dense = vec![0.0; self.ends.len() * channels];
        for (at, numbers) in dense.chunks_mut(channels).enumerate() {
            for &(channel, value) in self.spread.iter().chain(self.cell(at)) {
                numbers[usize::from(channel)] += value;
            }
        }
        dense
    }

    /// Returns whether the input contains all cells of its size, and only channels below `channels`.
    #[must_use]
    pub fn fits(&self, channels: usize) -> bool {
        let mut all = self.spread.iter().chain(&self.entries);
        self.ends.len() == self.size.cells() && all.all(|&(channel, _)| usize::from(channel) < channels)
    }
}

/// Computes a 1 x 1 convolution of the input followed by rectification, and writes it to `map`. Each nonzero number
/// adds a row of `weights`.
///
/// # Safety
/// The machine must support the instructions of `L`. The input must [fit](Planes::fits) the `weights`, which are
/// `[channel][width]` with the bias as their last row. `width` must be a multiple of 16, `map` must have the input's
/// size, and `base` must have space for `width` numbers.
#[inline(always)]
pub unsafe fn embed<L: Lanes>(
    input: &Planes,
    channels: usize,
    width: usize,
    weights: *const f32,
    base: *mut f32,
    map: *mut f32,
) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        base.copy_from(weights.add(channels * width), width);
        for &(channel, value) in &input.spread {
            add_row::<L>(base, weights.add(usize::from(channel) * width), value, width);
        }
        let size = input.size;
        let mut start = 0;
        for y in 0..size.height {
            for x in 0..size.width {
                let end = *input.ends.get_unchecked(y * size.width + x) as usize;
                let entries = input.entries.get_unchecked(start..end);
                start = end;
                let to = map.add(size.place(x, y) * width);
                let mut at = 0;
                while at < width {
                    let (weights, base, to) = (weights.add(at), base.add(at), to.add(at));
                    if at + 4 * L::COUNT <= width {
                        embed_cell::<L, 4>(entries, weights, width, base, to);
                        at += 4 * L::COUNT;
                    } else {
                        embed_cell::<L, 1>(entries, weights, width, base, to);
                        at += L::COUNT;
                    }
                }
            }
        }
    }
}

#[inline(always)]
unsafe fn add_row<L: Lanes>(to: *mut f32, row: *const f32, value: f32, width: usize) {
    let mut at = 0;
    while at < width {
        // SAFETY: guaranteed by the caller.
        unsafe { L::load(row.add(at)).mul_add(L::splat(value), L::load(to.add(at))).store(to.add(at)) };
        at += L::COUNT;
    }
}

#[inline(always)]
#[allow(clippy::needless_range_loop)] // Registers are named by their index.
unsafe fn embed_cell<L: Lanes, const V: usize>(
    entries: &[(u16, f32)],
    weights: *const f32,
    width: usize,
    base: *const f32,
    to: *mut f32,
) {
    // SAFETY: guaranteed by the caller of `embed`.
    unsafe {
        let mut sums = [L::splat(0.0); V];
        for v in 0..V {
            sums[v] = L::load(base.add(v * L::COUNT));
        }
        for &(channel, value) in entries {
            let row = weights.add(usize::from(channel) * width);
            let value = L::splat(value);
            for v in 0..V {
                sums[v] = value.mul_add(L::load(row.add(v * L::COUNT)), sums[v]);
            }
        }
        for v in 0..V {
            sums[v].max(L::splat(0.0)).store(to.add(v * L::COUNT));
        }
    }
}
