//! The network: its input, its output, and the moves that follow from the output.
//!
//! | file | contents |
//! |---|---|
//! | `view` | boards as a player sees them |
//! | `kinds` | the 14 kinds of organs |
//! | `encoder` | positions as input |
//! | `policy` | output converted to joint moves |
//! | `weights` | networks as bytes |
//! | `cached_oracle` | a cache of evaluations |

mod cached_oracle;
pub mod encoder;
pub mod kinds;
pub mod policy;
mod view;
mod weights;

pub use cached_oracle::{CachedOracle, Evaluation};
pub use view::{Symmetry, View};
pub use weights::{read, read_parameters, round, write};

use crate::{State, MAX_HEIGHT, MAX_WIDTH, TURN_LIMIT};
use contender_game::rules::{Player, Simultaneous};
use contender_nn::lanes::Instructions;
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_nn::winograd::Size;

/// Returns the shape of a network with these numbers of channels, residual blocks and hidden neurons in the value head,
/// and with a policy for one player or for both.
#[must_use]
pub fn shape(channels: usize, blocks: usize, hidden: usize, sides: usize) -> Shape {
    let frame = Size { width: MAX_WIDTH, height: MAX_HEIGHT };
    Shape { planes: encoder::PLANES, channels, blocks, sides, actions: kinds::KINDS, hidden, frame }
}

/// Returns the value of a finished game for a player: 1 for a win, -1 for a loss. The value is twice as much if the
/// loser was wiped out or starved before the last turn, so that bots finish won games. If the winner has also starved,
/// the game is a stalemate, and the value is not doubled.
#[must_use]
pub fn outcome(state: &State, player: Player) -> f32 {
    let winner = match state.winner() {
        Some(winner) => winner,
        None => return 0.0,
    };
    let loser = winner.other();
    let is_starved = !state.can_progress(loser) && state.can_progress(winner);
    let is_clear = state.organ_count(loser) == 0 || is_starved;
    let worth = if is_clear && state.turns() < TURN_LIMIT { 2.0 } else { 1.0 };
    if winner == player {
        worth
    } else {
        -worth
    }
}

/// Converts a value from -2 to 2 into a probability of winning against an equally strong bot. `turns` is the number of
/// turns played: the later a lead, the more certain it is. A logistic curve was fitted to games of `champion` against
/// itself.
#[must_use]
pub fn win_chance(value: f64, turns: u32) -> f64 {
    let slope = 3.0 + 0.2 * f64::from(turns.min(20));
    1.0 / (1.0 + (-slope * value).exp())
}

/// A network with the memory that it needs for evaluating positions.
pub struct Oracle {
    network: Network,
    instructions: Instructions,
    input: Planes,
    /// The network's latest output.
    pub output: Workspace,
}

impl Oracle {
    /// Creates the memory for this network.
    ///
    /// # Panics
    /// Panics if the network is not for this game.
    #[must_use]
    pub fn new(network: Network) -> Oracle {
        let of = network.shape();
        assert_eq!(of, shape(of.channels, of.blocks, of.hidden, of.sides), "a network for this game");
        let output = Workspace::new(of);
        Oracle { network, instructions: Instructions::best(), input: Planes::default(), output }
    }

    /// Returns whether one evaluation also gives the enemy's policy.
    #[must_use]
    pub fn tells_both(&self) -> bool {
        self.network.shape().sides == 2
    }

    /// Returns maps of the network's policy for pictures of a position: the cells of the player's first choice, and of
    /// the enemy's first choice (see [`policy::map`]).
    pub fn policy_maps(
        &mut self,
        state: &State,
        player: Player,
        symmetry: Symmetry,
    ) -> Vec<(&'static str, Vec<Option<f64>>)> {
        let mut map = |name, player| {
            let view = View::new(state, player, symmetry);
            self.ask(state, &view);
            (name, policy::map(&self.output, state, view))
        };
        vec![map("likely moves", player), map("enemy's moves", player.other())]
    }

    /// Returns a map of the network's value for pictures of a position, row by row. A cell that an organ can grow onto
    /// or be shot to has the value after the most probable action of this kind, if the player takes only this action
    /// and the enemy waits.
    pub fn value_map(&mut self, state: &State, view: &View) -> Vec<Option<f64>> {
        self.ask(state, view);
        let choices = policy::Choices::new(state, *view);
        let mut picks = Vec::new();
        choices.list(&mut picks);
        // For each cell, the most probable choice comes first.
        picks.sort_by(|&a, &b| {
            policy::logit(&self.output, view, b).total_cmp(&policy::logit(&self.output, view, a))
        });
        let mut map = vec![None; state.width() * state.height()];
        for pick in picks {
            let cell = choices.cell(pick);
            let value = &mut map[cell.y() * state.width() + cell.x()];
            if value.is_none() {
                let action = choices.clone().take(pick);
                let mut next = state.clone();
                match view.player() {
                    Player::Zero => next.play_turn([&[action], &[]]),
                    Player::One => next.play_turn([&[], &[action]]),
                }
                let is_over = next.is_over();
                let worth = if is_over { outcome(&next, view.player()) } else { self.ask(&next, view) };
                *value = Some(f64::from(worth));
            }
        }
        map
    }

    /// Evaluates a position for the view's player. Returns the value, and writes the policy logits to
    /// [`output`](Oracle::output).
    pub fn ask(&mut self, state: &State, view: &View) -> f32 {
        encoder::encode(state, view, &mut self.input);
        self.network.evaluate(self.instructions, &self.input, &mut self.output);
        self.output.value
    }
}
