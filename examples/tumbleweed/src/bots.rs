//! The bots, weakest first.

use crate::network;
use crate::protocol::Reader;
use crate::rules::{Move, State, BOARD, CENTRE, HEXES};
use contender_game::prelude::*;
use contender_puct::{Learnable, Net, PuctSettings};
use contender_search::mcts::{win_rewards, Expansion, LeafEvaluator, Mcts, MctsConfig, Puct};
use contender_search::{Heuristics, NoChance, Search, SearchConfig, SearchLimits, TimeManager};

bots! {
    TurnParser<Reader>;
    random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
    greedy "takes the most hexes at once": |_: (), seed| greedy(seed);
    mcts "Monte Carlo tree search by hexes": |_: (), seed| mcts(seed);
    alphabeta "principal variation search for hexes": |_: (), seed| alphabeta(seed);
    puct "a small network, searched by PUCT":
        |(settings, net): (PuctSettings, FromFile<Net<State>>), seed| network::puct(settings, net.get(), seed);
}

/// Returns random start stones at the same distance from the centre, so that neither side is much better.
pub fn setup(rng: &mut Rng) -> Move {
    let mut moves = Vec::new();
    State::default().moves(&mut moves);
    let is_near = |at: u8| BOARD.distance(CENTRE, at) == 3;
    moves.retain(|mv| matches!(*mv, Move::Setup(first, other) if is_near(first) && is_near(other)));
    *rng.choose(&moves)
}

/// Returns a bot that draws the start stones, and then plays the moves that `find` returns.
fn bot(
    seed: u64,
    mut find: impl FnMut(&State, &SearchLimits, &mut Rng) -> Analysis<Move> + Send,
) -> impl Bot<State, Move> {
    let mut rng = Rng::new(seed);
    SearchBot(move |state: &State, _, clock: &Clock| match state.moves {
        0 => Analysis::of_move(setup(&mut rng)),
        // The number of turns left is estimated from the number of empty hexes.
        _ => find(state, &TimeManager::EQUAL.limits(clock, state.turns_left()), &mut rng),
    })
}

/// Returns a bot that plays a random one of the moves after which it has the most hexes.
fn greedy(seed: u64) -> impl Bot<State, Move> {
    bot(seed, |state, _, rng| {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        rng.shuffle(&mut moves);
        let sign = if state.moves % 2 == 0 { 1 } else { -1 };
        let worth = |mv: &Move| {
            let mut after = state.clone();
            after.play(*mv);
            sign * after.value()
        };
        Analysis::of_move(moves.into_iter().max_by_key(worth).expect("a player can pass"))
    })
}

/// The evaluation by numbers of hexes, and the order of moves.
struct Hexes;

impl Heuristics<State> for Hexes {
    fn evaluate(&mut self, state: &State) -> i32 {
        state.value()
    }

    fn finished(&mut self, state: &State) -> i32 {
        WIN * state.value().signum() + state.value()
    }

    fn key(&self, state: &State) -> Option<u64> {
        Some(state.key())
    }

    fn slots(&self) -> usize {
        HEXES + 1
    }

    fn slot(&self, _: &State, mv: Move) -> usize {
        if let Move::Put(at) = mv {
            at.into()
        } else {
            HEXES
        }
    }

    /// Returns a score that puts captures first, and then hexes that stacks see.
    fn score(&mut self, state: &State, mv: Move) -> i32 {
        let Move::Put(at) = mv else { return -1 };
        let of_enemy = state.stack(at).map_or(0, |(height, _)| 8 * i32::from(height));
        of_enemy + state.seen(at).iter().map(|&seen| i32::from(seen)).sum::<i32>()
    }
}

/// Value of a win, in hexes.
const WIN: i32 = 1000;

/// Returns a bot that plays the move of a principal variation search.
fn alphabeta(seed: u64) -> impl Bot<State, Move> {
    let mut search = Search::<State, Hexes, NoChance>::new(Hexes, SearchConfig::FULL);
    bot(seed, move |state, limits, _| search.search(state, limits).measured("hexes", |value| value))
}

/// Values of leaves and priors of moves by numbers of hexes, because random games are a poor evaluation in this game.
struct Guess;

/// Returns the probability of winning with this lead in hexes.
fn chance(ahead: i32) -> f32 {
    1.0 / (1.0 + (-0.1 * ahead as f32).exp())
}

impl LeafEvaluator<State, Move> for Guess {
    fn finished(&mut self, state: &State) -> [f32; 2] {
        win_rewards(state.points())
    }

    fn highest(&self) -> f32 {
        1.0
    }

    fn estimate(&mut self, state: &mut State, _: &mut Rng) -> [f32; 2] {
        [chance(state.value()), chance(-state.value())]
    }

    /// A move after which the player has more hexes is more probable.
    fn priors(&mut self, state: &State, player: Player, moves: &[Move], priors: &mut Vec<f32>) {
        let first = priors.len();
        priors.extend(moves.iter().map(|&mv| {
            let mut after = state.clone();
            after.play(mv);
            (0.25 * (player.sign() * (after.value() - state.value())) as f32).exp()
        }));
        let all: f32 = priors[first..].iter().sum();
        priors[first..].iter_mut().for_each(|prior| *prior /= all);
    }
}

/// Returns a bot that plays the move of a Monte Carlo tree search.
fn mcts(seed: u64) -> impl Bot<State, Move> {
    let config = MctsConfig { expansion: Expansion::Prior, ..MctsConfig::default() };
    let formula = Puct { exploration: 0.8, first_play_reduction: 0.1 };
    let mut tree = Mcts::<State, NoChance, Puct>::new(config, formula);
    bot(seed, move |state, limits, rng| {
        tree.reset();
        tree.search(state, &mut Guess, limits, rng).measured("wins", |value| value)
    })
}
