//! Monte Carlo tree search with an explicit tree, for games in which the players take turns.

use super::tree::{Node, Tree};
use super::{LeafEvaluator, Select};
use crate::draw;
use crate::{ChanceModel, Follow, SearchBudget, SearchLimits};
use contender_game::{
    contest::{Analysis, MoveAnalysis},
    rules::{Game, Player, Rng, Turn},
};
use std::marker::PhantomData;

/// The parameters of the tree.
///
/// ```
/// use contender_search::mcts::{FinalMove, MctsConfig};
///
/// let config = MctsConfig { capacity: 100_000, final_move: FinalMove::Score, ..MctsConfig::default() };
/// assert!(config.solver);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MctsConfig {
    /// Maximum number of nodes in the tree.
    pub capacity: usize,
    /// The order in which the children of a node are first tried.
    pub expansion: Expansion,
    /// Factor by which a reward is multiplied for each move and outcome on the way up the tree, so that early wins
    /// count more. With 1, rewards do not change.
    pub decay: f32,
    /// Whether wins, losses and draws are proven. The search does not follow proven nodes any further.
    ///
    /// Source: Winands, Bjornsson, Saito, "Monte-Carlo tree search solver", 2008.
    pub solver: bool,
    /// Maximum number of moves and outcomes, counted from the end of a line, for which the solver proves values; at
    /// least 1. With 1, the solver only marks moves that allow an immediate loss.
    pub solver_reach: usize,
    /// The criterion by which the move to play is chosen.
    pub final_move: FinalMove,
}

/// The criterion by which the move to play is chosen among the unproven moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalMove {
    /// The number of visits (the robust child): Chaslot et al., "Progressive strategies for Monte-Carlo tree search",
    /// 2008.
    Visits,
    /// The sum of the rewards.
    Score,
}

/// The order in which the children of a node are first tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expansion {
    /// Random order.
    Random,
    /// Descending order of priors. Children with equal priors are tried in the game's order.
    Prior,
}

impl Default for MctsConfig {
    /// Returns the parameters of plain UCT with a solver: all children are tried one at a time in random order.
    fn default() -> Self {
        MctsConfig {
            capacity: 1 << 20,
            expansion: Expansion::Random,
            decay: 1.0,
            solver: true,
            solver_reach: usize::MAX,
            final_move: FinalMove::Visits,
        }
    }
}

/// Monte Carlo tree search for a game with the [`ChanceModel`] `L` and the selection formula `S`. The tree is kept
/// between searches.
///
/// ```
/// # #[path = "../../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::rules::{Player, Rng};
/// use contender_search::mcts::{Mcts, MctsConfig, RandomGames, Uct};
/// use contender_search::{NoChance, SearchLimits};
///
/// let mut search = Mcts::<Nim, NoChance, Uct>::new(MctsConfig::default(), Uct::new(1.0));
/// let start = Nim { matches: 10, mover: Player::Zero };
/// let mut games = RandomGames::<Nim, NoChance>::default();
/// let analysis = search.search(&start, &mut games, &SearchLimits::nodes(5000), &mut Rng::new(1));
/// // Eight matches are left, a multiple of four.
/// assert_eq!(analysis.moves[0].mv, 2);
/// ```
#[derive(Clone)]
pub struct Mcts<G: Game, L: ChanceModel<G>, S> {
    config: MctsConfig,
    select: S,
    tree: Tree<G::Move>,
    /// The index of the next search's root; 0 during a search.
    root: usize,
    old: Vec<Node<G::Move>>,
    work: Work<G, L>,
    chance: PhantomData<L>,
}

/// The working memory of an iteration.
#[derive(Clone)]
struct Work<G: Game, L: ChanceModel<G>> {
    moves: Vec<G::Move>,
    priors: Vec<f32>,
    /// Moves with their priors, in the order in which they are tried.
    ordered: Vec<(G::Move, f32)>,
    outcomes: Vec<(L::Outcome, u32)>,
    /// The nodes from the root to the leaf, each with the player who chose the node.
    path: Vec<(usize, Option<Player>)>,
    /// Whether the state that [`Mcts::ask`] returned is the last node of the path.
    is_in_tree: bool,
}

/// The kind of leaf at the end of an iteration's path.
enum Leaf {
    /// A node with proven rewards.
    Proven([f32; 2]),
    /// A finished game.
    Over,
    /// A state to evaluate.
    Open,
}

impl<G: Game, L: ChanceModel<G>, S: Select> Mcts<G, L, S> {
    /// Creates a search with an empty tree.
    pub fn new(config: MctsConfig, select: S) -> Self {
        let work = Work {
            moves: Vec::new(),
            priors: Vec::new(),
            ordered: Vec::new(),
            outcomes: Vec::new(),
            path: Vec::new(),
            is_in_tree: true,
        };
        Mcts {
            config,
            select,
            tree: Tree::new(config.capacity),
            root: 0,
            old: Vec::new(),
            work,
            chance: PhantomData,
        }
    }

    /// Discards the tree. Call this function if the next state to search is unrelated.
    pub fn reset(&mut self) {
        self.root = 0;
        self.tree.reset();
    }

    /// Keeps the part of the tree below the state after `mv` and removes the rest. The next search must start from this
    /// state.
    ///
    /// This call returns immediately. The next search removes the other nodes and counts that as part of its time.
    pub fn advance(&mut self, mv: G::Move) {
        let child = self.tree.nodes[self.root].range().find(|&at| self.tree.nodes[at].mv == Some(mv));
        self.keep(child);
    }

    fn keep(&mut self, child: Option<usize>) {
        match child {
            Some(child) => self.root = child,
            None => self.reset(),
        }
    }

    /// Searches `state`. It must be the state to which [`advance`](Mcts::advance) led; after [`reset`](Mcts::reset),
    /// any state is allowed. The node limit counts iterations, and a depth limit is ignored. At least one iteration is
    /// made.
    pub fn search(
        &mut self,
        state: &G,
        evaluator: &mut impl LeafEvaluator<G, G::Move>,
        limits: &SearchLimits,
        rng: &mut Rng,
    ) -> Analysis<G::Move> {
        let mut meter = SearchBudget::of_iterations(limits);
        if self.root != 0 {
            let root = std::mem::take(&mut self.root);
            self.tree.keep_below(root, &mut self.old);
        }
        let mut deepest = 0;
        while !(self.config.solver && self.tree.nodes[0].is_proven()) && meter.count().is_ok() {
            self.iterate(state.clone(), evaluator, rng);
            deepest = deepest.max(self.work.path.len() - 1);
        }
        Analysis {
            counts: vec![
                ("iterations", meter.nodes()),
                ("nodes in the tree", self.tree.nodes.len() as u64),
                ("longest path", deepest as u64),
            ],
            elapsed: meter.elapsed(),
            ..self.moves(state)
        }
    }

    /// Makes one iteration: follows the tree down to a leaf, evaluates the leaf, and backs up its rewards.
    fn iterate(&mut self, mut state: G, evaluator: &mut impl LeafEvaluator<G, G::Move>, rng: &mut Rng) {
        let expand = |search: &mut Self, at: usize, state: &G, turn: Turn, rng: &mut Rng| {
            // The root has its children from the start. Any other node gets them when it is met again: most never
            // are, and a list of moves costs more than a visit.
            let wants_children = at == 0 || search.tree.nodes[at].visits > 0;
            wants_children && search.expand(at, state, turn, evaluator, rng)
        };
        match self.descend(&mut state, rng, expand) {
            Leaf::Proven(rewards) => self.back_up(rewards),
            Leaf::Over => self.finish(evaluator.finished(&state), evaluator.highest()),
            Leaf::Open => {
                let rewards = evaluator.estimate(&mut state, rng);
                self.back_up(rewards);
            }
        }
    }

    /// Runs the first half of an iteration whose leaf is evaluated outside the search, for example in a batch with the
    /// leaves of other searches. Follows the tree from the root and plays the moves in `state`. The second half is
    /// [`answer`](Mcts::answer).
    ///
    /// Returns `false` if the iteration is already complete, because it ended in a finished game or a proven node.
    /// Otherwise, it is a player's turn in `state`, and the state is in the tree unless the tree is full. `finished`
    /// returns the rewards of a finished game, and `highest` is the maximum reward, as in [`LeafEvaluator`].
    pub fn ask(
        &mut self,
        state: &mut G,
        finished: impl Fn(&G) -> [f32; 2],
        highest: f32,
        rng: &mut Rng,
    ) -> bool {
        let expand = |search: &mut Self, at: usize, state: &G, turn: Turn, _: &mut Rng| {
            turn == Turn::Chance && search.expand_chance(at, state)
        };
        match self.descend(state, rng, expand) {
            Leaf::Proven(rewards) => self.back_up(rewards),
            Leaf::Over => self.finish(finished(state), highest),
            Leaf::Open => {
                self.work.is_in_tree = state.turn() != Turn::Chance;
                while state.turn() == Turn::Chance {
                    let outcome = draw::<G, L>(state, rng, &mut self.work.outcomes).1;
                    L::resolve(state, outcome);
                }
                if state.turn() != Turn::Over {
                    return true;
                }
                self.back_up(finished(state));
            }
        }
        false
    }

    /// Completes the iteration that [`ask`](Mcts::ask) began: adds the leaf's moves, sorted by descending prior, and
    /// backs up the rewards of both players. The first leaf of a new tree is the root, which does not count as an
    /// iteration.
    pub fn answer(&mut self, moves: &[(G::Move, f32)], rewards: [f32; 2]) {
        if self.work.is_in_tree {
            let (leaf, _) = self.work.path[self.work.path.len() - 1];
            self.tree.expand(leaf, moves.iter().map(|&(mv, prior)| Node::new(Some(mv), prior)));
        }
        if self.work.path.len() > 1 {
            self.back_up(rewards);
        }
    }

    /// Returns whether the value of the root is proven.
    pub fn is_proven(&self) -> bool {
        self.tree.nodes[0].is_proven()
    }

    /// Returns the moves of the root `state`, best first.
    pub fn moves(&self, state: &G) -> Analysis<G::Move> {
        let line = self.line(state);
        let ranked = Analysis::ranked(self.root_moves(state), line.first());
        Analysis { line, ..ranked }
    }

    /// Follows the tree from the root down to a leaf, and plays the moves and outcomes in `state`. The closure `expand`
    /// may add children to a node without children; it returns `false` if it added none.
    fn descend(
        &mut self,
        state: &mut G,
        rng: &mut Rng,
        mut expand: impl FnMut(&mut Self, usize, &G, Turn, &mut Rng) -> bool,
    ) -> Leaf {
        self.work.path.clear();
        self.work.path.push((0, None));
        let mut at = 0;
        loop {
            let node = &self.tree.nodes[at];
            if self.config.solver && node.is_proven() {
                // Its ancestors have heard of it when it was proven, as many as the solver's reach lets know.
                return Leaf::Proven(node.proven);
            }
            let turn = state.turn();
            if turn == Turn::Over {
                return Leaf::Over;
            }
            if node.children == 0 && !expand(self, at, state, turn, rng) {
                return Leaf::Open;
            }
            let (child, chooser) = match turn {
                Turn::Player(player) => (self.follow(at, player), Some(player)),
                _ => {
                    let (index, outcome) = draw::<G, L>(state, rng, &mut self.work.outcomes);
                    L::resolve(state, outcome);
                    (self.tree.nodes[at].range().start + index, None)
                }
            };
            if let Some(mv) = self.tree.nodes[child].mv {
                state.play(mv);
            }
            self.work.path.push((child, chooser));
            at = child;
        }
    }

    /// Backs up the rewards of a finished game, and marks them as proven.
    fn finish(&mut self, rewards: [f32; 2], highest: f32) {
        if self.config.solver {
            self.prove(rewards, highest);
        }
        self.back_up(rewards);
    }

    /// Adds the children of a node. Returns `false` if there is no room.
    fn expand(
        &mut self,
        at: usize,
        state: &G,
        turn: Turn,
        evaluator: &mut impl LeafEvaluator<G, G::Move>,
        rng: &mut Rng,
    ) -> bool {
        let Turn::Player(player) = turn else { return self.expand_chance(at, state) };
        let work = &mut self.work;
        work.moves.clear();
        evaluator.candidates(state, player, &mut work.moves);
        if work.moves.is_empty() {
            state.moves(&mut work.moves);
        }
        work.priors.clear();
        evaluator.priors(state, player, &work.moves, &mut work.priors);
        debug_assert_eq!(work.moves.len(), work.priors.len());
        work.ordered.clear();
        work.ordered.extend(work.moves.iter().copied().zip(work.priors.iter().copied()));
        match self.config.expansion {
            Expansion::Random => rng.shuffle(&mut work.ordered),
            Expansion::Prior => insertion_sort(&mut work.ordered),
        }
        self.tree.expand(at, work.ordered.iter().map(|&(mv, prior)| Node::new(Some(mv), prior)))
    }

    /// Adds the outcomes of a chance node. Returns `false` if there is no room.
    fn expand_chance(&mut self, at: usize, state: &G) -> bool {
        let outcomes = &mut self.work.outcomes;
        outcomes.clear();
        L::outcomes(state, outcomes);
        self.tree.expand(at, outcomes.iter().map(|&(_, weight)| Node::new(None, weight as f32)))
    }

    /// Returns the child that an iteration follows from a node at which `player` chooses.
    fn follow(&self, at: usize, player: Player) -> usize {
        let node = &self.tree.nodes[at];
        let range = node.range();
        let children = &self.tree.nodes[range.clone()];
        if self.select.tries_all_first() && children.last().map_or(false, |last| last.visits == 0) {
            // They are tried in their order, so those that were come first.
            return range.start + children.partition_point(|child| child.visits > 0);
        }
        // Without visits all children have the same reward, whatever it is, and their priors choose.
        let parent = self.select.parent(node.visits, || self.mean_of_children(at).unwrap_or(0.0));
        let (mut best, mut best_urgency) = (None, f32::NEG_INFINITY);
        for (number, child) in children.iter().enumerate() {
            // What is proven teaches nothing more.
            if self.config.solver && child.is_proven() {
                continue;
            }
            let urgency = self.select.urgency(parent, &child.arm());
            if urgency > best_urgency {
                (best, best_urgency) = (Some(number), urgency);
            }
        }
        // All are proven, and the node is not: the proofs are beyond the solver's reach.
        let best = best.or_else(|| {
            let proven = |&number: &usize| children[number].proven[player];
            (0..children.len()).max_by(|a, b| proven(a).total_cmp(&proven(b)))
        });
        range.start + best.unwrap_or(0)
    }

    /// Returns the mean reward of the player who chooses among a node's children, or `None` if the node has no visits.
    fn mean_of_children(&self, at: usize) -> Option<f32> {
        let children = &self.tree.nodes[self.tree.nodes[at].range()];
        let visits: u32 = children.iter().map(|child| child.visits).sum();
        let sum: f64 = children.iter().map(|child| child.sum).sum();
        if visits == 0 {
            None
        } else {
            Some((sum / f64::from(visits)) as f32)
        }
    }

    fn back_up(&mut self, rewards: [f32; 2]) {
        let mut factor = 1.0;
        for &(at, chooser) in self.work.path.iter().rev() {
            let node = &mut self.tree.nodes[at];
            node.visit(factor * rewards[chooser.unwrap_or(Player::Zero)]);
            factor *= self.config.decay;
        }
    }

    /// Marks the leaf as proven. Also marks each ancestor whose value is thereby proven.
    fn prove(&mut self, rewards: [f32; 2], highest: f32) {
        let path = &self.work.path;
        let (leaf, _) = path[path.len() - 1];
        self.tree.nodes[leaf].proven = rewards;
        for steps in (1..path.len()).rev().take(self.config.solver_reach.max(1)) {
            let (parent, chooser) = (path[steps - 1].0, path[steps].1);
            let is_proven = match chooser {
                Some(player) => self.tree.prove(parent, player, highest),
                None => self.tree.prove_chance(parent),
            };
            if !is_proven {
                break;
            }
        }
    }

    /// Returns the child to play at a node at which `player` chooses. This is a child that is proven to be the best, or
    /// otherwise the child with the most visits (or the highest score) that is not proven to be worse than another.
    fn best_child(&self, at: usize, player: Player) -> Option<usize> {
        let node = |at: usize| &self.tree.nodes[at];
        let range = node(at).range();
        let is_proven = |&child: &usize| node(child).is_proven();
        let worth = |child: usize| node(child).proven[player];
        if self.config.solver && node(at).is_proven() {
            return range.clone().find(|&child| worth(child) == worth(at));
        }
        let count = |child: usize| match self.config.final_move {
            FinalMove::Visits => f64::from(node(child).visits),
            FinalMove::Score => f64::from(node(child).visits) * f64::from(node(child).reward),
        };
        // A proven child counts with its proof: it is chosen only if that beats what the most visited open one
        // promises.
        let open =
            range.clone().filter(|child| !is_proven(child)).max_by(|&a, &b| count(a).total_cmp(&count(b)));
        let proven = range.filter(is_proven).max_by(|&a, &b| worth(a).total_cmp(&worth(b)));
        match (open, proven) {
            (Some(open), Some(proven)) if node(open).visits > 0 && node(open).reward >= worth(proven) => {
                Some(open)
            }
            (open, proven) => proven.or(open),
        }
    }

    fn root_moves(&self, state: &G) -> Vec<MoveAnalysis<G::Move>> {
        let Turn::Player(player) = state.turn() else { return Vec::new() };
        let children = &self.tree.nodes[self.tree.nodes[0].range()];
        let moves = children.iter().filter_map(|child| {
            let (reward, is_proven) = (f64::from(child.reward), child.is_proven());
            let value = match child.visits {
                _ if is_proven => [f64::from(child.proven[player]); 2],
                0 => [f64::NEG_INFINITY, f64::INFINITY],
                _ => [reward; 2],
            };
            Some(MoveAnalysis { mv: child.mv?, value, is_proven, effort: u64::from(child.visits) })
        });
        moves.collect()
    }

    /// Returns the best line of moves from the root, up to the end of the tree or the first chance node.
    fn line(&self, state: &G) -> Vec<G::Move> {
        let mut state = state.clone();
        let mut line = Vec::new();
        let mut at = 0;
        while let Turn::Player(player) = state.turn() {
            let Some(child) = self.best_child(at, player) else { break };
            let node = &self.tree.nodes[child];
            let Some(mv) = node.mv else { break };
            if node.visits == 0 && !line.is_empty() {
                break;
            }
            line.push(mv);
            state.play(mv);
            at = child;
        }
        line
    }
}

impl<G: Game, L: ChanceModel<G>, S: Select> Follow<G> for Mcts<G, L, S> {
    fn reset(&mut self) {
        Mcts::reset(self);
    }

    fn advance(&mut self, mv: G::Move) {
        Mcts::advance(self, mv);
    }
}

/// Sorts items by descending prior. The sort is stable and, unlike the standard library's, does not allocate.
fn insertion_sort<M: Copy>(items: &mut [(M, f32)]) {
    for end in 1..items.len() {
        let item = items[end];
        let mut at = end;
        while at > 0 && items[at - 1].1 < item.1 {
            items[at] = items[at - 1];
            at -= 1;
        }
        items[at] = item;
    }
}
