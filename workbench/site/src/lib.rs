//! Battles from CodinGame's site, imported to your own machine.
//!
//! [`Import`] converts battles that were saved from the site into the games of a log, and [`SiteReport`] counts their
//! results. The challenge's referee can replay these games: [`check`] compares the results, [`against_ghosts`] puts a
//! new bot into the author's seat, [`FromTurn`] starts games from positions in battles, and a [`Case`] uses one turn as
//! a test. [`fetch()`](fetch::fetch) downloads public battles.
//!
//! This crate never logs in to the site. It uses only keys that other public programs document.

#![forbid(unsafe_code)]

mod battle;
mod case;
pub mod fetch;
mod forecast;
mod ghost;
mod group;
mod import;
mod report;
mod result;
mod rules;

pub use battle::{BattleError, Brought, read};
pub use case::{Case, CaseError, CaseFailure, Source};
pub use forecast::{OpponentForecast, Ratings};
pub use ghost::{Agreement, FromTurn, GhostGame, ReplayDifference, against_ghosts, check, league};
pub use group::BattleGroup;
pub use import::{Counts, Import, ImportError, ImportOptions, Unread, id_of};
pub use report::{FailedBattle, FindContest, ReportOptions, SiteReport, seat_of};
pub use result::BattleResult;

pub use rules::RulesError;
