//! The vocabulary of Contender, shared by every game, search and tool.
//!
//! | word | here |
//! |---|---|
//! | game, state | [`Game`]: a value of the type is a state, the type knows the rules |
//! | chance, outcome | [`Chance`]: exact probabilities as integer weights |
//! | hidden information | [`Hidden`]: resample what a player cannot know |
//! | make, unmake | [`Undo`]: take a move back instead of copying the state |
//! | both act at once | [`Simultaneous`], [`Combined`], and [`InTurn`] which makes a [`Game`] of them |
//! | player | [`Player`]: seat 0 or 1 |
//! | bot | [`Bot`] chooses moves; [`LineBot`] is the same bot speaking its judge's protocol |
//! | judge | [`Judge`] asks, checks answers and counts points; [`Contest`] lists what a game offers |
//!
//! Values are from player 0's view unless a name says `own_`. The crate has no dependencies and compiles with
//! `rustc 1.66 -O --edition 2021`, because a submission carries it as source.

#![forbid(unsafe_code)]

mod analysis;
pub mod ansi;
mod bot;
mod clock;
pub mod conformance;
mod contest;
mod excerpt;
mod game;
mod options;
mod perft;
mod player;
mod rng;
mod simultaneous;
mod stdio;
mod turn_judge;

pub use analysis::{Analysis, MoveAnalysis};
pub use bot::{Bot, RandomBot};
pub use clock::{Clock, Limits};
pub use contest::{
    BotInfo, BotSetup, Contest, ContestInfo, Judge, JudgeSite, LineBot, Position, PositionAnalysis, Question,
    Reply,
};
pub use excerpt::excerpt;
pub use game::{Chance, Game, Hidden, Undo};
pub use options::Options;
pub use perft::{perft, perft_chance};
pub use player::{Player, Turn};
pub use rng::{mix, Rng};
pub use simultaneous::{Combined, InTurn, Simultaneous};
pub use stdio::{run_program, run_stdio};
pub use turn_judge::{Protocol, TurnJudge};
