//! Ultimate Tic-Tac-Toe as played in CodinGame's multiplayer arena.
//!
//! - Nine small boards of 3 × 3 cells make a 9 × 9 grid; X, player 0, moves first, then the players alternate.
//! - The cell of a small board that was just played names the small board to answer in; if that one is closed, every
//!   empty cell of every open board is allowed.
//! - A small board closes when a line of it is complete, which wins it, or when it is full.
//! - Three won boards in a line win the game. When all boards are closed without a line, more won boards win; equal
//!   numbers draw.
//!
//! One integer per small board, with a bit for "closed" and nine bits for each player, is the representation of a
//! well-known write-up of an arena bot; here tables of 512 entries take the place of its loops over eight masks.

#![deny(unsafe_code)]

mod alphabeta;
pub mod bots;
mod bronze;
mod champion;
mod classic;
mod contest;
mod greedy;
pub mod learning;
mod moves;
mod network;
pub mod notation;
mod opening;
mod plain;
mod planes;
pub mod position;
mod protocol;
mod rules;
pub mod tables;
mod tree_bot;
mod uct;
pub mod value_network;

pub use alphabeta::{AlphaBetaBot, AlphaBetaSettings};
pub use bronze::BronzeBot;
pub use champion::{ChampionBot, ChampionSettings};
pub use classic::{Centre, ClassicBot, ClassicSettings};
pub use contest::{Rules, Uttt, CONTEST};
pub use greedy::GreedyBot;
pub use moves::Move;
pub use network::{NetworkBot, NetworkSettings};
pub use opening::Opening;
pub use protocol::UtttProtocol;
pub use rules::{rollout, rollout_with, State, Style};
pub use tree_bot::{TreeBot, TreeSearch};
pub use uct::{prior, UctBot, UctSettings};
