//! Monte Carlo tree search for games in which both players choose at the same time.

use super::{Arm, LeafEvaluator, Select};
use crate::{SearchBudget, SearchLimits};
use contender_game::{
    contest::{Analysis, MoveAnalysis},
    rules::{Player, Rng, Simultaneous},
};

/// A move of a player at a node.
#[derive(Clone, Debug)]
struct Choice<M> {
    mv: M,
    prior: f32,
    sum: f64,
    visits: u32,
}

/// A node for a state. Its options (of both players) are stored next to each other in the list of options, and its
/// children, one per pair of options, in the list of children.
#[derive(Clone, Copy, Debug)]
struct Node {
    visits: u32,
    options: u32,
    counts: [u32; 2],
    /// Index of the first child, or [`NO_ROOM`].
    children: u32,
}

/// Maximum average number of pairs of options per node. Each pair takes four bytes.
const PAIRS: usize = 64;
/// The mark of a pair that no iteration has taken yet. The value 0 is free, because the root cannot be a child.
const UNTRIED: u32 = 0;
/// The mark of a pair that exactly one iteration has taken.
const TRIED: u32 = u32::MAX;
/// The mark of a root with too many pairs of options to store. The search then has only the statistics of the moves at
/// the root.
const NO_ROOM: u32 = u32::MAX;

/// Decoupled UCT or PUCT: each player chooses by its own statistics, and the pair of choices determines the child.
///
/// In practice, the search converges to good mixed strategies, but convergence to an equilibrium is not guaranteed. A
/// state becomes a node on its second visit, because most states are visited only once and their moves do not need to
/// be listed.
///
/// Sources: Finnsson, Bjornsson, "Simulation-based approach to general game playing", 2008; Tak, Lanctot, Winands,
/// "Monte Carlo tree search variants for simultaneous move games", 2014.
///
/// ```
/// # #[path = "../../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Goofspiel;
/// use contender_game::rules::{Player, Rng, Simultaneous};
/// use contender_search::mcts::{win_rewards, Decoupled, LeafEvaluator, Uct};
/// use contender_search::SearchLimits;
///
/// struct RandomCards;
///
/// impl LeafEvaluator<Goofspiel, u8> for RandomCards {
///     fn finished(&mut self, state: &Goofspiel) -> [f32; 2] {
///         win_rewards(state.points())
///     }
///
///     fn estimate(&mut self, state: &mut Goofspiel, rng: &mut Rng) -> [f32; 2] {
///         while !state.is_over() {
///             let [zero, one] = Player::BOTH.map(|player| state.random_move(player, rng));
///             state.play([&zero, &one]);
///         }
///         self.finished(state)
///     }
/// }
///
/// let mut search = Decoupled::new(10_000, Uct::new(0.7));
/// let (start, limits) = (Goofspiel::new(5, 0), SearchLimits::nodes(2000));
/// let [zero, _one] = search.search(&start, &mut RandomCards, &limits, &mut Rng::new(1));
/// // A player draws its card by these probabilities.
/// assert!((zero.strategy.iter().sum::<f64>() - 1.0).abs() < 1e-9);
/// ```
#[derive(Clone)]
pub struct Decoupled<G: Simultaneous, S> {
    select: S,
    capacity: usize,
    nodes: Vec<Node>,
    options: Vec<Choice<G::Move>>,
    /// The index of the child for each pair of a node's options, or [`UNTRIED`] or [`TRIED`].
    children: Vec<u32>,
    moves: Vec<G::Move>,
    priors: Vec<f32>,
    /// The nodes of the current path, each with the two options chosen there.
    path: Vec<(usize, [usize; 2])>,
    /// Whether the tree has stopped growing.
    is_full: bool,
}

impl<G: Simultaneous, S: Select> Decoupled<G, S> {
    /// Creates a search whose tree has at most `capacity` nodes, and at most 64 times as many pairs of options. The
    /// tree stops growing when it reaches one of these limits.
    pub fn new(capacity: usize, select: S) -> Self {
        let capacity = capacity.clamp(1, u32::MAX as usize);
        Decoupled {
            select,
            capacity,
            nodes: Vec::new(),
            options: Vec::new(),
            children: Vec::new(),
            moves: Vec::new(),
            priors: Vec::new(),
            path: Vec::new(),
            is_full: false,
        }
    }

    /// Searches `state` and returns the result for each player. In a player's strategy, the probability of a move is
    /// its share of the visits. The node limit counts iterations; at least one iteration is made.
    pub fn search(
        &mut self,
        state: &G,
        evaluator: &mut impl LeafEvaluator<G, G::Move>,
        limits: &SearchLimits,
        rng: &mut Rng,
    ) -> [Analysis<G::Move>; 2] {
        let mut meter = SearchBudget::of_iterations(limits);
        self.nodes.clear();
        self.options.clear();
        self.children.clear();
        self.is_full = false;
        if !state.is_over() {
            self.add_node(state, evaluator);
            while meter.count().is_ok() {
                self.iterate(state.clone(), evaluator, rng);
            }
        }
        let iterations = meter.nodes();
        let elapsed = meter.elapsed();
        Player::BOTH.map(|player| {
            let ranked = Analysis::ranked(self.root_moves(player), None);
            let share = |of: &MoveAnalysis<_>| of.effort as f64 / iterations as f64;
            Analysis {
                strategy: ranked.moves.iter().map(share).collect(),
                counts: vec![("iterations", iterations), ("nodes in the tree", self.nodes.len() as u64)],
                elapsed,
                ..ranked
            }
        })
    }

    fn iterate(&mut self, mut state: G, evaluator: &mut impl LeafEvaluator<G, G::Move>, rng: &mut Rng) {
        self.path.clear();
        let mut at = 0;
        let rewards = loop {
            let chosen = Player::BOTH.map(|player| self.follow(at, player, rng));
            self.path.push((at, chosen));
            state.play([&self.options[chosen[0]].mv, &self.options[chosen[1]].mv]);
            if state.is_over() {
                break evaluator.finished(&state);
            }
            let node = self.nodes[at];
            let first = node.options as usize;
            let pair =
                (chosen[0] - first) * node.counts[1] as usize + (chosen[1] - first - node.counts[0] as usize);
            let slot = node.children as usize + pair;
            let next = match self.children.get(slot).copied() {
                None => None,
                Some(UNTRIED) => {
                    self.children[slot] = TRIED;
                    None
                }
                Some(TRIED) => {
                    let child = self.add_node(&state, evaluator);
                    self.children[slot] = child.unwrap_or(TRIED);
                    child
                }
                known => known,
            };
            match next {
                Some(child) => at = child as usize,
                None => break evaluator.estimate(&mut state, rng),
            }
        };
        for &(at, chosen) in &self.path {
            self.nodes[at].visits += 1;
            for player in Player::BOTH {
                let option = &mut self.options[chosen[player]];
                option.visits += 1;
                option.sum += f64::from(rewards[player]);
            }
        }
    }

    /// Adds a node with its options and returns its index. If there is no room, only the root is added.
    fn add_node(&mut self, state: &G, evaluator: &mut impl LeafEvaluator<G, G::Move>) -> Option<u32> {
        let is_root = self.nodes.is_empty();
        self.is_full |= self.nodes.len() >= self.capacity;
        if self.is_full {
            return None;
        }
        let options = self.options.len();
        let counts = Player::BOTH.map(|player| {
            self.moves.clear();
            evaluator.candidates(state, player, &mut self.moves);
            if self.moves.is_empty() {
                state.moves(player, &mut self.moves);
            }
            self.priors.clear();
            evaluator.priors(state, player, &self.moves, &mut self.priors);
            let count = self.moves.len() as u32;
            let known = self.moves.drain(..).zip(&self.priors);
            self.options.extend(known.map(|(mv, &prior)| Choice { mv, prior, sum: 0.0, visits: 0 }));
            count
        });
        let most = self.capacity.saturating_mul(PAIRS).min(NO_ROOM as usize);
        let end = self.children.len() as u64 + u64::from(counts[0]) * u64::from(counts[1]);
        let has_room = end <= most as u64;
        if !has_room && !is_root {
            self.is_full = true;
            self.options.truncate(options);
            return None;
        }
        let children = if has_room { self.children.len() as u32 } else { NO_ROOM };
        if has_room {
            self.children.resize(end as usize, UNTRIED);
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { visits: 0, options: options as u32, counts, children });
        Some(number)
    }

    /// Returns the index of the option that a player follows at a node: the option with the highest urgency. If the
    /// formula tries all options first, a random option without visits is chosen as long as there is one.
    fn follow(&self, at: usize, player: Player, rng: &mut Rng) -> usize {
        let range = self.options_of(at, player);
        let visits = self.nodes[at].visits;
        if self.select.tries_all_first() {
            let fresh = self.options[range.clone()].iter().filter(|option| option.visits == 0).count();
            if fresh > 0 {
                let nth = rng.index(fresh);
                let mut unvisited = range.filter(|&index| self.options[index].visits == 0);
                return unvisited.nth(nth).expect("so many options have no visits");
            }
        }
        let parent = self.select.parent(visits, || {
            let sum: f64 = self.options[range.clone()].iter().map(|option| option.sum).sum();
            (sum / f64::from(visits.max(1))) as f32
        });
        // Ties break at random: two players with the same statistics would otherwise move in step for ever.
        let mut best = (range.start, f32::NEG_INFINITY);
        let mut equals = 0;
        for index in range {
            let option = &self.options[index];
            let arm = Arm { prior: option.prior, ..Arm::new(option.visits, option.sum) };
            let urgency = self.select.urgency(parent, &arm);
            equals = if urgency > best.1 { 1 } else { equals + u32::from(urgency == best.1) };
            if urgency > best.1 || (urgency == best.1 && rng.below(equals) == 0) {
                best = (index, urgency);
            }
        }
        best.0
    }

    fn options_of(&self, at: usize, player: Player) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        let first = node.options as usize;
        let middle = first + node.counts[0] as usize;
        match player {
            Player::Zero => first..middle,
            Player::One => middle..middle + node.counts[1] as usize,
        }
    }

    fn root_moves(&self, player: Player) -> Vec<MoveAnalysis<G::Move>> {
        if self.nodes.is_empty() {
            return Vec::new();
        }
        let options = &self.options[self.options_of(0, player)];
        let moves = options.iter().map(|option| {
            let value = match option.visits {
                0 => [f64::NEG_INFINITY, f64::INFINITY],
                visits => [option.sum / f64::from(visits); 2],
            };
            MoveAnalysis { mv: option.mv.clone(), value, is_proven: false, effort: u64::from(option.visits) }
        });
        moves.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Uct;
    use super::*;

    /// A game in which both players add moves, from a number of possible moves each, until the sum is 4.
    #[derive(Clone)]
    struct Wide {
        width: u32,
        turns: u32,
    }

    impl Simultaneous for Wide {
        type Move = u32;

        fn is_over(&self) -> bool {
            self.turns == 4
        }

        fn moves(&self, _: Player, moves: &mut Vec<u32>) {
            moves.extend(0..self.width);
        }

        fn play(&mut self, _: [&u32; 2]) {
            self.turns += 1;
        }

        fn points(&self) -> [i32; 2] {
            [0, 0]
        }

        fn random_move(&self, _: Player, rng: &mut Rng) -> u32 {
            rng.below(self.width)
        }
    }

    struct Even;

    impl LeafEvaluator<Wide, u32> for Even {
        fn finished(&mut self, _: &Wide) -> [f32; 2] {
            [0.5; 2]
        }

        fn estimate(&mut self, _: &mut Wide, _: &mut Rng) -> [f32; 2] {
            [0.5; 2]
        }
    }

    fn check(width: u32, capacity: usize, iterations: u64, nodes: usize) {
        let mut search = Decoupled::<Wide, Uct>::new(capacity, Uct::new(1.0));
        let start = Wide { width, turns: 0 };
        let found = search.search(&start, &mut Even, &SearchLimits::nodes(iterations), &mut Rng::new(1));
        assert!(search.children.len() <= PAIRS * capacity, "{} pairs", search.children.len());
        assert_eq!(search.options.len(), 2 * width as usize * nodes);
        for found in &found {
            assert_eq!(found.counts, [("iterations", iterations), ("nodes in the tree", nodes as u64)]);
            assert_eq!(found.moves.iter().map(|of| of.effort).sum::<u64>(), iterations);
            assert!((found.strategy.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn the_tree_is_bounded_in_nodes_and_in_pairs() {
        // 4 pairs a node: nodes are the bound. 10,000: pairs are, for 64 * 800 / 10,000 nodes.
        check(2, 10, 2_000, 10);
        check(100, 800, 2_000, 5);
        // The root alone has more, and more than 32 bits count.
        check(100, 100, 2_000, 1);
        check(70_000, 100, 5, 1);
    }

    #[test]
    fn a_state_is_valued_when_it_is_reached_and_becomes_a_node_when_it_is_reached_again() {
        struct Counted {
            listed: Vec<u32>,
            valued: Vec<u32>,
        }

        impl LeafEvaluator<Wide, u32> for Counted {
            fn finished(&mut self, _: &Wide) -> [f32; 2] {
                [0.5; 2]
            }

            fn estimate(&mut self, state: &mut Wide, _: &mut Rng) -> [f32; 2] {
                self.valued.push(state.turns);
                [0.5; 2]
            }

            fn candidates(&mut self, state: &Wide, player: Player, moves: &mut Vec<u32>) {
                if player == Player::Zero {
                    self.listed.push(state.turns);
                }
                state.moves(player, moves);
            }
        }

        // One line of play: the root, the states after turns 1 to 3, and the end.
        for iterations in 1..=9 {
            let mut evaluator = Counted { listed: Vec::new(), valued: Vec::new() };
            let mut search = Decoupled::<Wide, Uct>::new(100, Uct::new(1.0));
            let start = Wide { width: 1, turns: 0 };
            search.search(&start, &mut evaluator, &SearchLimits::nodes(iterations), &mut Rng::new(1));
            let deepest = iterations.min(4) as u32;
            assert_eq!(evaluator.listed, (0..deepest).collect::<Vec<u32>>());
            assert_eq!(evaluator.valued, (1..=iterations.min(3) as u32).collect::<Vec<u32>>());
        }
    }
}
