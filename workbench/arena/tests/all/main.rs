//! Tests of matches, rotations and tournaments with small games, and of the contest checks with planted faults.

mod hosts;
mod logged;
mod match_text;
mod matches;
mod plain_game;
mod planted_faults;
mod prizes;
#[path = "../../../cli/templates/turns/lib.rs"]
mod tictactoe;
mod tournaments;
