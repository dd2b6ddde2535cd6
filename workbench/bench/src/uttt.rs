//! Workloads of Ultimate Tic-Tac-Toe: random games, perft, and iterations of the game's searching bots.

use crate::workload::{Tally, Workload};
use contender_game::{
    contest::{Bot, Clock, Limits},
    rules::{Game, Rng, Turn, mix, perft},
    settings::Shipped,
};
use contender_uttt::value_network::ValueNetwork;
use contender_uttt::{
    ChampionBot, ChampionSettings, ClassicBot, ClassicSettings, Move, State, Style, UctBot, UctSettings,
    rollout, rollout_with,
};

/// Returns the workloads of Ultimate Tic-Tac-Toe.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let uttt =
        |name, unit, run, signature_rounds| Workload { subject: "uttt", name, unit, run, signature_rounds };
    vec![
        uttt("random games", "games", random_games, 1_000),
        uttt("random games that finish", "games", finishing_games, 1_000),
        uttt("iterations of classic", "iterations", classic, 20_000),
        uttt("iterations of uct", "iterations", uct, 20_000),
        uttt("iterations of solver", "iterations", solver, 20_000),
        uttt("iterations of champion", "iterations", champion, 20_000),
        uttt("positions judged by the network", "positions", judgements, 2_000),
        uttt("perft of depth 6", "sequences", count_sequences, 1),
    ]
}

fn random_games(rounds: u64) -> Tally {
    let mut rng = Rng::new(1);
    let mut checksum = 0;
    for _ in 0..rounds {
        let mut state = State::default();
        let value = rollout(&mut state, &mut rng);
        checksum = mix(&[checksum, (value + 1) as u64]);
    }
    Tally { units: rounds, checksum }
}

fn finishing_games(rounds: u64) -> Tally {
    let mut rng = Rng::new(1);
    let mut checksum = 0;
    for _ in 0..rounds {
        let value = rollout_with(&mut State::default(), &mut rng, Style::Finishing, u32::MAX).unwrap_or(0);
        checksum = mix(&[checksum, (value + 1) as u64]);
    }
    Tally { units: rounds, checksum }
}

fn classic(rounds: u64) -> Tally {
    think(rounds, ClassicBot::new(ClassicSettings::default(), 1))
}

fn uct(rounds: u64) -> Tally {
    think(rounds, UctBot::new(UctSettings { reuse: false, ..UctSettings::DEFAULT }, 1))
}

fn solver(rounds: u64) -> Tally {
    think(rounds, UctBot::new(UctSettings { reuse: false, ..UctSettings::SOLVER }, 1))
}

fn champion(rounds: u64) -> Tally {
    think(
        rounds,
        ChampionBot::new(
            ChampionSettings { reuse: false, ..ChampionSettings::default() },
            ValueNetwork::shipped(),
        ),
    )
}

/// Lets a bot search its answer to a first move in the centre. The bot discards its tree after every 20,000 iterations.
fn think(rounds: u64, mut bot: impl Bot<State, Move>) -> Tally {
    const TURN: u64 = 20_000;
    let mut state = State::default();
    state.play(Move::new(4, 4));
    let mut checksum = 0;
    let mut left = rounds;
    while left > 0 {
        let now = left.min(TURN);
        left -= now;
        let clock = Clock::new(Limits::nodes(now));
        let mv = bot.choose(&state, state.mover(), &clock);
        checksum = mix(&[checksum, mv.index() as u64]);
    }
    Tally { units: rounds, checksum }
}

/// Evaluates all successors of a position in one batch, like an iteration of the champion's search. The positions come
/// from random games.
fn judgements(rounds: u64) -> Tally {
    let net = ValueNetwork::shipped();
    let mut rng = Rng::new(1);
    let mut state = State::default();
    let (mut moves, mut values) = (Vec::new(), Vec::new());
    let (mut units, mut checksum) = (0, 0);
    for _ in 0..rounds {
        if state.turn() == Turn::Over {
            state = State::default();
        }
        moves.clear();
        values.clear();
        state.moves(&mut moves);
        net.evaluate_moves(&state, &moves, &mut values);
        units += values.len() as u64;
        let sum: f32 = values.iter().map(|&(value, _)| value).sum();
        checksum = mix(&[checksum, (sum * 64.0) as u64]);
        state.play(*rng.choose(&moves));
    }
    Tally { units, checksum }
}

fn count_sequences(rounds: u64) -> Tally {
    let units = (0..rounds).map(|_| perft(&State::default(), 6)).sum();
    Tally { units, checksum: units }
}
