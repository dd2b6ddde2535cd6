//! The strongest bot: best-first minimax with the network.

use crate::tree_bot::{TreeBot, TreeSearch, CENTRE};
use crate::value_network::ValueNetwork;
use crate::{Move, State};
use contender_game::{
    contest::{Analysis, Clock},
    settings,
    settings::SWITCH,
};
use contender_search::best_first::{BestFirst, BestFirstConfig, ChildEvaluator, ChildValue};
use contender_search::{SearchLimits, TurnShare};

settings! {
    /// Settings of the champion.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ChampionSettings {
        /// Weight of the exploration term, if a win is worth 1
        exploration ("c"): f32 = 0.1, 0.0..=100.0;
        /// Share of the minimax value in the score of a child; the rest is the child's mean.
        minimax: f32 = 0.3, 0.0..=1.0;
        /// Bonus for a move with twice as many visits when the move to play is chosen; a win is worth 1, and inf
        /// chooses by visits alone.
        habit: f32 = 0.05, 0.0..=f32::INFINITY;
        /// Keep the tree between turns.
        reuse: bool = true, SWITCH;
        ..time: TurnShare = TurnShare::DEFAULT;
    }
}

/// Number of nodes in the tree. A first turn of 0.9 seconds fills about this number of nodes. Each node takes 24 bytes,
/// and two trees of this size can exist at the same time.
const CAPACITY: usize = 1 << 23;

/// A search with the network that also proves wins, losses and draws. The bot is deterministic if a number of
/// iterations is given.
pub type ChampionBot = TreeBot<ChampionSearch>;

impl ChampionBot {
    /// Creates the bot with these settings and this network.
    #[must_use]
    pub fn new(settings: ChampionSettings, net: ValueNetwork) -> ChampionBot {
        let ChampionSettings { exploration, minimax, habit, .. } = settings;
        let config = BestFirstConfig { capacity: CAPACITY, exploration, minimax, habit };
        let net = NetworkEvaluator { net, values: Vec::new() };
        TreeBot::with(ChampionSearch { settings, net }, BestFirst::new(config))
    }
}

/// The search of [`ChampionBot`].
pub struct ChampionSearch {
    settings: ChampionSettings,
    net: NetworkEvaluator,
}

impl TreeSearch for ChampionSearch {
    type Tree = BestFirst<State>;

    fn limits(&self, clock: &Clock) -> SearchLimits {
        self.settings.time.limits(clock)
    }

    fn search(&mut self, tree: &mut Self::Tree, state: &State, limits: &SearchLimits) -> Analysis<Move> {
        tree.search(state, &mut self.net, limits).measured("share of a win", |value| 0.5 + value)
    }

    fn keeps(&self, _: &Clock) -> bool {
        self.settings.reuse
    }

    fn first_move(&self) -> Option<Move> {
        Some(CENTRE)
    }

    fn prepare(&mut self, tree: &mut BestFirst<State>, clock: &Clock) {
        if clock.nodes().is_none() && clock.turn_limit().is_some() {
            // The first turn has enough time for this; the second does not.
            tree.warm_up(CENTRE);
        }
    }
}

/// The network, in the form in which the search calls it.
struct NetworkEvaluator {
    net: ValueNetwork,
    values: Vec<(f32, bool)>,
}

impl ChildEvaluator<State> for NetworkEvaluator {
    /// Appends values from -0.5 to 0.5, so that a win is worth 1 more than a loss.
    fn evaluate_children(&mut self, state: &State, moves: &[Move], values: &mut Vec<ChildValue>) {
        self.values.clear();
        self.net.evaluate_moves(state, moves, &mut self.values);
        let sign = state.mover().sign() as f32;
        values.extend(self.values.iter().map(|&(value, is_over)| {
            let value = sign * (value - 0.5);
            if is_over {
                ChildValue::Exact(value)
            } else {
                ChildValue::Estimate(value)
            }
        }));
    }

    fn highest(&self) -> f32 {
        0.5
    }
}
