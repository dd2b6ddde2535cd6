//! Positions with what is known of their worth.

use crate::value_network::records::Record;
use anyhow::{Result, ensure};
use contender_game::Player;
use contender_uttt::State;

/// A position of Ultimate Tic-Tac-Toe that was searched in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The position; the last move is unknown after it was written and read.
    pub state: State,
    /// What the search expected for the player to act, 0 to 1.
    pub value: f32,
    /// What the player to act got in the end: 0, 0.5 or 1.
    pub result: f32,
}

/// Marks of X, marks of O (nine 16-bit sets each, little end first), the player, the target (9 for none), the value in
/// 255ths and the result in halves.
impl Record for Sample {
    const BYTES: usize = 40;

    fn write(&self, bytes: &mut Vec<u8>) {
        for player in Player::BOTH {
            bytes.extend((0..9).flat_map(|board| self.state.marks(player, board).to_le_bytes()));
        }
        bytes.push(self.state.mover() as u8);
        bytes.push(self.state.target().unwrap_or(9) as u8);
        bytes.push((self.value.clamp(0.0, 1.0) * 255.0).round() as u8);
        bytes.push((self.result * 2.0).round() as u8);
    }

    fn read(bytes: &[u8]) -> Result<Sample> {
        let set = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let marks = [0, 18].map(|half| std::array::from_fn(|board| set(half + 2 * board)));
        ensure!(
            bytes[36] < 2 && bytes[37] < 10 && bytes[39] < 3,
            "a sample's player, target or result is out of range"
        );
        let target = Some(usize::from(bytes[37])).filter(|&target| target < 9);
        let state = State::from_marks(&marks, Player::BOTH[usize::from(bytes[36])], target)
            .map_err(anyhow::Error::msg)?;
        Ok(Sample { state, value: f32::from(bytes[38]) / 255.0, result: f32::from(bytes[39]) / 2.0 })
    }
}
