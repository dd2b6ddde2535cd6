//! Pictures of boards, matches and leagues. Functions turn plain data into the text of an SVG file.
//!
//! | chart | function |
//! |---|---|
//! | the board of a game | [`board::svg`] |
//! | ratings with their intervals | [`ratings`] |
//! | results of every pairing | [`head_to_head`] |
//! | estimates by number of games | [`progress`] |
//! | distributions of scores | [`distributions`] |
//! | shares of wins, draws and losses | [`results`] |
//! | times of moves and values from bots, by turn | [`move_times`], [`by_turn`] |
//! | one number against another | [`curves`], [`small_curves`], [`cloud`] |
//!
//! Equal data give exactly equal text. The background is transparent and all greys are legible on white and on black,
//! so the same file can be used in a README, on a dark page and for printing. Colours are from Okabe and Ito (2008),
//! whose palette people with any form of colour blindness can distinguish. Lines have their names at their ends, and
//! each bot has its own row.
//!
//! Boards have a background and support light and dark themes.
//!
//! Text is set in the reader's sans-serif font. Numbers that are not finite are left out, and names are shortened and
//! stripped of control characters. A chart without data shows a message instead. No input causes a panic.

#![forbid(unsafe_code)]

mod axis;
pub mod board;
mod by_turn;
mod canvas;
mod curves;
mod distributions;
mod heat_map;
mod progress;
mod ratings;
mod results;
mod series;

pub use axis::decimal;
pub use by_turn::{Turns, by_turn, move_times};
pub use curves::{Curve, cloud, curves, small_curves};
pub use distributions::{Scores, distributions};
pub use heat_map::{Meeting, head_to_head};
pub use progress::{ProgressPoint, Track, progress};
pub use ratings::{Rating, ratings};
pub use results::{Results, results};
