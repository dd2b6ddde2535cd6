//! Leagues: runners, import, external referees, files of older versions.

mod foreign;
mod golden;
mod import;
mod runners;
mod sources;
