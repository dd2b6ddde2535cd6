//! Tests of hostile input for every reader: the seeds of the fuzz targets, unchanged and randomly damaged. Nothing may
//! panic.

#[path = "../../../../fuzz/inputs.rs"]
mod inputs;

use contender_game::rules::Rng;
use std::path::Path;

/// Number of damaged copies of each seed.
const COPIES: u64 = 300;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a seed can be read")).collect()
}

/// Overwrites, removes, duplicates or swaps a few bytes or lines.
fn damage(seed: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut data = seed.to_vec();
    for _ in 0..1 + rng.below(4) {
        if data.len() < 4 {
            break;
        }
        let at = rng.index(data.len());
        let end = (at + 1 + rng.index(12)).min(data.len());
        match rng.below(5) {
            0 => data[at] = rng.next_u64() as u8,
            1 => data[at] = *rng.choose(b"0123456789 \n-,:{}[]\"aAbB!"),
            2 => drop(data.drain(at..end)),
            3 => {
                let copy = data[at..end].to_vec();
                let to = rng.index(data.len());
                data.splice(to..to, copy);
            }
            _ => {
                let mut lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').collect();
                let (one, other) = (rng.index(lines.len()), rng.index(lines.len()));
                lines.swap(one, other);
                data = lines.join(&b'\n');
            }
        }
    }
    data
}

fn try_all(target: &str, act: fn(&[u8])) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty());
    let mut rng = Rng::new(1);
    for seed in &seeds {
        act(seed);
        for _ in 0..COPIES {
            act(&damage(seed, &mut rng));
        }
    }
}

#[test]
fn bots_survive_any_judge() {
    try_all("dialogue", inputs::dialogue);
}

#[test]
fn judges_survive_any_bot() {
    try_all("judge", inputs::judge);
}

#[test]
fn recorded_games_may_hold_anything() {
    try_all("recorded", inputs::recorded);
}

#[test]
fn files_may_hold_anything() {
    try_all("replay", inputs::replay);
}

#[test]
fn leagues_survive_any_import() {
    try_all("import", inputs::import);
}

#[test]
fn battles_may_be_any_json() {
    try_all("battle", inputs::battle);
}
