//! A recorded game may hold anything: setup lines up to a blank one, then moves.
//!
//! The first byte chooses the game.
#![no_main]

use contender_catalogue::CONTESTS;
use contender_game::Options;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [game, text @ ..] = data else { return };
    let contest = CONTESTS[usize::from(*game) % CONTESTS.len()];
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines();
    let setup: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).map(str::to_string).collect();
    let Ok(mut judge) = contest.recorded(&setup, &mut Options::default()) else { return };
    for line in lines {
        if judge.replay(line).is_err() {
            break;
        }
    }
    let _ = (judge.points(), judge.board(None));
});
