//! The strongest bundled bot as a program that plays one game over standard input and output under the contest's limits.

use contender_game::{run_stdio, BotSetup, Budget, Options};
use contender_spaghetti::CONTEST;
use std::process::ExitCode;

fn main() -> ExitCode {
    let budget = Budget { limits: CONTEST.limits(), nodes: None };
    let played = CONTEST
        .bot("greedy", &mut Options::default(), &BotSetup { budget, seed: 0 })
        .and_then(|mut bot| run_stdio(&mut *bot));
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
