//! Workloads of Cellularena: random turns of both players, copies of states, lists of actions, and maps.

use crate::workload::{Tally, Workload};
use contender_cellularena::{Action, State, Stock, map};
use contender_game::rules::{Combined, Player, Rng, Simultaneous, mix};
use std::hint::black_box;

/// Returns the workloads of Cellularena.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let workload = |name, unit, run, signature_rounds| Workload {
        subject: "cellularena",
        name,
        unit,
        run,
        signature_rounds,
    };
    vec![
        workload("random games", "turns", random_games, 40),
        workload("random games with rich stocks", "turns", rich_games, 10),
        workload("copies of states", "states", copies, 0),
        workload("lists of actions", "lists", action_lists, 2),
        workload("maps from seeds", "maps", maps, 50),
    ]
}

/// Returns the start state of a round.
fn start(round: u64) -> State {
    map::generate(round as i64 + 1).expect("seeds from 1 have maps")
}

/// Plays one random game per round on one of 16 maps. A game lasts about 30 turns, until a player has run out of
/// proteins.
fn random_games(rounds: u64) -> Tally {
    play_games(rounds, None)
}

/// Plays games with 200 proteins of each kind, which last up to 100 turns with large organisms.
fn rich_games(rounds: u64) -> Tally {
    play_games(rounds, Some([200; 4]))
}

fn play_games(rounds: u64, stock: Option<Stock>) -> Tally {
    let mut starts: Vec<State> = (0..16).map(start).collect();
    if let Some(stock) = stock {
        for state in &mut starts {
            for player in Player::BOTH {
                state.set_stock(player, stock).expect("the stock is valid");
            }
        }
    }
    let mut rng = Rng::new(1);
    let mut tally = Tally::default();
    let mut actions = [Vec::new(), Vec::new()];
    for round in 0..rounds {
        let mut state = starts[round as usize % starts.len()].clone();
        while !state.is_over() {
            for player in Player::BOTH {
                actions[player].clear();
                state.random_actions(player, &mut rng, &mut actions[player]);
            }
            state.play_turn([&actions[0], &actions[1]]);
        }
        let [zero, one] = state.points();
        tally.units += u64::from(state.turns());
        tally.checksum = mix(&[tally.checksum, zero as u64, one as u64]);
    }
    tally
}

/// Returns fifty states of random games: the states after 5, 10, 15, … turns.
fn positions() -> Vec<State> {
    let mut rng = Rng::new(2);
    let mut positions = Vec::new();
    for round in 0.. {
        let mut state = start(round);
        while !state.is_over() && positions.len() < 50 {
            let pair = Player::BOTH.map(|player| state.random_move(player, &mut rng));
            state.play([&pair[0], &pair[1]]);
            if state.turns().is_multiple_of(5) {
                positions.push(state.clone());
            }
        }
        if positions.len() == 50 {
            break;
        }
    }
    positions
}

/// Copies fifty states a thousand times per round.
fn copies(rounds: u64) -> Tally {
    let positions = positions();
    let mut tally = Tally::default();
    for _ in 0..rounds * 1_000 {
        for state in &positions {
            black_box(black_box(state).clone());
        }
        tally.units += positions.len() as u64;
    }
    tally
}

/// Lists both players' actions in fifty states, a hundred times per round.
fn action_lists(rounds: u64) -> Tally {
    let positions = positions();
    let mut tally = Tally::default();
    let mut actions: Vec<Action> = Vec::new();
    for _ in 0..rounds * 100 {
        for state in &positions {
            for player in Player::BOTH {
                actions.clear();
                black_box(state).actions(player, &mut actions);
                tally.units += 1;
                tally.checksum = tally.checksum.wrapping_add(actions.len() as u64);
            }
        }
    }
    tally
}

fn maps(rounds: u64) -> Tally {
    let mut tally = Tally::default();
    for round in 0..rounds {
        let state = start(round);
        tally.units += 1;
        let parts = [tally.checksum, u64::from(state.walls().len()), u64::from(state.sources().len())];
        tally.checksum = mix(&parts);
    }
    tally
}
