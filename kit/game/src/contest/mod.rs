//! Contests: bots, their clocks, judges and protocols.
//!
//! This example is a complete contest for the Nim of the [crate's example](crate): the notation of moves, the judge's
//! protocol, two bots and the description. `contender new` writes a package of the same form.
//!
//! ```
//! # #[path = "../../tests/toy_games/mod.rs"] mod toys;
//! # use toys::Nim;
//! use contender_game::conformance::check_contest;
//! use contender_game::prelude::*;
//! use std::time::Duration;
//!
//! impl Default for Nim {
//!     fn default() -> Nim {
//!         Nim { matches: 15, mover: Player::Zero }
//!     }
//! }
//!
//! impl Notation for Nim {
//!     fn read(&self, text: &str) -> Result<u8, String> {
//!         let taken = text.parse().ok().filter(|taken| (1..=self.matches.min(3)).contains(taken));
//!         taken.ok_or_else(|| is_not(text, "a number of matches to take"))
//!     }
//!
//!     fn write(&self, taken: u8) -> String {
//!         taken.to_string()
//!     }
//!
//!     fn picture(&self, _last: Option<u8>, _viewer: Option<Player>) -> Picture {
//!         Picture { notes: vec![vec![Sign::plain(format!("{} matches", self.matches))]], ..Picture::default() }
//!     }
//! }
//!
//! struct NimProtocol;
//!
//! impl Protocol for NimProtocol {
//!     type State = Nim;
//! }
//!
//! #[derive(Default)]
//! pub struct Reader;
//!
//! impl TurnReader for Reader {
//!     type State = Nim;
//! }
//!
//! mod bots {
//!     use super::*;
//!     bots! {
//!         TurnParser<Reader>;
//!         random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
//!         expert "leaves the opponent a multiple of four": |_: (), _| {
//!             SearchBot(|state: &Nim, _, _: &Clock| Analysis::of_move((state.matches % 4).max(1)))
//!         };
//!     }
//! }
//!
//! struct NimContest;
//!
//! impl TypedContest for NimContest {
//!     type Bots = bots::Bots;
//!     type Rules = ();
//!     type Judge = TurnJudge<NimProtocol>;
//!
//!     const INFO: ContestInfo = ContestInfo {
//!         name: "nim",
//!         package: env!("CARGO_PKG_NAME"),
//!         about: "Nim: who takes the last match wins",
//!         seats: ["First", "Second"],
//!         site: JudgeSite::CodeCup,
//!         failures: FailureRule::CODECUP,
//!         limits: Limits::per_game(Duration::from_secs(30)),
//!         seats_differ: false,
//!         bots: bots::Bots::INFO,
//!         rules: Vec::new,
//!     };
//!
//!     fn start(seed: u64, (): ()) -> Result<Self::Judge, String> {
//!         Ok(TurnJudge::new(NimProtocol, Self::INFO.site, Nim::default(), seed))
//!     }
//!
//!     fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
//!         Ok(perft(&Nim::default().after(moves)?, depth))
//!     }
//! }
//!
//! # fn main() -> Result<(), String> {
//! // Tools use the contest as an object.
//! let contest: &dyn Contest = &NimContest;
//! let mut judge = contest.judge(1, &mut Options::rules())?;
//! let mut expert = contest.bot("expert", &mut Options::default(), &BotSetup::default())?;
//! assert_eq!(judge.ask()[0].text, "Start\n");
//! let reply = expert.line("Start")?;
//! assert_eq!(reply, Reply::Say("3".to_string()));
//! judge.answer(Player::Zero, &["3".to_string()])?;
//! assert_eq!(judge.choices(Player::One), ["1", "2", "3"]);
//! assert!(check_contest(contest, 20, 15, 1).is_ok());
//! # Ok(())
//! # }
//! ```

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
pub use bot_session::{BotSession, PlainReader, ProtocolEvent, ProtocolParser, TurnParser, TurnReader};
pub use bots::{AnyBot, BotList};
pub use clock::{Clock, Limits};
pub use info::{
    Analyst, BotInfo, BotSetup, Contest, ContestInfo, FailureRule, Judge, JudgeSite, LineBot, MoveForm,
    Position, PositionAnalysis, Question, Reply,
};
pub use joint_judge::{JointJudge, JointProtocol};
pub use notation::{numbered, Notation};
pub use reading::{excerpt, is_not, numbers};
pub use stdio::{run_program, run_stdio, run_strongest};
pub use turn_judge::{Protocol, TurnJudge};
pub use typed_contest::{MoveOf, OpenJudge, ParsedMove, StateOf, TypedContest};
