//! The tree of a Monte Carlo search: positions with means of the gains still to come, and the moves tried in each.
//!
//! What can still be gained from a position depends on its open paths alone ([`State::outlook`]), not on the points made on the way,
//! so positions reached in different orders, or by tiles that differ only where nothing is open, may share one node.
//!
//! The moves of a node stand in bunches of eight, a lane each, so that the compiler compares eight at a time. A node starts with one
//! bunch and gets a larger run of bunches when that is full: most nodes are met a few times only, and have up to 189 moves.

use crate::{Move, State};
use contender_game::Player;

/// Lanes of a bunch.
pub(crate) const LANES: usize = 8;

/// Bunches of a node as it grows; the last holds all 189 moves.
const SIZES: [u8; 4] = [1, 4, 12, 24];

/// In place of a node: the game is over there.
pub(crate) const OVER: u32 = u32::MAX;

/// Up to eight moves of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bunch {
    /// The mean of what the move is worth to who makes it, from here to the end.
    pub mean: [f32; LANES],
    /// One over the root of the visits; 0 where the game is over after the move, so that nothing is added to its mean.
    pub spread: [f32; LANES],
    /// How promising the move looks; fades with the spread.
    pub pull: [f32; LANES],
    pub visits: [u32; LANES],
    /// The node that the move leads to, or [`OVER`].
    pub child: [u32; LANES],
    pub gain: [i8; LANES],
    pub mv: [u8; LANES],
}

impl Bunch {
    /// Lanes without a move are never chosen.
    const EMPTY: Bunch = Bunch {
        mean: [f32::NEG_INFINITY; LANES],
        spread: [0.0; LANES],
        pull: [0.0; LANES],
        visits: [0; LANES],
        child: [OVER; LANES],
        gain: [0; LANES],
        mv: [0; LANES],
    };
}

/// A set of moves: for each tile a bit for each cell.
pub(crate) type Moves = [u64; 3];

/// How many moves a set has.
pub(crate) fn count(moves: &Moves) -> u32 {
    moves.iter().map(|cells| cells.count_ones()).sum()
}

/// The `nth` move of a set, tile by tile; it must have so many.
pub(crate) fn nth(moves: &Moves, mut nth: u32) -> Move {
    for (tile, &cells) in moves.iter().enumerate() {
        let here = cells.count_ones();
        if nth < here {
            let mut rest = cells;
            for _ in 0..nth {
                rest &= rest - 1;
            }
            return Move::from_code(rest.trailing_zeros() as u8 | (tile as u8) << 6);
        }
        nth -= here;
    }
    unreachable!("the set has more moves than that")
}

/// Takes a move out of a set.
pub(crate) fn remove(moves: &mut Moves, mv: Move) {
    moves[mv.tile().index()] &= !(1 << mv.cell().index());
}

/// The moves of a node that was met again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branches {
    /// Not tried yet.
    pub untried: Moves,
    first: u32,
    /// How many were tried.
    pub tried: u8,
    size: u8,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Sums of both players' gains from here to the end.
    pub sums: [i64; 2],
    pub visits: u32,
    /// The number of its branches; 0 while it has none.
    branches: u32,
}

impl Node {
    /// Counts a game in which the players gained so much from here on.
    #[inline]
    pub fn visit(&mut self, gains: [i32; 2]) {
        self.visits += 1;
        self.sums[0] += i64::from(gains[0]);
        self.sums[1] += i64::from(gains[1]);
    }

    /// The mean of what is still to come, as `weights` count both players' points.
    #[inline]
    pub fn mean(&self, weights: [f32; 2]) -> f32 {
        (self.sums[0] as f32 * weights[0] + self.sums[1] as f32 * weights[1]) / self.visits as f32
    }
}

/// Nodes, at most so many; the tree stops growing there.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
    keys: Vec<u64>,
    branches: Vec<Branches>,
    pub bunches: Vec<Bunch>,
    /// Numbers of nodes plus one by their keys, 0 for none; empty when positions are not shared.
    index: Vec<u32>,
    capacity: usize,
}

impl Tree {
    /// Without any node, and with room for so many, at most 2^30.
    pub fn new(capacity: usize, shares: bool) -> Tree {
        let capacity = capacity.clamp(2, 1 << 30);
        let slots = if shares { (2 * capacity).next_power_of_two() } else { 0 };
        Tree {
            nodes: Vec::new(),
            keys: Vec::new(),
            branches: Vec::new(),
            bunches: Vec::new(),
            index: vec![0; slots],
            capacity,
        }
    }

    /// Whether there is no room for another node.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= self.capacity
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.keys.clear();
        self.branches.clear();
        self.bunches.clear();
        self.index.fill(0);
    }

    /// The node of a state, new if there is none; `None` where there is no room for it.
    #[inline]
    pub fn node(&mut self, state: &State) -> Option<u32> {
        if self.index.is_empty() {
            return self.add(0);
        }
        let key = state.outlook();
        let slot = self.slot(key);
        match self.index[slot] {
            0 => {
                let node = self.add(key)?;
                self.index[slot] = node + 1;
                Some(node)
            }
            known => Some(known - 1),
        }
    }

    /// Where a key is, or should be.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = key as usize & mask;
        while self.index[slot] != 0 && self.keys[self.index[slot] as usize - 1] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn add(&mut self, key: u64) -> Option<u32> {
        if self.is_full() {
            return None;
        }
        if !self.index.is_empty() {
            self.keys.push(key);
        }
        self.nodes.push(Node { sums: [0; 2], visits: 0, branches: 0 });
        Some(self.nodes.len() as u32 - 1)
    }

    /// The branches of a node, if it was opened.
    #[inline]
    pub fn branches(&self, node: u32) -> Option<&Branches> {
        match self.nodes[node as usize].branches {
            0 => None,
            number => Some(&self.branches[number as usize - 1]),
        }
    }

    /// Gives a node branches, all untried.
    pub fn open(&mut self, node: u32, untried: Moves) {
        self.branches.push(Branches { untried, first: 0, tried: 0, size: 0 });
        self.nodes[node as usize].branches = self.branches.len() as u32;
    }

    /// The moves of an opened node that are left to try.
    pub fn untried(&mut self, node: u32) -> &mut Moves {
        let number = self.nodes[node as usize].branches as usize;
        &mut self.branches[number - 1].untried
    }

    /// The bunches of an opened node: where the first is and how many have moves.
    #[inline]
    pub fn run(&self, branches: &Branches) -> std::ops::Range<usize> {
        let first = branches.first as usize;
        first..first + (usize::from(branches.tried) + LANES - 1) / LANES
    }

    /// The place of the `nth` tried move: bunch times eight plus lane.
    #[inline]
    pub fn place(branches: &Branches, nth: usize) -> usize {
        branches.first as usize * LANES + nth
    }

    /// Puts a move that was untried among the tried ones; gives its place.
    pub fn push(&mut self, node: u32, mv: Move, gain: i32, pull: f32, child: u32) -> usize {
        let number = self.nodes[node as usize].branches as usize - 1;
        let branches = &mut self.branches[number];
        if usize::from(branches.tried) == usize::from(branches.size) * LANES {
            let larger =
                SIZES.into_iter().find(|&size| size > branches.size).expect("there are no more moves");
            let old = branches.first as usize..branches.first as usize + usize::from(branches.size);
            branches.first = self.bunches.len() as u32;
            self.bunches.extend_from_within(old);
            self.bunches.resize(branches.first as usize + usize::from(larger), Bunch::EMPTY);
            branches.size = larger;
        }
        let place = Tree::place(branches, usize::from(branches.tried));
        branches.tried += 1;
        remove(&mut branches.untried, mv);
        let (bunch, lane) = (&mut self.bunches[place / LANES], place % LANES);
        bunch.mean[lane] = gain as f32;
        bunch.pull[lane] = pull;
        bunch.child[lane] = child;
        bunch.gain[lane] = gain as i8;
        bunch.mv[lane] = mv.code();
        place
    }

    /// Counts a visit of a tried move, whose mean is now `mean`.
    #[inline]
    pub fn visit(&mut self, place: usize, mean: f32) {
        let (bunch, lane) = (&mut self.bunches[place / LANES], place % LANES);
        bunch.visits[lane] += 1;
        bunch.mean[lane] = mean;
        if bunch.child[lane] != OVER {
            bunch.spread[lane] = 1.0 / (bunch.visits[lane] as f32).sqrt();
        }
    }

    /// Forgets what cannot be reached from `state`, if the tree is more than half full.
    pub fn prune(&mut self, state: &State) {
        if 2 * self.nodes.len() < self.capacity {
            return;
        }
        if self.index.is_empty() {
            return self.clear();
        }
        let old = std::mem::replace(self, Tree::new(self.capacity, true));
        let slot = old.slot(state.outlook());
        if old.index[slot] == 0 {
            return;
        }
        // Nodes are moved in the order in which they are met; `moved` has their new numbers plus one.
        let mut moved = vec![0u32; old.nodes.len()];
        let mut order = vec![old.index[slot] - 1];
        moved[order[0] as usize] = 1;
        let mut at = 0;
        while at < order.len() {
            let from = order[at] as usize;
            let node = self.add(old.keys[from]).expect("there are fewer nodes than before");
            let slot = self.slot(old.keys[from]);
            self.index[slot] = node + 1;
            self.nodes[at] = Node { branches: 0, ..old.nodes[from] };
            if let Some(branches) = old.branches(from as u32) {
                let first = self.bunches.len();
                let run = branches.first as usize..branches.first as usize + usize::from(branches.size);
                self.bunches.extend_from_slice(&old.bunches[run]);
                for child in self.bunches[first..].iter_mut().flat_map(|bunch| &mut bunch.child) {
                    if *child != OVER {
                        if moved[*child as usize] == 0 {
                            order.push(*child);
                            moved[*child as usize] = order.len() as u32;
                        }
                        *child = moved[*child as usize] - 1;
                    }
                }
                self.branches.push(Branches { first: first as u32, ..*branches });
                self.nodes[at].branches = self.branches.len() as u32;
            }
            at += 1;
        }
    }

    /// Who of two players counts how in a node of `mover`: own points, less a share of the other's.
    pub fn weights(mover: Player, share: f32) -> [f32; 2] {
        let mut weights = [-share; 2];
        weights[mover] = 1.0;
        weights
    }
}
