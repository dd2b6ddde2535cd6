//! The judge's side of the contest's protocol (see [`Dialogue`](crate::Dialogue) for the bot's).
//!
//! Both players first read the two start tiles, a line each. Blue then reads `Start`; from then on each player reads the other's
//! move and answers with its own. At the end, or when a bot is taken out, it reads `Quit`.

use crate::{notation, Cell, Move, State, Tile, COLUMNS, ROWS};
use contender_game::{Game, Player, Protocol, Rng};

/// The contest's protocol for a game with given start tiles.
#[derive(Clone, Copy, Debug)]
pub struct SpaghettiProtocol {
    start: [Move; 2],
}

impl SpaghettiProtocol {
    /// The protocol of a game that starts with these tiles.
    #[must_use]
    pub fn new(start: [Move; 2]) -> SpaghettiProtocol {
        SpaghettiProtocol { start }
    }
}

/// Draws start tiles as the contest's generator does: two different cells that are not at the border nor in the centre, any
/// tiles, but different ones where the cells mirror each other through the centre.
#[must_use]
pub(crate) fn draw_start(rng: &mut Rng) -> [Move; 2] {
    let mut cells: Vec<Cell> = Cell::all()
        .filter(|cell| (1..ROWS - 1).contains(&cell.row()) && (1..COLUMNS - 1).contains(&cell.column()))
        .filter(|&cell| cell != cell.mirrored())
        .collect();
    let first = Move::new(cells.swap_remove(rng.index(cells.len())), *rng.choose(&Tile::ALL));
    let cell = *rng.choose(&cells);
    let tiles: Vec<Tile> = Tile::ALL
        .into_iter()
        .filter(|&tile| cell != first.cell().mirrored() || tile != first.tile())
        .collect();
    [first, Move::new(cell, *rng.choose(&tiles))]
}

impl Protocol for SpaghettiProtocol {
    type State = State;

    fn question(&self, _state: &State, _player: Player, moves: &[String], is_first: bool) -> String {
        let last = moves.last().map_or("Start", String::as_str);
        if is_first {
            let [first, second] = self.start;
            format!("{first}\n{second}\n{last}\n")
        } else {
            format!("{last}\n")
        }
    }

    fn parse(&self, state: &State, text: &str) -> Result<Move, String> {
        notation::parse_legal(state, text)
    }

    fn notation(&self, _state: &State, mv: Move) -> String {
        mv.to_string()
    }

    fn replay(&self, state: &mut State, recorded: &str) -> Result<(), String> {
        state.play(notation::parse_legal(state, recorded)?);
        Ok(())
    }

    fn setup(&self, _start: &State) -> Vec<String> {
        self.start.iter().map(Move::to_string).collect()
    }

    fn points(&self, state: &State, failed: [bool; 2]) -> [i32; 2] {
        let mut points = state.points();
        for player in Player::BOTH {
            if failed[player] {
                points[player] = 0;
            }
        }
        points
    }

    fn board(&self, state: &State, _viewer: Option<Player>) -> String {
        notation::board(state)
    }

    fn prompt(&self, _state: &State, player: Player) -> String {
        format!("put a tile l, s or r on an empty cell for {}, for example cer", ["Blue", "Red"][player])
    }
}
