//! Spaghetti, the game of CodeCup 2022.
//!
//! - Two players fill a board of 9 rows and 7 columns with tiles, one tile per turn. Two tiles are on the board from
//!   the start.
//! - A tile joins the middles of its four sides in pairs: `l` joins top and left, and bottom and right; `s` joins
//!   opposite sides, and the two paths cross without touching; `r` joins top and right, and bottom and left.
//! - A player who finishes a path from the left wall, which is Blue's, to the right wall, which is Red's, scores
//!   points. The score is the length of the path from the new tile to the player's own wall.
//! - Finishing a path with both ends at the same side wall costs 3 points, and finishing a loop costs 5. Paths to the
//!   top or bottom wall are worth nothing.
//! - Both players start with 50 points. Blue is player 0 and moves first. In the contest, the sum of a bot's own points
//!   counts.
//!
//! # Implementation
//!
//! The rules use the middles of the sides, as in Mangara's program that came fifth. Each path only stores its two ends,
//! so a move and its undo take constant time (see [`State`]).

#![forbid(unsafe_code)]

pub mod bots;
mod champion;
mod classic;
mod contest;
mod generate;
mod greedy;
mod moves;
pub mod notation;
mod paths;
mod planes;
mod policy;
mod protocol;
mod rollout;
mod rules;
mod search;
mod simple;
mod solver;
mod start;
mod table;
mod trace;
mod tree;

pub use champion::{ChampionBot, ChampionSettings};
pub use classic::{ClassicBot, ClassicSettings, Rule};
pub use contest::{Rules, Spaghetti, CONTEST};
pub use greedy::GreedyBot;
pub use moves::{Cell, Move, Tile, CELLS, COLUMNS, ROWS};
pub use protocol::SpaghettiProtocol;
pub use rules::{Memo, State, START_SCORE};
pub use simple::{MaximaxBot, MaximaxSettings, StraightBot};
pub use start::Start;
