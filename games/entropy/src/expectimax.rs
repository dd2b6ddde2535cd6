//! A bot with plain expectimax: it searches all moves to a fixed depth, weights chance by its probabilities, and does
//! not prune.
//!
//! Michie's expectimax ("Game-playing and game-learning automata", 1966) is the obvious search for a game with chance.
//! This bot is the baseline for more advanced bots.

use crate::evaluation::expected_lead;
use crate::{Move, ScoreGuide, State};
use contender_game::{
    contest::{Analysis, Bot, Clock},
    rules::{Game, Player, Turn},
    settings,
};
use contender_search::{Search, SearchConfig, SearchLimits, TimeManager, WithChance};

/// An equal share of the game's time for each remaining move, with a thirtieth of the time in reserve for delays.
const TIME: TimeManager = TimeManager { reserve: 1.0 / 30.0, soft: 1.0, ..TimeManager::EQUAL };

settings! {
    /// Settings of [`ExpectimaxBot`].
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ExpectimaxSettings {
        /// Maximum number of decisions to look ahead.
        depth: u32 = 2, 1..=97;
    }
}

/// A bot that plays the move chosen by expectimax, with the score as evaluation. The bot is deterministic unless time
/// runs short.
pub struct ExpectimaxBot {
    depth: u32,
    search: Search<State, ScoreGuide, WithChance>,
}

impl ExpectimaxBot {
    /// Creates the bot that looks this many decisions ahead, at least 1.
    #[must_use]
    pub fn new(depth: u32) -> ExpectimaxBot {
        let config = SearchConfig { deepening: true, ..SearchConfig::PLAIN };
        ExpectimaxBot { depth: depth.max(1), search: Search::new(ScoreGuide::UNCAPPED, config) }
    }

    /// Returns the limits of a turn.
    #[must_use]
    pub fn limits(&self, state: &State, clock: &Clock) -> SearchLimits {
        let moves_left = 49_u32.saturating_sub(state.placed()).max(1);
        SearchLimits { depth: self.depth, ..TIME.limits(clock, moves_left) }
    }

    fn search(&mut self, state: &State, clock: &Clock) -> Analysis<Move> {
        let limits = self.limits(state, clock);
        let player = if state.turn() == Turn::Player(Player::One) { Player::One } else { Player::Zero };
        self.search.search(state, &limits).measured("points", |value| expected_lead(value, player))
    }
}

impl Bot<State, Move> for ExpectimaxBot {
    /// # Panics
    /// Panics if the game is over.
    fn choose(&mut self, state: &State, _player: Player, clock: &Clock) -> Move {
        self.search(state, clock).moves[0].mv
    }

    fn analyse(&mut self, state: &State, _player: Player, clock: &Clock) -> Analysis<Move> {
        self.search(state, clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::{
        contest::Limits,
        rules::{Chance, Game, Rng, Turn},
    };

    /// Returns a position in which a player must act.
    fn position(placed: u32, rng: &mut Rng) -> State {
        let mut state = State::default();
        loop {
            match state.turn() {
                Turn::Chance => state.resolve(state.random_outcome(rng, &mut Vec::new())),
                _ if state.placed() >= placed => return state,
                _ => state.play(state.random_move(rng, &mut Vec::new())),
            }
        }
    }

    /// Computes the value directly from the definition, with sums of scores over all chips in the bag.
    fn naive(state: &State, depth: u32) -> f64 {
        let children = |moves: Vec<Move>| {
            moves.into_iter().map(|mv| {
                let mut child = state.clone();
                child.play(mv);
                naive(&child, depth - 1)
            })
        };
        let mut moves = Vec::new();
        state.moves(&mut moves);
        match state.turn() {
            _ if depth == 0 => f64::from(state.value()),
            Turn::Over => f64::from(state.value()),
            Turn::Player(Player::Zero) => children(moves).fold(f64::NEG_INFINITY, f64::max),
            Turn::Player(Player::One) => children(moves).fold(f64::INFINITY, f64::min),
            Turn::Chance => {
                let chips = (1..=7).flat_map(|colour| (0..state.left(colour)).map(move |_| colour));
                let values: Vec<f64> = chips
                    .map(|colour| {
                        let mut child = state.clone();
                        child.resolve(colour);
                        naive(&child, depth)
                    })
                    .collect();
                values.iter().sum::<f64>() / values.len() as f64
            }
        }
    }

    #[test]
    fn every_move_has_the_value_of_the_definition() {
        let mut rng = Rng::new(1);
        for round in 0..40 {
            let (placed, depth) = if round % 2 == 0 { (40, 2) } else { (47, 4) };
            let state = position(placed, &mut rng);
            let Turn::Player(player) = state.turn() else { unreachable!("a player is to act") };
            let analysis = ExpectimaxBot::new(depth).analyse(&state, player, &Clock::new(Limits::NONE));
            let mut moves = Vec::new();
            state.moves(&mut moves);
            assert_eq!(analysis.moves.len(), moves.len());
            for of in &analysis.moves {
                let mut child = state.clone();
                child.play(of.mv);
                let score = naive(&child, depth - 1);
                let value = f64::from(player.sign()) * ((120.0 + score) - (280.0 - score));
                // Rounding changes the score by at most half a thousandth at each chance node.
                assert!((of.value[0] - value).abs() < 0.006 && of.value[0] == of.value[1], "{of:?} {value}");
                assert!(of.value[0] <= analysis.moves[0].value[0]);
            }
        }
    }

    #[test]
    fn a_node_budget_is_kept_and_reproducible() {
        let state = position(30, &mut Rng::new(2));
        let Turn::Player(player) = state.turn() else { unreachable!("a player is to act") };
        for nodes in [0, 1, 10, 1_000, 100_000] {
            let clock = Clock::new(Limits::nodes(nodes));
            let [one, other] = [(); 2].map(|()| ExpectimaxBot::new(3).analyse(&state, player, &clock));
            assert!(one.counts.iter().all(|&(name, count)| name != "nodes" || count <= nodes));
            assert_eq!((one.moves, one.depth), (other.moves, other.depth));
        }
    }
}
