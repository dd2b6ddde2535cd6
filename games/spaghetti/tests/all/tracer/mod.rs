//! The slow reference implementation of the rules. It walks the board from side to side and counts as described in the
//! contest's rules.

use contender_spaghetti::{Cell, Move, State, Tile, COLUMNS, ROWS};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Top,
    Left,
    Bottom,
    Right,
}
use Side::{Bottom, Left, Right, Top};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Wall(Side),
    Open,
    Loop,
}

type Segment = [Side; 2];

fn segments(tile: Tile) -> [Segment; 2] {
    match tile {
        Tile::Left => [[Top, Left], [Bottom, Right]],
        Tile::Straight => [[Top, Bottom], [Left, Right]],
        Tile::Right => [[Top, Right], [Bottom, Left]],
    }
}

/// Returns the cell behind a side, and the side at which a path enters it, or `None` at a wall.
fn neighbour(cell: Cell, side: Side) -> Option<(Cell, Side)> {
    let (row, column) = (cell.row(), cell.column());
    match side {
        Top if row > 0 => Some((Cell::new(row - 1, column), Bottom)),
        Bottom if row + 1 < ROWS => Some((Cell::new(row + 1, column), Top)),
        Left if column > 0 => Some((Cell::new(row, column - 1), Right)),
        Right if column + 1 < COLUMNS => Some((Cell::new(row, column + 1), Left)),
        _ => None,
    }
}

/// Returns all segments behind `side` of `cell`, up to the end of the path or back to its start.
fn walk(state: &State, start: (Cell, Segment), side: Side) -> (Vec<(Cell, Segment)>, End) {
    let mut passed = Vec::new();
    let (mut cell, mut side) = (start.0, side);
    loop {
        let Some((next, entry)) = neighbour(cell, side) else { return (passed, End::Wall(side)) };
        let Some(tile) = state.tile(next) else { return (passed, End::Open) };
        let segment = *segments(tile).iter().find(|segment| segment.contains(&entry)).unwrap();
        if (next, segment) == start {
            return (passed, End::Loop);
        }
        passed.push((next, segment));
        side = if segment[0] == entry { segment[1] } else { segment[0] };
        cell = next;
    }
}

/// Counts of the paths that moves finished, by kind.
#[derive(Clone, Copy, Default, Debug)]
pub struct Seen {
    pub left_right: u32,
    pub same_wall: u32,
    pub loops: u32,
    pub double_pass_left_right: u32,
    pub double_pass_same_wall: u32,
    pub double_pass_loop: u32,
    pub double_loops: u32,
    pub two_left_right: u32,
    pub longest: usize,
}

/// Returns the value of the tile on `mv`'s cell, the last one placed in `state`, to the player whose wall is `own`.
fn worth(state: &State, mv: Move, own: Side, seen: &mut Seen) -> i32 {
    let [first, second] = segments(mv.tile());
    let mut counts = Vec::new();
    let mut twice = false;
    for segment in [first, second] {
        let start = (mv.cell(), segment);
        let other = (mv.cell(), if segment == first { second } else { first });
        let (a, a_end) = walk(state, start, segment[0]);
        let (b, b_end) = walk(state, start, segment[1]);
        twice = a.contains(&other) || b.contains(&other);
        counts.push(match (a_end, b_end) {
            (End::Loop, _) => -5,
            (End::Wall(Left), End::Wall(Left)) | (End::Wall(Right), End::Wall(Right)) => -3,
            (End::Wall(Left), End::Wall(Right)) | (End::Wall(Right), End::Wall(Left)) => {
                let own_part = if a_end == End::Wall(own) { a.len() } else { b.len() };
                seen.longest = seen.longest.max(own_part + 1);
                own_part as i32 + 1
            }
            _ => 0,
        });
    }
    let [x, y] = counts[..] else { unreachable!("a tile has two segments") };
    let mut count = |gain: i32| match gain {
        -5 => seen.loops += 1,
        -3 => seen.same_wall += 1,
        0 => {}
        _ => seen.left_right += 1,
    };
    if twice {
        count(x);
        match x {
            -5 => seen.double_pass_loop += 1,
            -3 => seen.double_pass_same_wall += 1,
            0 => {}
            _ => seen.double_pass_left_right += 1,
        }
        return x.max(y);
    }
    count(x);
    count(y);
    seen.double_loops += u32::from(x == -5 && y == -5);
    seen.two_left_right += u32::from(x > 0 && y > 0);
    x + y
}

/// Returns the value of the last tile, placed by `mv`, to Blue and to Red.
pub fn worths(state: &State, mv: Move, seen: &mut Seen) -> [i32; 2] {
    let red = worth(state, mv, Right, &mut Seen::default());
    [worth(state, mv, Left, seen), red]
}
