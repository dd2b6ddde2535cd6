//! The strongest bundled bot as a program that plays one game over standard input and output under the contest's limits.

use contender_boxes::{ChampionBot, ChampionSettings, Dialogue, CONTEST};
use contender_game::run_program;
use std::process::ExitCode;

fn main() -> ExitCode {
    let bot = ChampionBot::new(ChampionSettings::default(), 1);
    run_program(&mut Dialogue::new(bot, CONTEST.info().limits))
}
