//! {about}: a bot that plays random legal actions. Make `choose` better: `contender-search` has searches for it.

use contender_game::{contest::{Bot, Clock, run_program}, rules::{Player, Rng, Simultaneous}};
use {crate}::{bots::ProtocolParser, Action, State, CONTEST};

struct MyBot {
    rng: Rng,
}

impl Bot<State, Vec<Action>> for MyBot {
    /// The actions of `player`, at most one for each of its organisms. `clock` says what is left of the time.
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Vec<Action> {
        state.random_move(player, &mut self.rng)
    }
}

fn main() -> std::process::ExitCode {
    // Reads and writes the judge's protocol, keeps the state and the clock. The arguments `--nodes N` and `--seed N`,
    // which no judge gives, make its play reproducible; `--time S` is another limit in seconds than the contest's.
    run_program::<ProtocolParser, _>(CONTEST.info().limits, |seed| MyBot { rng: Rng::new(seed) })
}
