//! Landing: all accepted growths land at the same time.

use super::board::{MAX_HEIGHT, MAX_WIDTH};
use super::{Action, Cell, Cells, State};
use contender_game::rules::Player;

impl State {
    /// Pays for all actions, and then places the new organs on the board. A single growth on a cell becomes an organ
    /// and absorbs a source there. Several growths on the same cell make a wall.
    #[inline]
    pub(super) fn land(&mut self, actions: [&[Action]; 2]) {
        let mut cells = LandingOrder::new();
        let mut clashes = Cells::EMPTY;
        for player in Player::BOTH {
            for action in actions[player] {
                action.kind.pay(&mut self.stock[player]);
                if !cells.insert(action.to) {
                    clashes.insert(action.to);
                }
            }
        }
        for cell in clashes {
            self.set_wall(cell);
        }
        for &cell in cells.cells() {
            if clashes.has(cell) {
                continue;
            }
            let of = |player: Player| {
                actions[player].iter().find(|action| action.to == cell).map(|action| (player, action))
            };
            let Some((player, action)) = of(Player::Zero).or_else(|| of(Player::One)) else { continue };
            if let Some(protein) = self.packed(cell).protein() {
                self.stock[player][protein] += 3;
            }
            self.put_new_organ(player, action);
        }
    }
}

/// The target cells of growths in the order in which their organs are numbered. The order is the iteration order of a
/// Java `HashMap`, in which the judge groups growths.
///
/// The cells are sorted by bucket. Cells in the same bucket keep their order, so that a stable sort is enough when the
/// number of buckets is doubled.
struct LandingOrder {
    cells: [Cell; MAX_WIDTH * MAX_HEIGHT],
    len: usize,
    /// Number of buckets, a power of two.
    buckets: u32,
    known: Cells,
}

impl LandingOrder {
    #[inline]
    fn new() -> LandingOrder {
        LandingOrder { cells: [Cell(0); MAX_WIDTH * MAX_HEIGHT], len: 0, buckets: 16, known: Cells::EMPTY }
    }

    fn cells(&self) -> &[Cell] {
        &self.cells[..self.len]
    }

    #[inline]
    fn bucket(&self, cell: Cell) -> u32 {
        (961 + 31 * cell.x() as u32 + cell.y() as u32) & (self.buckets - 1)
    }

    /// Inserts the target of the next growth. Returns `false` if an earlier growth has this target.
    #[inline]
    fn insert(&mut self, cell: Cell) -> bool {
        // `computeIfAbsent` enlarges a table that is too full before it looks for the key, even if it then finds the
        // key.
        if self.len as u32 > self.buckets / 4 * 3 {
            self.double();
        }
        if self.known.has(cell) {
            return false;
        }
        self.known.insert(cell);
        let bucket = self.bucket(cell);
        let at = self.cells().iter().position(|&other| self.bucket(other) >= bucket).unwrap_or(self.len);
        let before = self.cells()[at..].iter().take_while(|&&other| self.bucket(other) == bucket).count();
        self.cells.copy_within(at..self.len, at + 1);
        self.cells[at] = cell;
        self.len += 1;
        // Java would convert a long bucket to a tree, but doubles a table with fewer than 64 buckets instead.
        if before >= 7 && self.buckets < 64 {
            self.double();
        }
        true
    }

    #[cold]
    fn double(&mut self) {
        self.buckets *= 2;
        for end in 1..self.len {
            let mut at = end;
            while at > 0 && self.bucket(self.cells[at - 1]) > self.bucket(self.cells[at]) {
                self.cells.swap(at - 1, at);
                at -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;

    /// Returns the order, computed with a hash table like the judge's.
    fn slow_order(cells: &[Cell]) -> Vec<Cell> {
        let mut table: Vec<Vec<Cell>> = vec![Vec::new(); 16];
        let double = |table: &mut Vec<Vec<Cell>>| {
            let count = table.len() * 2;
            let mut larger = vec![Vec::new(); count];
            for cell in table.iter().flatten() {
                larger[(961 + 31 * cell.x() + cell.y()) % count].push(*cell);
            }
            *table = larger;
        };
        for &cell in cells {
            let size = table.iter().flatten().count();
            if 4 * size > 3 * table.len() {
                double(&mut table);
            }
            if table.iter().flatten().any(|&other| other == cell) {
                continue;
            }
            let count = table.len();
            let bucket = &mut table[(961 + 31 * cell.x() + cell.y()) % count];
            bucket.insert(0, cell);
            if bucket.len() > 7 && count < 64 {
                double(&mut table);
            }
        }
        table.concat()
    }

    #[test]
    fn cells_are_ordered_as_in_the_table() {
        let mut rng = Rng::new(1);
        for round in 0..3_000 {
            let (width, height) =
                if round % 3 < 2 { (24, 12) } else { (1 + rng.below(4), 1 + rng.below(12)) };
            let cells: Vec<Cell> = (0..rng.below([60, 600, 60][round % 3]))
                .map(|_| Cell::new(rng.below(width) as usize, rng.below(height) as usize))
                .collect();
            // Every third time, all cells are in one bucket, which becomes long.
            let bucket = rng.index(16);
            let in_bucket = |cell: &&Cell| round % 3 != 1 || (31 * cell.x() + cell.y()) % 16 == bucket;
            let cells: Vec<Cell> = cells.iter().filter(in_bucket).copied().collect();
            let mut order = LandingOrder::new();
            cells.iter().for_each(|&cell| {
                order.insert(cell);
            });
            assert_eq!(order.cells(), slow_order(&cells));
        }
    }
}
