//! The solver's table, which stores positions by their [key](crate::State::key).

/// The gains of both players from a position to the end.
pub(crate) type Gains = [i32; 2];

/// Upper bound of the absolute value of a gain. The last cells gain at most 126 points, because each segment counts
/// once, and lose at most 5 points per cell.
const LIMIT: i32 = 511;

/// A table of both players' gains, indexed by key.
///
/// An entry is the key, with its lowest 20 bits replaced by the gains. The index is derived from the lowest bits of the
/// key, so the probability of a wrong entry is about 2^-40.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// The entries, whose number is a power of two; 0 is an empty entry.
    entries: Vec<u64>,
    /// Number of entries in use.
    pub used: usize,
}

impl Table {
    const GAINS: u64 = (1 << 20) - 1;
    /// The offset that makes every gain positive.
    const RAISE: i32 = LIMIT + 1;

    /// Makes room for positions with at most `cells` empty cells: five times the average number of such positions, but
    /// at most 128 MiB. If the table grows, its entries are lost.
    pub fn make_room(&mut self, cells: u32) {
        let places = 1 << (2 * cells).saturating_sub(1).clamp(10, 24);
        if self.entries.len() < places {
            *self = Table { entries: vec![0; places], used: 0 };
        }
    }

    pub fn look_up(&self, key: u64) -> Option<Gains> {
        let entry = self.entries[self.place(key)];
        let gain = |bits: u64| (bits & 0x3ff) as i32 - Table::RAISE;
        (entry != 0).then(|| [gain(entry >> 10), gain(entry)])
    }

    /// Returns the index of the key's entry, or of the empty entry for this key.
    fn place(&self, key: u64) -> usize {
        let mask = self.entries.len() - 1;
        let mut place = key as usize & mask;
        while self.entries[place] != 0 && (self.entries[place] ^ key) & !Table::GAINS != 0 {
            place = (place + 1) & mask;
        }
        place
    }

    /// Stores the gains if the table does not contain the key. If the table is nearly full, all entries are dropped
    /// first.
    pub fn store(&mut self, key: u64, gains: Gains) {
        if 8 * self.used >= 7 * self.entries.len() {
            self.entries.fill(0);
            self.used = 0;
        }
        let [zero, one] = gains.map(|gain| (gain + Table::RAISE) as u64);
        let place = self.place(key);
        self.entries[place] = key & !Table::GAINS | zero << 10 | one;
        self.used += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;

    /// Checks that all values in a table are right, even if the table had no room for all positions.
    #[test]
    fn a_full_table_forgets() {
        let mut rng = Rng::new(5);
        let mut table = Table::default();
        table.make_room(1);
        let mut stored = Vec::new();
        let mut known = 0;
        for _ in 0..20_000 {
            let gains = [0, 1].map(|_| rng.below(197) as i32 - 70);
            let key = rng.next_u64();
            table.store(key, gains);
            assert_eq!(table.look_up(key), Some(gains));
            stored.push((key, gains));
            let &(key, gains) = rng.choose(&stored);
            if let Some(found) = table.look_up(key) {
                assert_eq!(found, gains);
                known += 1;
            }
        }
        assert!((1_000..10_000).contains(&known), "{known}");
    }
}
