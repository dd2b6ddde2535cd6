//! Complete paths, followed tile by tile: their colours in pictures, and the lengths of the paths through each square.

use crate::moves::{Cell, Tile, CELLS, COLUMNS, ROWS};
use crate::State;
use contender_game::{
    board::{Ink, Sign},
    rules::Player,
};

/// Returns maps of the paths for pictures of a position, with a number for each square:
///
/// - `longest path`: number of tiles in the longest path through this square;
/// - `Blue's paths` and `Red's paths`: number of tiles in the longest path through this square that begins at the
///   player's wall and can still reach the other wall.
pub(crate) fn maps(state: &State) -> Vec<(&'static str, Vec<Option<f64>>)> {
    let mut longest: Vec<Option<usize>> = vec![None; CELLS];
    let mut from_wall = [longest.clone(), longest.clone()];
    let note = |map: &mut Vec<Option<usize>>, path: &[(usize, usize)]| {
        for &(cell, _) in path {
            map[cell] = map[cell].max(Some(path.len()));
        }
    };
    for cell in Cell::all() {
        for side in [TOP, LEFT, BOTTOM, RIGHT] {
            // A path followed from its middle is shorter than the same path followed from an end, so the maximum is
            // right.
            let (path, end) = follow(state, cell, side);
            note(&mut longest, &path);
            let is_open = end.is_none();
            match side {
                LEFT if cell.column() == 0 && is_open => note(&mut from_wall[0], &path),
                RIGHT if cell.column() == COLUMNS - 1 && is_open => note(&mut from_wall[1], &path),
                _ => {}
            }
        }
    }
    let numbers =
        |map: Vec<Option<usize>>| map.into_iter().map(|tiles| tiles.map(|count| count as f64)).collect();
    let [blue, red] = from_wall;
    vec![("longest path", numbers(longest)), ("Blue's paths", numbers(blue)), ("Red's paths", numbers(red))]
}

const OPEN: Ink = Ink::Plain;
const PALE: Ink = Ink::Dim;
const COSTLY: Ink = Ink::Loss;
/// The colours of paths from wall to wall: those that differ most from the players' colours.
const EARNING: [usize; 3] = [3, 6, 2];

/// The sides of a cell. Adjacent cells share the sides `side` and `side ^ 2`, and a tile leads from `side` to `side ^
/// (tile's index + 1)`.
const TOP: usize = 0;
const LEFT: usize = 1;
const BOTTOM: usize = 2;
const RIGHT: usize = 3;

/// Returns the colours of the two segments of every tile. The segment at the top side comes first. The colour of a
/// finished path from wall to wall depends on the row of its left end, so the path keeps it. An open path from a
/// player's wall has the player's colour, and other open paths have the colour of plain text. Paths that can no longer
/// earn points are pale, and finished paths that cost points have the colour of a loss.
pub(crate) fn inks(state: &State) -> [[Ink; 2]; CELLS] {
    let mut inks = [[None; 2]; CELLS];
    let walls =
        (0..ROWS).flat_map(|row| [(Cell::new(row, 0), LEFT), (Cell::new(row, COLUMNS - 1), RIGHT)]).chain(
            (0..COLUMNS)
                .flat_map(|column| [(Cell::new(0, column), TOP), (Cell::new(ROWS - 1, column), BOTTOM)]),
        );
    for (cell, side) in walls {
        let (path, end) = follow(state, cell, side);
        let is_new = path.first().map_or(false, |&(cell, segment)| inks[cell][segment].is_none());
        if !is_new {
            continue;
        }
        let ink = match (side, end) {
            (LEFT, None) => Ink::Seat(Player::Zero),
            (RIGHT, None) => Ink::Seat(Player::One),
            (LEFT, Some(RIGHT)) => Ink::Piece(EARNING[cell.row() % EARNING.len()]),
            (LEFT, Some(LEFT)) | (RIGHT, Some(RIGHT)) => COSTLY,
            _ => PALE,
        };
        for (cell, segment) in path {
            inks[cell][segment] = Some(ink);
        }
    }
    // The remaining paths are loops and paths with two open ends.
    for cell in Cell::all() {
        let Some(tile) = state.tile(cell) else { continue };
        for segment in 0..2 {
            if inks[cell.index()][segment].is_none() {
                let entry = if segment == 0 { TOP } else { TOP ^ other_sides(tile) };
                let (path, end) = follow(state, cell, entry);
                let ink = if end == Some(LOOP) { COSTLY } else { OPEN };
                for (cell, segment) in path {
                    inks[cell][segment] = Some(ink);
                }
            }
        }
    }
    inks.map(|pair| pair.map(Option::unwrap_or_default))
}

/// Returns the meaning of the colours of finished paths.
pub(crate) fn legend() -> Vec<Sign> {
    let mut legend: Vec<Sign> = EARNING.into_iter().map(|kind| Sign::chip(Ink::Piece(kind), ' ')).collect();
    legend.push(Sign::plain(" from wall to wall   "));
    legend.push(Sign::letter(COSTLY, "cost points"));
    legend.push(Sign::plain("   "));
    legend.push(Sign::letter(PALE, "earn nothing"));
    legend
}

/// The value that replaces a wall for a path that returns to its start.
const LOOP: usize = 4;

/// Returns the number that turns the top side, by an exclusive or, into a side of the tile's other segment.
fn other_sides(tile: Tile) -> usize {
    if tile == Tile::Left {
        BOTTOM
    } else {
        LEFT
    }
}

/// Returns the segments (cell and number) of the path that enters `cell` at side `entry`. Also returns where the path
/// ends: at a wall, at its start ([`LOOP`]), or at an empty cell (`None`).
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
    use contender_game::contest::Notation;

    /// Returns the board after these moves, which include the start tiles.
    fn after(moves: &[&str]) -> State {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        State::default().after(&moves).unwrap()
    }

    /// Returns the colours of a row after these moves, segment by segment.
    fn row_inks(moves: &[&str], row: usize) -> Vec<[Ink; 2]> {
        inks(&after(moves))[row * COLUMNS..(row + 1) * COLUMNS].to_vec()
    }

    #[test]
    fn paths_are_coloured_by_what_they_earn() {
        let wall_to_wall = ["bas", "bbs", "bcs", "bds", "bes", "bfs", "bgs"];
        assert_eq!(row_inks(&wall_to_wall, 1), [[OPEN, Ink::Piece(EARNING[1])]; COLUMNS]);
        // A path above it changes nothing.
        let above = ["aas", "abs", "acs", "ads", "aes", "afs", "ags"];
        let both = row_inks(&[wall_to_wall, above].concat(), 1);
        assert!(both.iter().all(|[_, across]| *across == Ink::Piece(EARNING[1])), "{both:?}");
        let drawn = row_inks(&["ccl", "cdr", "dcr", "ddl"], 2);
        // An `r` tile has its loop segment at the bottom left, an `l` tile at the bottom right.
        assert_eq!(drawn[2..4], [[OPEN, COSTLY], [OPEN, COSTLY]]);
        assert_eq!(row_inks(&["aal", "bar"], 0)[0], [PALE, OPEN]);
        assert_eq!(row_inks(&["aar", "bal"], 0)[0], [PALE, COSTLY]);
    }

    #[test]
    fn maps_have_the_lengths_of_paths() {
        let moves = ["bas", "bbs", "bcl"];
        let [longest, blue, red]: [(&str, Vec<Option<f64>>); 3] = maps(&after(&moves)).try_into().unwrap();
        let row = |map: &(&str, Vec<Option<f64>>)| map.1[COLUMNS..COLUMNS + 4].to_vec();
        assert_eq!(row(&longest), [Some(3.0), Some(3.0), Some(3.0), None]);
        assert_eq!(row(&blue), [Some(3.0), Some(3.0), Some(3.0), None]);
        assert!(red.1.iter().all(Option::is_none) && longest.1[..COLUMNS].iter().all(Option::is_none));
        // A path that ends at a wall can earn nothing more.
        let [longest, blue, _]: [(&str, Vec<Option<f64>>); 3] =
            maps(&after(&["bas", "bbs", "bcl", "acs"])).try_into().unwrap();
        assert_eq!((longest.1[2], blue.1[COLUMNS], longest.1[COLUMNS]), (Some(4.0), None, Some(4.0)));
    }
}
