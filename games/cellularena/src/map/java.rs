//! The judge's random numbers: Java's `SecureRandom` with the algorithm SHA1PRNG, and the methods of `java.util.Random`
//! and `Collections` that use its bits.

use super::sha1::sha1;

/// Java's SHA1PRNG with an explicit seed.
pub(super) struct JavaRandom {
    state: [u8; 20],
    output: [u8; 20],
    /// Number of bytes of `output` that have been used.
    used: usize,
}

impl JavaRandom {
    /// Creates the generator for a seed. The seed must not be 0, which Java ignores.
    pub(super) fn new(seed: i64) -> JavaRandom {
        JavaRandom { state: sha1(&seed.to_le_bytes()), output: [0; 20], used: 20 }
    }

    fn byte(&mut self) -> u8 {
        if self.used == 20 {
            self.output = sha1(&self.state);
            self.used = 0;
            let before = self.state;
            let mut carry = 1i32;
            for (byte, &out) in self.state.iter_mut().zip(&self.output) {
                let sum = i32::from(*byte as i8) + i32::from(out as i8) + carry;
                *byte = sum as u8;
                carry = sum >> 8;
            }
            if self.state == before {
                self.state[0] = self.state[0].wrapping_add(1);
            }
        }
        self.used += 1;
        self.output[self.used - 1]
    }

    /// Returns `bits` random bits, from 1 to 32, like Java's `next(bits)`.
    fn next(&mut self, bits: u32) -> u32 {
        let bytes = (bits + 7) / 8;
        let all = (0..bytes).fold(0u64, |all, _| all << 8 | u64::from(self.byte()));
        (all >> (8 * bytes - bits)) as u32
    }

    /// Returns a number below `n`, like Java's `nextInt(n)`.
    pub(super) fn below(&mut self, n: u32) -> u32 {
        let bits = self.next(31);
        if n.is_power_of_two() {
            return ((u64::from(n) * u64::from(bits)) >> 31) as u32;
        }
        self.reduce(bits, n)
    }

    /// Returns a number in `low..high`, like `nextInt(low, high)` of Java 17, which uses different bits than
    /// `nextInt(n)`.
    pub(super) fn range(&mut self, low: u32, high: u32) -> u32 {
        let n = high - low;
        let bits = self.next(32);
        if n.is_power_of_two() {
            return low + (bits & (n - 1));
        }
        low + self.reduce(bits >> 1, n)
    }

    /// Returns `bits % n`. If `bits` lies in the last, incomplete block of `n` values, draws again, so that all
    /// remainders are equally likely.
    fn reduce(&mut self, mut bits: u32, n: u32) -> u32 {
        loop {
            let remainder = bits % n;
            if bits - remainder + (n - 1) < 1 << 31 {
                return remainder;
            }
            bits = self.next(32) >> 1;
        }
    }

    /// Returns a number in `0.0..1.0`, like `nextDouble()`.
    pub(super) fn double(&mut self) -> f64 {
        let high = u64::from(self.next(26)) << 27;
        (high + u64::from(self.next(27))) as f64 / (1u64 << 53) as f64
    }

    /// Returns a random bit, like `nextBoolean()`.
    pub(super) fn boolean(&mut self) -> bool {
        self.next(1) == 1
    }

    /// Shuffles a list like `Collections.shuffle`.
    pub(super) fn shuffle<T>(&mut self, list: &mut [T]) {
        for size in (2..=list.len()).rev() {
            let other = self.below(size as u32) as usize;
            list.swap(size - 1, other);
        }
    }
}
