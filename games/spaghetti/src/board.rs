//! The board for a terminal: every tile with its paths.

use crate::moves::{Cell, Tile, CELLS, COLUMNS, ROWS};
use crate::State;
use contender_game::{ansi, Player};

/// The position as several lines with terminal colours; each cell is five characters wide and three lines high.
///
/// Every finished path from wall to wall has a colour of its own, open paths are white, and what can no longer earn anything is pale;
/// finished paths that cost points are dark red. The tile placed last has a lighter ground.
#[must_use]
pub fn board(state: &State) -> String {
    let colours = colours(state);
    let letters: String = (0..COLUMNS).map(|column| format!("  {}  ", letter(column))).collect();
    let mut text = format!("  {}\n", ansi::dim(&letters));
    for row in 0..ROWS {
        for line in 0..3 {
            let label = if line == 1 { letter(row) } else { ' ' };
            text += &ansi::dim(&label.to_string());
            text += &ansi::seat(Player::Zero, "█");
            for column in 0..COLUMNS {
                let cell = Cell::new(row, column);
                let ground = if state.last().map(|mv| mv.cell()) == Some(cell) { ";48;5;238" } else { "" };
                let (drawing, segments) = drawing(state.tile(cell));
                for (sign, segment) in drawing[line].chars().zip(segments[line].bytes()) {
                    let colour = match segment {
                        b'0' => colours[cell.index()][0],
                        b'1' => colours[cell.index()][1],
                        _ => PALE,
                    };
                    if sign == ' ' && ground.is_empty() {
                        text.push(' ');
                    } else {
                        text += &format!("\x1b[38;5;{colour}{ground}m{sign}{}", ansi::RESET);
                    }
                }
            }
            text += &ansi::seat(Player::One, "█");
            text.push('\n');
        }
    }
    let [blue, red] = state.scores();
    text += &ansi::seat(Player::Zero, &format!("  Blue {blue}"));
    text += &ansi::seat(Player::One, &format!("   Red {red}\n"));
    text
}

fn letter(index: usize) -> char {
    char::from(b'a' + index as u8)
}

/// A tile's picture and which segment each character belongs to: 0 is the one at the top side.
fn drawing(tile: Option<Tile>) -> ([&'static str; 3], [&'static str; 3]) {
    match tile {
        None => (["     ", "  ·  ", "     "], ["     "; 3]),
        Some(Tile::Left) => ([" ╭╯  ", "─╯ ╭─", "  ╭╯ "], ["00000", "00 11", "11111"]),
        Some(Tile::Straight) => (["  │  ", "──│──", "  │  "], ["00000", "11011", "00000"]),
        Some(Tile::Right) => (["  ╰╮ ", "─╮ ╰─", " ╰╮  "], ["00000", "11 00", "11111"]),
    }
}

const OPEN: u8 = 255;
const PALE: u8 = 242;
const COSTLY: u8 = 124;
const WALL_TO_WALL: [u8; 8] = [220, 46, 208, 51, 201, 190, 159, 214];

/// Sides of a cell, numbered so that neighbours meet at `side ^ 2` and a tile leads from `side` to `side ^ (tile's index + 1)`.
const TOP: usize = 0;
const LEFT: usize = 1;
const BOTTOM: usize = 2;
const RIGHT: usize = 3;

/// The colour of both segments of every tile.
fn colours(state: &State) -> [[u8; 2]; CELLS] {
    let mut colours = [[0; 2]; CELLS];
    let mut wall_to_wall = WALL_TO_WALL.iter().cycle();
    let walls =
        (0..ROWS).flat_map(|row| [(Cell::new(row, 0), LEFT), (Cell::new(row, COLUMNS - 1), RIGHT)]).chain(
            (0..COLUMNS)
                .flat_map(|column| [(Cell::new(0, column), TOP), (Cell::new(ROWS - 1, column), BOTTOM)]),
        );
    for (cell, side) in walls {
        let (path, end) = follow(state, cell, side);
        let is_new = path.first().map_or(false, |&(cell, segment)| colours[cell][segment] == 0);
        if !is_new {
            continue;
        }
        let colour = match (side, end) {
            (LEFT | RIGHT, None) => OPEN,
            (LEFT, Some(RIGHT)) => *wall_to_wall.next().expect("an endless cycle"),
            (LEFT, Some(LEFT)) | (RIGHT, Some(RIGHT)) => COSTLY,
            _ => PALE,
        };
        for (cell, segment) in path {
            colours[cell][segment] = colour;
        }
    }
    // What is left are loops and paths with two open ends.
    for cell in Cell::all() {
        let Some(tile) = state.tile(cell) else { continue };
        for segment in 0..2 {
            if colours[cell.index()][segment] == 0 {
                let entry = if segment == 0 { TOP } else { TOP ^ other_sides(tile) };
                let (path, end) = follow(state, cell, entry);
                let colour = if end == Some(LOOP) { COSTLY } else { OPEN };
                for (cell, segment) in path {
                    colours[cell][segment] = colour;
                }
            }
        }
    }
    colours
}

/// Not a side: the path is back where it began.
const LOOP: usize = 4;

/// What leads from the top to a side of the tile's other segment.
fn other_sides(tile: Tile) -> usize {
    if tile == Tile::Left {
        BOTTOM
    } else {
        LEFT
    }
}

/// The segments (cell and number) of the path that enters `cell` by a side, and the wall it ends at, [`LOOP`], or none if it ends at
/// an empty cell.
fn follow(state: &State, cell: Cell, entry: usize) -> (Vec<(usize, usize)>, Option<usize>) {
    let (mut at, mut side) = (cell, entry);
    let mut path = Vec::new();
    while let Some(tile) = state.tile(at) {
        let exit = side ^ (tile.index() + 1);
        path.push((at.index(), usize::from(side != TOP && exit != TOP)));
        let (row, column) = (at.row(), at.column());
        at = match exit {
            TOP if row > 0 => Cell::new(row - 1, column),
            BOTTOM if row + 1 < ROWS => Cell::new(row + 1, column),
            LEFT if column > 0 => Cell::new(row, column - 1),
            RIGHT if column + 1 < COLUMNS => Cell::new(row, column + 1),
            _ => return (path, Some(exit)),
        };
        side = exit ^ 2;
        if (at, side) == (cell, entry) {
            return (path, Some(LOOP));
        }
    }
    (path, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::Notation;

    /// The board after these moves, the start tiles among them.
    fn after(moves: &[&str]) -> State {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        State::default().after(&moves).unwrap()
    }

    /// The colours of a row after these moves, segment by segment.
    fn row_colours(moves: &[&str], row: usize) -> Vec<[u8; 2]> {
        colours(&after(moves))[row * COLUMNS..(row + 1) * COLUMNS].to_vec()
    }

    #[test]
    fn paths_are_coloured_by_what_they_earn() {
        let wall_to_wall = ["bas", "bbs", "bcs", "bds", "bes", "bfs", "bgs"];
        assert_eq!(row_colours(&wall_to_wall, 1), [[OPEN, WALL_TO_WALL[0]]; COLUMNS]);
        let drawn = row_colours(&["ccl", "cdr", "dcr", "ddl"], 2);
        // An r tile has its loop segment at the bottom left, an l tile at the bottom right.
        assert_eq!(drawn[2..4], [[OPEN, COSTLY], [OPEN, COSTLY]]);
        assert_eq!(row_colours(&["aal", "bar"], 0)[0], [PALE, OPEN]);
        assert_eq!(row_colours(&["aar", "bal"], 0)[0], [PALE, COSTLY]);
    }

    #[test]
    fn the_plain_board_shows_the_tiles() {
        let plain = ansi::plain(&board(&after(&["aal", "abs", "acr"])));
        let lines: Vec<&str> = plain.lines().collect();
        assert_eq!(lines.len(), 1 + 3 * ROWS + 1);
        assert_eq!(lines[0], "    a    b    c    d    e    f    g  ");
        assert_eq!(lines[1], " █ ╭╯    │    ╰╮                     █");
        assert_eq!(lines[2], "a█─╯ ╭───│───╮ ╰─  ·    ·    ·    ·  █");
        assert_eq!(lines[3], " █  ╭╯   │   ╰╮                      █");
        assert_eq!(lines[28], "  Blue 50   Red 50");
    }
}
