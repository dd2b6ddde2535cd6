//! Vectors of sixteen numbers, used for training only. Judges' machines are not known to have AVX-512, and Rust 1.66,
//! to which submissions are limited, lacks its instructions.

use contender_nn::lanes::{Kernel, Lanes};
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
struct Avx512(__m512);

/// Runs a kernel with AVX-512 if the machine supports it. Otherwise, returns the kernel.
pub(super) fn run<K: Kernel>(kernel: K) -> Result<K::Output, K> {
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("fma") {
        // SAFETY: the machine has the instructions.
        Ok(unsafe { enabled(kernel) })
    } else {
        Err(kernel)
    }
}

/// # Safety
/// The machine must support AVX-512F, AVX2 and FMA.
#[inline(never)]
#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn enabled<K: Kernel>(kernel: K) -> K::Output {
    // SAFETY: the caller guarantees that the machine has the instructions.
    unsafe { kernel.run::<Avx512>() }
}

// SAFETY of all blocks: the caller guarantees that the machine has the instructions and that pointers are valid for
// sixteen numbers.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Lanes for Avx512 {
    const COUNT: usize = 16;

    #[inline(always)]
    unsafe fn splat(value: f32) -> Avx512 {
        unsafe { Avx512(_mm512_set1_ps(value)) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Avx512 {
        unsafe { Avx512(_mm512_loadu_ps(from)) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        unsafe { _mm512_storeu_ps(to, self.0) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Avx512) -> Avx512 {
        unsafe { Avx512(_mm512_add_ps(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn sub(self, other: Avx512) -> Avx512 {
        unsafe { Avx512(_mm512_sub_ps(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn mul_add(self, factor: Avx512, sum: Avx512) -> Avx512 {
        unsafe { Avx512(_mm512_fmadd_ps(self.0, factor.0, sum.0)) }
    }

    #[inline(always)]
    unsafe fn max(self, other: Avx512) -> Avx512 {
        unsafe { Avx512(_mm512_max_ps(self.0, other.0)) }
    }

    #[inline(always)]
    unsafe fn call<K: Kernel>(kernel: K) -> K::Output {
        unsafe { enabled(kernel) }
    }
}
