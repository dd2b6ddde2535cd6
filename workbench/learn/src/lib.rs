//! Learning of evaluations: a bot plays against itself, and its evaluation learns from what its searches find.
//!
//! | question | here |
//! |---|---|
//! | what learning must know of a game | [`Position`] |
//! | the search whose nodes teach | [`Search`], [`Node`] |
//! | weights for every turn, and how they learn | [`Weights`], [`Learner`], [`Adam`] |
//! | games that teach and games that measure | [`self_play`] |
//! | positions with all that is known of them, to try ideas on | [`dataset`] |
//! | how well evaluations predict them, and least squares | [`fit`], [`pictures`] |
//! | a whole training, stopped and gone on with | [`Recipe`], [`Training`], [`Checkpoint`] |

#![forbid(unsafe_code)]

mod adam;
pub mod dataset;
pub mod entropy;
pub mod fit;
mod learner;
pub mod pictures;
mod position;
mod recipe;
mod search;
pub mod self_play;
mod training;
pub mod weights;

pub use adam::Adam;
pub use learner::{Learner, Learning, Seen};
pub use position::Position;
pub use recipe::{Matches, Recipe};
pub use search::{Best, Node, Search};
pub use self_play::{SelfPlay, WeightsBot};
pub use training::{Checkpoint, Event, Length, Progress, Training};
pub use weights::Weights;
