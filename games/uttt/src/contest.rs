//! What the tools need to know of the game.

use crate::{notation, perft, Dialogue, GreedyBot, Move, State, UtttProtocol};
use contender_game::{
    Bot, BotInfo, BotSetup, Contest, Game, Judge, JudgeSite, Limits, LineBot, Options, Position,
    PositionAnalysis, RandomBot, TurnJudge,
};
use std::time::Duration;

/// Ultimate Tic-Tac-Toe as CodinGame plays it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uttt;

/// The contest, for catalogues.
pub static CONTEST: &dyn Contest = &Uttt;

const BOTS: &[BotInfo] = &[
    BotInfo { name: "random", about: "plays random legal moves", options: &[] },
    BotInfo { name: "greedy", about: "wins or blocks on the nearest board, no look-ahead", options: &[] },
];

impl Contest for Uttt {
    fn name(&self) -> &'static str {
        "uttt"
    }

    fn about(&self) -> &'static str {
        "Ultimate Tic-Tac-Toe (CodinGame's arena): nine boards, and each move names the next one"
    }

    fn seats(&self) -> [&'static str; 2] {
        ["X", "O"]
    }

    fn site(&self) -> JudgeSite {
        JudgeSite::CodinGame
    }

    fn limits(&self) -> Limits {
        Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(100))
    }

    fn seats_differ(&self) -> bool {
        false
    }

    fn bots(&self) -> &'static [BotInfo] {
        BOTS
    }

    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String> {
        Ok(Box::new(Dialogue::new(choose_bot(name, options, setup)?, setup.budget)))
    }

    fn rule_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    fn judge(&self, luck: u64, _options: &mut Options) -> Result<Box<dyn Judge>, String> {
        Ok(Box::new(start(luck)))
    }

    fn recorded(&self, setup: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String> {
        if !setup.is_empty() {
            return Err("nothing is set up before the first move of this game".to_string());
        }
        self.judge(0, options)
    }

    /// Moves may be whole, `4 4` or `4,4`, or in pieces, `4` and `4`.
    fn perft(&self, moves: &[String], depth: u32) -> Result<u64, String> {
        let text = moves.join(" ");
        let numbers: Vec<&str> = text.split([' ', ',']).filter(|piece| !piece.is_empty()).collect();
        let mut state = State::default();
        for (at, pair) in numbers.chunks(2).enumerate() {
            let mv = notation::parse_recorded(&state, &pair.join(" "))
                .map_err(|error| format!("move {}: {error}", at + 1))?;
            state.play(mv);
        }
        Ok(perft(&state, depth))
    }

    fn analyse(
        &self,
        position: Position<'_>,
        bot: &str,
        options: &mut Options,
        setup: &BotSetup,
    ) -> Result<PositionAnalysis, String> {
        let mut bot = choose_bot(bot, options, setup)?;
        start(position.luck).analyse(position.moves, &mut bot, setup.budget)
    }
}

/// The judge of a new game.
fn start(luck: u64) -> TurnJudge<UtttProtocol> {
    TurnJudge::new(UtttProtocol::new(luck), JudgeSite::CodinGame, State::default(), luck)
}

/// A bundled bot by its name.
fn choose_bot(
    name: &str,
    _options: &mut Options,
    setup: &BotSetup,
) -> Result<Box<dyn Bot<State, Move>>, String> {
    Ok(match name {
        "random" => Box::new(RandomBot::new(setup.seed)),
        "greedy" => Box::new(GreedyBot::new(setup.seed)),
        _ => return Err(CONTEST.unknown_bot(name)),
    })
}
