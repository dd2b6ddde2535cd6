//! Positions with their targets.

use contender_game::rules::Player;
use contender_value::Features;
use std::marker::PhantomData;

/// Maximum number of features, because indices are stored in 16 bits.
pub const MAX_FEATURES: usize = 1 << 16;

/// A sample: the target and both players' features in a position. A feature can occur several times.
#[derive(PartialEq, Debug)]
pub struct Sample<G> {
    /// The features of player 0, followed by those of player 1.
    features: Box<[u16]>,
    /// Number of features of player 0.
    zero: usize,
    /// The target, from -1 (player 0 loses) to 1.
    pub target: f32,
    game: PhantomData<fn() -> G>,
}

impl<G: Features> Sample<G> {
    /// Creates the sample of a position.
    ///
    /// # Panics
    /// Panics if the game returns a feature that is out of range.
    #[must_use]
    pub fn new(state: &G, target: f32) -> Sample<G> {
        let mut features = Vec::new();
        let mut zero = 0;
        for player in Player::BOTH {
            zero = if player == Player::One { features.len() } else { 0 };
            state.features(player, |feature| {
                assert!(
                    feature < G::COUNT,
                    "the game returned feature {feature}, but has only {} features",
                    G::COUNT
                );
                features.push(feature as u16);
            });
        }
        Sample { features: features.into(), zero, target, game: PhantomData }
    }

    /// Returns a player's features.
    #[must_use]
    pub fn of(&self, player: Player) -> &[u16] {
        let (zero, one) = self.features.split_at(self.zero);
        [zero, one][player]
    }
}
