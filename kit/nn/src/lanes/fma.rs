//! Vectors for AVX2 with FMA.

use super::{Kernel, Lanes};
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(super) struct Fma(__m256);

/// Runs a kernel with AVX2 and FMA vectors.
///
/// # Safety
/// The machine must support AVX2 and FMA.
#[inline(never)]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn run<K: Kernel>(kernel: K) -> K::Output {
    // SAFETY: the caller guarantees that the machine has the instructions.
    unsafe { kernel.run::<Fma>() }
}

// SAFETY of all blocks: the caller guarantees that the machine has the instructions and that pointers are valid for
// eight numbers.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Lanes for Fma {
    const COUNT: usize = 8;

    #[inline(always)]
    unsafe fn splat(value: f32) -> Fma {
        unsafe { Fma(_mm256_set1_ps(value)) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Fma {
        unsafe { Fma(_mm256_loadu_ps(from)) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        unsafe { _mm256_storeu_ps(to, self.0) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Fma) -> Fma {
        unsafe { Fma(_mm256_add_ps(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn sub(self, other: Fma) -> Fma {
        unsafe { Fma(_mm256_sub_ps(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn mul_add(self, factor: Fma, sum: Fma) -> Fma {
        unsafe { Fma(_mm256_fmadd_ps(self.0, factor.0, sum.0)) }
    }

    #[inline(always)]
    unsafe fn max(self, other: Fma) -> Fma {
        unsafe { Fma(_mm256_max_ps(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn call<K: Kernel>(kernel: K) -> K::Output {
        unsafe { run(kernel) }
    }
}
