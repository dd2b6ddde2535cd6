//! What the tools need to know of the game.

use crate::{
    notation, perft, BronzeBot, ChampionBot, ChampionSettings, ClassicBot, ClassicSettings, Dialogue,
    GreedyBot, Move, NetworkBot, NetworkSettings, State, UctBot, UctSettings, UtttProtocol,
};
use contender_game::{
    mix, Bot, BotInfo, BotSetup, Contest, ContestInfo, Game, Judge, JudgeSite, Limits, LineBot, Options,
    Position, PositionAnalysis, RandomBot, Rng, TurnJudge,
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
    BotInfo {
        name: "bronze",
        about: "lines of the small board, then its best cells, no look-ahead",
        options: &[],
    },
    BotInfo {
        name: "classic",
        about: "UCT with a write-up's numbers and habits",
        options: ClassicSettings::OPTIONS,
    },
    BotInfo {
        name: "uct",
        about: "plain fast UCT, and switches for the next rungs",
        options: UctSettings::OPTIONS,
    },
    BotInfo {
        name: "solver",
        about: "uct with rollouts that finish games, solver and priors",
        options: UctSettings::SOLVER_OPTIONS,
    },
    BotInfo {
        name: "network",
        about: "solver's tree over the champion's network in place of rollouts",
        options: NetworkSettings::OPTIONS,
    },
    BotInfo {
        name: "champion",
        about: "best-first minimax over a small network trained by self-play",
        options: ChampionSettings::OPTIONS,
    },
];

const RULES: &[(&str, &str)] =
    &[("opening", "how many random moves, 0 to 16, the judge plays before the first question (0)")];

/// Keeps the draw of openings apart from other uses of the same luck.
const OPENING_STREAM: u64 = 2;
/// The most random moves; no game is over by then.
const LONGEST_OPENING: u32 = 16;

const INFO: ContestInfo = ContestInfo {
    name: "uttt",
    about: "Ultimate Tic-Tac-Toe (CodinGame's arena): nine boards, and each move names the next one",
    seats: ["X", "O"],
    site: JudgeSite::CodinGame,
    limits: Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(100)),
    seats_differ: false,
    bots: BOTS,
    rules: RULES,
};

impl Contest for Uttt {
    fn info(&self) -> ContestInfo {
        INFO
    }

    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String> {
        Ok(Box::new(Dialogue::new(choose_bot(name, options, setup)?, setup.limits)))
    }

    fn judge(&self, luck: u64, options: &mut Options) -> Result<Box<dyn Judge>, String> {
        Ok(Box::new(start(luck, options)?))
    }

    /// The setup is the opening, one move a line.
    fn recorded(&self, setup: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String> {
        take_opening(options)?;
        let mut state = State::default();
        let mut opening = Vec::new();
        for (at, text) in setup.iter().enumerate() {
            let mv = notation::parse_recorded(&state, text)
                .map_err(|error| format!("setup: move {}: {error}", at + 1))?;
            state.play(mv);
            opening.push(mv);
        }
        Ok(Box::new(judge(0, opening, state)))
    }

    /// Two numbers make a move, whatever is between them: `4 4 4 5`, `4 4, 4 5` and `4,4 4,5` are the same two moves.
    fn split_moves(&self, text: &str) -> Vec<String> {
        let between = |letter: char| letter.is_whitespace() || letter == ',';
        let numbers: Vec<&str> = text.split(between).filter(|piece| !piece.is_empty()).collect();
        numbers.chunks(2).map(|pair| pair.join(" ")).collect()
    }

    fn perft(&self, moves: &[String], depth: u32) -> Result<u64, String> {
        let mut state = State::default();
        for (at, text) in moves.iter().enumerate() {
            let mv = notation::parse_recorded(&state, text)
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
        start(position.luck, position.rules)?.analyse(position.moves, &mut bot, setup.limits)
    }
}

/// The judge of a new game.
fn start(luck: u64, rules: &mut Options) -> Result<TurnJudge<UtttProtocol>, String> {
    let mut rng = Rng::new(mix(&[luck, OPENING_STREAM]));
    let mut state = State::default();
    let mut opening = Vec::new();
    for _ in 0..take_opening(rules)? {
        let mv = state.random_move(&mut rng, &mut Vec::new());
        state.play(mv);
        opening.push(mv);
    }
    Ok(judge(luck, opening, state))
}

fn judge(luck: u64, opening: Vec<Move>, state: State) -> TurnJudge<UtttProtocol> {
    TurnJudge::new(UtttProtocol::new(luck, opening), JudgeSite::CodinGame, state, luck)
}

fn take_opening(rules: &mut Options) -> Result<u32, String> {
    match rules.take::<u32>("opening")?.unwrap_or(0) {
        plies if plies <= LONGEST_OPENING => Ok(plies),
        plies => Err(format!("rule `opening={plies}`: from 0 to {LONGEST_OPENING}")),
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
        "greedy" => Box::new(GreedyBot::new(seed)),
        "bronze" => Box::new(BronzeBot::new(seed)),
        "classic" => Box::new(ClassicBot::new(ClassicSettings::take(options)?, seed)),
        "network" => Box::new(NetworkBot::new(NetworkSettings::take(options)?, seed)),
        "champion" => Box::new(ChampionBot::new(ChampionSettings::take(options)?)),
        "uct" => Box::new(UctBot::new(UctSettings::default().take(options)?, seed)),
        "solver" => Box::new(UctBot::new(UctSettings::SOLVER.take(options)?, seed)),
        _ => return Err(CONTEST.unknown_bot(name)),
    })
}
