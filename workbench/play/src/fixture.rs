//! Games that have not been played yet.

use crate::Entrant;
use serde::{Deserialize, Serialize};

/// A game that a [`Host`](crate::Host) can play.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Fixture {
    /// The bot in each seat.
    pub seats: Vec<Entrant>,
    /// The seed for the game's randomness.
    pub seed: u64,
    /// The seed for the bundled bot in each seat.
    pub bot_seeds: Vec<u64>,
}

impl Fixture {
    /// Creates a game between two bots.
    #[must_use]
    pub fn between(bots: [&Entrant; 2], seed: u64, bot_seeds: [u64; 2]) -> Fixture {
        Fixture { seats: bots.map(Entrant::clone).to_vec(), seed, bot_seeds: bot_seeds.to_vec() }
    }

    /// Returns the seed of the bot in a seat.
    #[must_use]
    pub fn bot_seed(&self, seat: usize) -> u64 {
        self.bot_seeds.get(seat).copied().unwrap_or_default()
    }
}
