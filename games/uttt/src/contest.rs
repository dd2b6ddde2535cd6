//! What the tools need to know of the game.

use crate::bots::Bots;
use crate::{perft, Move, State, UtttProtocol};
use contender_game::{
    excerpt, mix, settings, BotList, Contest, ContestInfo, Game, JudgeSite, Limits, Notation, Rng, Settings,
    Text, Turn, TurnJudge, TypedContest,
};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Ultimate Tic-Tac-Toe as CodinGame plays it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uttt;

/// The contest, for catalogues.
pub static CONTEST: &dyn Contest = &Uttt;

settings! {
    /// What differs from the contest's setup.
    #[derive(Clone, Debug)]
    pub struct Rules {
        /// how many random moves the judge plays before the first question; no game is over by then
        opening: u32 = 0, 0..=16;
        /// the moves that the judge plays instead, row and column each, for example moves=44-35
        moves: Option<Opening> = None, Text("none");
    }
}

/// Moves from the start of a game that do not end it, written `44-35`.
#[derive(Clone, Debug)]
pub struct Opening(Vec<Move>);

impl Opening {
    fn state(&self) -> State {
        let mut state = State::default();
        self.0.iter().for_each(|&mv| state.play(mv));
        state
    }
}

impl FromStr for Opening {
    type Err = String;

    fn from_str(text: &str) -> Result<Opening, String> {
        let mut state = State::default();
        let read = |pair: &str| match pair.as_bytes() {
            [_, _] if pair.is_ascii() => state.play_record(&format!("{} {}", &pair[..1], &pair[1..])),
            _ => Err(format!("`{}` is not a row and a column, for example 44", excerpt(pair))),
        };
        let moves = text.split('-').map(read).collect::<Result<_, _>>()?;
        if state.turn() == Turn::Over {
            return Err("the game is over after these moves".to_string());
        }
        Ok(Opening(moves))
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<String> = self.0.iter().map(|mv| mv.to_string().replace(' ', "")).collect();
        f.write_str(&moves.join("-"))
    }
}

/// Keeps the draw of openings apart from other uses of the same luck.
const OPENING_STREAM: u64 = 2;

impl TypedContest for Uttt {
    type Bots = Bots;
    type Rules = Rules;
    type Judge = TurnJudge<UtttProtocol>;

    const INFO: ContestInfo = ContestInfo {
        name: "uttt",
        package: env!("CARGO_PKG_NAME"),
        about: "Ultimate Tic-Tac-Toe (CodinGame's arena): nine boards, and each move names the next one",
        seats: ["X", "O"],
        site: JudgeSite::CodinGame,
        limits: Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(100)),
        seats_differ: false,
        bots: Bots::INFO,
        rules: || Rules::DEFAULT.table(),
    };

    fn start(luck: u64, rules: Rules) -> Result<Self::Judge, String> {
        if let Some(opening) = rules.moves {
            let state = opening.state();
            return Ok(TurnJudge::new(UtttProtocol::new(luck, opening.0), Self::INFO.site, state, luck));
        }
        let mut rng = Rng::new(mix(&[luck, OPENING_STREAM]));
        let mut state = State::default();
        let mut opening = Vec::new();
        for _ in 0..rules.opening {
            let mv = state.random_move(&mut rng, &mut Vec::new());
            state.play(mv);
            opening.push(mv);
        }
        Ok(TurnJudge::new(UtttProtocol::new(luck, opening), Self::INFO.site, state, luck))
    }

    /// The setup is the opening, one move a line.
    fn recorded(setup: &[String], _rules: Rules) -> Result<Self::Judge, String> {
        let mut state = State::default();
        let mut opening = Vec::new();
        for (at, text) in setup.iter().enumerate() {
            let played = state.play_record(text);
            opening.push(played.map_err(|error| format!("setup: move {}: {error}", at + 1))?);
        }
        Ok(TurnJudge::new(UtttProtocol::new(0, opening), Self::INFO.site, state, 0))
    }

    /// Two numbers make a move, whatever is between them: `4 4 4 5`, `4 4, 4 5` and `4,4 4,5` are the same two moves.
    fn split_moves(text: &str) -> Vec<String> {
        let between = |letter: char| letter.is_whitespace() || letter == ',';
        let numbers: Vec<&str> = text.split(between).filter(|piece| !piece.is_empty()).collect();
        numbers.chunks(2).map(|pair| pair.join(" ")).collect()
    }
    fn skeleton(ending: &str) -> Option<&'static str> {
        match ending {
            "cpp" => Some(include_str!("../skeletons/bot.cpp")),
            "py" => Some(include_str!("../skeletons/bot.py")),
            _ => None,
        }
    }

    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        Ok(perft(&State::default().after(moves)?, depth))
    }
}
