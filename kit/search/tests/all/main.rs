//! Searches next to slow reference implementations, on games that have no rules but those of the tests.

mod allocation;
mod best_first;
mod combine;
mod decoupled;
mod limits;
mod matrix_tree;
mod mcts;
mod solver;
mod tactical;
#[path = "../../../game/tests/toy_games/mod.rs"]
mod toy_games;
mod toys;
mod tree;
