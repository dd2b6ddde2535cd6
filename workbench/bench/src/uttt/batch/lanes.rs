//! Vectors of sixteen 16-bit numbers: plain arrays, and AVX2.

use contender_uttt::tables::{HAS_LINE, NTH};

/// How many numbers are in a vector.
pub(super) const LANES: usize = 16;

/// A vector of sixteen 16-bit numbers. Comparisons give all ones or zero.
pub(super) trait Lanes: Copy {
    fn splat(value: u16) -> Self;
    fn load(values: &[u16; LANES]) -> Self;
    fn get(&self, lane: usize) -> u16;
    fn set(&mut self, lane: usize, value: u16);
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `!self & other`.
    fn and_not(self, other: Self) -> Self;
    /// `then` in the lanes where this is all ones, `otherwise` where it is zero.
    fn select(self, then: Self, otherwise: Self) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    /// The smaller, of numbers without sign.
    fn min(self, other: Self) -> Self;
    fn eq(self, other: Self) -> Self;
    /// `self > other`, of numbers below 2^15.
    fn gt(self, other: Self) -> Self;
    /// The low half of the product.
    fn mul_low(self, other: Self) -> Self;
    /// The high half of the product.
    fn mul_high(self, other: Self) -> Self;
    /// Taken as four 64-bit numbers.
    fn shl64<const BY: i32>(self) -> Self;
    /// Taken as four 64-bit numbers.
    fn shr64<const BY: i32>(self) -> Self;
    /// Taken as four 64-bit numbers.
    fn add64(self, other: Self) -> Self;
    /// Which lanes are zero, a bit for each.
    fn zeros(self) -> u32;
    /// The `nth` smallest member, from 0, of each set of nine; some member or none where it has no more than `nth`.
    fn nth_bit(self, nth: Self) -> Self;
    /// All ones where a set of nine contains a line.
    fn has_line(self) -> Self;
}

/// Arrays.
#[derive(Clone, Copy)]
pub(super) struct Plain([u16; LANES]);

impl Plain {
    #[inline(always)]
    fn zip(self, other: Plain, f: impl Fn(u16, u16) -> u16) -> Plain {
        let mut result = self;
        for lane in 0..LANES {
            result.0[lane] = f(self.0[lane], other.0[lane]);
        }
        result
    }

    #[inline(always)]
    fn words(self) -> [u64; 4] {
        let mut words = [0; 4];
        for lane in 0..LANES {
            words[lane / 4] |= u64::from(self.0[lane]) << (16 * (lane % 4));
        }
        words
    }

    #[inline(always)]
    fn from_words(words: [u64; 4]) -> Plain {
        let mut result = [0; LANES];
        for lane in 0..LANES {
            result[lane] = (words[lane / 4] >> (16 * (lane % 4))) as u16;
        }
        Plain(result)
    }
}

#[inline(always)]
fn mask(is: bool) -> u16 {
    u16::from(is).wrapping_neg()
}

impl Lanes for Plain {
    #[inline(always)]
    fn splat(value: u16) -> Plain {
        Plain([value; LANES])
    }
    #[inline(always)]
    fn load(values: &[u16; LANES]) -> Plain {
        Plain(*values)
    }
    #[inline(always)]
    fn get(&self, lane: usize) -> u16 {
        self.0[lane]
    }
    #[inline(always)]
    fn set(&mut self, lane: usize, value: u16) {
        self.0[lane] = value;
    }
    #[inline(always)]
    fn and(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a ^ b)
    }
    #[inline(always)]
    fn and_not(self, other: Plain) -> Plain {
        self.zip(other, |a, b| !a & b)
    }
    #[inline(always)]
    fn select(self, then: Plain, otherwise: Plain) -> Plain {
        self.and(then).or(self.and_not(otherwise))
    }
    #[inline(always)]
    fn add(self, other: Plain) -> Plain {
        self.zip(other, u16::wrapping_add)
    }
    #[inline(always)]
    fn sub(self, other: Plain) -> Plain {
        self.zip(other, u16::wrapping_sub)
    }
    #[inline(always)]
    fn min(self, other: Plain) -> Plain {
        self.zip(other, u16::min)
    }
    #[inline(always)]
    fn eq(self, other: Plain) -> Plain {
        self.zip(other, |a, b| mask(a == b))
    }
    #[inline(always)]
    fn gt(self, other: Plain) -> Plain {
        self.zip(other, |a, b| mask(a as i16 > b as i16))
    }
    #[inline(always)]
    fn mul_low(self, other: Plain) -> Plain {
        self.zip(other, u16::wrapping_mul)
    }
    #[inline(always)]
    fn mul_high(self, other: Plain) -> Plain {
        self.zip(other, |a, b| ((u32::from(a) * u32::from(b)) >> 16) as u16)
    }
    #[inline(always)]
    fn shl64<const BY: i32>(self) -> Plain {
        Plain::from_words(self.words().map(|word| word << BY))
    }
    #[inline(always)]
    fn shr64<const BY: i32>(self) -> Plain {
        Plain::from_words(self.words().map(|word| word >> BY))
    }
    #[inline(always)]
    fn add64(self, other: Plain) -> Plain {
        let (mut words, others) = (self.words(), other.words());
        for (word, other) in words.iter_mut().zip(others) {
            *word = word.wrapping_add(other);
        }
        Plain::from_words(words)
    }
    #[inline(always)]
    fn zeros(self) -> u32 {
        self.0.iter().enumerate().map(|(lane, &value)| u32::from(value == 0) << lane).sum()
    }
    #[inline(always)]
    fn nth_bit(self, nth: Plain) -> Plain {
        self.zip(nth, |set, nth| set & 1 << NTH[usize::from(set & 511)][usize::from(nth & 15)])
    }
    #[inline(always)]
    fn has_line(self) -> Plain {
        self.zip(self, |set, _| mask(HAS_LINE[usize::from(set & 511)]))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{LANES, Lanes};
    use std::arch::x86_64::*;

    /// One register. Values are made and used only below `step_through_avx2`, which runs only where the machine has AVX2; that is
    /// the reason why every block here is sound.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Avx2(__m256i);

    /// A function of vectors that is one instruction.
    macro_rules! instruction {
        ($($name:ident($($arg:ident),*) = $instruction:expr;)*) => {$(
            #[inline(always)]
            fn $name(self $(, $arg: Avx2)*) -> Avx2 {
                // SAFETY: the machine has AVX2, see the type.
                Avx2(unsafe { $instruction(self.0 $(, $arg.0)*) })
            }
        )*};
    }

    impl Lanes for Avx2 {
        #[inline(always)]
        fn splat(value: u16) -> Avx2 {
            // SAFETY: the machine has AVX2, see the type.
            Avx2(unsafe { _mm256_set1_epi16(value as i16) })
        }
        #[inline(always)]
        fn load(values: &[u16; LANES]) -> Avx2 {
            // SAFETY: the machine has AVX2, see the type; the array has the 32 bytes that are read, and no alignment is needed.
            Avx2(unsafe { _mm256_loadu_si256(values.as_ptr().cast()) })
        }
        #[inline(always)]
        fn get(&self, lane: usize) -> u16 {
            // SAFETY: a register has the size of the array and a stricter alignment, and any bits are numbers.
            let values: &[u16; LANES] = unsafe { &*(self as *const Avx2).cast() };
            values[lane]
        }
        #[inline(always)]
        fn set(&mut self, lane: usize, value: u16) {
            // SAFETY: a register has the size of the array and a stricter alignment, and any bits are numbers.
            let values: &mut [u16; LANES] = unsafe { &mut *(self as *mut Avx2).cast() };
            values[lane] = value;
        }
        instruction! {
            and(other) = _mm256_and_si256;
            or(other) = _mm256_or_si256;
            xor(other) = _mm256_xor_si256;
            and_not(other) = _mm256_andnot_si256;
            add(other) = _mm256_add_epi16;
            sub(other) = _mm256_sub_epi16;
            min(other) = _mm256_min_epu16;
            eq(other) = _mm256_cmpeq_epi16;
            gt(other) = _mm256_cmpgt_epi16;
            mul_low(other) = _mm256_mullo_epi16;
            mul_high(other) = _mm256_mulhi_epu16;
            add64(other) = _mm256_add_epi64;
        }
        #[inline(always)]
        fn select(self, then: Avx2, otherwise: Avx2) -> Avx2 {
            // SAFETY: the machine has AVX2, see the type.
            Avx2(unsafe { _mm256_blendv_epi8(otherwise.0, then.0, self.0) })
        }
        #[inline(always)]
        fn shl64<const BY: i32>(self) -> Avx2 {
            // SAFETY: the machine has AVX2, see the type.
            Avx2(unsafe { _mm256_slli_epi64::<BY>(self.0) })
        }
        #[inline(always)]
        fn shr64<const BY: i32>(self) -> Avx2 {
            // SAFETY: the machine has AVX2, see the type.
            Avx2(unsafe { _mm256_srli_epi64::<BY>(self.0) })
        }
        #[inline(always)]
        fn zeros(self) -> u32 {
            // SAFETY: the machine has AVX2, see the type.
            unsafe {
                let zeros = _mm256_cmpeq_epi16(self.0, _mm256_setzero_si256());
                // A byte a lane, in the order of the lanes.
                let low = _mm256_castsi256_si128(zeros);
                let bytes = _mm_packs_epi16(low, _mm256_extracti128_si256::<1>(zeros));
                _mm_movemask_epi8(bytes) as u32
            }
        }
        /// By rows of the board: how many members each has, which row has the one that is looked for, and which of its
        /// three cells that is.
        #[inline(always)]
        fn nth_bit(self, nth: Avx2) -> Avx2 {
            // SAFETY: the machine has AVX2, see the type.
            unsafe {
                let look_up = |table: [i8; 16], index| {
                    let table = _mm_loadu_si128(table.as_ptr().cast());
                    _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), index)
                };
                let seven = _mm256_set1_epi16(7);
                let row = [
                    _mm256_and_si256(self.0, seven),
                    _mm256_and_si256(_mm256_srli_epi16::<3>(self.0), seven),
                    _mm256_srli_epi16::<6>(self.0),
                ];
                let counts = [0, 1, 1, 2, 1, 2, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0];
                let first = look_up(counts, row[0]);
                let second = look_up(counts, row[1]);
                let in_first = _mm256_cmpgt_epi16(first, nth.0);
                let in_two = _mm256_cmpgt_epi16(_mm256_add_epi16(first, second), nth.0);
                let choose = |rows: [__m256i; 3]| {
                    _mm256_blendv_epi8(_mm256_blendv_epi8(rows[2], rows[1], in_two), rows[0], in_first)
                };
                let set = choose(row);
                let nth = _mm256_sub_epi16(nth.0, _mm256_andnot_si256(in_first, first));
                let nth = _mm256_sub_epi16(nth, _mm256_andnot_si256(in_two, second));
                // `set + 9 * nth` modulo 16 differs for all pairs of a set and a member; 0 stands for the second of three.
                let members = [2, 1, 2, 1, 4, 1, 2, 1, 0, 4, 0, 0, 2, 0, 4, 4];
                let index = _mm256_add_epi16(set, _mm256_add_epi16(nth, _mm256_slli_epi16::<3>(nth)));
                let member = _mm256_and_si256(look_up(members, index), set);
                let scale = choose([1, 8, 64].map(|scale| _mm256_set1_epi16(scale)));
                Avx2(_mm256_mullo_epi16(member, scale))
            }
        }
        #[inline(always)]
        fn has_line(self) -> Avx2 {
            let set = self.0;
            // SAFETY: the machine has AVX2, see the type.
            unsafe {
                let rows = _mm256_and_si256(_mm256_srli_epi16::<1>(set), _mm256_srli_epi16::<2>(set));
                let rows = _mm256_and_si256(rows, _mm256_set1_epi16(0b001_001_001));
                let columns = _mm256_and_si256(_mm256_srli_epi16::<3>(set), _mm256_srli_epi16::<6>(set));
                // Three bits are left of the second shift.
                let straight = _mm256_and_si256(_mm256_or_si256(rows, columns), set);
                let diagonal = |line| {
                    let line = _mm256_set1_epi16(line);
                    _mm256_cmpeq_epi16(_mm256_and_si256(set, line), line)
                };
                let diagonals = _mm256_or_si256(diagonal(0b100_010_001), diagonal(0b001_010_100));
                Avx2(_mm256_or_si256(diagonals, _mm256_cmpgt_epi16(straight, _mm256_setzero_si256())))
            }
        }
    }
}
