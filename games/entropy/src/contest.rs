//! The interface of the game for the tools.

use crate::bots::Bots;
use crate::notation::{parse_placement, parse_slide};
use crate::{Bag, EntropyProtocol, Scoring, State};
use contender_game::{
    contest::{
        BotList, Contest, ContestInfo, FailureRule, JudgeSite, Limits, Notation, TurnJudge, TypedContest,
    },
    rules::perft_chance,
    settings,
    settings::{Settings, Text},
};
use std::time::Duration;

/// Entropy, as played in CodeCup 2023.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entropy;

/// The contest, for lists of contests.
pub static CONTEST: &dyn Contest = &Entropy;

settings! {
    /// Variants of the rules and the setup.
    #[derive(Clone, Debug)]
    pub struct Rules {
        /// score of a full line ABABABA: 37 in the rules, 27 in the contest's referee of 2022
        abababa: Scoring = Scoring::Rules, [("37", Scoring::Rules), ("27", Scoring::Referee)];
        /// the 49 chips in the order in which they are drawn, as digits
        bag: Option<Bag> = None, Text("random");
    }
}

impl TypedContest for Entropy {
    type Bots = Bots;
    type Rules = Rules;
    type Judge = TurnJudge<EntropyProtocol>;

    const SOURCE: &'static str = include_str!("lib.rs");

    const INFO: ContestInfo = ContestInfo {
        name: "entropy",
        package: env!("CARGO_PKG_NAME"),
        about: "Entropy (CodeCup 2023): Order makes palindromes of the chips that Chaos scatters",
        seats: ["Order", "Chaos"],
        site: JudgeSite::CodeCup,
        failures: FailureRule::CODECUP,
        limits: Limits::per_game(Duration::from_secs(30)),
        seats_differ: true,
        bots: Bots::INFO,
        rules: || Rules::DEFAULT.table(),
    };

    const SKELETONS: &'static [(&'static str, &'static str)] =
        &[("cpp", include_str!("../skeletons/bot.cpp")), ("py", include_str!("../skeletons/bot.py"))];

    fn start(seed: u64, rules: Rules) -> Result<Self::Judge, String> {
        let start = State::new(rules.abababa);
        Ok(TurnJudge::new(EntropyProtocol(rules.bag), Self::INFO.site, start, seed))
    }

    fn recorded(setup: &[String], rules: Rules) -> Result<Self::Judge, String> {
        let bag = match setup {
            [] => rules.bag,
            [bag] if rules.bag.is_none() => Some(bag.parse().map_err(|error| format!("setup: {error}"))?),
            [_] => return Err("rule `bag`: the recorded game already has a bag".to_string()),
            _ => {
                return Err(format!(
                    "the setup of a game is empty or one line with the bag, not {} lines",
                    setup.len()
                ))
            }
        };
        Self::start(0, Rules { bag, ..rules })
    }
    /// Returns the score of the board, which is Order's points minus 120.
    fn shared_score(points: [i32; 2]) -> Option<i32> {
        Some(points[0] - 120)
    }

    /// Returns a slide as `Bc → Bg`, and a recorded placement as `3 at Bc`.
    fn move_words(mv: &str) -> String {
        match (parse_slide(mv), parse_placement(mv)) {
            (Some((from, to)), _) if from == to => "pass".to_string(),
            (Some((from, to)), _) => format!("{from} → {to}"),
            (None, Ok((colour, cell))) => format!("{colour} at {cell}"),
            (None, Err(_)) => mv.to_string(),
        }
    }

    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        Ok(perft_chance(&State::default().after(moves)?, depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_have_words() {
        let words = ["BcBg", "BcBc", "3Bc", "Bc"].map(|mv| CONTEST.move_words(mv));
        assert_eq!(words, ["Bc → Bg", "pass", "3 at Bc", "Bc"]);
    }
}
