//! The events of a turn: the organs that died, and the walls that collisions made. They follow from the states before
//! and after the turn.

use crate::{Cell, Cells, Kind, Organ, State};
use contender_game::rules::Player;

/// The events of a turn.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// The cells on which each player lost an organ.
    pub lost: [Cells; 2],
    /// The tentacles that killed organs of each player.
    pub killers: [Vec<Organ>; 2],
    /// Number of organs that died in the turn in which they grew.
    pub short_lived: usize,
    /// The new walls.
    pub walls: Cells,
}

impl Events {
    /// Returns the events between two states of a game.
    #[must_use]
    pub fn between(before: &State, after: &State) -> Events {
        let lost = Player::BOTH.map(|player| {
            let cells = before.organ_cells(player).into_iter();
            cells.filter(|&cell| after.id(cell) != before.id(cell)).collect::<Cells>()
        });
        // A tentacle that grew in this turn also kills, and one that dies in this turn still kills.
        let mut tentacles = before.organs();
        tentacles.extend(after.organs().into_iter().filter(|organ| organ.id > before.last_id()));
        tentacles.retain(|organ| organ.kind == Kind::Tentacle);
        let killers = Player::BOTH.map(|player| {
            let is_killer = |organ: &&Organ| {
                organ.owner == player.other() && lost[player].has(organ.cell.step(organ.dir))
            };
            tentacles.iter().filter(is_killer).copied().collect()
        });
        let grown = after.last_id().saturating_sub(before.last_id());
        let alive = after.organs().iter().filter(|organ| organ.id > before.last_id()).count();
        let short_lived = usize::from(grown).saturating_sub(alive);
        Events { lost, killers, short_lived, walls: after.walls().without(before.walls()) }
    }

    /// Returns the player who lost the organ on a cell.
    #[must_use]
    pub fn loser(&self, cell: Cell) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.lost[player].has(cell))
    }
}
