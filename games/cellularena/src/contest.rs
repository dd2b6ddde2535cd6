//! Cellularena for the tools.

use crate::notation::SEATS;
use crate::{
    map, Action, CellularenaJudge, Classic, ClassicSettings, Dialogue, Greedy, Heuristic, HeuristicSettings,
    RandomActions, State,
};
use contender_game::{
    mix, Bot, BotInfo, BotSetup, Clock, Contest, ContestInfo, Judge, JudgeSite, Limits, LineBot, Options,
    Player, Position, PositionAnalysis, Simultaneous,
};
use std::time::Duration;

/// Cellularena as CodinGame's Winter Challenge 2024 played it, in the leagues from Bronze.
#[derive(Clone, Copy, Debug)]
pub struct CellularenaContest;

/// Cellularena for lists of games.
pub static CONTEST: &dyn Contest = &CellularenaContest;

/// The judge's seed of the map that counts start from.
const PERFT_SEED: i64 = 1;

const INFO: ContestInfo = ContestInfo {
    name: "cellularena",
    about: "Cellularena: organisms grow, harvest and attack (CodinGame Winter Challenge 2024)",
    seats: SEATS,
    site: JudgeSite::CodinGame,
    limits: Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(50)),
    seats_differ: false,
    bots: &[
        BotInfo { name: "random", about: "a random action of every organism, or none", options: &[] },
        BotInfo {
            name: "greedy",
            about: "kills, harvests and grows towards sources, without looking ahead",
            options: &[],
        },
        BotInfo {
            name: "heuristic",
            about: "searches joint moves of both players with a hand-made evaluation",
            options: HeuristicSettings::OPTIONS,
        },
        BotInfo {
            name: "classic",
            about: "a network proposes joint moves and values states, alpha-beta over turns decides",
            options: ClassicSettings::OPTIONS,
        },
    ],
    rules: &[("map-seed", "the judge's seed of the map, not 0, for example map-seed=-42; random without")],
};

impl Contest for CellularenaContest {
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
        let _ = options;
        Ok(Box::new(CellularenaJudge::new(setup.join("\n").parse()?)))
    }

    /// A turn of both players is one move, `0: WAIT | 1: GROW 2 4 8 BASIC`; commas separate turns.
    fn split_moves(&self, text: &str) -> Vec<String> {
        let turns = text.split(',').map(str::trim);
        turns.filter(|turn| !turn.is_empty()).map(str::to_string).collect()
    }

    /// Counts from the judge's map of seed 1. A decision is a whole answer of one player, and the players decide in turn: two make a
    /// turn.
    fn perft(&self, moves: &[String], depth: u32) -> Result<u64, String> {
        let mut judge = CellularenaJudge::new(map::generate(PERFT_SEED)?);
        for (number, text) in moves.iter().enumerate() {
            judge.replay(text).map_err(|error| format!("move {}: {error}", number + 1))?;
        }
        Ok(perft(judge.state(), depth))
    }

    fn analyse(
        &self,
        position: Position<'_>,
        bot: &str,
        options: &mut Options,
        setup: &BotSetup,
    ) -> Result<PositionAnalysis, String> {
        let mut bot = choose_bot(bot, options, setup)?;
        let mut judge = start(position.luck, position.rules)?;
        for (at, text) in position.moves.iter().enumerate() {
            judge.replay(text).map_err(|error| format!("move {}: {error}", at + 1))?;
        }
        if judge.ask().is_empty() {
            return Err("the game is over: there is nothing to decide".to_string());
        }
        let (state, player) = (judge.state(), position.player.unwrap_or(Player::Zero));
        let name = |actions: Vec<Action>| match &actions[..] {
            [] => "WAIT".to_string(),
            some => some.iter().map(|action| action.order(state).to_string()).collect::<Vec<_>>().join(" ; "),
        };
        let analysis = bot
            .analyse(state, player, &Clock::new(setup.limits))
            .map(name, |line| line.into_iter().map(name).collect());
        Ok(PositionAnalysis { board: judge.board(None), player, analysis })
    }
}

/// A bundled bot by its name.
fn choose_bot(
    name: &str,
    options: &mut Options,
    setup: &BotSetup,
) -> Result<Box<dyn Bot<State, Vec<Action>>>, String> {
    Ok(match name {
        "random" => Box::new(RandomActions::new(setup.seed)),
        "greedy" => Box::new(Greedy),
        "classic" => Box::new(Classic::new(ClassicSettings::take(options)?)),
        "heuristic" => Box::new(Heuristic::new(HeuristicSettings::take(options)?)),
        _ => return Err(CONTEST.unknown_bot(name)),
    })
}

/// The judge of a new game.
fn start(luck: u64, rules: &mut Options) -> Result<CellularenaJudge, String> {
    let random = mix(&[luck, 3]).max(1) as i64;
    Ok(CellularenaJudge::new(map::generate(rules.take("map-seed")?.unwrap_or(random))?))
}

fn perft(state: &State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if state.is_over() {
        return 0;
    }
    let [zero, one] = Player::BOTH.map(|player| {
        let mut moves = Vec::new();
        state.moves(player, &mut moves);
        moves
    });
    match depth {
        1 => zero.len() as u64,
        2 => zero.len() as u64 * one.len() as u64,
        _ => zero
            .iter()
            .flat_map(|first| one.iter().map(move |second| [first, second]))
            .map(|pair| {
                let mut child = state.clone();
                child.play(pair);
                perft(&child, depth - 2)
            })
            .fold(0, u64::saturating_add),
    }
}
