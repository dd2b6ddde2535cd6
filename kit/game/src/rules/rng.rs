//! Random numbers that do not depend on the machine.

/// A small, fast, seedable generator: xoshiro256++ (Blackman and Vigna, 2019), seeded by SplitMix64.
///
/// Not for cryptography. The sequence for a seed never changes: recorded games and benchmark signatures depend on it.
///
/// ```
/// use contender_game::rules::Rng;
///
/// let mut rng = Rng::new(42);
/// let die = 1 + rng.below(6);
/// let mut cards: Vec<u8> = (0..52).collect();
/// rng.shuffle(&mut cards);
/// // The same seed gives the same numbers on every machine.
/// assert_eq!(die, 1 + Rng::new(42).below(6));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng {
    state: [u64; 4],
}

/// Computes one step of SplitMix64, a bijection that scrambles the bits of its argument.
fn scatter(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Derives a seed from several numbers, for example a match's seed, the number of the pair and the seat. The order of
/// the numbers matters.
///
/// ```
/// use contender_game::rules::{mix, Rng};
///
/// let (seed, pair) = (1, 7);
/// let [mut first, mut second] = [0, 1].map(|seat| Rng::new(mix(&[seed, pair, seat])));
/// assert_ne!(first.next_u64(), second.next_u64());
/// ```
#[must_use]
pub fn mix(parts: &[u64]) -> u64 {
    parts.iter().fold(0, |seed, &part| scatter(seed ^ scatter(part)))
}

impl Rng {
    /// Creates the generator for a seed. Different seeds give unrelated sequences.
    #[must_use]
    pub fn new(seed: u64) -> Rng {
        let mut x = seed;
        let state = [(); 4].map(|()| {
            let word = scatter(x);
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            word
        });
        Rng { state }
    }

    /// Returns 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Returns a uniform number in `0..n`, without bias (Lemire's multiplication method).
    ///
    /// # Panics
    /// Panics if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "no number is below 0");
        loop {
            let product = (self.next_u64() >> 32) * u64::from(n);
            let low = product as u32;
            // Products with a low half below 2^32 mod n would make some results too likely, so these draws are
            // repeated.
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }

    /// Returns a uniformly random index for a slice or array of this length.
    ///
    /// # Panics
    /// Panics if `len` is 0 or does not fit in 32 bits.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        self.below(u32::try_from(len).expect("length fits in 32 bits")) as usize
    }

    /// Returns a uniformly random element.
    ///
    /// # Panics
    /// Panics if the slice is empty.
    #[inline]
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.index(items.len())]
    }

    /// Returns a uniform number in `0.0..1.0`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Puts the elements into a uniformly random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequence_is_fixed() {
        let mut rng = Rng::new(1);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        // Computed by hand: xoshiro256++ from the SplitMix64 state of seed 1.
        assert_eq!(first, [0xcfc5_d07f_6f03_c29b, 0xbf42_4132_963f_e08d, 0x19a3_7d57_57aa_f520]);
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(2);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (9_600..10_400).contains(&count)), "{counts:?}");
    }

    #[test]
    fn shuffle_reaches_every_order() {
        let mut rng = Rng::new(3);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..1_000 {
            let mut items = [0, 1, 2, 3];
            rng.shuffle(&mut items);
            seen.insert(items);
        }
        assert_eq!(seen.len(), 24);
    }

    #[test]
    fn mixing_depends_on_order_and_every_part() {
        let seeds = [mix(&[]), mix(&[0]), mix(&[0, 0]), mix(&[1, 2]), mix(&[2, 1]), mix(&[1, 2, 0])];
        for (i, a) in seeds.iter().enumerate() {
            assert!(seeds[i + 1..].iter().all(|b| a != b));
        }
    }
}
