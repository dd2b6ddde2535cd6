//! The search of [`heuristic`](crate::heuristic), which also considers the joint moves that the network proposes.

use crate::heuristic::{Advisor, Heuristic, HeuristicSettings};
use crate::network::{self, policy, Oracle, Symmetry, View};
use crate::{Action, State};
use contender_game::{rules::Player, settings, settings::Shipped};
use contender_nn::policy_value::Network;
use contender_search::TurnShare;

settings! {
    /// Settings of the bot.
    #[derive(Clone, PartialEq, Debug)]
    pub struct AdvisedSettings {
        /// Number of the network's joint moves per player to add at the root, unless the search has them already
        moves: usize = 4, 0..=50;
        /// Number of additional joint moves of the bot at the root
        own: usize = 6, 1..=100;
        /// Number of additional joint moves of the enemy at the root
        enemy: usize = 5, 1..=100;
        ..time: TurnShare = TurnShare::of(0.8);
    }
}

/// The policy of a network.
pub struct Policy(Oracle);

impl Policy {
    /// Creates the policy of a network.
    #[must_use]
    pub fn of(network: Network) -> Policy {
        Policy(Oracle::new(network))
    }
}

impl Shipped for Policy {
    const NAME: &'static str = "net";

    /// Returns the network of the bot [`Classic`](crate::Classic) without its value head, so that it fits into a packed
    /// bot.
    fn shipped() -> Policy {
        Policy::read(&contender_nn::include_data!("network/advised.bin"))
            .expect("a test reads the network that is compiled in")
    }

    fn read(bytes: &[u8]) -> Result<Policy, String> {
        network::read(bytes).map(Policy::of)
    }
}

/// An advisor that proposes the policy's best joint moves.
pub struct Proposals {
    policy: Policy,
    symmetry: Option<Symmetry>,
    moves: usize,
}

impl Advisor for Proposals {
    fn advise(&mut self, state: &State, player: Player) -> Vec<Vec<Action>> {
        let view = View::new(state, player, *self.symmetry.get_or_insert_with(|| Symmetry::of(state)));
        let Policy(oracle) = &mut self.policy;
        oracle.ask(state, &view);
        let found = policy::candidates(&oracle.output, state, view, self.moves);
        found.into_iter().map(|candidate| candidate.actions).collect()
    }

    fn maps(&mut self, state: &State, player: Player) -> Vec<(&'static str, Vec<Option<f64>>)> {
        let symmetry = *self.symmetry.get_or_insert_with(|| Symmetry::of(state));
        self.policy.0.policy_maps(state, player, symmetry)
    }
}

/// The bot. An instance plays one game, because it keeps the symmetry of the first map that it sees.
pub type Advised = Heuristic<Proposals>;

impl Advised {
    /// Creates the bot with these settings and this policy.
    #[must_use]
    pub fn over(settings: &AdvisedSettings, policy: Policy) -> Advised {
        let AdvisedSettings { moves, own: own_moves, enemy: enemy_moves, time } = *settings;
        let search = HeuristicSettings { own_moves, enemy_moves, time, ..HeuristicSettings::DEFAULT };
        Heuristic::advised(search, Proposals { policy, symmetry: None, moves })
    }
}
