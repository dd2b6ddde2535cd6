//! Tests of leagues: runners, import, external referees, and files from older versions.

mod foreign;
mod golden;
mod import;
mod runners;
mod sources;
