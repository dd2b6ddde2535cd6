//! Evaluations as files: weights as text, and networks as bytes.

use crate::layout::Layout;
use contender_game::contest::excerpt;
use contender_nn::quantise::{pack_parts, unpack_parts};

/// The first line of a network file. A file with weights starts with `constant` instead.
const NETWORK: &[u8] = b"network\n";

/// Maximum number of neurons in the hidden layer.
pub const MAX_NEURONS: usize = 1024;

/// Maximum absolute value of a number, so that sums stay finite.
const MAX_WEIGHT: f32 = 1e6;

/// Encodes an evaluation as a file. The numbers of a network are rounded.
pub(crate) fn write(layout: &Layout, numbers: &[f32]) -> Vec<u8> {
    if layout.neurons == 0 {
        let line = |(at, number)| format!("{} {number}\n", name(at % layout.count())).into_bytes();
        return numbers.iter().enumerate().flat_map(line).collect();
    }
    let sizes = [layout.neurons, layout.linear.len() - 1].map(|size| (size as u32).to_le_bytes());
    [NETWORK, &sizes.concat(), &pack_parts(numbers, &layout.parts())].concat()
}

/// Returns the first word of the line for a weight, given the index of the weight in its stage.
fn name(place: usize) -> String {
    place.checked_sub(1).map_or("constant".to_string(), |feature| feature.to_string())
}

/// Parses a file that [`write`] wrote for this number of features and stages. Returns the number of neurons (0 for
/// weights), and the numbers.
pub(crate) fn read(bytes: &[u8], features: usize, stages: usize) -> Result<(usize, Vec<f32>), String> {
    let (neurons, numbers) = match bytes.strip_prefix(NETWORK) {
        Some(bytes) => network(bytes, features)?,
        None => (0, weights(bytes, features, stages)?),
    };
    match numbers.iter().find(|number| !(-MAX_WEIGHT..=MAX_WEIGHT).contains(*number)) {
        Some(number) => {
            Err(format!("a number of the network is {number}; numbers must be from -1000000 to 1000000"))
        }
        None => Ok((neurons, numbers)),
    }
}

fn network(bytes: &[u8], features: usize) -> Result<(usize, Vec<f32>), String> {
    let head = bytes.get(..8).ok_or("the network ends before the end of its head")?;
    let size = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize;
    let [neurons, of_file] = [0, 4].map(size);
    if of_file != features {
        return Err(format!(
            "the network has {of_file} features, but the game has {features}: train it again"
        ));
    }
    if !(1..=MAX_NEURONS).contains(&neurons) {
        return Err(format!("a network has 1 to {MAX_NEURONS} neurons, not {neurons}"));
    }
    let numbers = unpack_parts(&bytes[8..], &Layout::new(features, neurons).parts())?;
    Ok((neurons, numbers))
}

fn weights(bytes: &[u8], features: usize, stages: usize) -> Result<Vec<f32>, String> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| "neither a text with weights nor a network".to_string())?;
    let mut numbers = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let wrong = |wanted: &str| format!("line {}: `{}` is not {wanted}", at + 1, excerpt(line));
        // With one stage, a file of a game that had more features is told by their number below.
        let name = name(if stages == 1 { at } else { at % (1 + features) });
        let number = line.strip_prefix(&name[..]).and_then(|rest| rest.strip_prefix(' '));
        let number = number.ok_or_else(|| wrong(&format!("`{name}` and a number")))?;
        let number: f32 = number.parse().map_err(|_| wrong(&format!("`{name}` and a number")))?;
        if !(-MAX_WEIGHT..=MAX_WEIGHT).contains(&number) {
            return Err(wrong("a number from -1000000 to 1000000"));
        }
        numbers.push(number);
    }
    if numbers.len() != stages * (1 + features) {
        let has = (numbers.len() / stages).saturating_sub(1);
        return Err(format!(
            "there are weights of {has} features, but the game has {features}: train them again"
        ));
    }
    Ok(numbers)
}
