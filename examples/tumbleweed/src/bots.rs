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

/// Start stones as far from the centre as each other and not side by side, so that neither side is much better.
pub fn setup(rng: &mut Rng) -> Move {
    let mut moves = Vec::new();
    State::default().moves(&mut moves);
    let is_near = |at: u8| BOARD.distance(CENTRE, at) == 3;
    moves.retain(|mv| matches!(*mv, Move::Setup(first, other) if is_near(first) && is_near(other)));
    *rng.choose(&moves)
}

/// A bot that draws the start stones and then plays what it finds.
fn bot(
    seed: u64,
    mut find: impl FnMut(&State, &SearchLimits, &mut Rng) -> Analysis<Move> + Send,
) -> impl Bot<State, Move> {
    let mut rng = Rng::new(seed);
    SearchBot(move |state: &State, _, clock: &Clock| match state.moves {
        0 => Analysis::of_move(setup(&mut rng)),
        // The number of turns to come is guessed by the empty hexes.
        _ => find(state, &TimeManager::EQUAL.limits(clock, state.turns_left()), &mut rng),
    })
}

/// Plays the move after which most hexes are its own, any of the best.
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

/// Hexes as values, and how promising a move is.
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

    /// Captures first, then what the opponent sees too.
    fn score(&mut self, state: &State, mv: Move) -> i32 {
        let Move::Put(at) = mv else { return -1 };
        let of_enemy = state.stack(at).map_or(0, |(height, _)| 8 * i32::from(height));
        of_enemy + state.seen(at).iter().map(|&seen| i32::from(seen)).sum::<i32>()
    }
}

/// Value of a win, in hexes.
const WIN: i32 = 1000;

/// Plays what principal variation search finds.
fn alphabeta(seed: u64) -> impl Bot<State, Move> {
    let mut search = Search::<State, Hexes, NoChance>::new(Hexes, SearchConfig::FULL);
    bot(seed, move |state, limits, _| search.search(state, limits).measured("hexes", |value| value))
}

/// Leaves and first guesses by hexes: random games say little of this game.
struct Guess;

/// The chance to win with so many hexes more than the opponent.
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

    /// The more hexes after the move, the more probable it is.
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

/// Plays what Monte Carlo tree search finds.
fn mcts(seed: u64) -> impl Bot<State, Move> {
    let config = MctsConfig { expansion: Expansion::Prior, ..MctsConfig::default() };
    let formula = Puct { exploration: 0.8, first_play_reduction: 0.1 };
    let mut tree = Mcts::<State, NoChance, Puct>::new(config, formula);
    bot(seed, move |state, limits, rng| {
        tree.reset();
        tree.search(state, &mut Guess, limits, rng).measured("wins", |value| value)
    })
}
