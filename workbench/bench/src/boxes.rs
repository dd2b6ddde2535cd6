//! Workloads of Box: random games, single operations of a search, and the searches of the game's bots.

use crate::workload::{Tally, Workload};
use contender_boxes::{ChampionBot, ChampionSettings, ClassicBot, ClassicSettings, Placement, State};
use contender_game::{
    contest::{Bot, Clock, Limits},
    rules::{Chance, Game, Rng, Turn, mix},
};

/// Returns the workloads of Box.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let workload =
        |name, unit, run, signature_rounds| Workload { subject: "box", name, unit, run, signature_rounds };
    vec![
        workload("random games", "games", random_games, 200),
        workload("random games, scored at every move", "games", scored_games, 200),
        workload("lists of legal placements", "lists", legal_lists, 20),
        workload("score changes of placements", "placements", score_changes, 20),
        workload(
            "pairs of placements judged by classic",
            "pairs",
            |rounds| search(rounds, |seed| ClassicBot::new(ClassicSettings::DEFAULT, seed)),
            4,
        ),
        workload(
            "boards evaluated by champion",
            "boards",
            |rounds| search(rounds, |seed| ChampionBot::new(ChampionSettings::DEFAULT, seed)),
            4,
        ),
    ]
}

/// Plays one random game per round.
fn random_games(rounds: u64) -> Tally {
    let mut checksum = 0;
    for round in 0..rounds {
        let state = random_game(round, |_| {});
        checksum = mix(&[checksum, state.value() as u64]);
    }
    Tally { units: rounds, checksum }
}

/// Plays one random game per round, and computes the score difference before every move.
fn scored_games(rounds: u64) -> Tally {
    let mut checksum = 0;
    for round in 0..rounds {
        let mut sum: i64 = 0;
        let state =
            random_game(round, |state| sum = sum.wrapping_mul(3).wrapping_add(i64::from(state.value())));
        checksum = mix(&[checksum, sum as u64, state.value() as u64]);
    }
    Tally { units: rounds, checksum }
}

/// Lists the legal placements in every state of a few random games, once per round.
fn legal_lists(rounds: u64) -> Tally {
    let states = states();
    let mut moves = Vec::with_capacity(Placement::COUNT);
    let mut checksum = 0;
    for _ in 0..rounds {
        for state in &states {
            moves.clear();
            state.moves(&mut moves);
            let last = moves.last().map_or(0, |placement| placement.index());
            checksum = mix(&[checksum, moves.len() as u64, last as u64]);
        }
    }
    Tally { units: rounds * states.len() as u64, checksum }
}

/// Computes the score change of every legal placement in every state of a few random games, once per round.
fn score_changes(rounds: u64) -> Tally {
    let states: Vec<(State, Vec<Placement>)> = states()
        .into_iter()
        .map(|state| {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            (state, moves)
        })
        .collect();
    let (mut units, mut checksum) = (0, 0);
    for _ in 0..rounds {
        for (state, moves) in &states {
            let tile = state.tile().expect("a player must move");
            let colour = state.colours()[state.mover()];
            let mut sum: i64 = 0;
            for &placement in moves {
                sum =
                    sum.wrapping_mul(3).wrapping_add(i64::from(state.score_change(colour, placement, tile)));
            }
            units += moves.len() as u64;
            checksum = mix(&[checksum, sum as u64]);
        }
    }
    Tally { units, checksum }
}

/// Searches 600 nodes with a new bot in one state of a random game, once per round.
fn search<B: Bot<State, Placement>>(rounds: u64, bot: impl Fn(u64) -> B) -> Tally {
    let states = states();
    let mut tally = Tally::default();
    for round in 0..rounds {
        // The number of states is not a multiple of this step, so all states are visited.
        let state = &states[(round as usize * 37) % states.len()];
        let mut clock = Clock::new(Limits::nodes(600));
        clock.start_turn();
        let analysis = bot(round).analyse(state, state.mover(), &clock);
        tally.units += analysis.counts[0].1;
        let best = &analysis.moves[0];
        // The value is rounded, because logarithms may differ in their last bit between machines.
        let value = (best.value[0] * 1024.0).round() as i64;
        tally.checksum = mix(&[tally.checksum, best.mv.index() as u64, value as u64]);
    }
    tally
}

/// Returns every state of eight random games in which a player must move.
fn states() -> Vec<State> {
    let mut states = Vec::new();
    for seed in 0..8 {
        random_game(seed, |state| states.push(state.clone()));
    }
    states
}

/// Plays one random game, and calls `visit` with every state in which a player must move.
fn random_game(seed: u64, mut visit: impl FnMut(&State)) -> State {
    let mut rng = Rng::new(seed);
    let mut state = State::random(&mut rng);
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    loop {
        match state.turn() {
            Turn::Over => return state,
            Turn::Chance => {
                let tile = state.random_outcome(&mut rng, &mut outcomes);
                state.resolve(tile);
            }
            Turn::Player(_) => {
                visit(&state);
                let placement = state.random_move(&mut rng, &mut moves);
                state.play(placement);
            }
        }
    }
}
