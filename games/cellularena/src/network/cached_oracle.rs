//! What a network has said of states, kept over turns: the enemy often plays what was expected.

use super::policy::{candidates, Candidate};
use super::{Oracle, Symmetry, View};
use crate::{Action, Content, State};
use contender_game::{Analysis, Player};
use contender_nn::policy_value::SIDES;
use std::collections::HashMap;

/// What the network says of a state from a player's view.
#[derive(Clone)]
pub struct Evaluation {
    /// The state's value for the player.
    pub value: f32,
    /// The player's best joint moves, the best first. Nothing where only the value was wanted so far.
    pub moves: Vec<Candidate>,
    /// Those of the enemy, if the network tells both policies.
    pub enemy_moves: Vec<Candidate>,
    /// What the moves will be made of when they are wanted: numbers of cells, and those for waiting.
    policy: Option<(Vec<f32>, [f32; SIDES])>,
    turns: u32,
}

/// A network that remembers. It plays one game: the symmetry of the first map that it sees is kept.
pub struct CachedOracle {
    oracle: Oracle,
    symmetry: Option<Symmetry>,
    /// Joint moves of an evaluation.
    width: usize,
    evaluations: HashMap<(u64, Player), Evaluation>,
}

impl CachedOracle {
    /// Over this network, with at most so many joint moves of each player in a state.
    #[must_use]
    pub fn new(oracle: Oracle, width: usize) -> CachedOracle {
        CachedOracle { oracle, symmetry: None, width, evaluations: HashMap::new() }
    }

    /// Whether [`evaluate`](CachedOracle::evaluate) needs no evaluation.
    #[must_use]
    pub fn knows(&self, state: &State, player: Player) -> bool {
        self.evaluations.contains_key(&(fingerprint(state), player))
    }

    /// What the network says; asked unless it is known. `wants_moves` where moves are needed, not the value alone.
    pub fn evaluate(&mut self, state: &State, player: Player, wants_moves: bool) -> &Evaluation {
        let view = self.view(state, player);
        let CachedOracle { oracle, width, evaluations, .. } = self;
        let known = evaluations.entry((fingerprint(state), player)).or_insert_with(|| {
            let value = oracle.ask(state, &view);
            let policy = Some((oracle.output.logits.clone(), oracle.output.wait));
            let (moves, enemy_moves) = (Vec::new(), Vec::new());
            Evaluation { value, moves, enemy_moves, policy, turns: state.turns() }
        });
        if wants_moves {
            if let Some((logits, wait)) = known.policy.take() {
                oracle.output.logits = logits;
                oracle.output.wait = wait;
                known.moves = candidates(&oracle.output, state, view, *width);
                if oracle.tells_both() {
                    known.enemy_moves = candidates(&oracle.output, state, view.beside(), *width);
                }
            }
        }
        known
    }

    /// A player's best joint moves, of the evaluation of the view of `viewer` if the network tells both policies.
    pub fn moves(&mut self, state: &State, player: Player, viewer: Player) -> &[Candidate] {
        if player == viewer || !self.oracle.tells_both() {
            &self.evaluate(state, player, true).moves
        } else {
            &self.evaluate(state, viewer, true).enemy_moves
        }
    }

    /// Forgets states with fewer turns behind them.
    pub fn forget(&mut self, turns: u32) {
        self.evaluations.retain(|_, known| known.turns >= turns);
    }

    /// Adds to what a search has found what the network says without it: its value, and as maps its policy and its
    /// values after growths.
    #[must_use]
    pub fn explain(
        &mut self,
        state: &State,
        player: Player,
        found: Analysis<Vec<Action>>,
    ) -> Analysis<Vec<Action>> {
        let view = self.view(state, player);
        let value = self.oracle.ask(state, &view);
        let symmetry = self.symmetry(state);
        let mut maps = self.oracle.policy_maps(state, player, symmetry);
        maps.push(("value after growing", self.oracle.value_map(state, &view)));
        Analysis { inputs: vec![("network's value", f64::from(value))], maps, ..found }
    }

    fn view(&mut self, state: &State, player: Player) -> View {
        View::new(state, player, self.symmetry(state))
    }

    fn symmetry(&mut self, state: &State) -> Symmetry {
        *self.symmetry.get_or_insert_with(|| Symmetry::of(state))
    }
}

/// A number for everything that the network sees of a state and the rules go by, numbers of organs apart. It is asked
/// for several times an evaluation, so each cell is one step: a rotation and a product by 2^64 over the golden ratio.
fn fingerprint(state: &State) -> u64 {
    let mut hash = u64::from(state.turns());
    let mut add = |part: u64| hash = (hash.rotate_left(23) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for player in Player::BOTH {
        state.stock(player).iter().for_each(|&amount| add(amount as u64));
    }
    for cell in state.cells() {
        add(match state.content(cell) {
            Content::Empty => 0,
            Content::Wall => 1,
            Content::Source(protein) => 2 + protein as u64,
            Content::Organ { owner, kind, dir } => {
                let parent = state.parent(cell).map_or(0, |parent| parent.index() as u64 + 1);
                1 << 32 | parent << 8 | (kind as u64) << 4 | (dir as u64) << 1 | owner.index() as u64
            }
        });
    }
    hash
}
