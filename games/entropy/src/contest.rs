//! What the tools need to know of the game.

use crate::evaluation::{Net, Weights};
use crate::protocol::Bag;
use crate::{
    notation, ClassicBot, ClassicSettings, Dialogue, EntropyProtocol, ExpectimaxBot, GreedyBot, Move,
    Scoring, State,
};
use contender_game::{
    perft_chance, Bot, BotInfo, BotSetup, Contest, ContestInfo, Judge, JudgeSite, Limits, LineBot, Options,
    Position, PositionAnalysis, RandomBot, TurnJudge,
};
use std::time::Duration;

/// Entropy as CodeCup 2023 played it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entropy;

/// The contest, for catalogues.
pub static CONTEST: &dyn Contest = &Entropy;

const BOTS: &[BotInfo] = &[
    BotInfo { name: "random", about: "plays random legal moves", options: &[] },
    BotInfo { name: "greedy", about: "takes the best score right after its move", options: &[] },
    BotInfo {
        name: "expectimax",
        about: "looks at every line of play, as deep as its budget and its depth allow",
        options: &[("depth", "decisions to look ahead at most, 1 to 97 (default 2)")],
    },
    BotInfo {
        name: "classic",
        about: "*-minimax over a learned linear evaluation; gambles on weak opponents",
        options: ClassicSettings::OPTIONS,
    },
    BotInfo {
        name: "champion",
        about: "the classic's search over a small neural network",
        options: ClassicSettings::OPTIONS,
    },
];

const RULES: &[(&str, &str)] = &[
    (
        "abababa",
        "worth of a full line ABABABA: 37 by the rules (default), 27 by the contest's referee of 2022",
    ),
    ("bag", "the 49 chips in the order they are drawn in, as digits (default: random)"),
];

const DEPTH: u32 = 2;
const LONGEST: u32 = 97;

const INFO: ContestInfo = ContestInfo {
    name: "entropy",
    about: "Entropy (CodeCup 2023): Order makes palindromes of the chips that Chaos scatters",
    seats: ["Order", "Chaos"],
    site: JudgeSite::CodeCup,
    limits: Limits::per_game(Duration::from_secs(30)),
    seats_differ: true,
    bots: BOTS,
    rules: RULES,
};

impl Contest for Entropy {
    fn info(&self) -> ContestInfo {
        INFO
    }

    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String> {
        Ok(Box::new(Dialogue::new(choose_bot(name, options, setup)?, Scoring::Rules, setup.limits)))
    }

    fn judge(&self, luck: u64, options: &mut Options) -> Result<Box<dyn Judge>, String> {
        Ok(Box::new(start(luck, options)?))
    }

    fn recorded(&self, setup: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String> {
        let scoring = take_scoring(options)?;
        let given: Option<Bag> = options.take("bag")?;
        let bag = match setup {
            [] => given,
            [bag] if given.is_none() => Some(bag.parse().map_err(|error| format!("setup: {error}"))?),
            [_] => return Err("rule `bag`: the recorded game has its own".to_string()),
            _ => return Err(format!("the setup of a game is its bag or nothing, not {} lines", setup.len())),
        };
        Ok(Box::new(judge(bag, scoring, 0)))
    }

    fn perft(&self, moves: &[String], depth: u32) -> Result<u64, String> {
        let mut state = State::default();
        for (at, mv) in moves.iter().enumerate() {
            notation::play_recorded(&mut state, mv).map_err(|error| format!("move {}: {error}", at + 1))?;
        }
        Ok(perft_chance(&state, depth))
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

/// The judge of a new game.
fn start(luck: u64, rules: &mut Options) -> Result<TurnJudge<EntropyProtocol>, String> {
    let scoring = take_scoring(rules)?;
    Ok(judge(rules.take("bag")?, scoring, luck))
}

/// A bundled bot by its name.
fn choose_bot(
    name: &str,
    options: &mut Options,
    setup: &BotSetup,
) -> Result<Box<dyn Bot<State, Move>>, String> {
    Ok(match name {
        "random" => Box::new(RandomBot::new(setup.seed)),
        "greedy" => Box::new(GreedyBot::new()),
        "expectimax" => {
            let depth = options.take_number("depth", DEPTH, 1..=LONGEST)?;
            Box::new(ExpectimaxBot::new(depth))
        }
        "classic" => Box::new(ClassicBot::new(ClassicSettings::take(options)?, Weights::shipped())),
        "champion" => Box::new(ClassicBot::with(ClassicSettings::champion().with(options)?, Net::shipped())),
        _ => return Err(CONTEST.unknown_bot(name)),
    })
}

fn judge(bag: Option<Bag>, scoring: Scoring, luck: u64) -> TurnJudge<EntropyProtocol> {
    TurnJudge::new(EntropyProtocol::new(bag), JudgeSite::CodeCup, State::new(scoring), luck)
}

fn take_scoring(options: &mut Options) -> Result<Scoring, String> {
    match options.take::<u32>("abababa")? {
        None | Some(37) => Ok(Scoring::Rules),
        Some(27) => Ok(Scoring::Referee),
        Some(other) => Err(format!("rule `abababa={other}`: a full line ABABABA is worth 37 or 27")),
    }
}
