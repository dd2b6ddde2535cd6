//! Statistics of matches: what the results of games show about two bots, and how certain this is.
//!
//! | question | answer |
//! |---|---|
//! | the mean of measurements and its uncertainty | [`Summary`], [`Interval`] |
//! | the value that a given share of measurements does not exceed | [`percentile`] |
//! | a win rate | [`wilson`] |
//! | results of pairs of games, and Elo | [`Pentanomial`], [`elo_of_score`], [`score_of_elo`] |
//! | the strengths of many bots, their order, and the certainty of ranks | [`ratings`] |
//! | normally distributed numbers; inverses of small dense matrices | [`normal`], [`inverse`] |
//! | when to stop playing because the answer is known | [`SequentialTest`] |
//! | how long a sequential test takes, and how often it decides wrongly | [`simulation`] |
//!
//! The unit of all statistics of a match is the *pair*: two games with the same seed and swapped seats. The games of a
//! pair depend on each other, but different pairs are independent. A value that cannot be computed (for example, the
//! standard deviation of a single value) is `None` instead of a misleading number.

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
