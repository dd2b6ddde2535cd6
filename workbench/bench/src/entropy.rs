//! Workloads of Entropy: the rules, scoring, and the plain search.

use crate::turns::{Profile, TurnMeans, turns};
use crate::workload::{Tally, Workload};
use contender_entropy::classic::ClassicSettings;
use contender_entropy::evaluation::{Inputs, LinearGuide, Net, Observer, Weights, plain};
use contender_entropy::{ChampionBot, ClassicBot, LineTable, Move, ScoreGuide, Scoring, State};
use contender_game::{
    contest::{Analysis, Limits},
    rules::{Chance, Game, Rng, Turn, mix},
    settings::Shipped,
};
use contender_search::{Search, SearchConfig, SearchLimits, WithChance};
use std::ops::Range;

/// Returns the workloads of Entropy.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let entropy = |name, unit, run, signature_rounds| Workload {
        subject: "entropy",
        name,
        unit,
        run,
        signature_rounds,
    };
    vec![
        entropy("random games", "games", random_games, 500),
        entropy("moves scored by the table", "moves", scored_moves, 20),
        entropy("moves played on copies", "moves", played_moves, 20),
        entropy("boards scored by the table", "boards", boards_by_table, 1),
        entropy("evaluation inputs", "states", fast_inputs, 20),
        entropy("evaluation inputs by their definitions", "states", plain_inputs, 0),
        entropy("expectimax of depth 2", "nodes", searches, 10),
        entropy("classic search of 20,000 nodes", "nodes", classic, 2),
        entropy("classic search to depth 1", "searches", |rounds| middle(rounds, 1, true), 0),
        entropy("expectimax to depth 1, same evaluation", "searches", |rounds| middle(rounds, 1, false), 0),
        entropy("classic search to depth 2", "searches", |rounds| middle(rounds, 2, true), 0),
        entropy("expectimax to depth 2, same evaluation", "searches", |rounds| middle(rounds, 2, false), 0),
        entropy("classic search to depth 3", "searches", |rounds| middle(rounds, 3, true), 2),
        entropy("expectimax to depth 3, same evaluation", "searches", |rounds| middle(rounds, 3, false), 0),
        entropy("classic search to depth 4", "searches", |rounds| middle(rounds, 4, true), 0),
        entropy("classic search to depth 4, late in the game", "searches", |rounds| late(rounds, 4, true), 0),
        entropy("expectimax to depth 4, late in the game", "searches", |rounds| late(rounds, 4, false), 0),
        entropy("tables of lines built", "tables", tables, 0),
    ]
}

fn random_games(rounds: u64) -> Tally {
    let mut rng = Rng::new(1);
    let start = State::default();
    let mut checksum = 0;
    for _ in 0..rounds {
        let mut state = start.clone();
        play(&mut state, &mut rng, u32::MAX);
        checksum += state.score() as u64;
    }
    Tally { units: rounds, checksum }
}

/// Plays random moves until a player must move with at least `placed` chips on the board, or until the game is over.
fn play(state: &mut State, rng: &mut Rng, placed: u32) {
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    loop {
        match state.turn() {
            Turn::Over => break,
            Turn::Chance => state.resolve(state.random_outcome(rng, &mut outcomes)),
            Turn::Player(_) if state.placed() >= placed => break,
            Turn::Player(_) => state.play(state.random_move(rng, &mut moves)),
        }
    }
}

/// Returns positions from all stages of `games` games. In some of them Chaos must move, in others Order.
fn positions(games: u32) -> Vec<State> {
    let mut rng = Rng::new(2);
    let mut positions = Vec::new();
    for placed in (0..games).flat_map(|_| 1..49) {
        let mut state = State::default();
        play(&mut state, &mut rng, placed);
        positions.push(state.clone());
        state.play(state.random_move(&mut rng, &mut Vec::new()));
        state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
        positions.push(state);
    }
    positions
}

fn over_positions(rounds: u64, mut work: impl FnMut(&mut State, &[Move]) -> u64) -> Tally {
    let mut positions = positions(1);
    let mut moves = Vec::new();
    let mut tally = Tally::default();
    for _ in 0..rounds {
        for state in &mut positions {
            moves.clear();
            state.moves(&mut moves);
            tally.units += moves.len() as u64;
            tally.checksum = mix(&[tally.checksum, work(state, &moves)]);
        }
    }
    tally
}

fn scored_moves(rounds: u64) -> Tally {
    over_positions(rounds, |state, moves| moves.iter().map(|&mv| state.score_after(mv) as u64).sum())
}

fn played_moves(rounds: u64) -> Tally {
    over_positions(rounds, |state, moves| {
        let score = |&mv: &Move| {
            let mut after = state.clone();
            after.play(mv);
            after.score() as u64
        };
        moves.iter().map(score).sum()
    })
}

/// Number of games. It is so large that the boards do not all fit in the nearest cache.
const BOARD_GAMES: u32 = 40;

fn boards_by_table(rounds: u64) -> Tally {
    let boards = positions(BOARD_GAMES);
    let mut checksum = 0;
    for _ in 0..rounds {
        for state in std::hint::black_box(&boards) {
            checksum += state
                .rows()
                .iter()
                .chain(state.columns())
                .map(|&line| u64::from(state.table().value(line)))
                .sum::<u64>();
        }
    }
    Tally { units: rounds * boards.len() as u64, checksum }
}

fn observed(rounds: u64, mut inputs: impl FnMut(&State) -> Inputs) -> Tally {
    let positions = positions(1);
    let mut tally = Tally::default();
    let mut after = State::default();
    let mut moves = Vec::new();
    for round in 0..rounds {
        let state = &positions[round as usize % positions.len()];
        moves.clear();
        state.moves(&mut moves);
        for &mv in &moves {
            after.clone_from(state);
            after.play(mv);
            tally.units += 1;
            tally.checksum = mix(&[tally.checksum, inputs(&after).map(|input| input as u64).iter().sum()]);
        }
    }
    tally
}

/// Evaluates all states that can follow a position, as a search does.
fn fast_inputs(rounds: u64) -> Tally {
    let mut observer = Observer::new();
    observed(rounds, |state| observer.inputs(state))
}

fn plain_inputs(rounds: u64) -> Tally {
    observed(rounds, plain::inputs)
}

/// Returns the value that a search found, from Order's point of view, no matter whose turn it is.
fn value_for_order(state: &State, found: &Analysis<Move>) -> i32 {
    let Turn::Player(player) = state.turn() else { unreachable!("a player must act") };
    player.sign() * found.moves[0].value[0] as i32
}

fn searches(rounds: u64) -> Tally {
    let positions = positions(1);
    let mut tally = Tally::default();
    let mut search = Search::<_, _, WithChance>::new(ScoreGuide::UNCAPPED, SearchConfig::PLAIN);
    for state in positions.iter().cycle().step_by(7).take(rounds as usize) {
        let found = search.search(state, &SearchLimits::depth(2));
        tally.units += found.count("nodes");
        tally.checksum = mix(&[tally.checksum, value_for_order(state, &found) as u64]);
    }
    tally
}

/// Returns fixed weights, so that training new weights changes neither the signature nor the work.
fn weights() -> Weights {
    let mut weights = Weights::ZERO;
    for row in &mut weights.turns {
        row.inputs = [0.3, 0.3, 0.3, 0.3, 0.5, 0.05, -0.5, -0.5, -0.1, 0.1, -0.1, 0.1, 0.05, -0.02];
    }
    weights
}

fn classic_config() -> SearchConfig {
    SearchConfig { table_bytes: 1 << 20, ..ClassicSettings::default().config() }
}

/// Numbers of chips on the board, with Order to move, for which expectimax to depth 3 visits about a million nodes.
const MIDDLE: Range<usize> = 20..40;

/// Numbers of chips on the board, with Order to move, for which expectimax to depth 4 takes about a second. Earlier
/// positions take longer.
const LATE: Range<usize> = 41..42;

fn classic(rounds: u64) -> Tally {
    searched(rounds, MIDDLE, classic_config(), SearchLimits::nodes(20_000))
}

fn middle(rounds: u64, depth: u32, is_classic: bool) -> Tally {
    to_depth(rounds, MIDDLE, depth, is_classic)
}

fn late(rounds: u64, depth: u32, is_classic: bool) -> Tally {
    to_depth(rounds, LATE, depth, is_classic)
}

/// Each search counts as one unit, so the time per unit is the time to reach the depth.
fn to_depth(rounds: u64, stage: Range<usize>, depth: u32, is_classic: bool) -> Tally {
    let config = if is_classic { classic_config() } else { SearchConfig::PLAIN };
    Tally { units: rounds, ..searched(rounds, stage, config, SearchLimits::depth(depth)) }
}

fn searched(rounds: u64, stage: Range<usize>, config: SearchConfig, limits: SearchLimits) -> Tally {
    let mut search = Search::<_, _, WithChance>::new(LinearGuide::new(weights()), config);
    let positions = positions(1);
    let of_order: Vec<&State> = positions.iter().filter(|state| state.drawn().is_none()).collect();
    let mut tally = Tally::default();
    for state in of_order[stage].iter().cycle().take(rounds as usize) {
        search.forget();
        search.guide().focus(state, 20);
        search.guide().predict(state);
        let found = search.search(state, &limits);
        tally.units += found.count("nodes");
        tally.checksum = mix(&[tally.checksum, value_for_order(state, &found) as u64]);
    }
    tally
}

/// The searching bots whose turns can be measured, the strongest first.
pub(crate) const PROFILES: [Profile; 2] = [
    profile("champion", |games, limits, seed| {
        let bot = || ChampionBot::with(ChampionBot::SETTINGS, Net::shipped());
        turns(&State::default(), bot, games, limits, seed)
    }),
    profile("classic", |games, limits, seed| {
        let bot = || ClassicBot::new(ClassicSettings::default(), Weights::shipped());
        turns(&State::default(), bot, games, limits, seed)
    }),
];

const fn profile(bot: &'static str, run: fn(u32, Limits, u64) -> Vec<TurnMeans>) -> Profile {
    Profile { game: "entropy", bot, seats: ["Order", "Chaos"], run }
}

fn tables(rounds: u64) -> Tally {
    let mut checksum = 0;
    for round in 0..rounds {
        let table = LineTable::build(std::hint::black_box(Scoring::Rules));
        checksum += u64::from(table.value(round as u32));
    }
    Tally { units: rounds, checksum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_inputs_are_those_of_the_definitions() {
        assert_eq!(fast_inputs(2), plain_inputs(2));
    }
}
