//! The strongest bundled bot as a program that plays one game over standard input and output under the contest's limits.

use contender_game::run_program;
use contender_uttt::{ChampionBot, ChampionSettings, Dialogue, CONTEST};
use std::process::ExitCode;

fn main() -> ExitCode {
    run_program(&mut Dialogue::new(ChampionBot::new(ChampionSettings::default()), CONTEST.info().limits))
}
