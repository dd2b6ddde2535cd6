//! The names of the values that a bot reports square by square, for people who do not know its source.

use super::plain;
use crate::text::percent;

/// The bot's name of a layer, its label, and its meaning.
const LAYERS: [(&str, &str, &str); 14] = [
    (
        "potential4",
        "palindromes of 4",
        "palindromes of 4 chips that a chip on this empty cell could make, over all colours",
    ),
    (
        "potential5",
        "palindromes of 5",
        "palindromes of 5 chips that a chip on this empty cell could make, over all colours",
    ),
    (
        "potential6",
        "palindromes of 6",
        "palindromes of 6 chips that a chip on this empty cell could make, over all colours",
    ),
    (
        "potential7",
        "palindromes of 7",
        "palindromes of 7 chips that a chip on this empty cell could make, over all colours",
    ),
    ("threats", "gain of a slide", "points that the best slide of this chip gains"),
    ("holes", "small gaps", "size of the empty area around this cell, if it has one or two cells"),
    ("rings", "edge chips", "1 for chips at the edge, 2 for chips next to the edge"),
    ("distances", "distance to the centre", "steps from this chip to the centre"),
    ("mobility", "reach", "cells that this chip reaches in one or two slides"),
    (
        "idle_mobility",
        "reach of loose chips",
        "cells that this chip reaches in one or two slides, if it is in no palindrome",
    ),
    (
        "likely moves",
        "likely moves",
        "probability that an organ grows here: the network's guess, before the search",
    ),
    (
        "enemy's moves",
        "enemy's moves",
        "probability that the enemy grows here: the network's guess, before the search",
    ),
    (
        "value of growing",
        "win chance of growing",
        "win chance if only this organ grows and the enemy waits: the network's guess, before the search",
    ),
    (LIKELY_COLOUR, LIKELY_COLOUR, "probability that the square's colour is the enemy's"),
];

/// The layer of a bot that guesses the enemy's secret colour.
const LIKELY_COLOUR: &str = "enemy's likely colour";

/// The layers whose numbers are shares, which a page shows as percentages.
const SHARES: [&str; 4] = ["likely moves", "enemy's moves", "value of growing", LIKELY_COLOUR];

/// Returns whether the numbers of a layer are shares.
pub fn is_share(name: &str) -> bool {
    SHARES.contains(&name)
}

fn find(name: &str) -> Option<(&'static str, &'static str)> {
    LAYERS.iter().find(|(known, ..)| *known == name).map(|(_, label, meaning)| (*label, *meaning))
}

/// Returns the short name of a layer.
pub fn label(name: &str) -> String {
    find(name).map_or_else(|| plain(name), |(label, _)| label.to_string())
}

/// Returns what the numbers of a layer mean. If they are probabilities of colours, all colours are listed, the most
/// likely one first. `inputs` contains the terms of the evaluation.
pub fn meaning(name: &str, inputs: &[(&str, f64)]) -> String {
    let meaning = find(name).map_or_else(|| plain(name), |(_, meaning)| meaning.to_string());
    let mut colours: Vec<(&str, f64)> = inputs
        .iter()
        .filter(|_| name == LIKELY_COLOUR)
        .filter_map(|(input, share)| Some((input.strip_prefix("colour ")?, *share)))
        .collect();
    colours.sort_by(|one, other| other.1.total_cmp(&one.1));
    let colours: Vec<String> =
        colours.iter().map(|(colour, share)| format!("{colour} {}", percent(*share))).collect();
    if colours.is_empty() { meaning } else { format!("{meaning}. Colours: {}", colours.join(", ")) }
}
