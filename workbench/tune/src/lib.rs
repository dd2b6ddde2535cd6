//! Tuning: which values of a bot's parameters win most, found by games, with an answer that says how far it can be
//! trusted.
//!
//! | question | here |
//! |---|---|
//! | the parameters, and the place of a value in its range | [`Space`] |
//! | how many games a precision takes | [`Plan`] |
//! | the search for the best values | [`Surface`], for many parameters [`Spsa`] |
//! | which parameters matter, and what each does | [`Quadratic`] |
//! | the running of it: games, a log to go on from, the test at the end | [`Recipe`], [`Tuning`], [`run`] |
//!
//! The unit of everything is the *pair*: two games with the same seed and swapped seats, between two settings of the
//! same bot. Its signal is the mean difference in points if the contest adds up points, otherwise the pair's score, in
//! Elo by the slope at equal strength.

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
mod tuning;
mod unit;

pub use error::TuneError;
pub use log::{LOG, Outcome, Played};
pub use plan::{Plan, Question};
pub use quadratic::{Effect, Fit, Quadratic};
pub use recipe::{Method, Recipe, TestRecipe};
pub use report::{Picture, Status, status};
pub use run::{Event, Finish, Order, Progress, check, run};
pub use space::{Bot, Parameter, Range, Space, Start, Values};
pub use spsa::Spsa;
pub use surface::Surface;
pub use test::{TestState, Verdict};
pub use tuning::{Batch, Phase, Tuning};
pub use unit::Unit;

/// Two settings that play a pair of games against each other, as points of a [`Space`].
#[derive(Clone, PartialEq, Debug)]
pub struct Duel {
    /// The points of A and of B: for each parameter its place in its range, 0 to 1.
    pub points: [Vec<f64>; 2],
}

/// A search for the best point: it asks for pairs and gets their results.
///
/// It depends only on its random numbers and these results, so that the same results lead to the same answer.
pub trait Search: std::fmt::Debug {
    /// Returns the next pairs to play, about `pairs` of them.
    fn ask(&mut self, pairs: usize, rng: &mut contender_game::rules::Rng) -> Vec<Duel>;

    /// Takes the results of the last [`ask`](Search::ask), in order: A's points minus B's, `None` without a signal. The
    /// played points may differ from the requested ones.
    ///
    /// # Panics
    /// If there are fewer or more than were asked for.
    fn tell(&mut self, duels: &[Duel], signals: &[Option<f64>]);

    /// Returns the best point as far as is known.
    fn answer(&self) -> Vec<f64>;

    /// Returns, for each parameter, the range that holds its best place with 95% confidence; `None` if unknown.
    fn intervals(&self) -> Vec<Option<contender_stats::Interval>>;

    /// Returns the search itself, if it is the one that has a model of the response.
    fn model(&self) -> Option<&Surface> {
        None
    }
}
