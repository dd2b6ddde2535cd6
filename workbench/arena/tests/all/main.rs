//! Matches, rotations and tournaments on small games; the checks of contests on games with planted faults.

mod match_text;
mod matches;
mod plain_game;
mod planted_faults;
mod prizes;
#[path = "../../../cli/templates/turns/lib.rs"]
mod tictactoe;
mod tournaments;
