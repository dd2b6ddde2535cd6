//! Entropy (Eric Solomon, 1977) as played in CodeCup 2023.
//!
//! - The board has 7 × 7 cells. The bag contains 49 chips, seven of each of seven colours.
//! - A chip is drawn at random 49 times, and each time Chaos puts it on any empty cell. After each of the first 48
//!   placements, Order may slide one chip along its row or column over empty cells, or pass.
//! - Every stretch of two or more chips in a row or column that is a palindrome is worth its length, including nested
//!   and overlapping stretches. The sum of these values is the score S.
//! - Order, player 0, gets 120 + S points. Chaos, player 1, gets 280 − S points and moves first.
//!
//! # Implementation
//!
//! The state updates its score with a table of all lines ([`LineTable`]), like the programs of many participants.

#![forbid(unsafe_code)]

mod bag;
pub mod bots;
mod cell;
mod champion;
pub mod classic;
mod contest;
pub mod evaluation;
mod expectimax;
mod features;
mod greedy;
mod guide;
pub mod learning;
mod lines;
pub mod notation;
mod planes;
pub mod position;
mod protocol;
mod rules;
mod time;

pub use bag::Bag;
pub use cell::{Cell, CELLS, SIZE};
pub use champion::ChampionBot;
pub use classic::{ClassicBot, ClassicSettings};
pub use contest::{Entropy, Rules, CONTEST};
pub use expectimax::{ExpectimaxBot, ExpectimaxSettings};
pub use greedy::GreedyBot;
pub use guide::ScoreGuide;
pub use lines::{LineTable, Scoring};
pub use protocol::EntropyProtocol;
pub use rules::{Colour, Move, NextTurn, State, CHIPS};
