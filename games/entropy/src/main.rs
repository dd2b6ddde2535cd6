//! The strongest bundled bot as a program that plays one game over standard input and output under the contest's limits.

use contender_entropy::evaluation::Net;
use contender_entropy::{ClassicBot, ClassicSettings, Dialogue, Scoring, CONTEST};
use contender_game::run_program;
use std::process::ExitCode;

fn main() -> ExitCode {
    let bot = ClassicBot::with(ClassicSettings::champion(), Net::shipped());
    run_program(&mut Dialogue::new(bot, Scoring::Rules, CONTEST.info().limits))
}
