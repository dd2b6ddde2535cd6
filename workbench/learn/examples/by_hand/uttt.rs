//! Ultimate Tic-Tac-Toe: 109 features.

use crate::plain_contest;
use contender_game::rules::Player;
use contender_search::NoChance;
use contender_uttt::tables::{HAS_LINE, LINES, WINNING};
use contender_uttt::{Move, State};
use contender_value::Features;

plain_contest!(Boards, "boards", State, Move, |_| State::default(), |_| false);

// The first feature of each kind: won boards, marks on open boards, threats to win a board by board, lines of two won
// boards, the right to move, and the right to move anywhere.
const MARKS: usize = 9;
const THREATS: usize = MARKS + 81;
const BOARD_LINES: usize = THREATS + 9;
const TURN: usize = BOARD_LINES + 8;

impl Features for Position {
    type ChanceModel = NoChance;
    const COUNT: usize = TURN + 2;

    fn features(&self, player: Player, mut add: impl FnMut(usize)) {
        let (state, won) = (&self.0, self.0.won(player));
        for board in 0..9 {
            if won >> board & 1 == 1 {
                add(board);
            }
            if state.open() >> board & 1 == 1 {
                let marks = state.marks(player, board);
                (0..9).filter(|cell| marks >> cell & 1 == 1).for_each(|cell| add(MARKS + 9 * board + cell));
                let threats = WINNING[usize::from(marks)] & state.empty(board);
                (0..threats.count_ones()).for_each(|_| add(THREATS + board));
            }
        }
        for (number, line) in LINES.iter().enumerate() {
            if (won & line).count_ones() == 2
                && line & !won & state.open() != 0
                && !HAS_LINE[usize::from(won)]
            {
                add(BOARD_LINES + number);
            }
        }
        if state.mover() == player {
            add(TURN);
            if state.target().is_none() {
                add(TURN + 1);
            }
        }
    }

    fn key(&self) -> Option<u64> {
        Some(self.0.key())
    }
}

/// Weights for won boards, marks and threats.
pub fn by_hand() -> Vec<f32> {
    let mut weights = vec![0.0; 1 + Position::COUNT];
    for board in 0..9 {
        weights[1 + board] = [0.4, 0.3, 0.4, 0.3, 0.5, 0.3, 0.4, 0.3, 0.4][board];
        weights[1 + THREATS + board] = 0.08;
    }
    weights[1 + MARKS..1 + THREATS].fill(0.02);
    weights
}
