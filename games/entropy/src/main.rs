//! The strongest bundled bot as a program that plays one game over standard input and output under the contest's limits.

use contender_entropy::CONTEST;
use contender_game::{run_stdio, BotSetup, Budget, Options};
use std::process::ExitCode;

fn main() -> ExitCode {
    let budget = Budget { limits: CONTEST.limits(), nodes: None };
    // As deep as the time allows.
    let played = Options::parse("depth=97")
        .and_then(|mut options| CONTEST.bot("expectimax", &mut options, &BotSetup { budget, seed: 0 }))
        .and_then(|mut bot| run_stdio(&mut *bot));
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
