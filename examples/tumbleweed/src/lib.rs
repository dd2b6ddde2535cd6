//! Tumbleweed: stacks see along the six rays of a hex board. The player who owns and controls more hexes wins.

pub mod bots;
mod network;
mod notation;
pub mod protocol;
mod rules;

pub use rules::{Move, State};

use contender_game::prelude::*;

/// The contest.
pub static CONTEST: &dyn Contest = &Tumbleweed;

/// The contest, with its types.
pub struct Tumbleweed;

impl TypedContest for Tumbleweed {
    type Bots = bots::Bots;
    type Rules = ();
    type Judge = TurnJudge<protocol::CodeCup>;
    const SOURCE: &'static str = include_str!("lib.rs");

    const INFO: ContestInfo = ContestInfo {
        name: "tumbleweed",
        package: env!("CARGO_PKG_NAME"),
        about: "Tumbleweed: stacks that see along the rays of a hex board",
        seats: ["First", "Second"],
        site: JudgeSite::CodeCup,
        failures: FailureRule::CODECUP,
        limits: Limits::per_game(std::time::Duration::from_secs(30)),
        // The first player places both start stones, and the second player chooses a side.
        seats_differ: true,
        bots: bots::Bots::INFO,
        rules: Vec::new,
    };

    fn start(seed: u64, (): ()) -> Result<Self::Judge, String> {
        Ok(TurnJudge::new(protocol::CodeCup, Self::INFO.site, State::default(), seed))
    }

    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        Ok(perft(&State::default().after(moves)?, depth))
    }
}
