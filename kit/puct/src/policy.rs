//! A bot that plays a network's policy without search.

use crate::learnable::Learnable;
use crate::oracle::Oracle;
use contender_game::{
    contest::{Analysis, Bot, Clock, MoveAnalysis},
    rules::{Game, Player, Rng, Simultaneous},
    settings,
    settings::SWITCH,
};
use contender_nn::policy_value::Network;

settings! {
    /// Settings of a [`PolicyBot`].
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct PolicySettings {
        /// Draw a move according to the probabilities, which is unpredictable, instead of playing the most probable
        /// move
        drawn: bool = false, SWITCH;
    }
}

/// A bot that plays the policy's moves without search. Use this bot for simultaneous games and games with hidden
/// information, because a tree of complete states would use information that the player does not have. With a given
/// seed, the bot is deterministic.
pub struct PolicyBot<G: Learnable> {
    settings: PolicySettings,
    oracle: Oracle<G>,
    legal: fn(&G, Player, &mut Vec<G::Move>),
    rng: Rng,
}

impl<G: Learnable> PolicyBot<G> {
    /// Creates the bot for a game with alternating turns.
    ///
    /// # Panics
    /// Panics if the network does not match the game.
    #[must_use]
    pub fn in_turn(settings: PolicySettings, network: impl Into<Network>, seed: u64) -> PolicyBot<G>
    where
        G: Game<Move = <G as Learnable>::Move>,
    {
        PolicyBot::new(settings, network.into(), seed, |state, _, moves| Game::moves(state, moves))
    }

    /// Creates the bot for a simultaneous game.
    ///
    /// # Panics
    /// Panics if the network does not match the game.
    #[must_use]
    pub fn simultaneous(settings: PolicySettings, network: impl Into<Network>, seed: u64) -> PolicyBot<G>
    where
        G: Simultaneous<Move = <G as Learnable>::Move>,
    {
        PolicyBot::new(settings, network.into(), seed, Simultaneous::moves)
    }

    fn new(
        settings: PolicySettings,
        network: Network,
        seed: u64,
        legal: fn(&G, Player, &mut Vec<G::Move>),
    ) -> PolicyBot<G> {
        PolicyBot { settings, oracle: Oracle::new(network), legal, rng: Rng::new(seed) }
    }
}

impl<G: Learnable> Bot<G, G::Move> for PolicyBot<G> {
    fn choose(&mut self, state: &G, player: Player, clock: &Clock) -> G::Move {
        let found = self.analyse(state, player, clock);
        *found.draw(&mut self.rng).expect("a player to move has a move")
    }

    fn analyse(&mut self, state: &G, player: Player, _clock: &Clock) -> Analysis<G::Move> {
        let (mut moves, mut odds) = (Vec::new(), Vec::new());
        (self.legal)(state, player, &mut moves);
        self.oracle.forget();
        let said = self.oracle.ask(state, player);
        said.probabilities(state, player, &moves, &mut odds);
        let mut ranked: Vec<(f32, G::Move)> = odds.into_iter().zip(moves).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let unknown = [f64::NEG_INFINITY, f64::INFINITY];
        let of = |&(_, mv): &(f32, G::Move)| MoveAnalysis { mv, value: unknown, is_proven: false, effort: 0 };
        let strategy = if self.settings.drawn { ranked.as_slice() } else { &[] };
        Analysis {
            strategy: strategy.iter().map(|&(part, _)| part.into()).collect(),
            inputs: vec![("wins", 0.5 + 0.5 * f64::from(said.value))],
            ..Analysis::of(ranked.iter().map(of).collect())
        }
    }
}
