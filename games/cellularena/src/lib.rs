//! Cellularena, the game of CodinGame's Winter Challenge 2024.
//!
//! Two players grow organisms, organ by organ, on a symmetric board of up to 24 x 12 cells with walls and sources of
//! four proteins. Both players choose at the same time. They choose one action for each organism: grow an organ onto a
//! neighbouring cell, or shoot a new root from a sporer. Organs cost proteins. Harvesters bring in proteins. Tentacles
//! kill the enemy's organs, together with all organs that grew from them. After 100 turns, or when neither player can
//! act, the player with more organs wins.
//!
//! The rules are those of the contest's referee (github.com/CodinGame/WinterChallenge2024-Cellularena) in its highest
//! league. This includes the numbers of organs, the paths of growths to distant targets, and the maps for the referee's
//! seeds.
//!
//! | module | contents |
//! |---|---|
//! | `rules` | [`State`], [`Action`], [`Order`], sets of cells |
//! | [`map`] | the judge's maps |
//! | `lines` | parsing of the lines that players print |
//! | [`notation`] | turns as text, and pictures of the board |
//! | [`position`] | states as text |
//! | [`protocol`] | the judge's and the bot's side of the contest's protocol |
//! | [`network`] | the network's input for a position, and moves from its output |
//! | [`learning`] | the game's part of training such a network |
//! | `random`, `greedy` | the bots [`RandomActions`] and [`Greedy`] |
//! | `classic` | the bot [`Classic`], which searches with the network |
//! | [`heuristic`] | the bot [`Heuristic`], which searches with a hand-made evaluation |
//! | `puct` | the bot [`PuctBot`], `champion`: a tree search with a smaller network's moves and values |
//! | `contest` | [`CellularenaContest`], the interface for the tools |

#![forbid(unsafe_code)]

pub mod bots;
mod classic;
mod contest;
mod greedy;
pub mod heuristic;
pub mod learning;
mod lines;
pub mod map;
pub mod network;
pub mod notation;
pub mod position;
pub mod protocol;
mod puct;
mod random;
mod rules;

pub use classic::{Classic, ClassicNet, ClassicSettings, DISCOUNT};
pub use contest::{CellularenaContest, Rules, CONTEST};
pub use greedy::Greedy;
pub use heuristic::{Heuristic, HeuristicSettings};
pub use protocol::{CellularenaJudge, CellularenaProtocol};
pub use puct::{PuctBot, PuctNet, PuctSettings};
pub use random::RandomActions;
pub use rules::*;
