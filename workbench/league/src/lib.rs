//! Leagues, in which a changing set of bots plays games. All games are stored in one file, from which the strengths are
//! computed.
//!
//! A league is a folder with two files. `league.toml` contains the game and its conditions ([`LeagueSettings`]), and
//! `league.sqlite` contains the bots and the games ([`Store`]). [`run`] plays games: it chooses the two bots whose
//! games would be most informative ([`next_pair`]), and lets them play a pair of games with the same seed and swapped
//! seats. It commits each game to the file before it starts the next one. Ratings are computed from all games each time
//! they are shown ([`Standings`]).
//!
//! # Failures
//!
//! If a runner is killed, only the games that it was playing are lost, and the next runner plays these games first.
//! Several runners can work on the same league. A runner claims each game in a transaction before it plays the game, so
//! that no game is played twice.
//!
//! If a bot misbehaves, the [referee](contender_referee) ends its game with a named ending. A game is *void* if it
//! cannot be played, through no fault of the bots. After several void games in a row, two bots no longer play each
//! other until one of them is changed, for example paused and resumed.

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
pub use filter::{Filter, FilterError};
pub use forecast::{Forecast, ForecastRow};
pub use game::{BotState, GameState, LeagueBot, LeagueGame, SeatResult};
pub use import::{Imported, MAX_PROBLEMS, import, import_text};
pub use matchmaking::{Meetings, VOIDS_IN_A_ROW, next_meeting, next_pair};
pub use model::Model;
pub use pictures::{Pictures, pictures};
pub use runner::{Event, FAILURES_IN_A_ROW, Plan, run};
pub use settings::{League, LeagueSettings, NewLeagueGame};
pub use standings::{SeatStrength, Standings, StandingsRow, time_text};
pub use store::{NewBot, Placed, Store};
pub use trial::TrialError;
