//! {about}: a bot that plays random legal moves. Improve `choose`; `contender-search` provides searches for the game.

use contender_game::{contest::{Bot, Clock, run_program}, rules::{Game, Player, Rng}};
use {crate}::{bots::ProtocolParser, State, CONTEST};

type Move = <State as Game>::Move;

struct MyBot {
    rng: Rng,
}

impl Bot<State, Move> for MyBot {
    /// Returns the move of `player`, whose turn it is in `state`. `clock` measures the remaining time.
    fn choose(&mut self, state: &State, _player: Player, _clock: &Clock) -> Move {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        *self.rng.choose(&moves)
    }
}

fn main() -> std::process::ExitCode {
    // Reads and writes the judge's protocol, and keeps the state and the clock. The arguments `--nodes N` and
    // `--seed N`, which no judge passes, make the bot reproducible. `--time S` replaces the contest's time limit with S
    // seconds.
    run_program::<ProtocolParser, _>(CONTEST.info().limits, |seed| MyBot { rng: Rng::new(seed) })
}
