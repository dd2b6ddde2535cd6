//! Games that teach, and games that measure.

use super::{Best, Position, Search, Weights};
use contender_game::{Bot, Clock, Limits, Player, Rng, Turn, mix};
use contender_stats::Summary;
use serde::{Deserialize, Serialize};

/// How games are played to learn from them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// Decisions that each search looks ahead, at least 1.
    pub depth: u32,
    /// Only the first so many turns of a game may see random moves: later ones would be learned from as if they were good.
    pub random_turns: u32,
    /// How likely a move of those turns is random.
    pub random_share: f64,
}

/// Plays one game against oneself from `state` on and leaves in the search's [`nodes`](Search::nodes) all that was searched.
/// Everything follows from the generator. Every state before a decision, and before the luck that precedes it, is shown to `see`.
/// Returns the final state.
///
/// Where luck is to be drawn, all outcomes are searched: the node's value is known then, and not only that of the outcome drawn.
pub fn teach<S: Position<N>, const N: usize>(
    mut state: S,
    search: &mut Search<'_, S, N>,
    settings: &SelfPlay,
    rng: &mut Rng,
    see: &mut dyn FnMut(&S),
) -> S {
    let mut outcomes = Vec::new();
    while state.turn() != Turn::Over {
        let is_random =
            state.turn_index() < settings.random_turns as usize && rng.unit() < settings.random_share;
        see(&state);
        let inputs = state.inputs();
        let best = match state.turn() {
            Turn::Player(_) | Turn::Over => {
                let best = search.best(&state, settings.depth);
                search.record(&state, inputs, settings.depth, [best.value; 2]);
                best
            }
            Turn::Chance => {
                outcomes.clear();
                state.outcomes(&mut outcomes);
                let total: u32 = outcomes.iter().map(|&(_, weight)| weight).sum();
                let mut value = 0.0;
                let replies: Vec<Best<S::Move>> = outcomes
                    .iter()
                    .map(|&(outcome, weight)| {
                        let mut resolved = state.clone();
                        resolved.resolve(outcome);
                        let best = search.best(&resolved, settings.depth);
                        value += best.value * (weight as f32 / total as f32);
                        best
                    })
                    .collect();
                search.record(&state, inputs, settings.depth, [value; 2]);
                let drawn = state.random_outcome(rng, &mut Vec::new());
                let rank = outcomes.iter().position(|&(outcome, _)| outcome == drawn);
                state.resolve(drawn);
                replies[rank.expect("what is drawn is an outcome")]
            }
        };
        let mv = if is_random { state.random_move(rng, &mut Vec::new()) } else { best.mv };
        state.play(mv);
    }
    state
}

/// The plainest bot that uses weights: a search to a fixed depth. Deterministic.
#[derive(Clone, Debug)]
pub struct WeightsBot<const N: usize> {
    weights: Weights<N>,
    depth: u32,
}

impl<const N: usize> WeightsBot<N> {
    /// A bot that looks `depth` decisions ahead, at least 1.
    #[must_use]
    pub fn new(weights: Weights<N>, depth: u32) -> WeightsBot<N> {
        WeightsBot { weights, depth: depth.max(1) }
    }
}

impl<S: Position<N>, const N: usize> Bot<S, S::Move> for WeightsBot<N> {
    fn choose(&mut self, state: &S, _player: Player, _clock: &Clock) -> S::Move {
        Search::new(&self.weights, false).best(state, self.depth).mv
    }
}

/// Plays a game between two bots from `state` on, with the luck of `seed`, and returns its final value, from player 0's view.
pub fn play<S: Position<N>, const N: usize>(
    mut state: S,
    bots: [&mut dyn Bot<S, S::Move>; 2],
    seed: u64,
) -> f64 {
    let mut rng = Rng::new(seed);
    let clock = Clock::new(Limits::nodes(1));
    let mut scratch = Vec::new();
    loop {
        match state.turn() {
            Turn::Over => return f64::from(state.value()),
            Turn::Chance => {
                let outcome = state.random_outcome(&mut rng, &mut scratch);
                state.resolve(outcome);
            }
            Turn::Player(player) => {
                let mv = bots[player as usize].choose(&state, player, &clock);
                bots[player.other() as usize].observe(&state, player.other(), &mv);
                state.play(mv);
            }
        }
    }
}

/// Plays one pair of games with the same luck and exchanged seats: the value with A as player 0 less that with B as player 0. Of a
/// game whose value is points for one player and against the other, that is A's points of the pair above the even share.
pub fn play_pair<S: Position<N>, const N: usize>(
    state: &S,
    a: &mut dyn Bot<S, S::Move>,
    b: &mut dyn Bot<S, S::Move>,
    seed: u64,
) -> f64 {
    let first = play(state.clone(), [&mut *a, &mut *b], seed);
    first - play(state.clone(), [b, a], seed)
}

/// The seed of a pair's luck, and so for all pairs of a match.
#[must_use]
pub fn pair_seed(seed: u64, pair: u32) -> u64 {
    mix(&[seed, u64::from(pair)])
}

/// A mean with its 95% interval, as the log prints it.
#[must_use]
pub fn describe(summary: &Summary) -> String {
    match (summary.mean(), summary.interval(0.95)) {
        (Some(mean), Some(interval)) => format!("{mean:+.1} [{:+.1}, {:+.1}]", interval.low, interval.high),
        (Some(mean), None) => format!("{mean:+.1}"),
        _ => "no pairs".to_string(),
    }
}
