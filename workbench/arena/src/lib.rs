//! Matches and tournaments between bots: scheduling, progress and results.
//!
//! A [`Match`] plays *pairs*: two games with the same seed but swapped seats, so that neither the seed nor the better
//! seat favours a bot. Its [`MatchReport`] is plain data, which can be serialised for programs and
//! [rendered](MatchReport::text) for people.
//!
//! A [`Tournament`] consists of many matches under one schedule (round robin, gauntlet, Swiss) and ranks its bots with
//! intervals.
//!
//! A [`Challenge`] measures a new version of a bot against old versions in stages.
//!
//! The seed of a match determines all randomness in each of its games. So results depend neither on the number of games
//! at a time nor on the order in which games finish. Two matches with the same seed differ only if bots depend on the
//! clock.

#![forbid(unsafe_code)]

mod add;
mod challenge;
mod failures;
mod match_text;
mod matches;
mod plan;
mod report;
mod rotation;
mod score;
mod swiss;
mod tally;
mod text;
mod tournament;
mod tournament_text;

pub use add::AddError;
pub use challenge::{Challenge, ChallengeMatch, default_bounds};
pub use failures::Failure;
pub use match_text::first_failures;
pub use matches::{ERRORS_IN_A_ROW, Event, Known, Progress, RunningMatch};
pub use plan::{Match, Seating};
pub use report::{BotReport, Estimate, MatchEnd, MatchReport, Results, TestReport, Verdict};
pub use rotation::{Ranked, Rotating, Rotation, RotationReport};
pub use score::Score;
pub use tournament::{Format, Meeting, Standing, Tournament, TournamentReport};
