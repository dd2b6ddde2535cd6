//! The rules that are enough to leave the lowest league: complete lines on a small board, and otherwise take its best
//! cells.

use crate::tables::WINNING;
use crate::{Move, State};
use contender_game::{
    contest::{Bot, Clock},
    rules::{Game, Player, Rng},
};

/// A bot that completes a line of a small board. If it cannot, it blocks a line of the opponent, or else takes a
/// centre, or else a corner, or else any cell. The bot never considers the nine boards as a whole. Ties are broken at
/// random.
///
/// The author of a well-known write-up reached the arena's Bronze league with these rules.
#[derive(Clone, Debug)]
pub struct BronzeBot {
    rng: Rng,
}

impl BronzeBot {
    /// Creates the bot with this seed.
    #[must_use]
    pub fn new(seed: u64) -> BronzeBot {
        BronzeBot { rng: Rng::new(seed) }
    }
}

/// Returns the urgency of a move under the bot's rules, from 0 to 4.
fn urge(state: &State, player: Player, mv: Move) -> u32 {
    let (board, cell) = (mv.board(), mv.cell());
    let completes = |player| WINNING[usize::from(state.marks(player, board))] >> cell & 1 == 1;
    match cell {
        _ if completes(player) => 4,
        _ if completes(player.other()) => 3,
        4 => 2,
        0 | 2 | 6 | 8 => 1,
        _ => 0,
    }
}

impl Bot<State, Move> for BronzeBot {
    /// # Panics
    /// Panics if the game is over.
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Move {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let best = moves.iter().map(|&mv| urge(state, player, mv)).max().unwrap_or(0);
        moves.retain(|&mv| urge(state, player, mv) == best);
        *self.rng.choose(&moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_before_blocks_before_centres_before_corners() {
        let mut marks = [[0; 9]; 2];
        marks[0][0] = 0b000_000_011;
        marks[1][0] = 0b110_000_000;
        let state = State::from_marks(&marks, Player::Zero, Some(0)).unwrap();
        let urges = [2, 6, 4, 3, 5].map(|cell| urge(&state, Player::Zero, Move::new(0, cell)));
        assert_eq!(urges, [4, 3, 2, 0, 0]);
        assert_eq!(urge(&State::default(), Player::Zero, Move::new(3, 8)), 1);
    }
}
