//! What the tools need to know of the game.

use crate::protocol::draw_start;
use crate::{
    notation, ChampionBot, ChampionSettings, ClassicBot, ClassicSettings, Dialogue, GreedyBot, MaximaxBot,
    Move, SpaghettiProtocol, State, StraightBot,
};
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

/// A bot that searches by random games.
const fn searcher(name: &'static str, about: &'static str) -> BotInfo {
    BotInfo { name, about, options: ClassicSettings::OPTIONS }
}

const BOTS: &[BotInfo] = &[
    BotInfo { name: "random", about: "plays random legal moves", options: &[] },
    BotInfo { name: "straight", about: "puts straight tiles next to its own wall or tiles", options: &[] },
    BotInfo { name: "greedy", about: "takes the most points its move can make", options: &[] },
    BotInfo {
        name: "maximax",
        about: "looks some moves ahead, each player for its own points",
        options: MaximaxBot::OPTIONS,
    },
    searcher("flat", "as many random games after each move"),
    searcher("epsilon", "random games, half of them after the best move so far"),
    searcher("ucb", "random games after each move by upper confidence bounds"),
    searcher("mcts", "a tree of random games that follows the best moves but for a fixed share"),
    searcher("decaying", "the same with a share that falls"),
    searcher("uct", "UCT for its own points"),
    searcher("limited", "the same, random while a node has few visits"),
    searcher("classic", "the write-up's Amatriciana: the same, drawn towards moves that score"),
    BotInfo {
        name: "champion",
        about: "UCT that denies points too and redraws losing moves, with an exact end",
        options: ChampionSettings::OPTIONS,
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
    options: &mut Options,
    setup: &BotSetup,
) -> Result<Box<dyn Bot<State, Move>>, String> {
    let seed = setup.seed;
    Ok(match name {
        "random" => Box::new(RandomBot::new(seed)),
        "straight" => Box::new(StraightBot::new(seed)),
        "greedy" => Box::new(GreedyBot::new(seed)),
        "maximax" => Box::new(MaximaxBot::new(options, seed)?),
        "flat" => Box::new(ClassicBot::new(ClassicSettings::FLAT.take(options)?, seed)),
        "epsilon" => Box::new(ClassicBot::new(ClassicSettings::GREEDY_FLAT.take(options)?, seed)),
        "ucb" => Box::new(ClassicBot::new(ClassicSettings::CONFIDENT_FLAT.take(options)?, seed)),
        "mcts" => Box::new(ClassicBot::new(ClassicSettings::GREEDY_TREE.take(options)?, seed)),
        "decaying" => Box::new(ClassicBot::new(ClassicSettings::DECAYING_TREE.take(options)?, seed)),
        "uct" => Box::new(ClassicBot::new(ClassicSettings::UCT.take(options)?, seed)),
        "limited" => Box::new(ClassicBot::new(ClassicSettings::LIMITED.take(options)?, seed)),
        "classic" => Box::new(ClassicBot::new(ClassicSettings::AMATRICIANA.take(options)?, seed)),
        "champion" => Box::new(ChampionBot::new(ChampionSettings::take(options)?, seed)),
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
