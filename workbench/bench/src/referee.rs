//! The cost of the referee: moves of external bots, compared with passing the same lines through plain pipes.
//!
//! The bot is `cat`, which answers every question with the question itself.

use crate::echo::{EchoContest, bare_pipes, bundled, cat};
use crate::workload::{Tally, Workload};
use contender_referee::{Entrant, Fixture, Referee};
use std::sync::atomic::AtomicBool;

/// Number of moves in a long game. It is so large that the time for starting the bots does not matter.
const MOVES: u64 = 20_000;

/// Number of moves in a short game, as in real contests.
const FEW_MOVES: u64 = 40;

/// Returns the referee's workloads. They are not part of the signature, because they start processes.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let workload = |name, unit, run| Workload { subject: "referee", name, unit, run, signature_rounds: 0 };
    vec![
        workload("bare pipes", "moves", |rounds| Tally {
            units: rounds * MOVES,
            checksum: bare_pipes(rounds, MOVES),
        }),
        workload("external moves", "moves", |rounds| moves(rounds, &cat())),
        workload("bundled moves", "moves", |rounds| moves(rounds, &bundled())),
        workload("bare processes with 40 lines", "games", |rounds| Tally {
            units: rounds,
            checksum: bare_pipes(rounds, FEW_MOVES),
        }),
        workload("external games of 40 moves", "games", |rounds| Tally {
            units: rounds,
            checksum: play(rounds, FEW_MOVES, &cat()),
        }),
    ]
}

fn moves(rounds: u64, entrant: &Entrant) -> Tally {
    Tally { units: rounds * MOVES, checksum: play(rounds, MOVES, entrant) }
}

fn play(rounds: u64, last: u64, entrant: &Entrant) -> u64 {
    let echo = EchoContest { last };
    let referee = Referee::of(&echo);
    let fixture = Fixture::between([entrant, entrant], 1, [1, 2]);
    (0..rounds)
        .map(|_| {
            let game = referee.play(&echo, &fixture, &AtomicBool::new(false)).expect("a game");
            assert_eq!(game.moves.len() as u64, last, "{:?}", game.seats);
            game.moves.len() as u64
        })
        .sum()
}
