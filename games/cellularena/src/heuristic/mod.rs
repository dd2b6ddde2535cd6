//! A bot without a network: a hand-made evaluation and a search over both players' joint moves.
//!
//! | file | what |
//! |---|---|
//! | `weights` | the evaluation's weights by time of the game |
//! | `reach` | who gets to a cell first |
//! | `evaluation` | the worth of a state |
//! | `proposals` | a few actions of each organism, and a joint move by rule |
//! | `foresight` | candidates, values and answers for the search |

mod evaluation;
mod foresight;
mod proposals;
mod reach;
#[cfg(test)]
mod testing;
mod weights;

pub use evaluation::Evaluation;
pub use weights::{Weights, WEIGHTS};

use crate::{Action, State};
use contender_game::{Analysis, Bot, Clock, Player, Settings, Visitor};
use contender_search::matrix_tree::MatrixTree;
use contender_search::Shares;
use foresight::Foresight;

/// What the bot is made with.
#[derive(Clone, PartialEq, Debug)]
pub struct HeuristicSettings {
    /// The share of the judge's time that is used.
    pub time: f64,
    /// Joint moves at the root, own ones and the enemy's, and of each player later.
    pub own_moves: usize,
    /// See `own_moves`.
    pub enemy_moves: usize,
    /// See `own_moves`.
    pub later_moves: usize,
    /// Actions of each organism that are tried, at the root and later.
    pub actions: usize,
    /// See `actions`.
    pub later_actions: usize,
    /// How often joint moves at the root are built, each time against the latest of the enemy.
    pub rounds: u32,
    /// The share of the search that goes to all pairs of moves alike.
    pub spread: f64,
    /// Best answers are looked for in states of fewer turns from the root.
    pub answers: u32,
    /// The evaluation's weights.
    pub weights: [Weights; 3],
}

impl Default for HeuristicSettings {
    fn default() -> Self {
        HeuristicSettings {
            time: 0.8,
            own_moves: 8,
            enemy_moves: 6,
            later_moves: 4,
            actions: 10,
            later_actions: 6,
            rounds: 2,
            spread: 0.3,
            answers: 0,
            weights: WEIGHTS,
        }
    }
}

impl Settings for HeuristicSettings {
    fn each(&mut self, visit: &mut Visitor<'_>) -> Result<(), String> {
        visit("time", &["Share of a turn's time that is used."], &mut (&mut self.time, 0.01..=1.0))?;
        visit("own", &["Own joint moves at the root."], &mut (&mut self.own_moves, 1..=100))?;
        visit("enemy", &["The enemy's joint moves at the root."], &mut (&mut self.enemy_moves, 1..=100))?;
        let later = "Joint moves of each player after the root.";
        visit("later", &[later], &mut (&mut self.later_moves, 1..=100))?;
        let spread = "Share of the search that goes to all pairs of moves alike.";
        visit("spread", &[spread], &mut (&mut self.spread, 0.0..=1.0))?;
        let answers = "Best answers are added in states of fewer turns from the root; 0 for none.";
        visit("answers", &[answers], &mut (&mut self.answers, 0..=100))
    }
}

/// Nodes of the tree, of about a kilobyte each; about what the first turn makes.
const ROOM: usize = 20_000;
/// Values asked for without any other limit.
const NODES: u64 = 20_000;

/// The bot; see [`heuristic`](self).
pub struct Heuristic {
    foresight: Foresight,
    tree: MatrixTree<State>,
    time: f64,
}

impl Heuristic {
    /// With these settings.
    #[must_use]
    pub fn new(settings: HeuristicSettings) -> Heuristic {
        let (time, spread) = (settings.time, settings.spread);
        Heuristic { foresight: Foresight::new(settings), tree: MatrixTree::new(ROOM, spread), time }
    }

    /// What is best for each player in a state whose game goes on; `player` is to act.
    fn think(&mut self, state: &State, player: Player, clock: &Clock) -> [Analysis<Vec<Action>>; 2] {
        let allowance = Shares { unlimited: NODES, ..Shares::of_turn(self.time) }.allow(clock, 1);
        self.foresight.evaluation.announce(state);
        self.foresight.player = player;
        self.tree.search(state, &allowance, &mut self.foresight)
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
        Analysis { inputs: self.foresight.evaluation.inputs(state), ..found }
    }
}
