//! The nodes of a tree, stored in one vector.

use super::select::Arm;
use contender_game::rules::Player;

/// A node for a state that is reached from its parent by a move or a chance outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    /// Sum of the rewards of the player who chose this node, or of player 0 if it is a chance outcome.
    pub sum: f64,
    /// The rewards of both players if they are proven, NaN otherwise.
    pub proven: [f32; 2],
    pub visits: u32,
    /// The mean reward; 0 if there are no visits. It is stored because children are compared far more often than they
    /// are visited.
    pub reward: f32,
    /// `1 / sqrt(visits)`, stored for the same reason; 1 if there are no visits.
    pub spread: f32,
    /// Index of the first child; 0 if there are no children, because the root cannot be a child.
    pub first: u32,
    pub children: u32,
    pub prior: f32,
    /// The move that leads to this node; `None` after a chance outcome and at the root.
    pub mv: Option<M>,
}

// A node of a game with moves of at most four bytes fits into one line of the cache.
const _: () = assert!(std::mem::size_of::<Node<u32>>() <= 64);

impl<M> Node<M> {
    pub fn new(mv: Option<M>, prior: f32) -> Node<M> {
        Node {
            sum: 0.0,
            proven: [f32::NAN; 2],
            visits: 0,
            reward: 0.0,
            spread: 1.0,
            first: 0,
            children: 0,
            prior,
            mv,
        }
    }

    pub fn is_proven(&self) -> bool {
        !self.proven[0].is_nan()
    }

    /// Records a visit and its reward.
    pub fn visit(&mut self, reward: f32) {
        self.visits += 1;
        self.sum += f64::from(reward);
        let visits = f64::from(self.visits);
        self.reward = (self.sum / visits) as f32;
        self.spread = visits.sqrt().recip() as f32;
    }

    #[inline]
    pub fn arm(&self) -> Arm {
        let &Node { visits, reward, spread, prior, .. } = self;
        Arm { visits, reward, spread, prior }
    }

    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.children) as usize
    }
}

/// A tree of fixed capacity whose root is node 0.
#[derive(Clone, Debug)]
pub(super) struct Tree<M> {
    pub nodes: Vec<Node<M>>,
    capacity: usize,
}

impl<M: Copy> Tree<M> {
    /// Creates a tree with room for this number of nodes, at least one and fewer than 2^32.
    pub fn new(capacity: usize) -> Tree<M> {
        let capacity = capacity.clamp(1, u32::MAX as usize);
        let mut nodes = Vec::with_capacity(capacity);
        nodes.push(Node::new(None, 0.0));
        Tree { nodes, capacity }
    }

    pub fn reset(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(None, 0.0));
    }

    /// Adds the children of a node. Does nothing if there is no room for all of them.
    pub fn expand(&mut self, parent: usize, children: impl ExactSizeIterator<Item = Node<M>>) -> bool {
        if children.len() > self.capacity - self.nodes.len() {
            return false;
        }
        let first = self.nodes.len();
        self.nodes[parent].first = first as u32;
        self.nodes[parent].children = children.len() as u32;
        self.nodes.extend(children);
        true
    }

    /// Makes a node the root and removes all nodes that are not below it. `old` is working memory.
    pub fn keep_below(&mut self, root: usize, old: &mut Vec<Node<M>>) {
        std::mem::swap(&mut self.nodes, old);
        self.nodes.clear();
        self.nodes.reserve(self.capacity);
        self.nodes.push(Node { mv: None, ..old[root] });
        // Breadth first: what lies before `at` has its children in the new vector already.
        let mut at = 0;
        while at < self.nodes.len() {
            let range = self.nodes[at].range();
            if !range.is_empty() {
                self.nodes[at].first = self.nodes.len() as u32;
                self.nodes.extend_from_slice(&old[range]);
            }
            at += 1;
        }
    }

    /// Tries to prove a node's value from its children. `chooser` chooses among the children, and `highest` is the best
    /// possible reward. Returns whether the node is now proven.
    pub fn prove(&mut self, at: usize, chooser: Player, highest: f32) -> bool {
        let children = &self.nodes[self.nodes[at].range()];
        let mut best: Option<[f32; 2]> = None;
        let mut all = !children.is_empty();
        for child in children {
            if !child.is_proven() {
                all = false;
            } else if best.map_or(true, |best| child.proven[chooser] > best[chooser]) {
                best = Some(child.proven);
            }
        }
        match best {
            Some(proven) if all || proven[chooser] >= highest => {
                self.nodes[at].proven = proven;
                true
            }
            _ => false,
        }
    }
}

impl<M> Tree<M> {
    /// Tries to prove a chance node's value from its children, whose priors are the weights. Returns whether the node
    /// is now proven.
    pub fn prove_chance(&mut self, at: usize) -> bool {
        let mut total = 0.0;
        let mut sums = [0.0; 2];
        for child in &self.nodes[self.nodes[at].range()] {
            if !child.is_proven() {
                return false;
            }
            total += child.prior;
            for (sum, proven) in sums.iter_mut().zip(child.proven) {
                *sum += child.prior * proven;
            }
        }
        self.nodes[at].proven = sums.map(|sum| sum / total);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeping_a_subtree_keeps_its_shape() {
        let mut tree = Tree::new(100);
        let node = |mv: u8| Node::new(Some(mv), f32::from(mv));
        assert!(tree.expand(0, [1, 2].map(node).into_iter()));
        assert!(tree.expand(2, [3, 4, 5].map(node).into_iter()));
        assert!(tree.expand(1, [9].map(node).into_iter()));
        assert!(tree.expand(4, [6].map(node).into_iter()));
        tree.keep_below(2, &mut Vec::new());
        let moves = |at: usize| -> Vec<u8> {
            tree.nodes[tree.nodes[at].range()].iter().filter_map(|n| n.mv).collect()
        };
        assert_eq!(moves(0), [3, 4, 5]);
        assert_eq!(moves(2), [6]);
        assert_eq!(tree.nodes.len(), 5);
    }

    #[test]
    fn a_full_tree_stops_growing() {
        let mut tree = Tree::new(3);
        assert!(tree.expand(0, [1u8, 2].map(|mv| Node::new(Some(mv), 0.0)).into_iter()));
        assert!(!tree.expand(1, [3u8].map(|mv| Node::new(Some(mv), 0.0)).into_iter()));
        assert_eq!(tree.nodes.len(), 3);
    }
}
