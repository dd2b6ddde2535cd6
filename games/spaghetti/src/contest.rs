//! The interface of the game for the tools.

use crate::bots::Bots;
use crate::{SpaghettiProtocol, Start, State};
use contender_game::{
    contest::{
        BotList, Contest, ContestInfo, FailureRule, JudgeSite, Limits, MoveForm, Notation, TurnJudge,
        TypedContest,
    },
    rules::{mix, perft, Rng},
    settings,
    settings::{Settings, Text},
};
use std::time::Duration;

/// Spaghetti, as played in CodeCup 2022.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spaghetti;

/// The contest, for lists of contests.
pub static CONTEST: &dyn Contest = &Spaghetti;

settings! {
    /// The parts of the setup that `--rule` can fix.
    #[derive(Clone, Debug)]
    pub struct Rules {
        /// the two start tiles with + between them, for example bbs+hbl
        start: Option<Start> = None, Text("random");
    }
}

/// The random stream for the start tiles, which makes them independent of other uses of the seed.
const START_STREAM: u64 = 2;

impl TypedContest for Spaghetti {
    type Bots = Bots;
    type Rules = Rules;
    type Judge = TurnJudge<SpaghettiProtocol>;

    const SOURCE: &'static str = include_str!("lib.rs");

    const INFO: ContestInfo = ContestInfo {
        name: "spaghetti",
        package: env!("CARGO_PKG_NAME"),
        about: "Spaghetti (CodeCup 2022): lay tiles and finish long paths from wall to wall",
        seats: ["Blue", "Red"],
        site: JudgeSite::CodeCup,
        failures: FailureRule::CODECUP,
        limits: Limits::per_game(Duration::from_secs(30)),
        seats_differ: false,
        bots: Bots::INFO,
        rules: || Rules::DEFAULT.table(),
    };

    const SKELETONS: &'static [(&'static str, &'static str)] =
        &[("cpp", include_str!("../skeletons/bot.cpp")), ("py", include_str!("../skeletons/bot.py"))];

    fn start(seed: u64, rules: Rules) -> Result<Self::Judge, String> {
        let random = || Start::draw(&mut Rng::new(mix(&[seed, START_STREAM])));
        let start = rules.start.unwrap_or_else(random);
        Ok(TurnJudge::new(SpaghettiProtocol(start), Self::INFO.site, State::new(start.0)?, seed))
    }

    fn recorded(setup: &[String], rules: Rules) -> Result<Self::Judge, String> {
        let start = match (setup, rules.start) {
            ([_, _], None) => setup.join("+").parse().map_err(|error| format!("setup: {error}"))?,
            ([], Some(start)) => start,
            _ => return Err("two start tiles are needed, in the record or as the rule `start`".to_string()),
        };
        Self::start(0, Rules { start: Some(start) })
    }

    /// Returns the cell and the direction of the tile: `ce right`.
    fn move_words(mv: &str) -> String {
        tile(mv).map_or_else(|| mv.to_string(), |tile| format!("{} {tile}", &mv[..2]))
    }

    /// Returns the direction of the tile.
    fn move_form(mv: &str) -> MoveForm {
        MoveForm { name: tile(mv).unwrap_or_default().to_string(), ..MoveForm::default() }
    }

    /// Counts sequences of decisions from the board without tiles. The first two moves are the start tiles; if fewer
    /// moves are given, the missing start tiles are counted like moves.
    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        Ok(perft(&State::default().after(moves)?, depth))
    }
}

fn tile(mv: &str) -> Option<&'static str> {
    match mv.as_bytes() {
        [_, _, b'l'] => Some("left"),
        [_, _, b's'] => Some("straight"),
        [_, _, b'r'] => Some("right"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_have_words() {
        let words = ["cer", "ais", "?"].map(|mv| CONTEST.move_words(mv));
        assert_eq!(words, ["ce right", "ai straight", "?"]);
        assert_eq!(["cer", "?"].map(|mv| CONTEST.move_form(mv).name), ["right", ""]);
    }
}
