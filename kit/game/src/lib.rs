//! The vocabulary of Contender, shared by every game, search and tool.
//!
//! | word | here |
//! |---|---|
//! | game, state | [`Game`]: a value of the type is a state, the type knows the rules |
//! | chance, outcome | [`Chance`]: exact probabilities as integer weights |
//! | hidden information | [`Hidden`]: resample what a player cannot know |
//! | both act at once | [`Simultaneous`], [`Combined`], and [`InTurn`] which makes a [`Game`] of them |
//! | player | [`Player`]: seat 0 or 1 |
//! | bot | [`Bot`] chooses moves; [`LineBot`] is the same bot speaking its judge's protocol |
//! | judge | [`Judge`] asks, checks answers and counts points: [`TurnJudge`] in turn, [`JointJudge`] for both at once |
//! | board | [`Grid`] of squares, [`HexBoard`]: names, pictures, rays |
//! | contest | [`TypedContest`]: what differs from game to game; [`Contest`]: the same without types, for tools |
//! | setting | [`settings!`]: one statement makes struct, parser, help and the table that tuning reads |
//!
//! Values are from player 0's view unless a name says `own_`. The crate has no dependencies and compiles with
//! `rustc 1.66 -O --edition 2021`, because a submission carries it as source.

#![forbid(unsafe_code)]

mod analysis;
pub mod ansi;
mod bot;
mod bot_session;
mod bots;
mod clock;
pub mod conformance;
mod contest;
mod drawing;
mod from_file;
mod game;
mod grid;
mod hex;
mod joint_judge;
mod notation;
mod options;
mod perft;
mod picture;
mod player;
mod reading;
mod rng;
mod settings;
mod simultaneous;
mod stdio;
mod turn_judge;
mod typed_contest;

pub use analysis::{Analysis, MoveAnalysis};
pub use bot::{Bot, RandomBot, SearchBot};
pub use bot_session::{BotSession, ProtocolEvent, ProtocolParser, TurnParser, TurnReader};
pub use bots::{AnyBot, BotList};
pub use clock::{Clock, Limits};
pub use contest::{
    Analyst, BotInfo, BotSetup, Contest, ContestInfo, Judge, JudgeSite, LineBot, Position, PositionAnalysis,
    Question, Reply,
};
pub use from_file::{FromFile, Shipped};
pub use game::{Chance, Game, Hidden};
pub use grid::Grid;
pub use hex::HexBoard;
pub use joint_judge::{JointJudge, JointProtocol};
pub use notation::{numbered, Notation};
pub use options::Options;
pub use perft::{perft, perft_chance, perft_joint, perft_weighted};
pub use picture::{Ink, Line, Look, Path, Picture, Side, Sign, Square};
pub use player::{Player, Turn};
pub use reading::{excerpt, is_not, numbers};
pub use rng::{mix, Rng};
pub use settings::{Bounds, Kind, OrNone, Setting, Settings, Text, Value, Visitor, SWITCH};
pub use simultaneous::{Combined, InTurn, Simultaneous};
pub use stdio::{run_program, run_stdio, run_strongest};
pub use turn_judge::{Protocol, TurnJudge};
pub use typed_contest::{MoveOf, OpenJudge, ParsedMove, StateOf, TypedContest};
