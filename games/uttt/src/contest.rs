//! The interface of the game for the tools.

use crate::bots::Bots;
use crate::{Opening, State, UtttProtocol};
use contender_game::{
    contest::{
        numbered, BotList, Contest, ContestInfo, FailureRule, JudgeSite, Limits, Notation, TurnJudge,
        TypedContest,
    },
    rules::{mix, perft, Rng},
    settings,
    settings::{Settings, Text},
};
use std::time::Duration;

/// Ultimate Tic-Tac-Toe, as played on CodinGame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uttt;

/// The contest, for lists of contests.
pub static CONTEST: &dyn Contest = &Uttt;

settings! {
    /// Deviations from the contest's setup.
    #[derive(Clone, Debug)]
    pub struct Rules {
        /// number of random moves that the judge plays before the first question; the game is never over after them
        opening: u32 = 0, 0..=16;
        /// fixed moves that the judge plays instead of random ones, each as row and column, for example moves=44-35
        moves: Option<Opening> = None, Text("none");
    }
}

/// The random stream for openings, which makes openings independent of other uses of the seed.
const OPENING_STREAM: u64 = 2;

impl TypedContest for Uttt {
    type Bots = Bots;
    type Rules = Rules;
    type Judge = TurnJudge<UtttProtocol>;

    const SOURCE: &'static str = include_str!("lib.rs");

    const INFO: ContestInfo = ContestInfo {
        name: "uttt",
        package: env!("CARGO_PKG_NAME"),
        about: "Ultimate Tic-Tac-Toe (CodinGame's arena): nine boards, and each move names the next one",
        seats: ["X", "O"],
        site: JudgeSite::CodinGame,
        failures: FailureRule::CODINGAME,
        limits: Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(100)),
        seats_differ: false,
        bots: Bots::INFO,
        rules: || Rules::DEFAULT.table(),
    };

    const SKELETONS: &'static [(&'static str, &'static str)] =
        &[("cpp", include_str!("../skeletons/bot.cpp")), ("py", include_str!("../skeletons/bot.py"))];

    fn start(seed: u64, rules: Rules) -> Result<Self::Judge, String> {
        let random = || Opening::draw(rules.opening, &mut Rng::new(mix(&[seed, OPENING_STREAM])));
        Ok(judge(seed, rules.moves.clone().unwrap_or_else(random)))
    }

    /// Reads the opening from the setup, one move per line.
    fn recorded(setup: &[String], _rules: Rules) -> Result<Self::Judge, String> {
        let mut opening = Opening::default();
        numbered(setup, |text| opening.play(text)).map_err(|error| format!("setup: {error}"))?;
        Ok(judge(0, opening))
    }

    /// Groups the numbers into moves, with any separators: `4 4 4 5`, `4 4, 4 5` and `4,4 4,5` are the same two moves.
    fn split_moves(text: &str) -> Vec<String> {
        let between = |letter: char| letter.is_whitespace() || letter == ',';
        let numbers: Vec<&str> = text.split(between).filter(|piece| !piece.is_empty()).collect();
        numbers.chunks(2).map(|pair| pair.join(" ")).collect()
    }

    /// Returns the row and the column: `r4 c4`.
    fn move_words(mv: &str) -> String {
        let numbers: Result<Vec<u8>, _> = mv.split(' ').map(str::parse).collect();
        match numbers.as_deref() {
            Ok([row, column]) => format!("r{row} c{column}"),
            _ => mv.to_string(),
        }
    }

    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        Ok(perft(&State::default().after(moves)?, depth))
    }
}

fn judge(seed: u64, opening: Opening) -> TurnJudge<UtttProtocol> {
    let state = opening.state();
    TurnJudge::new(UtttProtocol { seed, opening }, Uttt::INFO.site, state, seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_have_words() {
        let words = ["4 8", "4", "4 x"].map(|mv| CONTEST.move_words(mv));
        assert_eq!(words, ["r4 c8", "4", "4 x"]);
    }
}
