//! Vectors of `f32`. Each instruction set has its own file with the same interface, and the instruction set is selected
//! at run time.
//!
//! A [`Kernel`] is written once, generic over [`Lanes`], and compiled for every instruction set. Every function that a
//! kernel calls is `#[inline(always)]`, so that it becomes part of the function that enables the instructions. Kernels
//! use plain loops, because closures would be compiled separately.
//!
//! Instruction sets round differently: for example, a fused multiply-add rounds only once. Results are therefore equal
//! up to rounding errors, but not bit for bit.

#[cfg(target_arch = "x86_64")]
mod avx;
#[cfg(target_arch = "x86_64")]
mod fma;
mod plain;

/// A vector of `f32` numbers.
///
/// All functions have the same safety requirements: the machine must support the instructions, and pointers must be
/// valid for `COUNT` numbers. Pointers do not have to be aligned.
#[allow(clippy::missing_safety_doc)]
pub trait Lanes: Copy {
    /// Number of lanes: 8 or 16.
    const COUNT: usize;
    /// Returns a vector with `value` in every lane.
    unsafe fn splat(value: f32) -> Self;
    /// Loads the numbers that start at this address.
    unsafe fn load(from: *const f32) -> Self;
    /// Stores the numbers, starting at this address.
    unsafe fn store(self, to: *mut f32);
    /// Returns the lane-wise sums.
    unsafe fn add(self, other: Self) -> Self;
    /// Returns the lane-wise differences.
    unsafe fn sub(self, other: Self) -> Self;
    /// Returns `self * factor + sum` for each lane.
    unsafe fn mul_add(self, factor: Self, sum: Self) -> Self;
    /// Returns the lane-wise maxima.
    unsafe fn max(self, other: Self) -> Self;
    /// Runs a kernel as a separate function, which avoids duplicating code that is called from many places.
    unsafe fn call<K: Kernel>(kernel: K) -> K::Output;
}

/// A computation that works with any kind of vector.
pub trait Kernel {
    /// The result of the computation.
    type Output;

    /// Runs the computation with one kind of vector. Implementations must be `#[inline(always)]`.
    ///
    /// # Safety
    /// The machine must support the instructions of `L`.
    unsafe fn run<L: Lanes>(self) -> Self::Output;
}

/// An instruction set that this machine supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instructions(Set);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx,
    #[cfg(target_arch = "x86_64")]
    Fma,
}

impl Instructions {
    /// Plain arrays, which work on every machine and are the reference for testing the other instruction sets.
    pub const PLAIN: Instructions = Instructions(Set::Plain);

    /// Returns all instruction sets that this machine supports, with the fastest last.
    #[must_use]
    pub fn all() -> Vec<Instructions> {
        #[allow(unused_mut)] // Other machines have nothing to add.
        let mut all = vec![Instructions::PLAIN];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx") {
                all.push(Instructions(Set::Avx));
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                all.push(Instructions(Set::Fma));
            }
        }
        all
    }

    /// Returns the fastest instruction set that this machine supports.
    #[must_use]
    pub fn best() -> Instructions {
        Instructions::all().pop().unwrap_or(Instructions::PLAIN)
    }

    /// Runs a kernel with this instruction set.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            // SAFETY: arrays need no instructions.
            Set::Plain => unsafe { kernel.run::<plain::Plain>() },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a value of this kind exists only if the machine has AVX.
            Set::Avx => unsafe { avx::run(kernel) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a value of this kind exists only if the machine has AVX2 and FMA.
            Set::Fma => unsafe { fma::run(kernel) },
        }
    }
}
