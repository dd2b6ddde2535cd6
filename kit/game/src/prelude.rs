//! The usual imports of a game or bot: `use contender_game::prelude::*`.

pub use crate::board::{Grid, HexBoard, Ink, Picture, Sign, Square};
pub use crate::contest::{
    excerpt, is_not, numbered, numbers, Analysis, Bot, BotInfo, BotList, BotSetup, Clock, Contest,
    ContestInfo, FailureRule, JointJudge, JointProtocol, Judge, JudgeSite, Limits, LineBot, Notation,
    OpenJudge, PlainReader, Protocol, ProtocolEvent, ProtocolParser, Question, RandomBot, Reply, SearchBot,
    TurnJudge, TurnParser, TurnReader, TypedContest,
};
pub use crate::rules::{
    mix, perft, perft_chance, perft_joint, perft_weighted, Chance, Combined, Game, Hidden, InTurn, Player,
    Rng, Simultaneous, Turn,
};
pub use crate::settings::{FromFile, Options, Settings, SWITCH};
pub use crate::{bots, settings};
