//! Best-first minimax: a tree grown at the end of the line that looks best, with values instead of random games.
//!
//! A leaf gets all its children at once, each with a value; the best of them is backed up, and the next iteration follows what is
//! now best, with a term that draws it to what has been visited less. The strongest public bots for Ultimate Tic-Tac-Toe search
//! like this over a small network whose first layer is shared by all children of a leaf.
//!
//! Sources: Korf, Chickering, "Best-first minimax search", 1996; Cohen-Solal, "Learning to play two-player perfect-information games
//! without knowledge", 2020 (unbounded best-first minimax).

use crate::mcts::iterations_left;
use crate::Allowance;
use contender_game::{Game, Player, Turn};
use std::time::{Duration, Instant};

/// The value of a child, from player 0's view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Worth {
    /// An estimate.
    Guess(f32),
    /// The game is over, or solved: the value is exact.
    Exact(f32),
}

/// Gives all children of a state their worth at once.
pub trait Expand<G: Game> {
    /// Appends the worth of the state after each of `moves`, in their order. Work that the children share, such as an
    /// accumulator of `state`, is done once.
    fn expand(&mut self, state: &G, moves: &[G::Move], worths: &mut Vec<Worth>);

    /// The highest value there is for player 0; the lowest is its negative. Who has proven it looks no further.
    fn highest(&self) -> f32 {
        f32::INFINITY
    }
}

/// Which value a node takes from its children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BackUp {
    /// The best child's.
    Minimax,
    /// The mean of the best values that the iterations through it have found: slower to change its mind.
    Average,
}

/// How the tree grows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BestFirstConfig {
    /// The most nodes the tree may have.
    pub capacity: usize,
    /// Weight of `sqrt(ln(parent visits) / visits)` in the choice of a child, in the unit of the values; 0 follows the best.
    pub exploration: f32,
    /// Which value a node takes.
    pub back_up: BackUp,
}

impl Default for BestFirstConfig {
    fn default() -> Self {
        BestFirstConfig { capacity: 1 << 20, exploration: 0.5, back_up: BackUp::Minimax }
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct BestFirstFindings<M> {
    /// The move to play: proven to be best, or the most visited, the better valued of equals. `None` if there is none.
    pub best: Option<M>,
    /// Every move of the root, its visits and its value for player 0; whether that is proven.
    pub moves: Vec<(M, u32, Worth)>,
    /// The line that looks best.
    pub line: Vec<M>,
    /// Iterations of this search: leaves given children.
    pub iterations: u64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// The longest path from the root, in moves.
    pub deepest: u32,
    /// The time it took.
    pub elapsed: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Node<M> {
    value: f32,
    sum: f64,
    visits: u32,
    /// The first child; 0 while there are none.
    first: u32,
    children: u32,
    is_proven: bool,
    mv: Option<M>,
}

impl<M> Node<M> {
    fn new(mv: Option<M>, worth: Worth) -> Node<M> {
        let (value, is_proven) = match worth {
            Worth::Guess(value) => (value, false),
            Worth::Exact(value) => (value, true),
        };
        Node { value, sum: 0.0, visits: 0, first: 0, children: 0, is_proven, mv }
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.children) as usize
    }

    fn worth(&self) -> Worth {
        if self.is_proven {
            Worth::Exact(self.value)
        } else {
            Worth::Guess(self.value)
        }
    }
}

/// Best-first minimax of a game without chance.
#[derive(Clone)]
pub struct BestFirst<G: Game> {
    config: BestFirstConfig,
    nodes: Vec<Node<G::Move>>,
    moves: Vec<G::Move>,
    worths: Vec<Worth>,
    /// Nodes from the root on, each with who chooses there.
    path: Vec<(usize, Player)>,
    /// The node of the state to be searched next, if the tree knows it.
    kept: Option<usize>,
    old: Vec<Node<G::Move>>,
}

impl<G: Game> BestFirst<G> {
    /// A search with this configuration.
    pub fn new(config: BestFirstConfig) -> Self {
        BestFirst {
            config,
            nodes: Vec::new(),
            moves: Vec::new(),
            worths: Vec::new(),
            path: Vec::new(),
            kept: None,
            old: Vec::new(),
        }
    }

    /// Keeps what the tree of the last search knows of the state after `mv`, which the next search must be of unless
    /// [`reset`](BestFirst::reset) comes first. Without this call a search begins anew.
    ///
    /// This takes no time: what is forgotten is cleared out by the next search, of which it is a part of the time.
    pub fn advance(&mut self, mv: G::Move) {
        // After a search the root is node 0, and then it goes down with each move.
        let root = self.kept.or(if self.nodes.is_empty() { None } else { Some(0) });
        self.kept =
            root.and_then(|root| self.nodes[root].range().find(|&child| self.nodes[child].mv == Some(mv)));
        if self.kept.is_none() {
            self.nodes.clear();
        }
    }

    /// Makes the node that was kept the root and forgets all that is not below it.
    fn keep_below(&mut self, root: usize) {
        std::mem::swap(&mut self.nodes, &mut self.old);
        self.nodes.clear();
        self.nodes.reserve(self.config.capacity.clamp(1, u32::MAX as usize));
        // A proven child may have no children yet, of which the search must choose one: it is searched as if it were not proven.
        let root = self.old[root];
        self.nodes.push(Node { mv: None, is_proven: root.is_proven && root.children > 0, ..root });
        // Breadth first: what lies before `at` has its children in the new vector already.
        let mut at = 0;
        while at < self.nodes.len() {
            let range = self.nodes[at].range();
            if !range.is_empty() {
                self.nodes[at].first = self.nodes.len() as u32;
                self.nodes.extend_from_slice(&self.old[range]);
            }
            at += 1;
        }
    }

    /// Forgets the tree.
    pub fn reset(&mut self) {
        self.kept = None;
        self.nodes.clear();
    }

    /// Searches `state`. The allowance counts iterations as nodes; at least one is made if there is a move. The search ends when
    /// the root is proven or the tree is full.
    pub fn search(
        &mut self,
        state: &G,
        expander: &mut impl Expand<G>,
        allowance: &Allowance,
    ) -> BestFirstFindings<G::Move> {
        let start = Instant::now();
        match self.kept.take() {
            Some(root) => self.keep_below(root),
            None => {
                self.nodes.clear();
                self.nodes.reserve(self.config.capacity.clamp(1, u32::MAX as usize));
                self.nodes.push(Node::new(None, Worth::Guess(0.0)));
            }
        }
        let limit = allowance.nodes.unwrap_or(u64::MAX).max(1);
        let (mut iterations, mut deepest) = (0, 0);
        while iterations < limit && !self.nodes[0].is_proven && self.iterate(state.clone(), expander) {
            iterations += 1;
            deepest = deepest.max(self.path.len());
            // A leaf's expansion takes microseconds, so the clock is looked at after each.
            if allowance.hard.is_some()
                && iterations_left(allowance, limit, iterations, start, Instant::now()).is_none()
            {
                break;
            }
        }
        let root = &self.nodes[0];
        BestFirstFindings {
            best: self.best(state),
            moves: self.nodes[root.range()]
                .iter()
                .filter_map(|n| Some((n.mv?, n.visits, n.worth())))
                .collect(),
            line: self.line(state),
            iterations,
            nodes: self.nodes.len(),
            deepest: deepest as u32,
            elapsed: start.elapsed(),
        }
    }

    /// Follows the tree to a leaf, gives it its children and backs their best value up; false when nothing can grow.
    fn iterate(&mut self, mut state: G, expander: &mut impl Expand<G>) -> bool {
        self.path.clear();
        let mut at = 0;
        loop {
            let Turn::Player(player) = state.turn() else { return false };
            self.path.push((at, player));
            if self.nodes[at].children == 0 {
                break;
            }
            at = self.follow(at, player);
            state.play(self.nodes[at].mv.expect("a child has a move"));
        }
        self.moves.clear();
        state.moves(&mut self.moves);
        if self.moves.len() > self.config.capacity.saturating_sub(self.nodes.len()) {
            return false;
        }
        self.worths.clear();
        expander.expand(&state, &self.moves, &mut self.worths);
        debug_assert_eq!(self.worths.len(), self.moves.len());
        self.nodes[at].first = self.nodes.len() as u32;
        self.nodes[at].children = self.moves.len() as u32;
        self.nodes
            .extend(self.moves.iter().zip(&self.worths).map(|(&mv, &worth)| Node::new(Some(mv), worth)));
        self.back_up(expander.highest());
        true
    }

    /// The child that looks best to `player` among those not proven, which exist as the node is not proven either.
    fn follow(&self, at: usize, player: Player) -> usize {
        let node = &self.nodes[at];
        let sign = player.sign() as f32;
        let spread = self.config.exploration * (node.visits.max(1) as f32).ln().sqrt();
        let mut best = (node.range().start, f32::NEG_INFINITY);
        for child in node.range() {
            let Node { value, visits, is_proven, .. } = self.nodes[child];
            let urgency = sign * value + spread / (visits.max(1) as f32).sqrt();
            if !is_proven && urgency > best.1 {
                best = (child, urgency);
            }
        }
        best.0
    }

    fn back_up(&mut self, highest: f32) {
        for index in (0..self.path.len()).rev() {
            let (at, player) = self.path[index];
            let sign = player.sign() as f32;
            let (mut best, mut best_proven, mut all_proven) = (f32::NEG_INFINITY, f32::NEG_INFINITY, true);
            for child in &self.nodes[self.nodes[at].range()] {
                let own_value = sign * child.value;
                best = best.max(own_value);
                all_proven &= child.is_proven;
                if child.is_proven {
                    best_proven = best_proven.max(own_value);
                }
            }
            let average = self.config.back_up == BackUp::Average;
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum += f64::from(sign * best);
            if all_proven || best_proven >= highest {
                node.is_proven = true;
                node.value = sign * best_proven;
            } else {
                node.value = if average { (node.sum / f64::from(node.visits)) as f32 } else { sign * best };
            }
        }
    }

    fn best(&self, state: &G) -> Option<G::Move> {
        self.best_child(0, state).and_then(|child| self.nodes[child].mv)
    }

    /// The child to play at a node: by value if it is proven to be the best, by visits and then value otherwise.
    fn best_child(&self, at: usize, state: &G) -> Option<usize> {
        let Turn::Player(player) = state.turn() else { return None };
        let sign = player.sign() as f32;
        let node = &self.nodes[at];
        let own_value = |child: usize| sign * self.nodes[child].value;
        let by_value = |a: &usize, b: &usize| own_value(*a).total_cmp(&own_value(*b));
        let proven = node.range().filter(|&child| self.nodes[child].is_proven).max_by(by_value);
        if node.is_proven {
            return proven;
        }
        let visits = |child: usize| self.nodes[child].visits;
        let open = node
            .range()
            .filter(|&child| !self.nodes[child].is_proven)
            .max_by(|a, b| visits(*a).cmp(&visits(*b)).then(by_value(a, b)));
        match (open, proven) {
            (Some(open), Some(proven)) if own_value(proven) > own_value(open) => Some(proven),
            (open, proven) => open.or(proven),
        }
    }

    fn line(&self, state: &G) -> Vec<G::Move> {
        let mut state = state.clone();
        let mut line = Vec::new();
        let mut at = 0;
        while let Some(child) = self.best_child(at, &state) {
            let mv = self.nodes[child].mv.expect("a child has a move");
            line.push(mv);
            state.play(mv);
            at = child;
        }
        line
    }
}
