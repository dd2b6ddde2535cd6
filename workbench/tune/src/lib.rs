//! Tuning: which values of a bot's parameters win most, found by games, with an answer that says how far it can be
//! trusted.
//!
//! | question | here |
//! |---|---|
//! | what there is to tune, and where in its range a value lies | [`Space`] |
//! | how many games a precision takes | [`Plan`] |
//! | where the best values are | [`Surface`], for many parameters [`Spsa`] |
//! | which parameters matter, and what each does | [`Quadratic`] |
//! | the running of it: games, a log to go on from, the test at the end | [`Recipe`], [`Tuning`], [`run`] |
//! | whether all of this keeps what it promises | [`simulation`] |
//!
//! The unit of everything is the *pair*: two games with the same luck and exchanged seats, between two settings of the
//! same bot. Its signal is the mean difference in points where the contest adds up points, else the pair's score, in
//! Elo by the slope at equal strength.

#![forbid(unsafe_code)]

mod baselines;
mod failures;
mod log;
mod model;
mod plan;
mod play;
mod quadratic;
mod recipe;
mod report;
mod run;
pub mod simulation;
mod space;
mod spsa;
mod surface;
mod test;
mod tuning;
mod unit;

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
    /// Of A and of B: for each parameter its place in its range, 0 to 1.
    pub points: [Vec<f64>; 2],
}

/// A way of finding the best point: it asks for pairs and is told how they ended.
///
/// It depends on nothing but its random numbers and what it is told, so that the same results lead to the same answer.
pub trait Search: std::fmt::Debug {
    /// The next pairs to play, about so many.
    fn ask(&mut self, pairs: usize, rng: &mut contender_game::Rng) -> Vec<Duel>;

    /// Takes how the pairs of the last [`ask`](Search::ask) ended, in their order: A's points less B's, `None` if there
    /// is no signal. The points that were played may be others than were asked for.
    ///
    /// # Panics
    /// If there are fewer or more than were asked for.
    fn tell(&mut self, duels: &[Duel], signals: &[Option<f64>]);

    /// The best point as far as is known.
    fn answer(&self) -> Vec<f64>;

    /// For each parameter the range that holds its best place with 95% confidence; `None` where it is not known.
    fn intervals(&self) -> Vec<Option<contender_stats::Interval>>;

    /// The search itself, if it is the one that has a model of the response.
    fn model(&self) -> Option<&Surface> {
        None
    }
}
