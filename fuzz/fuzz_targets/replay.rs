//! Files of recorded games may hold anything, in every form that is read.
//!
//! The first byte chooses the form.
#![no_main]

use contender_catalogue::CONTESTS;
use contender_replay::{Source, check};
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 5] = ["games.jsonl", "games.csv", "uttt-games.txt", "uttt-perft.txt", "uttt-positions.txt"];

fuzz_target!(|data: &[u8]| {
    let [form, text @ ..] = data else { return };
    // Compressed data is left out: a small input may unpack to a large one, which only costs time.
    if text.starts_with(&[0x1f, 0x8b]) {
        return;
    }
    let name = NAMES[usize::from(*form) % NAMES.len()];
    let game = CONTESTS[usize::from(*form) / NAMES.len() % CONTESTS.len()];
    let _ = check(Source::from_bytes(name, text.to_vec()), Some(game));
});
