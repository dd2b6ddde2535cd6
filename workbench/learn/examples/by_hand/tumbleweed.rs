//! Tumbleweed: 341 features.

use crate::plain_contest;
use contender_game::rules::{Game, Player, Rng};
use contender_search::NoChance;
use contender_value::Features;
use tumbleweed::{Move, State};

// A game of bots that see little can go on with moves that gain nothing.
plain_contest!(Weeds, "weeds", State, Move, start, |state| state.moves >= 120);

const HEXES: usize = 169;
// The first feature of each kind: stacks, empty hexes that more of the player's stacks see, both together, and the
// right to move.
const SEEN: usize = HEXES;
const BOTH: usize = 2 * HEXES;
const TURN: usize = BOTH + 2;

/// Returns the position after random start stones.
fn start(seed: u64) -> State {
    let (mut state, mut rng) = (State::default(), Rng::new(seed));
    loop {
        let stones = Move::Setup(rng.index(HEXES) as u8, rng.index(HEXES) as u8);
        if state.is_legal(stones) {
            state.play(stones);
            return state;
        }
    }
}

impl Features for Position {
    type ChanceModel = NoChance;
    const COUNT: usize = TURN + 1;

    fn features(&self, player: Player, mut add: impl FnMut(usize)) {
        for hex in 0..HEXES {
            // Both players see the board in the same way if one turns it by half a turn.
            let place = if player == Player::Zero { hex } else { HEXES - 1 - hex };
            let [own, other] = match (self.0.seen(hex as u8), player) {
                ([zero, one], Player::Zero) => [zero, one],
                ([zero, one], Player::One) => [one, zero],
            };
            match self.0.stack(hex as u8) {
                Some((_, owner)) if owner == Some(player) => {
                    add(place);
                    add(BOTH);
                }
                None if own > other => {
                    add(SEEN + place);
                    add(BOTH + 1);
                }
                _ => {}
            }
        }
        if self.0.moves as usize % 2 == player.index() {
            add(TURN);
        }
    }

    fn key(&self) -> Option<u64> {
        Some(self.0.key())
    }
}

/// Weights for the points that the game would have if it ended now, and a little for the right to move.
pub fn by_hand() -> Vec<f32> {
    let mut weights = vec![0.0; 1 + Position::COUNT];
    weights[1 + BOTH..1 + BOTH + 2].fill(0.05);
    weights[1 + TURN] = 0.05;
    weights
}
