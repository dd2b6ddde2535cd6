//! The transposition table, which stores the results of earlier visits to a state.
//!
//! Source: Greenblatt, Eastlake, Crocker, "The Greenblatt chess program", 1967. Four entries share a cache line, as is
//! usual today. The table stores both bounds of a value, so that the bounds from the null windows of MTD(f) and from
//! chance nodes accumulate.

use crate::Bounds;

/// A table of bounded size that maps keys to bounds.
///
/// The high bits of a key select a bucket, and the low 32 bits verify the entry. About one lookup in a billion
/// therefore finds the entry of a different state.
///
/// ```
/// use contender_search::{Bounds, Entry, TranspositionTable};
///
/// let mut table = TranspositionTable::new(1 << 20);
/// table.put(7, Entry { bounds: Bounds::exact(30), depth: 4, is_solved: false, best: Some(2) });
/// let entry = table.find(7).unwrap();
/// assert!(entry.depth >= 4 && entry.bounds.is_exact());
/// assert_eq!(table.find(8), None);
/// ```
#[derive(Clone)]
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    /// The current generation, which grows in steps of 2 to leave the lowest bit for the flag of an entry.
    generation: u8,
}

/// The stored result for a state.
///
/// The example of [`TranspositionTable`] uses this type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Bounds of the value at this depth, from player 0's point of view.
    pub bounds: Bounds,
    /// The depth of the search in decisions.
    pub depth: u8,
    /// Whether the bounds also hold at every larger depth, because the search that found them never reached the horizon
    /// and did no forward pruning.
    pub is_solved: bool,
    /// The index of the best move in the game's move list, if it is known.
    pub best: Option<u16>,
}

#[derive(Clone, Copy)]
struct Slot {
    check: u32,
    bounds: Bounds,
    best: u16,
    depth: u8,
    /// The generation (upper seven bits) and whether the entry is solved (lowest bit).
    generation_solved: u8,
}

/// One cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

const NO_MOVE: u16 = u16::MAX;

const EMPTY: Slot = Slot { check: 0, bounds: Bounds::ANY, best: NO_MOVE, depth: 0, generation_solved: 0 };

/// The size of a bucket of four entries, in bytes.
pub const BUCKET_BYTES: usize = std::mem::size_of::<Bucket>();

impl TranspositionTable {
    /// Creates a table of at most `bytes` bytes. A bucket takes 64 bytes, and the table has at least one.
    #[must_use]
    pub fn new(bytes: usize) -> TranspositionTable {
        TranspositionTable { buckets: vec![Bucket([EMPTY; 4]); (bytes / BUCKET_BYTES).max(1)], generation: 0 }
    }

    /// Returns the size of the entries in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets.len() * BUCKET_BYTES
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.buckets.fill(Bucket([EMPTY; 4]));
        self.generation = 0;
    }

    /// Starts a new search. Older entries remain in the table, but are replaced first.
    pub fn age(&mut self) {
        self.generation = self.generation.wrapping_add(2);
    }

    /// Returns the stored result for the state with this key.
    #[inline]
    #[must_use]
    pub fn find(&self, key: u64) -> Option<Entry> {
        let slot = self.bucket(key).0.iter().find(|slot| slot.check == key as u32 && slot.is_used())?;
        Some(Entry {
            bounds: slot.bounds,
            depth: slot.depth,
            is_solved: slot.is_solved(),
            best: Some(slot.best).filter(|&best| best != NO_MOVE),
        })
    }

    /// Adds the result of a search. If an entry with the same depth exists, the bounds are combined. A stored best move
    /// is kept until another one replaces it.
    ///
    /// In a full bucket, the entry with the smallest depth is replaced. For this comparison, each generation of age
    /// reduces an entry's depth by eight.
    #[inline]
    pub fn put(&mut self, key: u64, entry: Entry) {
        let generation = self.generation;
        let at = self.index(key);
        let bucket = &mut self.buckets[at].0;
        let check = key as u32;
        let mut new = Slot {
            check,
            bounds: entry.bounds,
            best: entry.best.unwrap_or(NO_MOVE),
            depth: entry.depth,
            generation_solved: generation | u8::from(entry.is_solved),
        };
        if let Some(slot) = bucket.iter_mut().find(|slot| slot.check == check && slot.is_used()) {
            if slot.depth == new.depth || (slot.depth < new.depth && slot.is_solved()) {
                let both = slot.bounds.intersect(new.bounds);
                // Bounds that contradict come from searches of different depths behind them: the newer counts.
                if both.low <= both.high {
                    new.bounds = both;
                    if !slot.is_solved() {
                        new.generation_solved = generation;
                    }
                }
            }
            if new.best == NO_MOVE {
                new.best = slot.best;
            }
            *slot = new;
            return;
        }
        let worth = |slot: &Slot| {
            let generations = generation.wrapping_sub(slot.generation_solved & !1) / 2;
            (slot.is_used(), i32::from(slot.depth) - 8 * i32::from(generations))
        };
        let victim = bucket.iter_mut().min_by_key(|slot| worth(slot)).expect("a bucket has slots");
        *victim = new;
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[self.index(key)]
    }
}

impl Slot {
    #[inline]
    fn is_solved(&self) -> bool {
        self.generation_solved & 1 == 1
    }

    #[inline]
    fn is_used(&self) -> bool {
        self.bounds != Bounds::ANY || self.best != NO_MOVE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(low: i32, high: i32, depth: u8, best: Option<u16>) -> Entry {
        Entry { bounds: Bounds::new(low, high), depth, is_solved: false, best }
    }

    #[test]
    fn the_size_is_exact() {
        assert_eq!(BUCKET_BYTES, 64);
        assert_eq!(TranspositionTable::new(3 << 20).bytes(), 3 << 20);
        assert_eq!(TranspositionTable::new(1000).bytes(), 960);
        assert_eq!(TranspositionTable::new(0).bytes(), 64);
        let table = TranspositionTable::new(1 << 20);
        assert_eq!(table.buckets.capacity() * BUCKET_BYTES, 1 << 20);
    }

    #[test]
    fn bounds_of_one_depth_add_up_and_moves_stay() {
        let mut table = TranspositionTable::new(64);
        assert_eq!(table.find(7), None);
        table.put(7, entry(3, crate::INFINITY, 2, Some(5)));
        table.put(7, entry(-crate::INFINITY, 9, 2, None));
        assert_eq!(table.find(7), Some(entry(3, 9, 2, Some(5))));
        table.put(7, entry(10, 12, 2, Some(6)));
        assert_eq!(table.find(7), Some(entry(10, 12, 2, Some(6))));
        table.put(7, entry(0, 1, 3, None));
        assert_eq!(table.find(7), Some(entry(0, 1, 3, Some(6))));
        table.clear();
        assert_eq!(table.find(7), None);
    }

    #[test]
    fn shallow_and_old_entries_go_first() {
        let mut table = TranspositionTable::new(64);
        for (key, depth) in [(1, 5), (2, 3), (3, 9), (4, 4)] {
            table.put(key, entry(0, 0, depth, None));
        }
        table.put(5, entry(0, 0, 1, None));
        assert_eq!(table.find(2), None, "the shallowest goes");
        table.age();
        table.put(1, entry(0, 0, 0, None));
        table.put(6, entry(0, 0, 1, None));
        assert_eq!(table.find(5), None, "the oldest and shallowest goes");
        table.put(7, entry(0, 0, 1, None));
        assert_eq!(table.find(4), None);
        table.put(8, entry(0, 0, 1, None));
        assert!(
            table.find(3).is_some() && table.find(1).is_none(),
            "depth 9 is worth a generation, depth 0 is not"
        );
    }
}
