//! Ultimate Tic-Tac-Toe: random games, one by one and side by side, and perft.

use crate::{Tally, Workload};
use contender_game::{Rng, mix};
use contender_uttt::{State, batch, perft, rollout};

/// The workloads of Ultimate Tic-Tac-Toe.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let uttt =
        |name, unit, run, signature_rounds| Workload { subject: "uttt", name, unit, run, signature_rounds };
    vec![
        uttt("random games", "games", random_games, 1_000),
        uttt("random games side by side", "games", batched_games, 1),
        uttt("perft of depth 6", "sequences", count_sequences, 1),
    ]
}

fn random_games(rounds: u64) -> Tally {
    let mut rng = Rng::new(1);
    let mut checksum = 0;
    for _ in 0..rounds {
        let mut state = State::default();
        let value = rollout(&mut state, &mut rng);
        checksum = mix(&[checksum, (value + 1) as u64]);
    }
    Tally { units: rounds, checksum }
}

/// A round is 10,000 games.
fn batched_games(rounds: u64) -> Tally {
    let totals = batch::play_out(&State::default(), 10_000 * rounds as usize, 1);
    Tally { units: 10_000 * rounds, checksum: mix(&[totals.wins[0], totals.draws, totals.moves]) }
}

fn count_sequences(rounds: u64) -> Tally {
    let units = (0..rounds).map(|_| perft(&State::default(), 6)).sum();
    Tally { units, checksum: units }
}
