//! Positions with their targets.

use contender_game::rules::Player;
use contender_value::{Features, Record};
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

/// The binary format is little-endian: the number of player 0's features and the total number of features (32 bits
/// each), the target, and the features (16 bits each).
impl<G: Features> Record for Sample<G> {
    const BYTES: usize = 12;

    fn more(head: &[u8]) -> usize {
        2 * number(head, 4)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        for count in [self.zero, self.features.len()] {
            bytes.extend((count as u32).to_le_bytes());
        }
        bytes.extend(self.target.to_le_bytes());
        self.features.iter().for_each(|feature| bytes.extend(feature.to_le_bytes()));
    }

    fn read(bytes: &[u8]) -> Result<Sample<G>, String> {
        let (zero, target) = (number(bytes, 0), f32::from_bits(number(bytes, 8) as u32));
        let features: Box<[u16]> =
            bytes[12..].as_chunks().0.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect();
        if zero > features.len() {
            return Err(format!("player 0 has {zero} features, but the sample has only {}", features.len()));
        }
        if !(-1.0..=1.0).contains(&target) {
            return Err("a sample's target is out of range".to_string());
        }
        if let Some(wrong) = features.iter().find(|&&feature| usize::from(feature) >= G::COUNT) {
            return Err(format!("invalid feature {wrong}: the game has only {} features", G::COUNT));
        }
        Ok(Sample { features, zero, target, game: PhantomData })
    }
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
}
