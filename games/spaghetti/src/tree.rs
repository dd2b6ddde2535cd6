//! The tree of a Monte Carlo search: positions with the sums of later gains, and the moves that were tried in each
//! position.
//!
//! The moves of a node are stored in bunches of eight. Each move is in its own lane, so that the compiler can compare
//! eight moves at a time. A node starts with one bunch, and gets a larger run of bunches when this one is full. Most
//! nodes have few visits, but a node can have up to 189 moves.

use crate::Move;

/// Number of lanes in a bunch.
pub(crate) const LANES: usize = 8;

/// Numbers of bunches of a node as it grows; the last number is enough for all 189 moves.
const SIZES: [u8; 4] = [1, 4, 12, 24];

/// The value that replaces a node if the game is over after the move.
pub(crate) const OVER: u32 = u32::MAX;

/// Up to eight moves of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bunch {
    /// The mean value of each move for the player who makes it, counted from this position to the end.
    pub mean: [f32; LANES],
    /// `1 / sqrt(visits)` for each move, or 0 if the move ends the game, so that nothing is added to the mean.
    pub spread: [f32; LANES],
    /// The additional urgency from the move's immediate gain. The pull fades as the spread falls.
    pub pull: [f32; LANES],
    pub visits: [u32; LANES],
    /// The node that the move leads to, or [`OVER`].
    pub child: [u32; LANES],
    pub gain: [i8; LANES],
    pub mv: [u8; LANES],
}

impl Bunch {
    /// A bunch without moves. Lanes without a move are never chosen.
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

/// A set of moves: for each tile, one bit per cell.
pub(crate) type Moves = [u64; 3];

/// Returns the number of moves in a set.
pub(crate) fn count(moves: &Moves) -> u32 {
    moves.iter().map(|cells| cells.count_ones()).sum()
}

/// Returns the `nth` move of a set, counted tile by tile. The set must contain more than `nth` moves.
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

/// The moves of a node that was visited again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branches {
    /// The moves that have not been tried.
    pub untried: Moves,
    /// The untried moves that must be tried before all other moves.
    pub links: Moves,
    first: u32,
    /// Number of tried moves.
    pub tried: u8,
    size: u8,
}

impl Branches {
    /// Removes a move from the untried moves.
    fn take(&mut self, mv: Move) {
        for moves in [&mut self.untried, &mut self.links] {
            moves[mv.tile().index()] &= !(1 << mv.cell().index());
        }
    }
}

/// A position in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The sums of both players' gains from this position to the end.
    pub sums: [i64; 2],
    pub visits: u32,
    /// The index of the node's branches; 0 if it has none.
    branches: u32,
}

impl Node {
    /// Records a game from this position to the end, in which the players gained these points.
    #[inline]
    pub fn visit(&mut self, gains: [i32; 2]) {
        self.visits += 1;
        self.sums[0] += i64::from(gains[0]);
        self.sums[1] += i64::from(gains[1]);
    }

    /// Returns the mean of the later gains, with `weights` for both players' points.
    #[inline]
    pub fn mean(&self, weights: [f32; 2]) -> f32 {
        (self.sums[0] as f32 * weights[0] + self.sums[1] as f32 * weights[1]) / self.visits as f32
    }
}

/// The tree. The tree stops growing at its maximum number of nodes.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
    branches: Vec<Branches>,
    pub bunches: Vec<Bunch>,
    capacity: usize,
}

impl Tree {
    /// Creates an empty tree with room for `capacity` nodes, at most 2^30.
    pub fn new(capacity: usize) -> Tree {
        let capacity = capacity.clamp(1, 1 << 30);
        Tree { nodes: Vec::new(), branches: Vec::new(), bunches: Vec::new(), capacity }
    }

    /// Returns whether the tree has stopped growing.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= self.capacity
    }

    /// Removes everything from the tree.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.branches.clear();
        self.bunches.clear();
    }

    /// Adds a node and returns its index.
    #[inline]
    pub fn add(&mut self) -> u32 {
        self.nodes.push(Node { sums: [0; 2], visits: 0, branches: 0 });
        self.nodes.len() as u32 - 1
    }

    /// Returns the branches of a node, or `None` if it has not been opened.
    #[inline]
    pub fn branches(&self, node: u32) -> Option<&Branches> {
        match self.nodes[node as usize].branches {
            0 => None,
            number => Some(&self.branches[number as usize - 1]),
        }
    }

    /// Gives a node branches for its moves, all of them untried. Moves in `links` come before all other moves.
    pub fn open(&mut self, node: u32, untried: Moves, links: Moves) {
        let links = [0, 1, 2].map(|tile| links[tile] & untried[tile]);
        self.branches.push(Branches { untried, links, first: 0, tried: 0, size: 0 });
        self.nodes[node as usize].branches = self.branches.len() as u32;
    }

    /// Returns the bunches of an opened node that contain moves, as a range of indices.
    #[inline]
    pub fn run(&self, branches: &Branches) -> std::ops::Range<usize> {
        let first = branches.first as usize;
        first..first + (usize::from(branches.tried) + LANES - 1) / LANES
    }

    /// Returns the slot of the `nth` tried move: eight times the index of the bunch, plus the lane.
    #[inline]
    pub fn place(branches: &Branches, nth: usize) -> usize {
        branches.first as usize * LANES + nth
    }

    /// Adds an untried move to the tried moves and returns its slot.
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
        branches.take(mv);
        let (bunch, lane) = (&mut self.bunches[place / LANES], place % LANES);
        bunch.mean[lane] = gain as f32;
        bunch.pull[lane] = pull;
        bunch.child[lane] = child;
        bunch.gain[lane] = gain as i8;
        bunch.mv[lane] = mv.code();
        place
    }

    /// Counts a visit of a tried move and sets its mean.
    #[inline]
    pub fn visit(&mut self, place: usize, mean: f32) {
        let (bunch, lane) = (&mut self.bunches[place / LANES], place % LANES);
        bunch.visits[lane] += 1;
        bunch.mean[lane] = mean;
        if bunch.child[lane] != OVER {
            bunch.spread[lane] = 1.0 / (bunch.visits[lane] as f32).sqrt();
        }
    }
}
