//! Positions with what is known of their worth, 40 bytes each in a file.

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

/// Bytes of a sample in a file.
pub const BYTES: usize = 40;

impl Sample {
    /// The bytes: marks of X, marks of O (nine 16-bit sets each, little end first), the player, the target (9 for none), the value in
    /// 255ths and the result in halves.
    #[must_use]
    pub fn write(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        for (player, half) in Player::BOTH.into_iter().zip(bytes.chunks_mut(18)) {
            for (board, set) in half.chunks_mut(2).enumerate() {
                set.copy_from_slice(&self.state.marks(player, board).to_le_bytes());
            }
        }
        bytes[36] = self.state.mover() as u8;
        bytes[37] = self.state.target().unwrap_or(9) as u8;
        bytes[38] = (self.value.clamp(0.0, 1.0) * 255.0).round() as u8;
        bytes[39] = (self.result * 2.0).round() as u8;
        bytes
    }

    /// Reads what [`write`](Sample::write) wrote.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn read(bytes: &[u8; BYTES]) -> Result<Sample> {
        let set = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let mut marks = [[0; 9]; 2];
        for (player, sets) in marks.iter_mut().enumerate() {
            for (board, marks) in sets.iter_mut().enumerate() {
                *marks = set(18 * player + 2 * board);
            }
        }
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
