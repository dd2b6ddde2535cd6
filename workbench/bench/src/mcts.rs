//! Workloads of Monte Carlo tree search: plain UCT from the start of a game, to compare with random games.

use crate::workload::{Tally, Workload};
use contender_game::rules::{Game, Rng, mix};
use contender_search::mcts::{LeafEvaluator, Mcts, MctsConfig, Uct, win_rewards};
use contender_search::{NoChance, SearchLimits};
use contender_spaghetti as spaghetti;
use contender_uttt as uttt;

/// Returns the workloads of Monte Carlo tree search.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let workload =
        |name, run| Workload { subject: "search", name, unit: "iterations", run, signature_rounds: 2_000 };
    vec![
        workload("UCT of Ultimate Tic-Tac-Toe from the start", uttt_iterations as fn(u64) -> Tally),
        workload("UCT of Spaghetti from the empty board", spaghetti_iterations),
    ]
}

/// Runs one iteration per round. The tree is discarded after every 20,000 iterations, which is about the number in a
/// turn of 20 ms.
fn iterations<G: Game>(
    rounds: u64,
    start: &G,
    evaluator: &mut impl LeafEvaluator<G, G::Move>,
    exploration: f32,
) -> Tally {
    const TREE: u64 = 20_000;
    let config = MctsConfig { capacity: 2 << 20, solver: false, ..MctsConfig::default() };
    let mut search = Mcts::<G, NoChance, Uct>::new(config, Uct::new(exploration));
    let mut rng = Rng::new(1);
    let mut checksum = 0;
    let mut left = rounds;
    while left > 0 {
        let now = left.min(TREE);
        left -= now;
        search.reset();
        let found = search.search(start, evaluator, &SearchLimits::nodes(now), &mut rng);
        let most = found.moves.iter().map(|of| of.effort).max().unwrap_or(0);
        checksum = mix(&[checksum, most, found.count("nodes in the tree")]);
    }
    Tally { units: rounds, checksum }
}

/// Random games of Ultimate Tic-Tac-Toe that use the game's rollout.
struct UtttGames;

impl LeafEvaluator<uttt::State, uttt::Move> for UtttGames {
    fn finished(&mut self, state: &uttt::State) -> [f32; 2] {
        win_rewards(state.points())
    }

    fn estimate(&mut self, state: &mut uttt::State, rng: &mut Rng) -> [f32; 2] {
        let zero = (1 + uttt::rollout(state, rng)) as f32 / 2.0;
        [zero, 1.0 - zero]
    }
}

fn uttt_iterations(rounds: u64) -> Tally {
    iterations(rounds, &uttt::State::default(), &mut UtttGames, std::f32::consts::SQRT_2)
}

/// Random games of Spaghetti that use the game's rollout. Its result is the final score of each player.
struct SpaghettiGames;

impl LeafEvaluator<spaghetti::State, spaghetti::Move> for SpaghettiGames {
    fn finished(&mut self, state: &spaghetti::State) -> [f32; 2] {
        state.points().map(|points| points as f32)
    }

    fn estimate(&mut self, state: &mut spaghetti::State, rng: &mut Rng) -> [f32; 2] {
        let scores = state.scores();
        let gains = state.rollout(rng, 0, |_| {});
        [0, 1].map(|player: usize| (scores[player] + gains[player]).max(0) as f32)
    }
}

fn spaghetti_iterations(rounds: u64) -> Tally {
    iterations(rounds, &spaghetti::State::empty(), &mut SpaghettiGames, 6.0)
}
