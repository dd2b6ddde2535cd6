//! Checks the orders of players as the judge does: line by line, against the board at the start of the turn.

use super::{path, Action, Cell, Cells, Dir, Kind, State, Stock};
use contender_game::rules::Player;
use std::fmt;

/// A player's request in one line. It may be impossible in the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Grow from an organ to a cell.
    Grow {
        /// The organ's number.
        id: i32,
        /// The target's column.
        x: i32,
        /// The target's row.
        y: i32,
        /// The type of the new organ.
        kind: Kind,
        /// The direction of the new organ.
        dir: Dir,
    },
    /// Shoot a root from a sporer to a cell.
    Spore {
        /// The sporer's number.
        id: i32,
        /// The target's column.
        x: i32,
        /// The target's row.
        y: i32,
    },
    /// Do nothing.
    Wait,
}

/// The reason why an order is ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Refusal {
    TooExpensive,
    NoSuchOrgan,
    EnemyOrgan,
    GrownRoot,
    NoSporer,
    OffBoard,
    OwnOrganism,
    NoPath,
    NoLine,
    Wall,
    Occupied,
    Guarded,
    HasActed,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::TooExpensive => "the player does not have enough proteins",
            Refusal::NoSuchOrgan => "there is no such organ",
            Refusal::EnemyOrgan => "the organ belongs to the enemy",
            Refusal::GrownRoot => "only SPORE can create a ROOT",
            Refusal::NoSporer => "the organ is not a SPORER",
            Refusal::OffBoard => "the target is not on the board",
            Refusal::OwnOrganism => "the target is in the same organism",
            Refusal::NoPath => "there is no way to the target",
            Refusal::NoLine => "the target is not on the free line in front of the sporer",
            Refusal::Wall => "the target is a wall",
            Refusal::Occupied => "there is an organ at the target",
            Refusal::Guarded => "an enemy tentacle guards the target",
            Refusal::HasActed => "the organism has already acted",
        })
    }
}

/// The state of a check of one player's lines in a turn: the remaining proteins, and the organisms that have acted.
#[derive(Clone, Debug)]
pub struct OrderCheck<'a> {
    state: &'a State,
    player: Player,
    stock: Stock,
    /// The roots of the organisms that have acted.
    acted: Cells,
}

impl<'a> OrderCheck<'a> {
    /// Creates the check before the player's first line.
    #[must_use]
    pub fn new(state: &'a State, player: Player) -> OrderCheck<'a> {
        OrderCheck { state, player, stock: *state.stock(player), acted: Cells::EMPTY }
    }

    /// Checks the player's next line, pays for its action and returns the action. Returns `None` for [`Order::Wait`].
    ///
    /// # Errors
    /// Returns an error if the judge ignores the line. In this case the organism can still act.
    pub fn take(&mut self, order: Order) -> Result<Option<Action>, Refusal> {
        let action = match order {
            Order::Wait => return Ok(None),
            Order::Grow { id, x, y, kind, dir } => self.check(id, x, y, kind, dir, false)?,
            Order::Spore { id, x, y } => self.check(id, x, y, Kind::Root, Dir::N, true)?,
        };
        action.kind.pay(&mut self.stock);
        self.acted.insert(self.organism(action.from));
        Ok(Some(action))
    }

    fn check(
        &self,
        id: i32,
        x: i32,
        y: i32,
        kind: Kind,
        dir: Dir,
        is_spore: bool,
    ) -> Result<Action, Refusal> {
        let state = self.state;
        let require = |holds: bool, refusal: Refusal| if holds { Ok(()) } else { Err(refusal) };
        require(kind.is_paid_by(&self.stock), Refusal::TooExpensive)?;
        let from = state.find(id).ok_or(Refusal::NoSuchOrgan)?;
        require(state.organ_cells(self.player).has(from), Refusal::EnemyOrgan)?;
        require(is_spore || kind != Kind::Root, Refusal::GrownRoot)?;
        require(!is_spore || state.sporers(self.player).has(from), Refusal::NoSporer)?;
        let target = state.cell(x, y).ok_or(Refusal::OffBoard)?;
        require(state.organism(target) != state.organism(from), Refusal::OwnOrganism)?;
        let (from, to) = if is_spore {
            require(spore_line(state, from).any(|cell| cell == target), Refusal::NoLine)?;
            (from, target)
        } else if from.distance(target) != 1 {
            path::far_target(state, from, target).ok_or(Refusal::NoPath)?
        } else {
            (from, target)
        };
        require(!state.walls().has(to), Refusal::Wall)?;
        require(state.organism(to).is_none(), Refusal::Occupied)?;
        require(!state.guarded(self.player.other()).has(to), Refusal::Guarded)?;
        require(!self.acted.has(self.organism(from)), Refusal::HasActed)?;
        Ok(Action { from, to, kind, dir })
    }

    fn organism(&self, organ: Cell) -> Cell {
        self.state.organism(organ).expect("an organ belongs to an organism")
    }
}

/// Returns the cells in front of a sporer up to the first wall or organ. Sources do not block the line, and guarded
/// cells are included.
pub fn spore_line(state: &State, sporer: Cell) -> impl Iterator<Item = Cell> {
    spore_line_from(state, sporer, state.packed(sporer).dir())
}

/// Returns the [line](spore_line) of a sporer that would stand in this cell and face `dir`.
pub fn spore_line_from(state: &State, cell: Cell, dir: Dir) -> impl Iterator<Item = Cell> {
    let free = state.free();
    std::iter::successors(Some(cell.step(dir)), move |cell| Some(cell.step(dir)))
        .take_while(move |&cell| free.has(cell))
}
