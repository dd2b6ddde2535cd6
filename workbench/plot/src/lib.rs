//! Pictures of boards, matches and leagues, from plain data to the text of an SVG file.
//!
//! | picture | function |
//! |---|---|
//! | the board of a game | [`board::svg`] |
//! | ratings with their intervals | [`ratings`] |
//! | who beats whom | [`head_to_head`] |
//! | how an estimate grows sure with the games | [`progress`] |
//! | how scores are distributed | [`distributions`] |
//! | how often bots win, draw and lose | [`results`] |
//! | how long moves take, turn by turn; what bots tell | [`move_times`], [`by_turn`] |
//! | any numbers over any others | [`curves`], [`small_curves`], [`cloud`] |
//! | any of them as a bitmap | `png`, with the feature of this name |
//!
//! The same data give the same text, byte for byte. The background is transparent and all greys are legible on white
//! and on black, so one file serves a README, a dark page and a printer. Colours are those of Okabe and Ito (2008),
//! which people with any form of colour blindness can tell apart; lines have their names at their ends, and bots their
//! rows.
//!
//! Boards are meant for light and dark themselves and have a background.
//!
//! Text is set in the reader's sans-serif font. Numbers that are not finite are left out, names are shortened and
//! stripped of control characters, and a picture of no data says so; no input panics.

#![forbid(unsafe_code)]

mod axis;
pub mod board;
mod by_turn;
mod canvas;
mod curves;
mod distributions;
mod heat_map;
#[cfg(feature = "png")]
mod png;
mod progress;
mod ratings;
mod results;
mod series;

pub use by_turn::{Turns, by_turn, move_times};
pub use curves::{Curve, cloud, curves, small_curves};
pub use distributions::{Scores, distributions};
pub use heat_map::{Meeting, head_to_head};
#[cfg(feature = "png")]
pub use png::png;
pub use progress::{Point, Track, progress};
pub use ratings::{Rating, ratings};
pub use results::{Results, results};
