//! Tuning: finds the best values for a bot's parameters by playing games, and estimates the error of the result.
//!
//! | topic | type |
//! |---|---|
//! | the parameters, and the positions of values in their ranges | [`Space`] |
//! | the number of games for a precision | [`Plan`] |
//! | the search for the best values | [`Surface`], or [`Spsa`] for many parameters |
//! | the effect of each parameter | [`Quadratic`] |
//! | running: games, a log to resume from, the final test | [`Recipe`], [`Tuning`], [`run`] |
//!
//! Strength is measured in *pairs*: two games with the same seed and swapped seats, between two settings of the same
//! bot. If the contest adds up points, the signal of a pair is the mean difference in points. Otherwise, it is the
//! score of the pair, converted to Elo with the slope at equal strength.

#![forbid(unsafe_code)]

mod error;
mod failures;
mod log;
mod model;
mod plan;
mod play;
mod quadratic;
mod recipe;
mod report;
mod run;
mod space;
mod spsa;
mod surface;
mod test;
mod tuned;
mod tuned_bot;
mod tuning;
mod unit;

pub use error::TuneError;
pub use log::{LOG, Outcome, PairResult};
pub use plan::{Plan, PlanInput};
pub use quadratic::{Effect, Fit, Quadratic};
pub use recipe::{Recipe, TestRecipe, TuneMethod};
pub use report::{ChartLine, ParameterTrack, TuneChart, TuneReport, TuneStatus, status};
pub use run::{Finish, PhaseProgress, RunOptions, TuneEvent, check, run};
pub use space::{Parameter, ParameterValues, Range, Space, Start};
pub use spsa::Spsa;
pub use surface::Surface;
pub use test::{TestResult, TestState};
pub use tuned::{AtEnd, TestedGain, Tuned, TunedValue};
pub use tuned_bot::TunedBot;
pub use tuning::{Batch, Phase, Tuning};
pub use unit::Unit;

/// Two settings (points in a [`Space`]) that play a pair of games against each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Duel {
    /// The points of settings A and B. A point contains the position of each parameter in its range, from 0 to 1.
    pub points: [Vec<f64>; 2],
}

/// A search for the best point: it requests pairs and receives their results.
///
/// A search depends only on its random numbers and the results, so the same results always lead to the same answer.
pub trait Search: std::fmt::Debug {
    /// Returns about `pairs` pairs that should be played next.
    fn ask(&mut self, pairs: usize, rng: &mut contender_game::rules::Rng) -> Vec<Duel>;

    /// Takes the results of the pairs from the last [`ask`](Search::ask), in the same order: A's points minus B's, or
    /// `None` if the pair has no signal. The points of `duels` may differ from the requested points.
    ///
    /// # Panics
    /// Panics if the number of results is not the number of requested pairs.
    fn tell(&mut self, duels: &[Duel], signals: &[Option<f64>]);

    /// Returns the best point according to the results so far.
    fn answer(&self) -> Vec<f64>;

    /// Returns, for each parameter, the range that contains its best position with 95% confidence, or `None` if it is
    /// unknown.
    fn intervals(&self) -> Vec<Option<contender_stats::Interval>>;

    /// Returns the search as a [`Surface`], if it models the response, which is the strength as a function of the
    /// parameters.
    fn model(&self) -> Option<&Surface> {
        None
    }
}
