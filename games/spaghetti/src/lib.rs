//! Spaghetti, the game of CodeCup 2022.
//!
//! - Two players fill a board of 9 rows and 7 columns with tiles, one a turn; two tiles lie there from the start.
//! - A tile joins the middles of its four sides in pairs: `l` top with left and bottom with right, `s` straight across
//!   (the two cross without touching), `r` top with right and bottom with left.
//! - Whoever finishes a path from the left wall, Blue's, to the right wall, Red's, gains its length from the new tile
//!   to the own wall.
//! - Finishing a path that ends twice at the same side wall costs 3 points, a loop 5; paths to the top or bottom wall
//!   are worth nothing.
//! - Both start at 50 points. Blue is player 0 and moves first. What counts in the contest is the sum of a bot's own
//!   points.
//!
//! The rules run on the middles of the sides, as in Mangara's program that came fifth: a path is known at its two ends
//! only, so a move and its undoing take constant time (see [`State`]).

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
