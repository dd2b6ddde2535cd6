//! Box, the game of CodeCup 2025 (board game: Chris Handy).
//!
//! Each player secretly has one of six colours. In turn the players get a random tile of 2 x 6 cells, in which every
//! colour occurs twice. The players place their tiles on a board of 16 x 20 cells: next to other tiles, or over at most
//! four filled cells. Passing is not possible. When no tile can be placed any more, each player counts the squares
//! whose four corners have its colour. A square with side s is worth s points, and the higher sum wins.
//!
//! The rules are those of the contest's judge. If the contest's rules page leaves a question open, they follow Maks
//! Verver's public arbiter (github.com/maksverver/codecup-box). The rules agree with 5,350 published contest games.
//!
//! # Implementation
//!
//! Users call the game `box`; the crate is called `boxes` because `box` is a keyword.
//!
//! | module | contents |
//! |---|---|
//! | `rules` | [`State`], [`Placement`], [`Tile`], colours, sets of cells, squares |
//! | [`notation`] | moves as text, and pictures of the board |
//! | [`protocol`] | the judge's and the bot's side of the contest's protocol |
//! | `greedy` | [`GreedyBot`], a bot with one rule |
//! | `ismcts` | [`IsmctsBot`], information-set Monte Carlo tree search from the kit |
//! | `shape`, `corners` | the facts about a board that both searching bots need: fixed cells, squares through a cell |
//! | `classic` | [`ClassicBot`], which searches three plies and guesses a colour; `early` is a version without look-ahead |
//! | `champion` | [`ChampionBot`], which values squares by their probability and looks two plies ahead after every candidate |
//! | `open_colours` | [`OpenColours`], the game with known colours |
//! | [`bots`] | the list of bots |
//! | `contest` | [`BoxContest`], the interface for the tools |

#![forbid(unsafe_code)]

pub mod bots;
mod champion;
mod classic;
mod contest;
mod corners;
mod greedy;
mod ismcts;
pub mod notation;
mod open_colours;
mod planes;
pub mod protocol;
mod rules;
mod shape;
mod time;

pub use champion::{Belief, ChampionBot, ChampionSettings};
pub use classic::{opening_table, ClassicBot, ClassicSettings, Guess};
pub use contest::{BoxContest, Rules, CONTEST};
pub use greedy::GreedyBot;
pub use ismcts::{IsmctsBot, IsmctsSettings};
pub use open_colours::OpenColours;
pub use protocol::BoxProtocol;
pub use rules::*;
