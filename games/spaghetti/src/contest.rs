//! What the tools need to know of the game.

use crate::protocol::draw_start;
use crate::{notation, Dialogue, GreedyBot, Move, SpaghettiProtocol, State, UctBot};
use contender_game::{
    mix, perft, Bot, BotInfo, BotSetup, Contest, ContestInfo, Game, Judge, JudgeSite, Limits, LineBot,
    Options, Position, PositionAnalysis, RandomBot, Rng, TurnJudge,
};
use std::time::Duration;

/// Spaghetti as CodeCup 2022 played it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spaghetti;

/// The contest, for catalogues.
pub static CONTEST: &dyn Contest = &Spaghetti;

const BOTS: &[BotInfo] = &[
    BotInfo { name: "random", about: "plays random legal moves", options: &[] },
    BotInfo { name: "greedy", about: "takes the most points its move can make", options: &[] },
    BotInfo {
        name: "uct",
        about: "Monte Carlo tree search by random games, for its own points",
        options: &[],
    },
];

const RULES: &[(&str, &str)] =
    &[("start", "the two start tiles with + between them, for example bbs+hbl (default: random)")];

/// Keeps the draw of the start tiles apart from other uses of the same luck.
const START_STREAM: u64 = 2;

const INFO: ContestInfo = ContestInfo {
    name: "spaghetti",
    about: "Spaghetti (CodeCup 2022): lay tiles and finish long paths from wall to wall",
    seats: ["Blue", "Red"],
    site: JudgeSite::CodeCup,
    limits: Limits::per_game(Duration::from_secs(30)),
    seats_differ: false,
    bots: BOTS,
    rules: RULES,
};

impl Contest for Spaghetti {
    fn info(&self) -> ContestInfo {
        INFO
    }

    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String> {
        Ok(Box::new(Dialogue::new(choose_bot(name, options, setup)?, setup.limits)))
    }

    fn judge(&self, luck: u64, options: &mut Options) -> Result<Box<dyn Judge>, String> {
        Ok(Box::new(start(luck, options)?))
    }

    fn recorded(&self, setup: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String> {
        let given = take_start(options)?;
        let start = match (setup, given) {
            ([first, second], None) => {
                let tile = |text| notation::parse_move(text).map_err(|error| format!("setup: {error}"));
                [tile(first)?, tile(second)?]
            }
            ([], Some(start)) => start,
            ([_, _], Some(_)) => return Err("rule `start`: the recorded game has its own".to_string()),
            _ => return Err(format!("the setup of a game is two start tiles, not {} lines", setup.len())),
        };
        Ok(Box::new(judge(start, 0)?))
    }

    /// The first two of `moves` are the start tiles; with fewer, the rest of them are counted like moves.
    fn perft(&self, moves: &[String], depth: u32) -> Result<u64, String> {
        let mut state = State::default();
        for (at, text) in moves.iter().enumerate() {
            let mv =
                notation::parse_legal(&state, text).map_err(|error| format!("move {}: {error}", at + 1))?;
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
        start(position.luck, position.rules)?.analyse(position.moves, &mut bot, setup.limits)
    }
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
        "uct" => Box::new(UctBot::new(setup.seed)),
        _ => return Err(CONTEST.unknown_bot(name)),
    })
}

/// The judge of a new game.
fn start(luck: u64, rules: &mut Options) -> Result<TurnJudge<SpaghettiProtocol>, String> {
    let random = || draw_start(&mut Rng::new(mix(&[luck, START_STREAM])));
    judge(take_start(rules)?.unwrap_or_else(random), luck)
}

fn judge(start: [Move; 2], luck: u64) -> Result<TurnJudge<SpaghettiProtocol>, String> {
    Ok(TurnJudge::new(SpaghettiProtocol::new(start), JudgeSite::CodeCup, State::new(start)?, luck))
}

fn take_start(options: &mut Options) -> Result<Option<[Move; 2]>, String> {
    let Some(text) = options.take::<String>("start")? else { return Ok(None) };
    let bad = |error| format!("rule `start={text}`: {error}");
    let (first, second) =
        text.split_once('+').ok_or_else(|| bad("it takes two tiles with + between them".to_string()))?;
    let start = [notation::parse_move(first).map_err(bad)?, notation::parse_move(second).map_err(bad)?];
    State::new(start).map_err(bad)?;
    Ok(Some(start))
}
