//! The bots, weakest first.

use crate::network::NetworkBot;
use crate::protocol::Reader;
use crate::rules::{from_centre, Move, State, HEXES};
use contender_game::*;
use contender_puct::{Learnable, Net, PuctSettings};
use contender_search::mcts::{win_rewards, Expansion, LeafEvaluator, Mcts, MctsConfig, Puct};
use contender_search::{Guide, Search, SearchConfig, SearchLimits, Sure, TimeManager};

bots! {
    TurnListener<Reader>;
    random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
    greedy "takes the most hexes at once": |_: (), seed| Greedy(Rng::new(seed));
    mcts "Monte Carlo tree search by hexes": |_: (), seed| TreeBot::new(seed);
    alphabeta "principal variation search for hexes": |_: (), seed| AlphaBeta::new(seed);
    puct "a small network, searched by PUCT":
        |(settings, net): (PuctSettings, FromFile<Net<State>>), seed| NetworkBot::new(settings, net.get(), seed);
}

/// What a turn may take: the number of turns to come is guessed by the empty hexes.
fn limits(state: &State, clock: &Clock) -> SearchLimits {
    TimeManager::EQUAL.limits(clock, state.turns_left())
}

/// Start stones as far from the centre as each other and not side by side, so that neither side is much better.
pub fn setup(rng: &mut Rng) -> Move {
    let mut moves = Vec::new();
    State::default().moves(&mut moves);
    let is_near = |at: u8| from_centre(at) == 3;
    moves.retain(|mv| matches!(*mv, Move::Setup(first, other) if is_near(first) && is_near(other)));
    *rng.choose(&moves)
}

/// Plays the move after which most hexes are its own, any of the best.
pub struct Greedy(Rng);

impl Bot<State, Move> for Greedy {
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Move {
        if state.moves_made() == 0 {
            return setup(&mut self.0);
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        self.0.shuffle(&mut moves);
        let worth = |mv: &Move| {
            let mut after = state.clone();
            after.play(*mv);
            player.sign() * after.value()
        };
        moves.into_iter().max_by_key(worth).expect("a player can pass")
    }
}

/// Hexes as values, and how promising a move is.
struct Hexes;

impl Guide<State> for Hexes {
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

/// What winning is worth, in hexes.
const WIN: i32 = 1000;

/// Plays what principal variation search finds.
pub struct AlphaBeta(Search<State, Hexes, Sure>, Rng);

impl AlphaBeta {
    fn new(seed: u64) -> AlphaBeta {
        AlphaBeta(Search::new(Hexes, SearchConfig::FULL), Rng::new(seed))
    }
}

impl Bot<State, Move> for AlphaBeta {
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Move {
        match state.moves_made() {
            0 => setup(&mut self.1),
            _ => self.analyse(state, player, clock).moves[0].mv,
        }
    }

    fn analyse(&mut self, state: &State, _player: Player, clock: &Clock) -> Analysis<Move> {
        self.0.search(state, &limits(state, clock)).measured("hexes", |value| value)
    }
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
pub struct TreeBot(Mcts<State, Sure, Puct>, Rng);

impl TreeBot {
    fn new(seed: u64) -> TreeBot {
        let config = MctsConfig { expansion: Expansion::Prior, ..MctsConfig::default() };
        TreeBot(Mcts::new(config, Puct { exploration: 0.8, first_play_reduction: 0.1 }), Rng::new(seed))
    }
}

impl Bot<State, Move> for TreeBot {
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Move {
        match state.moves_made() {
            0 => setup(&mut self.1),
            _ => self.analyse(state, player, clock).moves[0].mv,
        }
    }

    fn analyse(&mut self, state: &State, _player: Player, clock: &Clock) -> Analysis<Move> {
        self.0.reset();
        self.0.search(state, &mut Guess, &limits(state, clock), &mut self.1).measured("wins", |value| value)
    }
}
