//! Growth towards a cell that is not next to the organ. The judge searches for a path and takes one of its steps.
//!
//! The judge's search is effectively a breadth-first search. But its choice among several shortest paths depends on the
//! order in which Java's `PriorityQueue` returns equal keys. So this queue is reproduced here.

use super::board::AREA;
use super::{Cell, Cells, Dir, State};

/// Returns the actual growth for an order to grow from `from` towards a distant `target`: the organ that grows, and the
/// neighbouring cell that it grows onto. This is the last step of the judge's path that leads from a cell of the
/// organism to a cell without an organ. Returns `None` if there is no such step.
pub(super) fn far_target(state: &State, from: Cell, target: Cell) -> Option<(Cell, Cell)> {
    let way = find_way(state, from, target)
        .or_else(|nearest| find_way(state, from, nearest))
        .expect("the nearest cell was reached");
    let organism = state.organism(from);
    let leaves = |step: &&[Cell]| state.organism(step[0]) == organism && state.organism(step[1]).is_none();
    way.windows(2).rev().find(leaves).map(|step| (step[0], step[1]))
}

/// A cell that the search has reached.
#[derive(Clone, Copy)]
struct Entry {
    cell: Cell,
    steps: u32,
    key: u32,
    /// Index of the entry from which the cell was reached. The first entry contains its own index.
    before: usize,
}

/// Returns the judge's path from `from` to `target`, including both. If `target` is not reachable, returns the
/// reachable cell nearest to it.
fn find_way(state: &State, from: Cell, target: Cell) -> Result<Vec<Cell>, Cell> {
    let organism = state.organism(from);
    let passable = |cell: Cell| {
        !state.walls().has(cell) && (state.organism(cell).is_none() || state.organism(cell) == organism)
    };
    let to_centre = |cell: Cell| {
        let (x, y) = (2 * cell.x() as i32, 2 * cell.y() as i32);
        (x - state.width() as i32).pow(2) + (y - state.height() as i32).pow(2)
    };
    let mut entries = vec![Entry { cell: from, steps: 0, key: 0, before: 0 }];
    let mut queue = JavaQueue { heap: vec![(0, 0)] };
    let mut closed = Cells::EMPTY;
    let mut nearest = from;
    while let Some(at) = queue.pop() {
        let Entry { cell, steps, .. } = entries[at];
        if cell == target {
            return Ok(trace(&entries, at));
        }
        if closed.has(cell) {
            continue;
        }
        closed.insert(cell);
        let mut neighbours: Vec<Cell> =
            Dir::ALL.iter().map(|&dir| cell.step(dir)).filter(|&next| passable(next)).collect();
        neighbours.sort_by_key(|&next| to_centre(next));
        for next in neighbours.into_iter().filter(|&next| !closed.has(next)) {
            let entry = Entry { cell: next, steps: steps + 1, key: steps + 2, before: at };
            queue.push(entry.key, entries.len());
            entries.push(entry);
        }
        let rank = |cell: Cell| (cell.distance(target), to_centre(cell));
        if rank(cell) < rank(nearest) {
            nearest = cell;
        }
    }
    Err(nearest)
}

fn trace(entries: &[Entry], mut at: usize) -> Vec<Cell> {
    let mut way = vec![entries[at].cell];
    while entries[at].before != at {
        at = entries[at].before;
        way.push(entries[at].cell);
        debug_assert!(way.len() <= AREA);
    }
    way.reverse();
    way
}

/// Java's `PriorityQueue`: a binary heap of (key, value). The queue moves an entry past another one only if their keys
/// differ.
struct JavaQueue {
    heap: Vec<(u32, usize)>,
}

impl JavaQueue {
    /// Adds an entry, like `siftUp`.
    fn push(&mut self, key: u32, value: usize) {
        let mut at = self.heap.len();
        self.heap.push((key, value));
        while at > 0 {
            let parent = (at - 1) / 2;
            if key >= self.heap[parent].0 {
                break;
            }
            self.heap[at] = self.heap[parent];
            at = parent;
        }
        self.heap[at] = (key, value);
    }

    /// Removes the first entry, and moves the last entry down from the top like `siftDown`.
    fn pop(&mut self) -> Option<usize> {
        let last = self.heap.pop()?;
        let Some(&top) = self.heap.first() else { return Some(last.1) };
        let count = self.heap.len();
        let mut at = 0;
        while 2 * at + 1 < count {
            let left = 2 * at + 1;
            let right = left + 1;
            let child = if right < count && self.heap[left].0 > self.heap[right].0 { right } else { left };
            if last.0 <= self.heap[child].0 {
                break;
            }
            self.heap[at] = self.heap[child];
            at = child;
        }
        self.heap[at] = last;
        Some(top.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;

    #[test]
    fn the_queue_gives_smallest_keys_first() {
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let mut queue = JavaQueue { heap: Vec::new() };
            let keys: Vec<u32> = (0..rng.below(60)).map(|_| rng.below(9)).collect();
            keys.iter().enumerate().for_each(|(value, &key)| queue.push(key, value));
            let popped: Vec<u32> = std::iter::from_fn(|| queue.pop()).map(|value| keys[value]).collect();
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            assert_eq!(popped, sorted);
        }
    }

    #[test]
    fn equal_keys_come_out_as_from_java() {
        // Worked out by hand with siftUp and siftDown: of 0 1 2 3 4, 0 leaves first; then 4 has moved to the top and
        // stays there.
        let mut queue = JavaQueue { heap: Vec::new() };
        (0..5).for_each(|value| queue.push(7, value));
        let popped: Vec<usize> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(popped, [0, 4, 3, 2, 1]);
    }
}
