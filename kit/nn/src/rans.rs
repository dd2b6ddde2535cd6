//! Entropy coding of bytes: rANS with one frequency for each byte value (Duda, "Asymmetric numeral systems", 2013; the
//! loop comes from Giesen's `rans_byte`).
//!
//! Most quantised weights are small, so their bytes need fewer than 8 bits each. The low and the high bytes of weights
//! have different distributions. The bytes can therefore be divided into equal parts with separate frequencies.
//! [`compress`] chooses the best number of parts, and stores the bytes uncompressed if that is shorter.

/// The binary logarithm of the sum of all frequencies.
const PRECISION: u32 = 12;
const TOTAL: u32 = 1 << PRECISION;
/// Lower bound of the state between symbols; the upper bound is 256 times as large.
const LOW: u32 = 1 << 23;
/// Maximum number of bytes that [`decompress`] returns, far more than any source can contain.
pub const MAX_BYTES: usize = 1 << 24;

/// Compresses bytes for [`decompress`]. The result is at most one byte longer than the input.
///
/// ```
/// use contender_nn::rans::{compress, decompress};
///
/// let bytes: Vec<u8> = (0..10_000).map(|at| (at % 7 == 0).into()).collect();
/// let coded = compress(&bytes);
/// assert!(coded.len() < bytes.len() / 8);
/// assert_eq!(decompress(&coded), Some(bytes));
/// ```
#[must_use]
pub fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut best = vec![0];
    best.extend_from_slice(bytes);
    if bytes.is_empty() || bytes.len() > MAX_BYTES {
        return best;
    }
    for parts in [1, 2, 4, 8, 16] {
        let length = (bytes.len() + parts - 1) / parts;
        let mut coded = vec![0];
        for part in bytes.chunks(length) {
            encode(part, &mut coded);
            coded[0] += 1;
        }
        if coded.len() < best.len() {
            best = coded;
        }
    }
    best
}

/// Restores the original bytes. Returns `None` if the input is invalid.
///
/// The example of [`compress`] calls this function.
#[must_use]
pub fn decompress(coded: &[u8]) -> Option<Vec<u8>> {
    let (&parts, coded) = coded.split_first()?;
    if parts == 0 {
        return Some(coded.to_vec());
    }
    let mut bytes = Vec::new();
    let mut input = coded.iter().copied();
    for _ in 0..parts {
        decode(&mut input, &mut bytes)?;
    }
    Some(bytes).filter(|_| input.next().is_none())
}

/// Decodes one part and appends the bytes.
fn decode(input: &mut impl Iterator<Item = u8>, bytes: &mut Vec<u8>) -> Option<()> {
    let mut number =
        || Some(u32::from_le_bytes([input.next()?, input.next()?, input.next()?, input.next()?]));
    let (length, mut state) = (number()? as usize, number()?);
    if bytes.len() + length > MAX_BYTES {
        return None;
    }
    let mut frequency = [0u32; 256];
    let mut start = [0u32; 256];
    let mut symbols: Vec<u8> = Vec::with_capacity(TOTAL as usize);
    for symbol in 0..=255u8 {
        let first = u32::from(input.next()?);
        let count = if first < 128 { first } else { (first - 128) << 8 | u32::from(input.next()?) };
        frequency[usize::from(symbol)] = count;
        start[usize::from(symbol)] = symbols.len() as u32;
        if symbols.len() as u32 + count > TOTAL {
            return None;
        }
        symbols.resize(symbols.len() + count as usize, symbol);
    }
    if symbols.len() as u32 != TOTAL {
        return None;
    }
    for _ in 0..length {
        let slot = state & (TOTAL - 1);
        let symbol = symbols[slot as usize];
        let at = usize::from(symbol);
        state = frequency[at].checked_mul(state >> PRECISION)?.checked_add(slot - start[at])?;
        while state < LOW {
            state = state << 8 | u32::from(input.next()?);
        }
        bytes.push(symbol);
    }
    // The decoder must end in the state that the encoder started with.
    (state == LOW).then_some(())
}

/// Encodes one part and appends its code.
fn encode(bytes: &[u8], out: &mut Vec<u8>) {
    let frequency = frequencies(bytes);
    let mut start = [0u32; 256];
    for at in 1..256 {
        start[at] = start[at - 1] + frequency[at - 1];
    }
    // The decoder starts with the output that was written last, so symbols and output are processed backwards.
    let mut state = LOW;
    let mut backwards = Vec::new();
    for &byte in bytes.iter().rev() {
        let at = usize::from(byte);
        let full = u64::from((LOW >> PRECISION) << 8) * u64::from(frequency[at]);
        while u64::from(state) >= full {
            backwards.push(state as u8);
            state >>= 8;
        }
        state = ((state / frequency[at]) << PRECISION) + state % frequency[at] + start[at];
    }
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(state.to_le_bytes());
    for count in frequency {
        if count < 128 {
            out.push(count as u8);
        } else {
            out.extend([128 | (count >> 8) as u8, count as u8]);
        }
    }
    out.extend(backwards.iter().rev());
}

/// Returns frequencies that add up to the required sum. Every byte value that occurs has a frequency of at least 1.
fn frequencies(bytes: &[u8]) -> [u32; 256] {
    let mut counts = [0u64; 256];
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    let all = bytes.len().max(1) as u64;
    let mut scaled = [0u32; 256];
    for (scaled, count) in scaled.iter_mut().zip(counts) {
        if count > 0 {
            *scaled = ((count * u64::from(TOTAL) / all) as u32).max(1);
        }
    }
    // Rounding leaves a difference to the total. The most frequent byte values compensate for it.
    loop {
        let sum: u32 = scaled.iter().sum();
        if sum == TOTAL {
            return scaled;
        }
        let largest = (0..256).max_by_key(|&at| scaled[at]).unwrap_or(0);
        if sum < TOTAL {
            scaled[largest] += TOTAL - sum;
        } else {
            scaled[largest] -= (sum - TOTAL).min(scaled[largest].div_euclid(2).max(1));
        }
    }
}
