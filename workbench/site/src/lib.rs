//! Battles of CodinGame's site at home.
//!
//! [`Import`] reads battles as the site gives them into games of a log, and [`SiteReport`] counts them. The challenge's
//! own referee plays them again: [`check`] compares the results, [`against_ghosts`] puts a new bot into the author's
//! seat, [`FromTurn`] starts games from their positions, and a [`Case`] is one turn as a test.
//! [`fetch()`](fetch::fetch) downloads public battles.
//!
//! Nothing here signs in anywhere. The names of the keys are those that public programs document.

#![forbid(unsafe_code)]

mod battle;
mod case;
pub mod fetch;
mod ghost;
mod import;
mod report;
mod result;
mod rules;

pub use battle::{BattleError, Brought, read};
pub use case::{Case, CaseError, CaseFailure, Source};
pub use ghost::{Agreement, Difference, FromTurn, GhostGame, against_ghosts, check, league};
pub use import::{Counts, Import, ImportError, ImportOptions, Unread, id_of};
pub use report::{FailedBattle, Row, SiteReport, seat_of};
pub use result::BattleResult;
pub use rules::RulesError;
