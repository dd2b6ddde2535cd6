//! The `contender` command as users run it.

mod adding;
mod book;
mod challenge;
mod check;
mod cli;
mod cluster;
mod documents;
mod formats;
mod killed;
mod league;
mod learn;
mod machine;
mod new;
mod pack;
mod play;
mod referees;
mod replay;
mod review;
#[path = "../../../../examples/tumbleweed/tests/rules.rs"]
mod tumbleweed_rules;
mod tune;
