//! Statistics of matches: what a number of games says about two bots, and how surely.
//!
//! | question | here |
//! |---|---|
//! | the mean of some measurements, and how far it can be trusted | [`Summary`], [`Interval`] |
//! | the value that a share of the measurements stays below | [`percentile`] |
//! | a win rate | [`wilson`] |
//! | pairs of games that are won, drawn and lost; Elo | [`Pentanomial`], [`elo_of_score`], [`score_of_elo`] |
//! | strengths of many bots, who is ahead, which ranks are sure | [`ratings`] |
//! | normal numbers; solving small dense equations | [`normal`], [`inverse`] |
//! | when to stop playing because the answer is known | [`SequentialTest`] |
//! | how long a sequential test takes, and how often it errs | [`simulation`] |
//!
//! The unit of all statistics of a match is the *pair*: two games with the same seed and swapped seats. Its games are
//! not independent of each other, but pairs are. A figure that cannot be known (a standard deviation of one value, say)
//! is `None`, never a number that looks like knowledge.

#![forbid(unsafe_code)]

mod error;
mod pentanomial;
mod proportion;
pub mod ratings;
mod sequential;
pub mod simulation;
mod summary;

pub use error::StatsError;
pub use pentanomial::{ELO_OF_SCORE, EloEstimate, GameResult, Pentanomial, elo_of_score, score_of_elo};
pub use proportion::wilson;
pub use ratings::linear::inverse;
pub use ratings::normal;
pub use sequential::{Decision, MIN_PAIRS, SequentialTest};
pub use summary::{Interval, Summary, normal_quantile, percentile};
