//! The strongest bundled bot as a program that speaks the contest's protocol.

use contender_cellularena::{Dialogue, Greedy, CONTEST};
use contender_game::{run_stdio, Budget};

fn main() {
    let budget = Budget { limits: CONTEST.limits(), nodes: None };
    let mut bot = Dialogue::new(Greedy, budget);
    if let Err(error) = run_stdio(&mut bot) {
        eprintln!("{error}");
        std::process::exit(2);
    }
}
