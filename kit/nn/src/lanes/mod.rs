//! Vectors of `f32`: one file per instruction set, all with the same interface, and the choice between them at run
//! time.
//!
//! A [`Kernel`] is written once, generic over [`Lanes`], and compiled for every instruction set. Every function that a
//! kernel calls is `#[inline(always)]`, so that it becomes part of the one function that enables the instructions.
//! Kernels use plain loops, because closures would be compiled separately.
//!
//! Instruction sets round differently: a fused multiply-add rounds only once. So results agree within rounding, but not
//! bit for bit.

#[cfg(target_arch = "x86_64")]
mod avx;
#[cfg(target_arch = "x86_64")]
mod fma;
mod plain;

/// A vector of numbers.
///
/// Every function is unsafe for the same reasons: the machine must have the instructions, and pointers must be valid
/// for `COUNT` numbers. The pointers need no alignment.
#[allow(clippy::missing_safety_doc)]
pub trait Lanes: Copy {
    /// Number of lanes: 8 or 16.
    const COUNT: usize;
    /// Returns a vector with `value` in every lane.
    unsafe fn splat(value: f32) -> Self;
    /// Reads the numbers that start at this address.
    unsafe fn load(from: *const f32) -> Self;
    /// Writes the numbers, starting at this address.
    unsafe fn store(self, to: *mut f32);
    /// Returns the sums, lane by lane.
    unsafe fn add(self, other: Self) -> Self;
    /// Returns the differences, lane by lane.
    unsafe fn sub(self, other: Self) -> Self;
    /// Returns `self * factor + sum`, lane by lane.
    unsafe fn mul_add(self, factor: Self, sum: Self) -> Self;
    /// Returns the larger numbers, lane by lane.
    unsafe fn max(self, other: Self) -> Self;
    /// Runs a kernel as a separate function, for work that is called from many places.
    unsafe fn call<K: Kernel>(kernel: K) -> K::Output;
}

/// A computation with vectors of any kind.
pub trait Kernel {
    /// The result.
    type Output;

    /// Runs the computation with one kind of vectors. Implementations must be `#[inline(always)]`.
    ///
    /// # Safety
    /// The machine must have the instructions of `L`.
    unsafe fn run<L: Lanes>(self) -> Self::Output;
}

/// An instruction set of this machine.
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
    /// Plain arrays, which work on every machine. Plain arrays are the reference for testing the other instruction
    /// sets.
    pub const PLAIN: Instructions = Instructions(Set::Plain);

    /// Returns all instruction sets of this machine, the fastest last.
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

    /// Returns the fastest instruction set of this machine.
    #[must_use]
    pub fn best() -> Instructions {
        Instructions::all().pop().unwrap_or(Instructions::PLAIN)
    }

    /// Runs a kernel.
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
