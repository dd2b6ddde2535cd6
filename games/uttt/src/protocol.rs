//! The judge's side of the contest's protocol. The bot's side is [`Dialogue`](crate::Dialogue).
//!
//! Every turn the bot is sent the opponent's last move, `-1 -1` at the start of the game, then the number of legal moves, then the
//! legal moves in random order, one a line: `4 4`. It answers with one move.

use crate::{notation, Move, State};
use contender_game::{mix, Game, Player, Protocol, Rng};

/// The protocol; the order of the lists follows from a seed and the number of the move.
#[derive(Clone, Copy, Debug)]
pub struct UtttProtocol {
    luck: u64,
}

impl UtttProtocol {
    /// The protocol of a game with this luck.
    #[must_use]
    pub fn new(luck: u64) -> UtttProtocol {
        UtttProtocol { luck }
    }
}

impl Protocol for UtttProtocol {
    type State = State;

    fn question(&self, state: &State, _player: Player, moves: &[String], _is_first: bool) -> String {
        let mut legal = Vec::new();
        state.moves(&mut legal);
        Rng::new(mix(&[self.luck, moves.len() as u64])).shuffle(&mut legal);
        let last = state.last().map_or("-1 -1".to_string(), |last| last.to_string());
        let list: String = legal.iter().map(|mv| format!("{mv}\n")).collect();
        format!("{last}\n{}\n{list}", legal.len())
    }

    fn parse(&self, state: &State, text: &str) -> Result<Move, String> {
        notation::parse_move(state, text)
    }

    fn notation(&self, _state: &State, mv: Move) -> String {
        mv.to_string()
    }

    fn replay(&self, state: &mut State, recorded: &str) -> Result<(), String> {
        let mv = notation::parse_recorded(state, recorded)?;
        state.play(mv);
        Ok(())
    }

    /// A failure loses: the other player gets the point, whatever is on the board.
    fn points(&self, state: &State, failed: [bool; 2]) -> [i32; 2] {
        match failed {
            [false, false] => state.points(),
            _ => [i32::from(!failed[0]), i32::from(!failed[1])],
        }
    }

    fn board(&self, state: &State, _viewer: Option<Player>) -> String {
        notation::board(state)
    }

    fn prompt(&self, state: &State, player: Player) -> String {
        let letter = notation::letter(player);
        match state.target() {
            Some(target) => {
                let corner = Move::new(target, 0);
                let (row, column) = (corner.row(), corner.column());
                format!(
                    "{letter} in rows {row} to {} and columns {column} to {}: row and column, for example {}",
                    row + 2,
                    column + 2,
                    Move::new(target, state.empty(target).trailing_zeros().min(8) as usize)
                )
            }
            None => format!("{letter} on any empty cell of an open board: row and column, for example 4 4"),
        }
    }
}
