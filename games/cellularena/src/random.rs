//! A bot that plays at random.

use crate::{Action, State};
use contender_game::{
    contest::{Bot, Clock},
    rules::{Player, Rng, Simultaneous},
};

/// A bot in which every organism takes a random action or waits (see [`State::random_actions`]). The bot is
/// deterministic if its seed is given.
#[derive(Clone, Debug)]
pub struct RandomActions {
    rng: Rng,
}

impl RandomActions {
    /// Creates the bot with this seed.
    #[must_use]
    pub fn new(seed: u64) -> RandomActions {
        RandomActions { rng: Rng::new(seed) }
    }
}

impl Bot<State, Vec<Action>> for RandomActions {
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Vec<Action> {
        state.random_move(player, &mut self.rng)
    }
}
