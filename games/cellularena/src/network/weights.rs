//! Networks as bytes: weights of 8 bits with one scale for each output of a layer.
//!
//! The step size is the root mean square of the weights divided by 1.75. Most weights are close to 0, so a packed bot
//! needs less than 3 bits per weight. A network plays much worse with rounded weights if it was not trained with them.

use super::shape;
use contender_nn::policy_value::{Network, Shape};
use std::ops::Range;

/// Maximum absolute value of a weight as an integer.
const MAX_WEIGHT: f32 = 127.0;
/// Number of steps per root mean square of the weights.
const STEPS: f32 = 1.75;

/// Returns the range of each layer's numbers, with the layer's number of outputs.
fn parts(shape: &Shape) -> Vec<(Range<usize>, usize)> {
    let (layout, channels) = (shape.layout(), shape.channels);
    let mut parts = vec![(layout.embed, channels), (layout.embed_bias, 1)];
    for [weights, bias] in layout.convolutions {
        parts.extend([(weights, channels), (bias, 1)]);
    }
    parts.extend([
        (layout.heads, shape.heads()),
        (layout.heads_bias, 1),
        (layout.wait, 1),
        (layout.wait_bias, 1),
        (layout.hidden, shape.hidden),
        (layout.hidden_bias, 1),
        (layout.value, 1),
        (layout.value_bias, 1),
    ]);
    parts
}

/// Returns the bytes that [`read`] converts to a network: the sizes, and then for each layer the scales of its outputs
/// and its weights.
///
/// # Panics
/// Panics if the number of parameters does not match the shape.
#[must_use]
pub fn write(shape: Shape, parameters: &[f32]) -> Vec<u8> {
    assert_eq!(parameters.len(), shape.parameters(), "a number for each parameter");
    let mut bytes = Vec::new();
    // The lower 8 bits are the number of blocks. The next bit is set if the network has two sides.
    for size in [shape.channels, shape.blocks + 256 * (shape.sides - 1), shape.hidden] {
        bytes.extend((size as u16).to_le_bytes());
    }
    for (range, columns) in parts(&shape) {
        let numbers = &parameters[range];
        let scales = scales(numbers, columns);
        scales.iter().for_each(|scale| bytes.extend(scale.to_le_bytes()));
        bytes.extend(
            numbers.iter().zip(scales.iter().cycle()).map(|(&number, &scale)| integer(number, scale) as u8),
        );
    }
    bytes
}

/// Rounds parameters to the values that [`read_parameters`] returns after [`write()`].
///
/// # Panics
/// Panics if the number of parameters does not match the shape.
pub fn round(shape: &Shape, parameters: &mut [f32]) {
    assert_eq!(parameters.len(), shape.parameters(), "a number for each parameter");
    for (range, columns) in parts(shape) {
        let numbers = &mut parameters[range];
        let scales = scales(numbers, columns);
        for (number, &scale) in numbers.iter_mut().zip(scales.iter().cycle()) {
            *number = f32::from(integer(*number, scale)) * scale;
        }
    }
}

/// Returns the scale of each output of a layer. The layer's numbers have `columns` columns.
fn scales(numbers: &[f32], columns: usize) -> Vec<f32> {
    let scale = |column: usize| {
        let numbers = || numbers.iter().skip(column).step_by(columns);
        let mean = numbers().map(|number| number * number).sum::<f32>() / numbers().count() as f32;
        let largest = numbers().fold(0f32, |largest, number| largest.max(number.abs()));
        (mean.sqrt() / STEPS).max(largest / MAX_WEIGHT)
    };
    (0..columns).map(scale).collect()
}

fn integer(number: f32, scale: f32) -> i8 {
    (number / scale.max(f32::MIN_POSITIVE)).round().clamp(-MAX_WEIGHT, MAX_WEIGHT) as i8
}

/// Returns the parameters of a network that [`write()`] wrote.
///
/// # Errors
/// Returns an error if the bytes are not a network.
pub fn read_parameters(bytes: &[u8]) -> Result<(Shape, Vec<f32>), String> {
    let mut left = bytes;
    let mut take = |count: usize| {
        if left.len() < count {
            return Err(format!("the network ends after {} bytes", bytes.len()));
        }
        let (taken, rest) = left.split_at(count);
        left = rest;
        Ok(taken)
    };
    let mut sizes = [0; 3];
    for size in &mut sizes {
        let taken = take(2)?;
        *size = usize::from(u16::from_le_bytes([taken[0], taken[1]]));
    }
    let [channels, blocks, hidden] = sizes;
    let (blocks, sides) = (blocks % 256, 1 + blocks / 256);
    if channels % 16 != 0
        || !(16..=256).contains(&channels)
        || blocks > 40
        || sides > 2
        || !(1..=1024).contains(&hidden)
    {
        return Err(format!(
            "invalid sizes of the network: {channels} channels, {blocks} blocks and {hidden} hidden neurons"
        ));
    }
    let shape = shape(channels, blocks, hidden, sides);
    let mut parameters = Vec::with_capacity(shape.parameters());
    for (range, columns) in parts(&shape) {
        let mut scales = Vec::with_capacity(columns);
        for bytes in take(4 * columns)?.chunks(4) {
            let scale = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            if !scale.is_finite() {
                return Err(format!("a weight of the network is {scale}"));
            }
            scales.push(scale);
        }
        for (at, &byte) in take(range.len())?.iter().enumerate() {
            parameters.push(f32::from(byte as i8) * scales[at % columns]);
        }
    }
    if left.is_empty() {
        Ok((shape, parameters))
    } else {
        Err(format!("{} bytes after the network", left.len()))
    }
}

/// Returns the network that [`write()`] wrote.
///
/// # Errors
/// Returns an error if the bytes are not a network.
pub fn read(bytes: &[u8]) -> Result<Network, String> {
    let (shape, parameters) = read_parameters(bytes)?;
    Ok(Network::new(shape, &parameters))
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;

    #[test]
    fn networks_are_read_back_within_half_a_step() {
        let shape = shape(16, 1, 3, 2);
        let mut rng = Rng::new(1);
        let parameters: Vec<f32> = (0..shape.parameters()).map(|_| rng.unit() as f32 - 0.5).collect();
        let bytes = write(shape, &parameters);
        let (same, restored) = read_parameters(&bytes).unwrap();
        assert_eq!(same, shape);
        let mut rounded = parameters.clone();
        round(&shape, &mut rounded);
        assert_eq!(rounded, restored);
        for (number, restored) in parameters.iter().zip(restored) {
            // Numbers of at most a half have a root mean square of at most a half.
            assert!((number - restored).abs() <= 0.5 * 0.5 / STEPS + 1e-6, "{number} {restored}");
        }
        assert!(read(&bytes).is_ok());
        for wrong in [&bytes[..7], &bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat(), &[]] {
            assert!(read(wrong).is_err());
        }
    }
}
