//! The strongest bundled bot as a program that plays one game over standard input and output under the contest's limits.

use contender_boxes::{ClassicBot, Dialogue, CONTEST};
use contender_game::{run_program, Budget};
use std::process::ExitCode;

fn main() -> ExitCode {
    let budget = Budget { limits: CONTEST.info().limits, nodes: None };
    run_program(&mut Dialogue::new(ClassicBot::new(1), budget))
}
