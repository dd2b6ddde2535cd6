//! A bot without a network: a hand-made evaluation, and a search over both players' joint moves.
//!
//! | file | contents |
//! |---|---|
//! | `weights` | the evaluation's weights for each phase of the game |
//! | `reach` | which player reaches a cell first |
//! | `evaluation` | the value of a state |
//! | `proposals` | a few actions for each organism, and a joint move chosen by rule |
//! | `foresight` | candidates, values and responses for the search |
//! | `settings` | the bot's settings |

mod evaluation;
mod foresight;
mod proposals;
mod reach;
mod settings;
#[cfg(test)]
mod testing;
mod weights;

pub use evaluation::Evaluation;
pub use settings::HeuristicSettings;
pub use weights::{Weights, WEIGHTS};

use crate::{Action, State};
use contender_game::{
    contest::{Analysis, Bot, Clock},
    rules::Player,
};
use contender_search::matrix_tree::MatrixTree;
use contender_search::{TimeManager, TurnShare};
use foresight::Foresight;

/// Maximum number of nodes in the tree. A node takes about a kilobyte, and the first turn needs about 20,000 nodes.
const ROOM: usize = 20_000;
/// Number of evaluations if there is no other limit.
const NODES: u64 = 20_000;

/// The bot, see [`heuristic`](self).
pub struct Heuristic {
    foresight: Foresight,
    tree: MatrixTree<State>,
    time: TurnShare,
}

impl Heuristic {
    /// Creates the bot with these settings.
    #[must_use]
    pub fn new(settings: HeuristicSettings) -> Heuristic {
        let (time, spread) = (settings.time, settings.spread);
        Heuristic { foresight: Foresight::new(settings), tree: MatrixTree::new(ROOM, spread), time }
    }

    /// Returns both players' best strategies in a state whose game is not over. Values are from each player's own view.
    /// At the root, `player` has the longer list of moves.
    pub fn think(&mut self, state: &State, player: Player, clock: &Clock) -> [Analysis<Vec<Action>>; 2] {
        let limits = TimeManager { unlimited: NODES, ..self.time.manager() }.limits(clock, 1);
        self.foresight.evaluation.announce(state);
        self.foresight.player = player;
        self.tree.search(state, &limits, &mut self.foresight)
    }
}

impl Bot<State, Vec<Action>> for Heuristic {
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Vec<Action> {
        let [zero, one] = self.think(state, player, clock);
        let mut found = if player == Player::Zero { zero } else { one };
        found.moves.swap_remove(0).mv
    }

    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Vec<Action>> {
        let [zero, one] = self.think(state, player, clock);
        let found = if player == Player::Zero { zero } else { one };
        Analysis { unit: "lead from -1 to 1", inputs: self.foresight.evaluation.inputs(state), ..found }
    }
}
