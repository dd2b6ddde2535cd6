//! The rules of games: states, turns, moves, chance and hidden information.

mod game;
mod perft;
mod player;
mod rng;
mod simultaneous;

pub use game::{Chance, Game, Hidden};
pub use perft::{perft, perft_chance, perft_joint, perft_weighted};
pub use player::{Player, Turn};
pub use rng::{mix, Rng};
pub use simultaneous::{Combined, InTurn, Simultaneous};
