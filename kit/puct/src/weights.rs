//! The file format of networks, with 10 bits per number and entropy coding.

use crate::learnable::{shape, Learnable};
use contender_nn::policy_value::{Layout, Network, Shape};
use contender_nn::quantise::{pack_parts, round_parts, unpack_parts};
use std::ops::Range;

/// Returns the ranges of parameters that have separate scales, in the order of the parameters.
fn parts(shape: &Shape) -> Vec<Range<usize>> {
    let Layout {
        embed,
        embed_bias,
        convolutions,
        heads,
        heads_bias,
        wait,
        wait_bias,
        hidden,
        hidden_bias,
        value,
        value_bias,
    } = shape.layout();
    let last = [heads, heads_bias, wait, wait_bias, hidden, hidden_bias, value, value_bias];
    [embed, embed_bias].into_iter().chain(convolutions.into_iter().flatten()).chain(last).collect()
}

/// Encodes a network as bytes. The parameters are rounded.
///
/// # Panics
/// Panics if the number of parameters does not match the shape, or if a parameter is not finite.
#[must_use]
pub fn write(shape: Shape, parameters: &[f32]) -> Vec<u8> {
    assert_eq!(parameters.len(), shape.parameters(), "a number for each parameter");
    let mut bytes = Vec::new();
    for size in [shape.channels, shape.blocks, shape.hidden] {
        bytes.extend((size as u16).to_le_bytes());
    }
    bytes.extend(pack_parts(parameters, &parts(&shape)));
    bytes
}

/// Rounds each parameter to the value that it has after [`write()`] and [`read()`].
///
/// # Panics
/// Panics if the number of parameters does not match the shape.
pub fn round(shape: &Shape, parameters: &mut [f32]) {
    assert_eq!(parameters.len(), shape.parameters(), "a number for each parameter");
    round_parts(parameters, &parts(shape));
}

/// Decodes the shape and the parameters of a game's network from bytes that [`write()`] returned.
///
/// # Errors
/// Returns an error if the bytes are not a valid network for the game.
pub fn read<G: Learnable>(bytes: &[u8]) -> Result<(Shape, Vec<f32>), String> {
    let head = bytes.get(..6).ok_or_else(|| format!("the network ends after {} bytes", bytes.len()))?;
    let size = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let [channels, blocks, hidden] = [0, 2, 4].map(size);
    if channels % 16 != 0 || !(16..=256).contains(&channels) || blocks > 40 || !(1..=1024).contains(&hidden) {
        return Err(format!(
            "invalid sizes of the network: {channels} channels, {blocks} blocks and {hidden} hidden neurons"
        ));
    }
    let shape = shape::<G>(channels, blocks, hidden);
    Ok((shape, unpack_parts(&bytes[6..], &parts(&shape))?))
}

/// Decodes a network. If there are no bytes, returns an untrained network.
///
/// # Errors
/// Returns an error if the bytes are not a valid network for the game.
pub fn network<G: Learnable>(bytes: &[u8]) -> Result<Network, String> {
    let (shape, parameters) = match bytes {
        [] => {
            let shape = shape::<G>(16, 0, 1);
            (shape, vec![0.0; shape.parameters()])
        }
        bytes => read::<G>(bytes)?,
    };
    Ok(Network::new(shape, &parameters))
}
