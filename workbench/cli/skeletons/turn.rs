//! {about}: a bot that plays random legal moves. Make `choose` better: `contender-search` has searches for it.

use contender_game::{contest::{Bot, Clock, run_program}, rules::{Game, Player, Rng}};
use {crate}::{bots::ProtocolParser, State, CONTEST};

type Move = <State as Game>::Move;

struct MyBot {
    rng: Rng,
}

impl Bot<State, Move> for MyBot {
    /// The move of `player`, whose turn it is in `state`. `clock` says what is left of the time.
    fn choose(&mut self, state: &State, _player: Player, _clock: &Clock) -> Move {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        *self.rng.choose(&moves)
    }
}

fn main() -> std::process::ExitCode {
    // Reads and writes the judge's protocol, keeps the state and the clock. The arguments `--nodes N` and `--seed N`,
    // which no judge gives, make its play reproducible; `--time S` is another limit in seconds than the contest's.
    run_program::<ProtocolParser, _>(CONTEST.info().limits, |seed| MyBot { rng: Rng::new(seed) })
}
