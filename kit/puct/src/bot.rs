//! PUCT with a network that has a policy and a value.

use crate::learnable::{Learnable, Sequential};
use crate::oracle::Oracle;
use contender_game::{
    contest::{Analysis, Bot, Clock},
    rules::{Player, Rng, Turn},
    settings,
};
use contender_nn::policy_value::Network;
use contender_search::mcts::{win_rewards, Expansion, LeafEvaluator, Mcts, MctsConfig, Puct};
use contender_search::{draw, ChanceModel, TimeManager};

settings! {
    /// Settings of a [`PuctBot`].
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct PuctSettings {
        /// Weight of the exploration term, if a win is worth 1 and a loss 0
        exploration ("c"): f32 = 0.8, 0.0..=100.0;
        /// First-play urgency: how much lower than its state's value the value of an untried move is assumed to be
        first: f32 = 0.1, 0.0..=1.0;
    }
}

type MoveOf<G> = <G as Learnable>::Move;

/// Maximum number of nodes in the tree.
const CAPACITY: usize = 1 << 18;

/// A bot that searches with a network: the policy proposes the moves to try, and the value evaluates positions (Silver
/// and others, "Mastering the game of Go without human knowledge", 2017). With a given seed and number of iterations,
/// the bot is deterministic.
///
/// The [example of the crate](crate) uses this type.
pub struct PuctBot<G: Sequential> {
    oracle: Oracle<G>,
    tree: Mcts<G, G::Chance, Puct>,
    rng: Rng,
}

impl<G: Sequential> PuctBot<G> {
    /// Creates the bot with these settings, this network and this seed.
    ///
    /// # Panics
    /// Panics if the network does not match the game.
    #[must_use]
    pub fn new(settings: PuctSettings, network: impl Into<Network>, seed: u64) -> PuctBot<G> {
        let formula = Puct { exploration: settings.exploration, first_play_reduction: settings.first };
        let config = MctsConfig { capacity: CAPACITY, expansion: Expansion::Prior, ..MctsConfig::default() };
        PuctBot { oracle: Oracle::new(network.into()), tree: Mcts::new(config, formula), rng: Rng::new(seed) }
    }

    /// Returns the network's oracle, for additional queries by a bot that wraps this one.
    pub fn oracle(&mut self) -> &mut Oracle<G> {
        &mut self.oracle
    }

    /// Searches a state in which it is a player's turn. The values in the result are winning probabilities, and the
    /// efforts are visits.
    pub fn think(&mut self, state: &G, clock: &Clock) -> Analysis<MoveOf<G>> {
        let limits = TimeManager::EQUAL.limits(clock, state.turns_left());
        self.tree.reset();
        self.oracle.forget();
        let mut advice = Advice { oracle: &mut self.oracle, outcomes: Vec::new() };
        self.tree.search(state, &mut advice, &limits, &mut self.rng).measured("wins", |value| value)
    }
}

impl<G: Sequential> Bot<G, MoveOf<G>> for PuctBot<G>
where
    <G::Chance as ChanceModel<G>>::Outcome: Send,
{
    fn choose(&mut self, state: &G, _player: Player, clock: &Clock) -> MoveOf<G> {
        self.think(state, clock).moves[0].mv
    }

    fn analyse(&mut self, state: &G, _player: Player, clock: &Clock) -> Analysis<MoveOf<G>> {
        self.think(state, clock)
    }
}

/// The evaluator that supplies the network's values and priors to the tree.
struct Advice<'a, G: Sequential> {
    oracle: &'a mut Oracle<G>,
    outcomes: Vec<(<G::Chance as ChanceModel<G>>::Outcome, u32)>,
}

impl<G: Sequential> LeafEvaluator<G, MoveOf<G>> for Advice<'_, G> {
    fn finished(&mut self, state: &G) -> [f32; 2] {
        win_rewards(state.points())
    }

    fn highest(&self) -> f32 {
        1.0
    }

    fn estimate(&mut self, state: &mut G, rng: &mut Rng) -> [f32; 2] {
        loop {
            match state.turn() {
                Turn::Over => return self.finished(state),
                Turn::Chance => {
                    let outcome = draw::<G, G::Chance>(state, rng, &mut self.outcomes).1;
                    G::Chance::resolve(state, outcome);
                }
                Turn::Player(player) => {
                    let own = 0.5 + 0.5 * self.oracle.ask(state, player).value;
                    return if player == Player::Zero { [own, 1.0 - own] } else { [1.0 - own, own] };
                }
            }
        }
    }

    fn priors(&mut self, state: &G, player: Player, moves: &[MoveOf<G>], priors: &mut Vec<f32>) {
        self.oracle.ask(state, player).probabilities(state, player, moves, priors);
    }
}
