//! {about}: a bot that plays random legal actions. Improve `choose`; `contender-search` contains searches.

use contender_game::{contest::{Bot, Clock, run_program}, rules::{Player, Rng, Simultaneous}};
use {crate}::{bots::ProtocolParser, Action, State, CONTEST};

struct MyBot {
    rng: Rng,
}

impl Bot<State, Vec<Action>> for MyBot {
    /// Returns the actions of `player`, at most one for each of its organisms. `clock` contains the remaining time.
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Vec<Action> {
        state.random_move(player, &mut self.rng)
    }
}

fn main() -> std::process::ExitCode {
    // Reads and writes the judge's protocol, and keeps the state and the clock. The arguments `--nodes N` and
    // `--seed N` make play reproducible, and `--time S` sets another time limit in seconds. No judge passes them.
    run_program::<ProtocolParser, _>(CONTEST.info().limits, |seed| MyBot { rng: Rng::new(seed) })
}
