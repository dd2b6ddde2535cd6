//! Perft: counts of move sequences, the standard test of move generators.

use crate::{Chance, Game, Turn};

/// The number of sequences of exactly `depth` legal moves; a game that ends earlier adds nothing.
pub fn perft<G: Game>(state: &G, depth: u32) -> u64 {
    fn count<G: Game>(state: &G, depth: u32, stack: &mut Vec<G::Move>) -> u64 {
        if depth == 0 {
            return 1;
        }
        let start = stack.len();
        state.moves(stack);
        let end = stack.len();
        let total = if depth == 1 {
            (end - start) as u64
        } else {
            (start..end)
                .map(|at| {
                    let mut child = state.clone();
                    child.play(stack[at]);
                    count(&child, depth - 1, stack)
                })
                .sum()
        };
        stack.truncate(start);
        total
    }
    count(state, depth, &mut Vec::new())
}

/// The number of sequences of exactly `depth` decisions, moves of players and outcomes of chance alike.
pub fn perft_chance<G: Chance>(state: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if state.turn() == Turn::Chance {
        let mut outcomes = Vec::new();
        state.outcomes(&mut outcomes);
        return outcomes
            .into_iter()
            .map(|(outcome, _)| {
                let mut child = state.clone();
                child.resolve(outcome);
                perft_chance(&child, depth - 1)
            })
            .sum();
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|mv| {
            let mut child = state.clone();
            child.play(mv);
            perft_chance(&child, depth - 1)
        })
        .sum()
}
