//! Networks as bytes: 8-bit weights with one scale per output of a layer.
//!
//! The step size is the root mean square of the weights divided by 1.75. Most weights are close to 0, so a packed bot
//! needs less than 3 bits per weight. A network plays much worse with rounded weights if it was not trained with them.
//! Rounded weights keep their step, so a network that is read and written again has the same bytes.

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
        let numbers: Vec<f32> = numbers.iter().skip(column).step_by(columns).copied().collect();
        let mean = numbers.iter().map(|number| number * number).sum::<f32>() / numbers.len() as f32;
        let largest = numbers.iter().fold(0f32, |largest, number| largest.max(number.abs()));
        let scale = (mean.sqrt() / STEPS).max(largest / MAX_WEIGHT);
        step(&numbers, scale).unwrap_or(scale)
    };
    (0..columns).map(scale).collect()
}

/// Returns the step of rounded numbers, or `None` if the numbers were not rounded. `scale` is about the step.
fn step(numbers: &[f32], scale: f32) -> Option<f32> {
    let smallest =
        numbers.iter().map(|number| number.abs()).filter(|&number| number > 0.0).fold(1.0 / 0.0, f32::min);
    let about = (smallest / scale).round();
    let counts = [about, about - 1.0, about + 1.0].into_iter().filter(|&count| count >= 1.0);
    // The quotient is the step, or a float next to it, because a product with a step was rounded.
    let steps = counts
        .flat_map(|count| [0, 1, -1].map(|next| (smallest / count).to_bits().wrapping_add(next as u32)));
    steps
        .map(f32::from_bits)
        .find(|&step| numbers.iter().all(|&number| f32::from(integer(number, step)) * step == number))
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
        assert_eq!(write(shape, &rounded), bytes);
        for wrong in [&bytes[..7], &bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat(), &[]] {
            assert!(read(wrong).is_err());
        }
    }

    #[test]
    fn bundled_networks_are_written_as_they_were_read() {
        for bytes in [&include_bytes!("classic.bin")[..], include_bytes!("champion.bin")] {
            let (shape, parameters) = read_parameters(bytes).unwrap();
            assert!(write(shape, &parameters) == bytes);
        }
    }

    /// Returns every step, near a share of the smallest number, whose multiples are these numbers.
    fn slow_steps(numbers: &[f32]) -> Vec<f32> {
        let smallest =
            numbers.iter().map(|number| number.abs()).filter(|&number| number > 0.0).fold(f32::MAX, f32::min);
        let near =
            |count: i16| (-2..=2).map(move |next| (smallest / f32::from(count)).to_bits() as i32 + next);
        let steps = (1..=127).flat_map(near).map(|bits| f32::from_bits(bits as u32));
        let is_multiple =
            |number: f32, step: f32| (-127..=127).any(|count| f32::from(count as i16) * step == number);
        steps.filter(|&step| numbers.iter().all(|&number| is_multiple(number, step))).collect()
    }

    #[test]
    fn rounded_weights_keep_their_step() {
        let mut rng = Rng::new(7);
        for case in 0..3000 {
            let (count, spread) = (1 + rng.index(60), 10f64.powf(3.0 * rng.unit() - 2.0));
            // Sums of cubes have tails as long as those of weights, and many of them are small.
            let mut number = || (spread * (4.0 * rng.unit() - 2.0).powi(3)) as f32;
            let numbers: Vec<f32> = (0..count).map(|_| number()).collect();
            let scale = scales(&numbers, 1)[0];
            let rounded: Vec<f32> =
                numbers.iter().map(|&number| f32::from(integer(number, scale)) * scale).collect();
            let again = scales(&rounded, 1)[0];
            assert!(slow_steps(&rounded).contains(&again), "case {case}: {again} for {rounded:?}");
            let same = rounded.iter().all(|&number| f32::from(integer(number, again)) * again == number);
            assert!(same && scales(&rounded, 1)[0] == again, "case {case}");
            // Numbers without a common step are rounded in steps of their root mean square.
            let squares = numbers.iter().map(|number| number * number).sum::<f32>() / count as f32;
            if slow_steps(&numbers).is_empty() {
                let largest = numbers.iter().fold(0f32, |largest, number| largest.max(number.abs()));
                assert_eq!(scale, (squares.sqrt() / STEPS).max(largest / MAX_WEIGHT), "case {case}");
            }
        }
    }
}
