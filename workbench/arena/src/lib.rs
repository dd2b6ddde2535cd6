//! Matches and tournaments between bots: scheduling, progress and results.
//!
//! A [`Match`] plays *pairs*: two games with the same seed but swapped seats, so that neither the seed nor the better
//! seat favours a bot. Its [`MatchReport`] is plain data, which can be serialised for programs or
//! [formatted](MatchReport::text) for people.
//!
//! A [`Tournament`] plays many matches by a schedule (round robin, gauntlet or Swiss), and ranks the bots with
//! confidence intervals.
//!
//! A [`Challenge`] compares a new version of a bot with old versions in stages.
//!
//! The seed of a match determines all randomness in each of its games. The results therefore do not depend on how many
//! games run at a time or on the order in which they finish. Two matches with the same seed differ only if the bots
//! depend on the clock.

#![forbid(unsafe_code)]

mod add;
mod challenge;
mod failures;
mod logged;
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
pub use logged::LogReportError;
pub use match_text::first_failures;
pub use matches::{ERRORS_IN_A_ROW, Event, KnownGames, Progress, RunningMatch};
pub use plan::{Match, Seating};
pub use report::{BotReport, Estimate, MatchEnd, MatchReport, Results, TestReport, Verdict};
pub use rotation::{Ranked, Rotating, Rotation, RotationReport};
pub use score::Score;
pub use tournament::{Format, Meeting, Standing, Tournament, TournamentReport};
