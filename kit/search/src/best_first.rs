//! Best-first minimax: a tree search that always extends the line that currently looks best. It evaluates positions
//! instead of playing random games.
//!
//! An iteration evaluates all children of a leaf at once, backs up the value of the best child, and leaves the next
//! iteration to follow the line that is then best. An exploration term favours nodes with few visits. The best child
//! can be chosen by its minimax value, by the mean of its values so far, or by a mixture of both. The strongest public
//! bots for Ultimate Tic-Tac-Toe use this search with a small network that computes its first layer once for all
//! children of a leaf.
//!
//! Sources: Korf, Chickering, "Best-first minimax search", 1996; Cohen-Solal, "Learning to play two-player
//! perfect-information games without knowledge", 2020 (unbounded best-first minimax).

use crate::{Follow, SearchBudget, SearchLimits};
use contender_game::{
    contest::{Analysis, MoveAnalysis},
    rules::{Game, Player, Turn},
};

/// The value of a child, from player 0's point of view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ChildValue {
    /// An estimate.
    Estimate(f32),
    /// The exact value of a child whose game is over or solved.
    Exact(f32),
}

/// An evaluator that computes the values of all children of a state at once.
///
/// The example of [`BestFirst`] implements this trait.
pub trait ChildEvaluator<G: Game> {
    /// Appends the value of the state after each of `moves`, in the same order. Work that all children share, such as
    /// an accumulator of `state`, needs to be done only once.
    fn evaluate_children(&mut self, state: &G, moves: &[G::Move], values: &mut Vec<ChildValue>);

    /// Returns the highest value that player 0 can reach; the lowest value is its negative. The search stops when a
    /// player has proven this value.
    fn highest(&self) -> f32 {
        f32::INFINITY
    }
}

/// The parameters of the tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BestFirstConfig {
    /// Maximum number of nodes in the tree.
    pub capacity: usize,
    /// Weight of `sqrt(log2(parent visits) / visits)` when a child is selected, in the unit of the values. With 0, the
    /// search always follows the best child.
    pub exploration: f32,
    /// Weight of a child's minimax value when a child is selected, from 0 to 1. The remaining weight belongs to the
    /// mean of the minimax values after each visit, which changes more slowly.
    pub minimax: f32,
    /// Bonus per doubling of a move's visits when the move to play is selected, in the unit of the values. With
    /// infinity, the most visited move is played.
    pub habit: f32,
}

impl Default for BestFirstConfig {
    fn default() -> Self {
        BestFirstConfig { capacity: 1 << 20, exploration: 0.4, minimax: 1.0, habit: f32::INFINITY }
    }
}

/// A node takes 24 bytes if a move takes one byte. The size matters, because descending the tree mostly waits for
/// memory.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    /// The minimax value, from player 0's point of view.
    value: f32,
    /// The mean of the values after each visit. Before the first visit, the initial estimate.
    mean: f32,
    /// The factor `1 / sqrt(visits)` of the exploration term. The factor is 1 for nodes without visits, and minus
    /// infinity for proven nodes, which are never followed.
    pull: f32,
    visits: u32,
    /// The index of the first child, or 0 if there are no children.
    first: u32,
    children: u16,
    is_proven: bool,
    /// The move that leads to this node; arbitrary at the root.
    mv: M,
}

impl<M> Node<M> {
    fn new(mv: M, child: ChildValue) -> Node<M> {
        let (value, is_proven) = match child {
            ChildValue::Estimate(value) => (value, false),
            ChildValue::Exact(value) => (value, true),
        };
        let pull = if is_proven { f32::NEG_INFINITY } else { 1.0 };
        Node { value, mean: value, pull, visits: 0, first: 0, children: 0, is_proven, mv }
    }

    #[inline]
    fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.children)
    }

    /// Records a visit that gave this new value.
    #[inline]
    fn visit(&mut self, value: f32, is_proven: bool) {
        self.visits += 1;
        let inverse = 1.0 / self.visits as f32;
        self.value = value;
        self.mean += (value - self.mean) * inverse;
        self.is_proven = is_proven;
        self.pull = if is_proven { f32::NEG_INFINITY } else { inverse.sqrt() };
    }
}

/// Approximates the binary logarithm of a number that is at least 1, by linear interpolation between powers of two. The
/// result is too small by at most 0.09.
#[inline]
fn log2(number: u32) -> f32 {
    const FRACTION: f32 = 1.0 / (1u32 << 23) as f32;
    (number as f32).to_bits() as f32 * FRACTION - 127.0
}

/// Best-first minimax for games without chance.
///
/// ```
/// # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::rules::{Game, Player};
/// use contender_search::best_first::{BestFirst, BestFirstConfig, ChildEvaluator, ChildValue};
/// use contender_search::SearchLimits;
///
/// struct Ends;
///
/// impl ChildEvaluator<Nim> for Ends {
///     fn evaluate_children(&mut self, state: &Nim, moves: &[u8], values: &mut Vec<ChildValue>) {
///         values.extend(moves.iter().map(|&mv| {
///             let mut child = state.clone();
///             child.play(mv);
///             match child.matches {
///                 0 => ChildValue::Exact(child.value() as f32),
///                 _ => ChildValue::Estimate(0.0),
///             }
///         }));
///     }
///
///     fn highest(&self) -> f32 {
///         1.0
///     }
/// }
///
/// let mut search = BestFirst::new(BestFirstConfig::default());
/// let start = Nim { matches: 10, mover: Player::Zero };
/// let analysis = search.search(&start, &mut Ends, &SearchLimits::nodes(1000));
/// assert_eq!(analysis.moves[0].mv, 2);
/// ```
#[derive(Clone)]
pub struct BestFirst<G: Game> {
    config: BestFirstConfig,
    nodes: Vec<Node<G::Move>>,
    moves: Vec<G::Move>,
    values: Vec<ChildValue>,
    /// The path from the root, each node with the player who chooses there.
    path: Vec<(usize, Player)>,
    /// The node of the next state to search, if it is in the tree.
    kept: Option<usize>,
    old: Vec<Node<G::Move>>,
}

impl<G: Game> BestFirst<G> {
    /// Creates a search with this configuration.
    pub fn new(config: BestFirstConfig) -> Self {
        BestFirst {
            config,
            nodes: Vec::new(),
            moves: Vec::new(),
            values: Vec::new(),
            path: Vec::new(),
            kept: None,
            old: Vec::new(),
        }
    }

    /// Touches all memory that trees may use, so that the system allocates the memory now and not during a turn with
    /// little time. A second call does nothing.
    pub fn warm_up(&mut self, mv: G::Move) {
        let capacity = self.config.capacity.clamp(1, u32::MAX as usize);
        for nodes in [&mut self.nodes, &mut self.old] {
            if nodes.capacity() < capacity {
                nodes.resize(capacity, Node::new(mv, ChildValue::Estimate(0.0)));
                nodes.clear();
            }
        }
    }

    /// Makes the state after `mv` the new root. The next search must start from this state, unless
    /// [`reset`](BestFirst::reset) is called first. Without a call to this function, the next search starts from
    /// scratch.
    ///
    /// This call returns immediately. The next search removes the other nodes and counts that as part of its time.
    pub fn advance(&mut self, mv: G::Move) {
        // After a search the root is node 0, and then it goes down with each move.
        let root = self.kept.or(if self.nodes.is_empty() { None } else { Some(0) });
        self.kept = root.and_then(|root| self.nodes[root].range().find(|&child| self.nodes[child].mv == mv));
        if self.kept.is_none() {
            self.nodes.clear();
        }
    }

    /// Makes the kept node the root and removes all nodes that are not below it.
    fn keep_below(&mut self, root: usize) {
        std::mem::swap(&mut self.nodes, &mut self.old);
        self.nodes.clear();
        self.nodes.reserve(self.config.capacity.clamp(1, u32::MAX as usize));
        // A proven child may have no children yet, of which the search must choose one: it is searched as if it were
        // not proven.
        let root = self.old[root];
        self.nodes.push(Node { is_proven: root.is_proven && root.children > 0, ..root });
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

    /// Discards the tree.
    pub fn reset(&mut self) {
        self.kept = None;
        self.nodes.clear();
    }

    /// Searches `state`; the effort of a move is its number of visits. The node limit counts iterations. At least one
    /// iteration is made if there is a legal move. The search ends when the root is proven or the tree is full.
    pub fn search(
        &mut self,
        state: &G,
        evaluator: &mut impl ChildEvaluator<G>,
        limits: &SearchLimits,
    ) -> Analysis<G::Move> {
        let mut meter = SearchBudget::of_iterations(limits);
        match self.kept.take() {
            Some(root) => self.keep_below(root),
            None => {
                self.nodes.clear();
                self.nodes.reserve(self.config.capacity.clamp(1, u32::MAX as usize));
                self.moves.clear();
                state.moves(&mut self.moves);
                self.nodes.extend(self.moves.first().map(|&mv| Node::new(mv, ChildValue::Estimate(0.0))));
            }
        }
        let (mut iterations, mut deepest) = (0, 0);
        while self.wants_more() && meter.count().is_ok() && self.iterate(state.clone(), evaluator) {
            iterations += 1;
            deepest = deepest.max(self.path.len());
        }
        let line = self.line(state);
        let ranked = Analysis::ranked(self.root_moves(state), line.first());
        Analysis {
            line,
            counts: vec![
                ("iterations", iterations),
                ("nodes in the tree", self.nodes.len() as u64),
                ("longest path", deepest as u64),
            ],
            elapsed: meter.elapsed(),
            ..ranked
        }
    }

    /// Returns whether the tree has a root whose value is not proven yet.
    fn wants_more(&self) -> bool {
        self.nodes.first().map_or(false, |root| !root.is_proven)
    }

    fn root_moves(&self, state: &G) -> Vec<MoveAnalysis<G::Move>> {
        let (Some(root), Turn::Player(player)) = (self.nodes.first(), state.turn()) else {
            return Vec::new();
        };
        let own = |value: f32| f64::from(player.sign() as f32 * value);
        let moves = self.nodes[root.range()].iter().map(|node| MoveAnalysis {
            mv: node.mv,
            value: [own(node.value); 2],
            is_proven: node.is_proven,
            effort: u64::from(node.visits),
        });
        moves.collect()
    }

    /// Follows the tree to a leaf, adds the leaf's children and backs up their best value. Returns `false` if the tree
    /// cannot grow.
    fn iterate(&mut self, mut state: G, evaluator: &mut impl ChildEvaluator<G>) -> bool {
        self.path.clear();
        let mut at = 0;
        loop {
            let Turn::Player(player) = state.turn() else { return false };
            self.path.push((at, player));
            if self.nodes[at].children == 0 {
                break;
            }
            at = self.follow(at, player);
            state.play(self.nodes[at].mv);
        }
        self.moves.clear();
        state.moves(&mut self.moves);
        let Ok(children) = u16::try_from(self.moves.len()) else { return false };
        if self.moves.len() > self.config.capacity.saturating_sub(self.nodes.len()) {
            return false;
        }
        self.values.clear();
        evaluator.evaluate_children(&state, &self.moves, &mut self.values);
        debug_assert_eq!(self.values.len(), self.moves.len());
        self.nodes[at].first = self.nodes.len() as u32;
        self.nodes[at].children = children;
        self.nodes.extend(self.moves.iter().zip(&self.values).map(|(&mv, &worth)| Node::new(mv, worth)));
        self.back_up(evaluator.highest());
        true
    }

    /// Returns the unproven child that looks best to `player`. Such a child exists, because the node itself is not
    /// proven.
    #[inline]
    fn follow(&self, at: usize, player: Player) -> usize {
        let node = &self.nodes[at];
        let (range, visits) = (node.range(), node.visits.max(1));
        let BestFirstConfig { exploration, minimax, .. } = self.config;
        let spread = exploration * log2(visits).sqrt();
        let sign = player.sign() as f32;
        let (of_value, of_mean) = (sign * minimax, sign * (1.0 - minimax));
        let (first, mut best, mut highest) = (range.start, 0, f32::NEG_INFINITY);
        for (at, child) in self.nodes[range].iter().enumerate() {
            // Of a proven child it is minus infinity, or no number where there is no spread: not above anything.
            let urgency = of_value * child.value + of_mean * child.mean + spread * child.pull;
            if urgency > highest {
                (best, highest) = (at, urgency);
            }
        }
        first + best
    }

    /// Backs up the values of the leaf's children along the path. A node's children are compared again only if the best
    /// child has become worse, or if a child has just been proven.
    fn back_up(&mut self, highest: f32) {
        // What the child on the path was worth before, is worth now, and whether it was proven by this.
        let mut changed: Option<(f32, f32, bool)> = None;
        for index in (0..self.path.len()).rev() {
            let (at, player) = self.path[index];
            let sign = player.sign() as f32;
            let before = self.nodes[at].value;
            let (value, is_proven) = match changed {
                Some((_, now, false)) if sign * now >= sign * before => (now, false),
                Some((was, _, false)) if was != before => (before, false),
                _ => self.best_of_children(at, sign, highest),
            };
            self.nodes[at].visit(value, is_proven);
            changed = Some((before, value, is_proven));
        }
    }

    /// Returns the best value of a node's children for the player who chooses, and whether that value is proven.
    fn best_of_children(&self, at: usize, sign: f32, highest: f32) -> (f32, bool) {
        let (mut best, mut best_proven, mut all_proven) = (f32::NEG_INFINITY, f32::NEG_INFINITY, true);
        for child in &self.nodes[self.nodes[at].range()] {
            let own_value = sign * child.value;
            best = best.max(own_value);
            all_proven &= child.is_proven;
            if child.is_proven {
                best_proven = best_proven.max(own_value);
            }
        }
        if all_proven || best_proven >= highest {
            (sign * best_proven, true)
        } else {
            (sign * best, false)
        }
    }

    /// Returns the child to play at a node: a child proven to be the best, or else the best child by visits and value.
    fn best_child(&self, at: usize, state: &G) -> Option<usize> {
        let Turn::Player(player) = state.turn() else { return None };
        let sign = player.sign() as f32;
        let node = self.nodes.get(at)?;
        let own_value = |child: usize| sign * self.nodes[child].value;
        let by_value = |a: &usize, b: &usize| own_value(*a).total_cmp(&own_value(*b));
        let proven = node.range().filter(|&child| self.nodes[child].is_proven).max_by(by_value);
        if node.is_proven {
            return proven;
        }
        let visits = |child: usize| self.nodes[child].visits;
        let habit = self.config.habit;
        let merit = |child: usize| own_value(child) + habit * (visits(child) as f32 + 1.0).log2();
        let by_merit = |a: &usize, b: &usize| {
            if habit.is_finite() {
                merit(*a).total_cmp(&merit(*b))
            } else {
                visits(*a).cmp(&visits(*b)).then(by_value(a, b))
            }
        };
        let open = node.range().filter(|&child| !self.nodes[child].is_proven).max_by(by_merit);
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
            let mv = self.nodes[child].mv;
            line.push(mv);
            state.play(mv);
            at = child;
        }
        line
    }
}

impl<G: Game> Follow<G> for BestFirst<G> {
    fn reset(&mut self) {
        BestFirst::reset(self);
    }

    fn advance(&mut self, mv: G::Move) {
        BestFirst::advance(self, mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game with three moves in each of eight plies; values are hashes of the moves.
    #[derive(Clone)]
    struct Thicket {
        hash: u32,
        ply: u32,
    }

    impl Game for Thicket {
        type Move = u8;

        fn turn(&self) -> Turn {
            match self.ply {
                8 => Turn::Over,
                ply => Turn::Player(Player::BOTH[ply as usize % 2]),
            }
        }

        fn moves(&self, moves: &mut Vec<u8>) {
            moves.extend(0..3);
        }

        fn play(&mut self, mv: u8) {
            self.ply += 1;
            self.hash = (self.hash ^ u32::from(mv)).wrapping_mul(0x9e37_79b1).rotate_left(13);
        }

        fn points(&self) -> [i32; 2] {
            [0, 0]
        }
    }

    struct Hashes;

    impl ChildEvaluator<Thicket> for Hashes {
        fn evaluate_children(&mut self, state: &Thicket, moves: &[u8], values: &mut Vec<ChildValue>) {
            values.extend(moves.iter().map(|&mv| {
                let mut child = state.clone();
                child.play(mv);
                // Few values, so that there are equals.
                let value = (child.hash % 17) as f32 - 8.0;
                match child.turn() {
                    Turn::Over => ChildValue::Exact(value),
                    _ => ChildValue::Estimate(value),
                }
            }));
        }

        fn highest(&self) -> f32 {
            8.0
        }
    }

    /// Every node has the value of its best child, is proven exactly if its children prove it, and has one visit more
    /// than its children together, although hardly any node compares all its children at each visit.
    #[test]
    fn what_is_backed_up_is_what_all_children_say() {
        for hash in 0..200 {
            let root = Thicket { hash, ply: 0 };
            let minimax = [0.0, 0.4, 1.0][hash as usize % 3];
            let mut search = BestFirst::new(BestFirstConfig { minimax, ..BestFirstConfig::default() });
            search.search(&root, &mut Hashes, &SearchLimits::nodes(20 + u64::from(hash) * 5));
            let mut states = vec![(0, 0)];
            while let Some((at, ply)) = states.pop() {
                let node = &search.nodes[at];
                if node.children == 0 {
                    continue;
                }
                let sign = Player::BOTH[ply % 2].sign() as f32;
                assert_eq!((node.value, node.is_proven), search.best_of_children(at, sign, 8.0));
                let below: u32 = search.nodes[node.range()].iter().map(|child| child.visits).sum();
                assert_eq!(node.visits, below + 1);
                assert!(node.mean.abs() <= 8.001);
                states.extend(node.range().map(|child| (child, ply + 1)));
            }
        }
    }

    #[test]
    fn the_logarithm_is_near() {
        for number in (1..1000).chain((1..4000).map(|n| n * 1_000_003)) {
            let error = (number as f32).log2() - log2(number);
            assert!((-1e-4..0.0861).contains(&error), "{number}: {error}");
        }
    }
}
