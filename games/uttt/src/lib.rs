//! Ultimate Tic-Tac-Toe as played in CodinGame's multiplayer arena.
//!
//! - Nine small boards of 3 × 3 cells make a 9 × 9 grid. X, player 0, moves first, and then the players alternate.
//! - The cell of a move within its small board determines the small board of the answer: a move in a top left cell
//!   sends the opponent to the top left small board. If that board is closed, every empty cell of every open board is
//!   allowed.
//! - A small board closes when a player completes a line in it, which wins the board, or when it is full.
//! - Three won boards in a line win the game. If all boards are closed and no player has such a line, the player with
//!   more won boards wins. If both have won equally many boards, the game is a draw.
//!
//! # Implementation
//!
//! Each small board is one integer with a bit for "closed" and nine bits for each player, as in a well-known write-up
//! of an arena bot. Tables of 512 entries replace the write-up's loops over eight masks.

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
pub use opening::Opening;
pub use protocol::UtttProtocol;
pub use rules::{rollout, rollout_with, State, Style};
pub use tree_bot::{TreeBot, TreeSearch};
pub use uct::{prior, UctBot, UctSettings};
