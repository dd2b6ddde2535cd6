//! The judge's side of the contest's protocol. The bot's side is [`Dialogue`](crate::Dialogue).
//!
//! Every turn the bot is sent the opponent's last move, `-1 -1` at the start of the game, then the number of legal moves, then the
//! legal moves in random order, one a line: `4 4`. It answers with one move.
//!
//! Where the judge has played an opening, which no contest does, a bot's first question begins with a line of its moves,
//! `opening 4 4 3 5`: nobody can play on from a position that it does not know.

use crate::{notation, Move, State};
use contender_game::{mix, Game, Player, Protocol, Rng};

/// The protocol; the order of the lists follows from a seed and the number of the move.
#[derive(Clone, Debug)]
pub struct UtttProtocol {
    luck: u64,
    opening: Vec<Move>,
}

impl UtttProtocol {
    /// The protocol of a game with this luck, after these moves that the judge plays itself; none in the contest.
    #[must_use]
    pub fn new(luck: u64, opening: Vec<Move>) -> UtttProtocol {
        UtttProtocol { luck, opening }
    }
}

impl Protocol for UtttProtocol {
    type State = State;

    fn question(&self, state: &State, _player: Player, moves: &[String], is_first: bool) -> String {
        let mut legal = Vec::new();
        state.moves(&mut legal);
        Rng::new(mix(&[self.luck, moves.len() as u64])).shuffle(&mut legal);
        let last = state.last().map_or("-1 -1".to_string(), |last| last.to_string());
        let list: String = legal.iter().map(|mv| format!("{mv}\n")).collect();
        let mut text = String::new();
        if is_first && !self.opening.is_empty() {
            text = format!("opening {}\n", self.setup(state).join(" "));
        }
        text + &format!("{last}\n{}\n{list}", legal.len())
    }

    fn setup(&self, _start: &State) -> Vec<String> {
        self.opening.iter().map(ToString::to_string).collect()
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
