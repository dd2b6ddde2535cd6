//! Cellularena, the game of CodinGame's Winter Challenge 2024.
//!
//! Two players grow organisms, organ by organ, on a symmetric board of up to 24 x 12 cells with walls and sources of
//! four proteins, A to D. Both players choose at the same time: in each turn, every organism grows one organ or waits.
//!
//! - A new organ is next to an organ of its organism, on a cell without a wall or an organ. On a source, it brings 3
//!   proteins of this kind, and the source disappears.
//! - A basic organ costs one A. It only takes a cell.
//! - A harvester costs one C and one D. In each turn it brings one protein from the source that it faces.
//! - A tentacle costs one B and one C. In each turn it kills the enemy's organ that it faces, together with all organs
//!   that grew from this organ. The enemy cannot grow onto the cell that the tentacle faces.
//! - A sporer costs one B and one D. It can shoot a new root in its direction, at any distance up to a wall or an
//!   organ.
//! - A root costs one of each protein and begins a new organism, so the player has one more action in each turn.
//! - If two organs grow onto the same cell, the cell becomes a wall, and both organs are lost.
//! - A turn has this order: all organs grow, harvesters bring proteins, tentacles kill.
//!
//! The game ends after 100 turns, if a player has no organs, if no free cell is left, or if neither player can get or
//! use proteins. The player with more organs wins; if they have equally many, the one with more proteins.
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
//! | [`events`] | the kills and collisions of a turn |
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
pub mod events;
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
