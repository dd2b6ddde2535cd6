//! Both sides of the contest's protocol.
//!
//! Both players first read the two start tiles, a line each. Blue then reads `Start`; from then on each player reads the other's
//! move and answers with its own. At the end, or when a bot is taken out, it reads `Quit`.

use crate::notation::parse_move;
use crate::{Cell, Move, State, Tile, CELLS, COLUMNS, ROWS};
use contender_game::{Heard, Player, Protocol, Rng, TurnReader};
use std::fmt;
use std::str::FromStr;

/// The two start tiles, on different cells; written `bbs+hbl`.
#[derive(Clone, Copy, Debug)]
pub struct Start(pub(crate) [Move; 2]);

impl Start {
    /// Draws start tiles as the contest's generator does: two different cells that are not at the border nor in the centre, any
    /// tiles, but different ones where the cells mirror each other through the centre.
    #[must_use]
    pub(crate) fn draw(rng: &mut Rng) -> Start {
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
        Start([first, Move::new(cell, *rng.choose(&tiles))])
    }
}

impl FromStr for Start {
    type Err = String;

    fn from_str(text: &str) -> Result<Start, String> {
        let (first, second) = text.split_once('+').ok_or("it takes two tiles with + between them")?;
        let start = [parse_move(first)?, parse_move(second)?];
        State::new(start).map(|_| Start(start))
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.0[0], self.0[1])
    }
}

/// The judge's side, for a game with these start tiles.
#[derive(Clone, Copy, Debug)]
pub struct SpaghettiProtocol(pub(crate) Start);

impl Protocol for SpaghettiProtocol {
    type State = State;

    fn preface(&self, _state: &State, _player: Player) -> String {
        let [first, second] = self.0 .0;
        format!("{first}\n{second}\n")
    }

    fn setup(&self, _start: &State) -> Vec<String> {
        self.0 .0.iter().map(Move::to_string).collect()
    }

    fn prompt(&self, _state: &State, player: Player) -> String {
        format!("put a tile l, s or r on an empty cell for {}, for example cer", ["Blue", "Red"][player])
    }
}

/// The bot's side: remembers the first start tile until the second is read.
#[derive(Default)]
pub struct Reader(Option<Move>);

impl TurnReader for Reader {
    type State = State;

    fn read(&mut self, state: &mut State, seat: Option<Player>, line: &str) -> Result<Heard<Move>, String> {
        if state.empty_cells() < CELLS as u32 {
            return Self::start_or_move(state, seat, line);
        }
        let tile = parse_move(line)?;
        match self.0.replace(tile) {
            None => {}
            Some(first) => *state = State::new([first, tile])?,
        }
        Ok(Heard::Nothing)
    }
}
