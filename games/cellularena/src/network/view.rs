//! Boards as a player sees them: the player's start is always at the top left, or at the bottom left in a mirrored
//! view.

use crate::{Cell, Content, Dir, State};
use contender_game::rules::Player;

/// The symmetry between the halves of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// Left and right are exchanged.
    Sides,
    /// The map is rotated by 180 degrees.
    Point,
}

/// The coordinate system of one player's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    player: Player,
    symmetry: Symmetry,
    width: usize,
    height: usize,
    /// Whether the rows are numbered from the last to the first.
    is_mirrored: bool,
    /// Whether the choices belong to the enemy.
    is_beside: bool,
}

impl Symmetry {
    /// Returns the symmetry of a map. The symmetry is certain at the start of a game. Later the result is the symmetry
    /// that fewer cells contradict, because collisions make walls on one side only.
    #[must_use]
    pub fn of(state: &State) -> Symmetry {
        let faults = |symmetry: Symmetry| {
            let view = View::new(state, Player::One, symmetry);
            let differs = |cell: &Cell| {
                let image = view.cell_on_board(cell.x(), cell.y());
                match (state.content(*cell), state.content(image)) {
                    (Content::Wall, other) | (other, Content::Wall) => other != Content::Wall,
                    (Content::Source(one), Content::Source(other)) => one != other,
                    _ => false,
                }
            };
            state.cells().filter(differs).count()
        };
        if faults(Symmetry::Sides) < faults(Symmetry::Point) {
            Symmetry::Sides
        } else {
            Symmetry::Point
        }
    }
}

impl View {
    /// Returns a player's view of a map with this symmetry.
    #[must_use]
    pub fn new(state: &State, player: Player, symmetry: Symmetry) -> View {
        View {
            player,
            symmetry,
            width: state.width(),
            height: state.height(),
            is_mirrored: false,
            is_beside: false,
        }
    }

    /// Returns the view with its rows in reverse order. This is possible because the rules do not distinguish up from
    /// down.
    #[must_use]
    pub fn mirrored(self) -> View {
        View { is_mirrored: !self.is_mirrored, ..self }
    }

    /// Returns the view of the enemy's choices, with the same player's coordinates.
    #[must_use]
    pub fn beside(self) -> View {
        View { is_beside: true, ..self }
    }

    /// Returns the index of the chooser in the view: 0 for the view's player, 1 for the enemy.
    #[must_use]
    pub fn side(&self) -> usize {
        usize::from(self.is_beside)
    }

    /// Returns the player to whom the choices belong.
    #[must_use]
    pub fn chooser(&self) -> Player {
        if self.is_beside {
            self.player.other()
        } else {
            self.player
        }
    }

    /// Returns the player from whose view the board is seen.
    #[must_use]
    pub fn player(&self) -> Player {
        self.player
    }

    /// Returns the number of columns and the number of rows.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    #[inline]
    fn turn(&self, x: usize, y: usize) -> (usize, usize) {
        let y = if self.is_mirrored { self.height - 1 - y } else { y };
        match (self.player, self.symmetry) {
            (Player::Zero, _) => (x, y),
            (Player::One, Symmetry::Sides) => (self.width - 1 - x, y),
            (Player::One, Symmetry::Point) => (self.width - 1 - x, self.height - 1 - y),
        }
    }

    /// Returns the cell of the board with these coordinates in the view.
    #[inline]
    #[must_use]
    pub fn cell_on_board(&self, x: usize, y: usize) -> Cell {
        let (x, y) = self.turn(x, y);
        Cell::new(x, y)
    }

    /// Returns the column and the row of a board cell in the view.
    #[inline]
    #[must_use]
    pub fn coordinates(&self, cell: Cell) -> (usize, usize) {
        self.turn(cell.x(), cell.y())
    }

    /// Converts a direction on the board to the view, or a direction in the view to the board.
    #[inline]
    #[must_use]
    pub fn dir(&self, dir: Dir) -> Dir {
        let dir = if self.is_mirrored && matches!(dir, Dir::N | Dir::S) { dir.opposite() } else { dir };
        let turns = match self.symmetry {
            Symmetry::Sides => matches!(dir, Dir::E | Dir::W),
            Symmetry::Point => true,
        };
        if self.player == Player::One && turns {
            dir.opposite()
        } else {
            dir
        }
    }
}
