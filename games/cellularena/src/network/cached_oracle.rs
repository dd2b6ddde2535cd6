//! A cache of a network's evaluations of states. The cache is kept between turns, because the enemy often plays the
//! moves that the search expected.

use super::policy::{candidates, Candidate};
use super::{win_chance, Oracle, Symmetry, View};
use crate::{Action, State};
use contender_game::{contest::Analysis, rules::Player};
use contender_nn::policy_value::SIDES;
use std::collections::HashMap;
use std::mem;

/// The network's evaluation of a state from a player's view.
#[derive(Clone)]
pub struct Evaluation {
    /// The state's value for the player.
    pub value: f32,
    /// The player's best joint moves, starting with the best; empty until the moves are requested.
    pub moves: Vec<Candidate>,
    /// The enemy's best joint moves, if the network has a policy for both players.
    pub enemy_moves: Vec<Candidate>,
    /// The logits of cells and of waiting, from which the moves are computed when they are requested.
    policy: Option<(Vec<f32>, [f32; SIDES])>,
    turns: u32,
}

/// A network with a cache. An instance plays one game, because it keeps the symmetry of the first map that it sees.
pub struct CachedOracle {
    oracle: Oracle,
    symmetry: Option<Symmetry>,
    /// Maximum number of joint moves in an evaluation.
    width: usize,
    evaluations: HashMap<(u64, Player), Evaluation>,
    /// Buffers for logits, which are reused. An evaluation contains about 35 kB of logits until its moves are
    /// requested.
    spare: Vec<Vec<f32>>,
}

impl CachedOracle {
    /// Creates a cache for this network, with at most `width` joint moves per player in a state.
    #[must_use]
    pub fn new(oracle: Oracle, width: usize) -> CachedOracle {
        CachedOracle { oracle, symmetry: None, width, evaluations: HashMap::new(), spare: Vec::new() }
    }

    /// Returns whether the cache contains the evaluation of this state.
    #[must_use]
    pub fn knows(&self, state: &State, player: Player) -> bool {
        self.evaluations.contains_key(&(state.fingerprint(), player))
    }

    /// Returns the network's evaluation from the cache, or computes it. `wants_moves` requests the moves in addition to
    /// the value.
    pub fn evaluate(&mut self, state: &State, player: Player, wants_moves: bool) -> &Evaluation {
        let view = self.view(state, player);
        let CachedOracle { oracle, width, evaluations, spare, .. } = self;
        let known = evaluations.entry((state.fingerprint(), player)).or_insert_with(|| {
            let value = oracle.ask(state, &view);
            let next = spare.pop().unwrap_or_else(|| vec![0.0; oracle.output.logits.len()]);
            let logits = mem::replace(&mut oracle.output.logits, next);
            let policy = Some((logits, oracle.output.wait));
            let (moves, enemy_moves) = (Vec::new(), Vec::new());
            Evaluation { value, moves, enemy_moves, policy, turns: state.turns() }
        });
        if wants_moves {
            if let Some((logits, wait)) = known.policy.take() {
                spare.push(mem::replace(&mut oracle.output.logits, logits));
                oracle.output.wait = wait;
                known.moves = candidates(&oracle.output, state, view, *width);
                if oracle.tells_both() {
                    known.enemy_moves = candidates(&oracle.output, state, view.beside(), *width);
                }
            }
        }
        known
    }

    /// Returns a player's best joint moves. If the network has a policy for both players, the moves come from the
    /// evaluation from `viewer`'s view.
    pub fn moves(&mut self, state: &State, player: Player, viewer: Player) -> &[Candidate] {
        if player == viewer || !self.oracle.tells_both() {
            &self.evaluate(state, player, true).moves
        } else {
            &self.evaluate(state, viewer, true).enemy_moves
        }
    }

    /// Removes the evaluations of states in which fewer than `turns` turns have been played.
    pub fn forget(&mut self, turns: u32) {
        let CachedOracle { evaluations, spare, .. } = self;
        evaluations.retain(|_, known| {
            let is_kept = known.turns >= turns;
            if !is_kept {
                spare.extend(known.policy.take().map(|(logits, _)| logits));
            }
            is_kept
        });
    }

    /// Adds the network's output without search to the result of a search: the win chance, maps of the policy, and a
    /// map of the win chances after growths.
    #[must_use]
    pub fn explain(
        &mut self,
        state: &State,
        player: Player,
        found: Analysis<Vec<Action>>,
    ) -> Analysis<Vec<Action>> {
        let [own, other] = [player, player.other()].map(|player| self.view(state, player));
        let [value, against] = [&own, &other].map(|view| f64::from(self.oracle.ask(state, view)));
        // The network prefers the player from whose view it evaluates a state.
        let shift = -(value + against) / 2.0;
        let symmetry = self.symmetry(state);
        let mut maps = self.oracle.policy_maps(state, player, symmetry);
        let chance = |value: f64| win_chance(value + shift, state.turns() + 1);
        let growing = self.oracle.value_map(state, &own).into_iter().map(|value| value.map(chance));
        maps.push(("value of growing", growing.collect()));
        let name = ["network's win chance for Blue", "network's win chance for Red"][player];
        Analysis { inputs: vec![(name, win_chance(value + shift, state.turns()))], maps, ..found }
    }

    fn view(&mut self, state: &State, player: Player) -> View {
        View::new(state, player, self.symmetry(state))
    }

    fn symmetry(&mut self, state: &State) -> Symmetry {
        *self.symmetry.get_or_insert_with(|| Symmetry::of(state))
    }
}
