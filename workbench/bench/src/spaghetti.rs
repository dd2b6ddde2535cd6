//! Spaghetti: random games and the undoing of moves.

use crate::workload::{Tally, Workload};
use contender_game::{Game, Rng, Turn, Undo, mix};
use contender_spaghetti::{State, notation};

/// The workloads of the game.
pub fn workloads() -> Vec<Workload> {
    let workload = |name, unit, run, signature_rounds| Workload {
        subject: "spaghetti",
        name,
        unit,
        run,
        signature_rounds,
    };
    vec![
        workload("random games from the empty board (63 tiles)", "games", empty_board, 1_000),
        workload("random games from the contest's start (61 tiles)", "games", contest_start, 1_000),
        workload("make and unmake of every move along random games", "moves", make_unmake, 10),
    ]
}

fn empty_board(rounds: u64) -> Tally {
    rollouts(&State::empty(), rounds)
}

fn contest_start(rounds: u64) -> Tally {
    let start = ["bbs", "hbl"].map(|tile| notation::parse_move(tile).expect("a start tile"));
    rollouts(&State::new(start).expect("two cells"), rounds)
}

fn rollouts(start: &State, rounds: u64) -> Tally {
    let mut rng = Rng::new(1);
    let mut checksum = 0u64;
    for _ in 0..rounds {
        let mut state = start.clone();
        state.rollout(&mut rng);
        checksum = checksum.wrapping_mul(31).wrapping_add(state.value() as u64);
    }
    Tally { units: rounds, checksum: mix(&[checksum]) }
}

fn make_unmake(rounds: u64) -> Tally {
    let mut rng = Rng::new(1);
    let mut moves = Vec::new();
    let mut tally = Tally::default();
    for _ in 0..rounds {
        let mut state = State::empty();
        while state.turn() != Turn::Over {
            moves.clear();
            state.moves(&mut moves);
            for &mv in &moves {
                let memo = state.make(mv);
                tally.checksum = tally.checksum.wrapping_mul(31).wrapping_add(state.value() as u64);
                state.unmake(mv, memo);
            }
            tally.units += moves.len() as u64;
            state.play(*rng.choose(&moves));
        }
    }
    tally
}
