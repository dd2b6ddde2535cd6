//! Contests: bots, their clocks, judges and protocols.

mod analysis;
mod bot;
mod bot_session;
mod bots;
mod clock;
mod info;
mod joint_judge;
mod notation;
mod reading;
mod stdio;
mod turn_judge;
mod typed_contest;

pub use analysis::{Analysis, MoveAnalysis};
pub use bot::{Bot, RandomBot, SearchBot};
pub use bot_session::{BotSession, ProtocolEvent, ProtocolParser, TurnParser, TurnReader};
pub use bots::{AnyBot, BotList};
pub use clock::{Clock, Limits};
pub use info::{
    Analyst, BotInfo, BotSetup, Contest, ContestInfo, FailureRule, Judge, JudgeSite, LineBot, Position,
    PositionAnalysis, Question, Reply,
};
pub use joint_judge::{JointJudge, JointProtocol};
pub use notation::{numbered, Notation};
pub use reading::{excerpt, is_not, numbers};
pub use stdio::{run_program, run_stdio, run_strongest};
pub use turn_judge::{Protocol, TurnJudge};
pub use typed_contest::{MoveOf, OpenJudge, ParsedMove, StateOf, TypedContest};
