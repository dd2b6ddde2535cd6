//! Leagues: bots that come and go, all their games in one file, and how strong they are.
//!
//! A league is a folder with `league.toml`, which says what is played and how ([`Settings`]), and `league.sqlite`,
//! which holds bots and games ([`Store`]). [`run`] plays: it takes the pair of bots whose games say most
//! ([`next_pair`]), has both games of the pair played with the same seed and swapped seats, and commits each game
//! before the next is taken. Ratings are computed from all games each time they are shown ([`Standings`]).
//!
//! # What may happen
//!
//! A runner that is killed loses the games it was playing, no others: they are taken again by the next one. Several
//! runners may work on one league; a game is claimed in a transaction before it is played, so none is played twice. A
//! bot may do what it likes: the [referee](contender_referee) gives every game a named ending. A game that cannot be
//! played through no bot's fault is void, and after several in a row the two bots do not meet again until one of them
//! is changed, as by pausing and resuming it.

#![forbid(unsafe_code)]

mod export;
mod external;
mod filter;
mod forecast;
mod game;
mod game_text;
mod groups;
mod import;
mod matchmaking;
mod model;
mod pictures;
mod runner;
mod settings;
mod standings;
mod store;
mod trial;

pub use export::ExportForm;
pub use filter::Filter;
pub use forecast::{Forecast, ForecastRow};
pub use game::{Bot, Game, GameState, Seat, State};
pub use import::{Imported, MAX_PROBLEMS, import, import_text};
pub use matchmaking::{Meetings, VOIDS_IN_A_ROW, next_meeting, next_pair};
pub use model::Model;
pub use pictures::{Pictures, pictures};
pub use runner::{Event, FAILURES_IN_A_ROW, Plan, run};
pub use settings::{League, New, Settings};
pub use standings::{Row, SeatStrength, Standings, time_text};
pub use store::{NewBot, Placed, Store};
