//! The second strongest bot: the solver's tree search, with the network's value instead of random games.

use crate::tree_bot::{TreeBot, TreeSearch, CENTRE};
use crate::value_network::{can_win, ValueNetwork};
use crate::{prior, Move, State};
use contender_game::{
    contest::{Analysis, Clock},
    rules::{Game, Player, Rng},
    settings,
    settings::SWITCH,
};
use contender_search::mcts::{win_rewards, Expansion, LeafEvaluator, Mcts, MctsConfig, Uct};
use contender_search::{NoChance, SearchLimits, TurnShare};

settings! {
    /// Settings of the bot.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct NetworkSettings {
        /// Weight of the exploration term, if a win is worth 1
        exploration ("c"): f32 = 0.25, 0.0..=100.0;
        /// Keep the tree between turns.
        reuse: bool = true, SWITCH;
        ..time: TurnShare = TurnShare::DEFAULT;
    }
}

/// Maximum number of nodes in the tree.
const CAPACITY: usize = 1 << 20;
/// Weight of the priors, equal to the weight in the bot without a network.
const PRIORS: f32 = 0.5;

/// Monte Carlo tree search with the champion's network. The bot is deterministic if its seed and a number of iterations
/// are given.
pub type NetworkBot = TreeBot<NetworkSearch>;

impl NetworkBot {
    /// Creates the bot with these settings, this network and this seed.
    #[must_use]
    pub fn new(settings: NetworkSettings, net: ValueNetwork, seed: u64) -> NetworkBot {
        let config = MctsConfig { capacity: CAPACITY, expansion: Expansion::Prior, ..MctsConfig::default() };
        let tree = Mcts::new(config, Uct { bias: PRIORS, ..Uct::new(settings.exploration) });
        let net = NetworkValues(net);
        TreeBot::with(NetworkSearch { settings, net, rng: Rng::new(seed) }, tree)
    }
}

/// The search of [`NetworkBot`].
pub struct NetworkSearch {
    settings: NetworkSettings,
    net: NetworkValues,
    rng: Rng,
}

impl TreeSearch for NetworkSearch {
    type Tree = Mcts<State, NoChance, Uct>;

    fn limits(&self, clock: &Clock) -> SearchLimits {
        self.settings.time.limits(clock)
    }

    fn search(&mut self, tree: &mut Self::Tree, state: &State, limits: &SearchLimits) -> Analysis<Move> {
        tree.search(state, &mut self.net, limits, &mut self.rng).measured("share of a win", |value| value)
    }

    fn keeps(&self, _: &Clock) -> bool {
        self.settings.reuse
    }

    fn first_move(&self) -> Option<Move> {
        Some(CENTRE)
    }
}

/// The network, in the form that the tree calls.
struct NetworkValues(ValueNetwork);

impl LeafEvaluator<State, Move> for NetworkValues {
    fn finished(&mut self, state: &State) -> [f32; 2] {
        win_rewards(state.points())
    }

    fn highest(&self) -> f32 {
        1.0
    }

    fn estimate(&mut self, state: &mut State, _: &mut Rng) -> [f32; 2] {
        let value = if can_win(state) { 0.0 } else { self.0.evaluate(state) };
        match state.mover() {
            Player::Zero => [1.0 - value, value],
            Player::One => [value, 1.0 - value],
        }
    }

    fn priors(&mut self, state: &State, _: Player, moves: &[Move], priors: &mut Vec<f32>) {
        priors.extend(moves.iter().map(|&mv| prior(state, mv)));
    }
}
