//! A bot of one rule: as many points as possible at once.

use crate::{Placement, State};
use contender_game::{Bot, Clock, Game, Player, Rng};

/// Places every tile where the score of its own colour grows most, or shrinks least. It knows nothing of the opponent's colour and
/// looks no further. Ties are broken at random: deterministic given the seed.
#[derive(Clone, Debug)]
pub struct GreedyBot {
    rng: Rng,
    moves: Vec<Placement>,
}

impl GreedyBot {
    /// The bot with this seed.
    #[must_use]
    pub fn new(seed: u64) -> GreedyBot {
        GreedyBot { rng: Rng::new(seed), moves: Vec::with_capacity(Placement::COUNT) }
    }
}

impl Bot<State, Placement> for GreedyBot {
    /// # Panics
    /// When there is no tile to place.
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Placement {
        let tile = state.tile().expect("a bot is asked to place a tile");
        let colour = state.colours()[player];
        self.moves.clear();
        state.moves(&mut self.moves);
        // The best so far are moved to the front.
        let (mut best, mut ties) = (i32::MIN, 0);
        for at in 0..self.moves.len() {
            let change = state.score_change(colour, self.moves[at], tile);
            if change > best {
                (best, ties) = (change, 0);
            }
            if change == best {
                self.moves.swap(ties, at);
                ties += 1;
            }
        }
        *self.rng.choose(&self.moves[..ties])
    }
}
