//! Vectors implemented as arrays, for any machine.

use super::{Kernel, Lanes};

#[derive(Clone, Copy)]
pub(super) struct Plain([f32; 8]);

macro_rules! each {
    ($at:ident => $value:expr) => {{
        let mut result = [0.0; 8];
        for $at in 0..8 {
            result[$at] = $value;
        }
        Plain(result)
    }};
}

impl Lanes for Plain {
    const COUNT: usize = 8;

    #[inline(always)]
    unsafe fn splat(value: f32) -> Plain {
        Plain([value; 8])
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Plain {
        // SAFETY: the caller guarantees that eight numbers can be read.
        unsafe { Plain(from.cast::<[f32; 8]>().read_unaligned()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller guarantees that eight numbers can be written.
        unsafe { to.cast::<[f32; 8]>().write_unaligned(self.0) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Plain) -> Plain {
        each!(at => self.0[at] + other.0[at])
    }

    #[inline(always)]
    unsafe fn sub(self, other: Plain) -> Plain {
        each!(at => self.0[at] - other.0[at])
    }

    #[inline(always)]
    unsafe fn mul_add(self, factor: Plain, sum: Plain) -> Plain {
        each!(at => self.0[at] * factor.0[at] + sum.0[at])
    }

    #[inline(always)]
    unsafe fn max(self, other: Plain) -> Plain {
        each!(at => if self.0[at] > other.0[at] { self.0[at] } else { other.0[at] })
    }

    #[inline(never)]
    unsafe fn call<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: arrays need no instructions.
        unsafe { kernel.run::<Plain>() }
    }
}
