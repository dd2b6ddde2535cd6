//! Quantisation: represents numbers as small integers times a scale.

use crate::rans::{compress, decompress};
use std::ops::Range;

/// Quantised numbers, with the size of the rounding errors.
#[derive(Clone, PartialEq, Debug)]
pub struct Quantised {
    /// An integer for each number, from -(2^(bits-1) - 1) to 2^(bits-1) - 1.
    pub values: Vec<i16>,
    /// The number that the integer 1 represents.
    pub scale: f32,
    /// The maximum difference between a number and its quantised value. It is at most half the scale, except for
    /// floating-point errors.
    pub largest_error: f32,
    /// The root mean square of the differences.
    pub mean_error: f32,
}

/// Quantises numbers to integers of 2 to 16 bits. The number farthest from 0 is mapped to the largest integer.
///
/// # Errors
/// Returns an error if a number is not finite (the error contains its index), or if `bits` is out of range.
///
/// ```
/// use contender_nn::quantise::{quantise, restore};
///
/// let quantised = quantise(&[1.0, -0.25, 0.3], 4).unwrap();
/// assert_eq!(quantised.values, [7, -2, 2]);
/// let restored = restore(&quantised.values, quantised.scale);
/// assert!((restored[1] + 2.0 / 7.0).abs() < 0.001 && quantised.largest_error < 0.04);
/// ```
pub fn quantise(numbers: &[f32], bits: u32) -> Result<Quantised, String> {
    if !(2..=16).contains(&bits) {
        return Err(format!("numbers are quantised to 2 to 16 bits, not {bits}"));
    }
    if let Some(at) = numbers.iter().position(|number| !number.is_finite()) {
        return Err(format!("number {at} is {}", numbers[at]));
    }
    let scale = scale(numbers, bits);
    let values: Vec<i16> = numbers.iter().map(|&number| integer(number, scale, bits)).collect();
    let (mut largest_error, mut squares) = (0f32, 0f64);
    for (number, &value) in numbers.iter().zip(&values) {
        let error = (number - f32::from(value) * scale).abs();
        largest_error = largest_error.max(error);
        squares += f64::from(error) * f64::from(error);
    }
    let mean_error = (squares / numbers.len().max(1) as f64).sqrt() as f32;
    Ok(Quantised { values, scale, largest_error, mean_error })
}

/// Returns the largest integer with this number of bits.
fn largest(bits: u32) -> f32 {
    ((1 << (bits - 1)) - 1) as f32
}

/// Returns the scale that maps the number farthest from 0 to the largest integer.
fn scale(numbers: &[f32], bits: u32) -> f32 {
    let farthest = numbers.iter().fold(0f32, |farthest, number| farthest.max(number.abs()));
    let scale = farthest / largest(bits);
    if scale > 0.0 {
        scale
    } else {
        1.0
    }
}

fn integer(number: f32, scale: f32, bits: u32) -> i16 {
    (number / scale).round().clamp(-largest(bits), largest(bits)) as i16
}

/// Returns the numbers that the integers represent.
///
/// The example of [`quantise()`] calls this function.
#[must_use]
pub fn restore(values: &[i16], scale: f32) -> Vec<f32> {
    values.iter().map(|&value| f32::from(value) * scale).collect()
}

/// Converts integers to bytes. The first byte shows whether every integer fits in one byte. Then come the low bytes of
/// all integers and, if necessary, the high bytes.
///
/// ```
/// use contender_nn::quantise::{from_bytes, to_bytes};
///
/// assert_eq!(to_bytes(&[3, -1]), [0, 3, 255]);
/// assert_eq!(from_bytes(&to_bytes(&[300, -1])), Some(vec![300, -1]));
/// ```
#[must_use]
pub fn to_bytes(values: &[i16]) -> Vec<u8> {
    let is_wide = values.iter().any(|&value| i8::try_from(value).is_err());
    let mut bytes = vec![u8::from(is_wide)];
    bytes.extend(values.iter().map(|&value| value as u8));
    if is_wide {
        bytes.extend(values.iter().map(|&value| (value >> 8) as u8));
    }
    bytes
}

/// Decodes integers that [`to_bytes`] encoded. Returns `None` if the bytes are invalid.
///
/// The example of [`to_bytes`] calls this function.
#[must_use]
pub fn from_bytes(bytes: &[u8]) -> Option<Vec<i16>> {
    let (&kind, bytes) = bytes.split_first()?;
    match kind {
        0 => Some(bytes.iter().map(|&low| i16::from(low as i8)).collect()),
        1 if bytes.len() % 2 == 0 => {
            let (low, high) = bytes.split_at(bytes.len() / 2);
            Some(low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])).collect())
        }
        _ => None,
    }
}

/// Encodes a network's integers as compressed bytes for a file. The integers are clamped to 16 bits.
#[must_use]
pub fn pack_numbers(numbers: impl IntoIterator<Item = i32>) -> Vec<u8> {
    let clamp = |number: i32| number.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
    compress(&to_bytes(&numbers.into_iter().map(clamp).collect::<Vec<i16>>()))
}

/// Decodes integers that [`pack_numbers`] encoded. There must be exactly `count` of them.
///
/// # Errors
/// Returns an error if the bytes cannot be decoded, or if the number of integers is wrong.
pub fn unpack_numbers(bytes: &[u8], count: usize) -> Result<Vec<i16>, String> {
    let numbers = decompress(bytes).and_then(|bytes| from_bytes(&bytes));
    let numbers = numbers.ok_or("the network's bytes are not 16-bit numbers")?;
    if numbers.len() != count {
        return Err(format!("the network has {} numbers instead of {count}", numbers.len()));
    }
    Ok(numbers)
}

/// Number of bits per number in [`pack_parts`].
const BITS: u32 = 10;

/// Encodes the numbers of a network whose parts differ in magnitude. Each part is quantised to 10 bits with its own
/// scale. The bytes contain the scales (four bytes each), followed by the integers of all parts.
///
/// # Panics
/// Panics if a number is not finite.
#[must_use]
pub fn pack_parts(numbers: &[f32], parts: &[Range<usize>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut integers = Vec::with_capacity(numbers.len());
    for part in parts {
        let rounded = quantise(&numbers[part.clone()], BITS).expect("a network's numbers are finite");
        bytes.extend(rounded.scale.to_le_bytes());
        integers.extend(rounded.values.into_iter().map(i32::from));
    }
    bytes.extend(pack_numbers(integers));
    bytes
}

/// Rounds each number to the value that it has after [`pack_parts`] and [`unpack_parts`].
pub fn round_parts(numbers: &mut [f32], parts: &[Range<usize>]) {
    for part in parts {
        let scale = scale(&numbers[part.clone()], BITS);
        for number in &mut numbers[part.clone()] {
            *number = f32::from(integer(*number, scale, BITS)) * scale;
        }
    }
}

/// Decodes numbers that [`pack_parts`] encoded. The parts must be adjacent.
///
/// # Errors
/// Returns an error if the bytes are invalid or have the wrong length.
pub fn unpack_parts(bytes: &[u8], parts: &[Range<usize>]) -> Result<Vec<f32>, String> {
    let length = 4 * parts.len();
    let (scales, integers) = bytes
        .get(..length)
        .zip(bytes.get(length..))
        .ok_or_else(|| format!("the network ends after {} bytes of its scales", bytes.len()))?;
    let count = parts.last().map_or(0, |part| part.end);
    let integers = unpack_numbers(integers, count)?;
    let mut numbers = Vec::with_capacity(count);
    for (part, scale) in parts.iter().zip(scales.chunks_exact(4)) {
        let scale = f32::from_le_bytes([scale[0], scale[1], scale[2], scale[3]]);
        if !scale.is_finite() {
            return Err(format!("a scale of the network is {scale}"));
        }
        numbers.extend(restore(&integers[part.clone()], scale));
    }
    Ok(numbers)
}
