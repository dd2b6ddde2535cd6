//! A search for simultaneous games with too many moves for a full search. It builds a tree of small payoff matrices and
//! extends the tree along likely moves.
//!
//! A node contains a few moves of each player and an estimate for every pair of moves. Each step follows likely pairs
//! until it reaches a state that is not a node yet, and adds a node for this state. On the way back to the root, the
//! step replaces each pair's estimate by the value of the matrix game below it. The search can stop after any step.

use crate::matrix::{Guarantee, Matrix, Solver};
use crate::{SearchBudget, SearchLimits, Stopped};
use contender_game::{
    contest::{Analysis, MoveAnalysis},
    rules::{Player, Simultaneous},
};
use std::time::Duration;

/// The knowledge about a game that the search needs: the moves to consider, and the values of states.
///
/// The example of [`MatrixTree`] implements this trait.
pub trait MatrixEvaluator<G: Simultaneous> {
    /// Appends the moves of both players that are worth considering in a state `turns` turns below the root. Each
    /// player needs at least one move, the most promising move must come first, and no move may occur twice. The game
    /// must not be over.
    fn candidates(&mut self, state: &G, turns: u32, moves: &mut [Vec<G::Move>; 2]);

    /// Returns the value of a state for player 0: the exact value if the game is over, otherwise an estimate.
    fn value(&mut self, state: &G) -> f64;

    /// Returns a move that may be better for `player` than all candidates, if the opponent plays moves with these
    /// probabilities. By default, there is no such move. The search calls this function after each solution until it
    /// returns no new move, which makes the search a double oracle.
    fn best_response(
        &mut self,
        state: &G,
        player: Player,
        turns: u32,
        mix: &[(&G::Move, f64)],
    ) -> Option<G::Move> {
        let _ = (state, player, turns, mix);
        None
    }
}

struct Node<M> {
    moves: [Vec<M>; 2],
    /// The payoffs, indexed by `row * columns + column`, like the next two fields.
    payoffs: Vec<f64>,
    /// The child node of each pair, or [`LEAF`] or [`CLOSED`].
    children: Vec<u32>,
    steps: Vec<u32>,
    strategies: [Vec<f64>; 2],
    guarantee: Guarantee,
    /// Number of pairs whose payoff may still change.
    open: u32,
}

const LEAF: u32 = 0;
/// The mark of a pair after which the game is over, or below which all games are over.
const CLOSED: u32 = u32::MAX;

/// The matrix tree search.
///
/// The search is best-first minimax for matrix games. With pure solutions and no spread, it is the algorithm of Korf
/// and Chickering, "Best-first minimax search", 1996. With best responses, it is a double oracle (McMahan, Gordon,
/// Blum, "Planning in the presence of cost functions controlled by an adversary", 2003).
///
/// ```
/// # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Goofspiel;
/// use contender_game::rules::{Player, Simultaneous};
/// use contender_search::matrix_tree::{MatrixEvaluator, MatrixTree};
/// use contender_search::SearchLimits;
///
/// struct PointsSoFar;
///
/// impl MatrixEvaluator<Goofspiel> for PointsSoFar {
///     fn candidates(&mut self, state: &Goofspiel, _turns: u32, moves: &mut [Vec<u8>; 2]) {
///         for player in Player::BOTH {
///             state.moves(player, &mut moves[player]);
///         }
///     }
///
///     fn value(&mut self, state: &Goofspiel) -> f64 {
///         state.value().into()
///     }
/// }
///
/// let mut search = MatrixTree::new(1000, 0.1);
/// let [zero, one] = search.search(&Goofspiel::new(3, 0), &SearchLimits::nodes(2000), &mut PointsSoFar);
/// // The game is symmetric, so its value is 0.
/// assert!(zero.moves[0].value[0].abs() < 1e-6 && one.moves[0].value[0].abs() < 1e-6);
/// ```
pub struct MatrixTree<G: Simultaneous> {
    spread: f64,
    capacity: usize,
    nodes: Vec<Node<G::Move>>,
    solver: Solver,
    meter: SearchBudget,
    /// The longest time in this search for listing the moves of a node below the root.
    longest: Duration,
    /// The nodes and pairs on the path from the root to the latest node.
    path: Vec<(usize, usize)>,
}

/// Maximum number of rounds of best responses at one node.
const ROUNDS: u32 = 8;

impl<G: Simultaneous> MatrixTree<G> {
    /// Creates a search whose tree has at most `capacity` nodes; the search stops when the tree is full. `spread` is
    /// the fraction of steps that are distributed evenly among all pairs, from 0 to 1.
    #[must_use]
    pub fn new(capacity: usize, spread: f64) -> Self {
        MatrixTree {
            spread,
            capacity: capacity.clamp(1, CLOSED as usize),
            nodes: Vec::new(),
            solver: Solver::new(),
            meter: SearchBudget::new(&SearchLimits::NONE),
            longest: Duration::ZERO,
            path: Vec::new(),
        }
    }

    /// Returns the best strategies of both players in `state`, in which the game must not be over. The node limit
    /// counts evaluations, and the depth in the result is the length of the longest line. With a node limit, the root
    /// is always completed. With a time limit, at least one pair of the root is completed.
    ///
    /// The moves are sorted by probability, and equally likely moves by value. The strategy contains the probabilities
    /// of all moves that may be played. The value of a move is its payoff against the opponent's strategy; the effort
    /// of a move is the number of steps through it.
    ///
    /// # Panics
    /// Panics if the evaluator returns no move for a player.
    pub fn search(
        &mut self,
        state: &G,
        limits: &SearchLimits,
        evaluator: &mut impl MatrixEvaluator<G>,
    ) -> [Analysis<G::Move>; 2] {
        self.nodes.clear();
        self.longest = Duration::ZERO;
        self.meter = SearchBudget::of_evaluations(&SearchLimits { nodes: None, ..*limits });
        // Whatever stopped it, the root is good for an answer.
        let (root, result) = self.expand(state, 0, limits.depth <= 1, evaluator);
        self.nodes.push(root);
        self.meter.limit(limits.nodes);
        let mut depth = 1;
        // Nothing looks at the clock while an evaluator makes its lists, so there must be time for another as long as
        // the longest.
        while result.is_ok()
            && self.nodes[0].open > 0
            && self.nodes.len() < self.capacity
            && self.meter.has_time_for(self.longest)
        {
            match self.step(state.clone(), limits.depth, evaluator) {
                Ok(reached) => depth = depth.max(reached),
                Err(Stopped) => break,
            }
        }
        let counts = vec![("nodes", self.meter.nodes()), ("tree", self.nodes.len() as u64)];
        Player::BOTH.map(|player| Analysis {
            depth,
            counts: counts.clone(),
            elapsed: self.meter.elapsed(),
            ..self.choice(player)
        })
    }

    /// Performs one step, and returns how many turns the estimates of the new node look ahead.
    fn step(
        &mut self,
        mut state: G,
        deepest: u32,
        evaluator: &mut impl MatrixEvaluator<G>,
    ) -> Result<u32, Stopped> {
        self.path.clear();
        let mut at = 0;
        loop {
            let pair = self.choose(at);
            let node = &mut self.nodes[at];
            node.steps[pair] += 1;
            let columns = node.moves[1].len();
            state.play([&node.moves[0][pair / columns], &node.moves[1][pair % columns]]);
            self.path.push((at, pair));
            match node.children[pair] {
                LEAF => break,
                child => at = child as usize,
            }
        }
        let turns = self.path.len() as u32;
        let (child, result) = self.expand(&state, turns, turns + 1 >= deepest, evaluator);
        result?;
        let number = self.nodes.len() as u32;
        self.nodes.push(child);
        let mut below = number as usize;
        for &(at, pair) in self.path.iter().rev() {
            let Node { guarantee, open, .. } = self.nodes[below];
            let node = &mut self.nodes[at];
            node.payoffs[pair] = guarantee.value();
            if below == number as usize {
                node.children[pair] = number;
            }
            if open == 0 && node.children[pair] != CLOSED {
                node.children[pair] = CLOSED;
                node.open -= 1;
            }
            solve(&mut self.solver, node);
            below = at;
        }
        Ok(turns + 1)
    }

    /// Returns the open pair with the fewest steps relative to its probability.
    fn choose(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let [rows, columns] = [0, 1].map(|side: usize| node.moves[side].len());
        let share = |side: usize, at: usize, count: usize| {
            (1.0 - self.spread) * node.strategies[side][at] + self.spread / count as f64
        };
        let mut best = (0, f64::NEG_INFINITY);
        for row in 0..rows {
            let of_row = share(0, row, rows);
            for column in 0..columns {
                let pair = row * columns + column;
                if node.children[pair] == CLOSED {
                    continue;
                }
                let urgency = of_row * share(1, column, columns) / f64::from(node.steps[pair] + 1);
                if urgency > best.1 {
                    best = (pair, urgency);
                }
            }
        }
        best.0
    }

    /// Adds a node for a state, with an estimate for every pair of candidates, and then adds best responses until there
    /// are no new ones. If the search is stopped, the node contains only the moves that were completely added, at least
    /// one of each player.
    fn expand(
        &mut self,
        state: &G,
        turns: u32,
        is_last: bool,
        evaluator: &mut impl MatrixEvaluator<G>,
    ) -> (Node<G::Move>, Result<(), Stopped>) {
        let mut moves = [Vec::new(), Vec::new()];
        let begun = self.meter.elapsed();
        evaluator.candidates(state, turns, &mut moves);
        if turns > 0 {
            self.longest = self.longest.max(self.meter.elapsed() - begun);
        }
        let mut node = Node::default();
        let mut rest = moves.map(Vec::into_iter);
        let mut result = Ok(());
        while result.is_ok() && rest.iter().any(|rest| rest.len() > 0) {
            for player in Player::BOTH {
                if let (Some(mv), Ok(())) = (rest[player].next(), result) {
                    result = self.add(state, &mut node, player, mv, is_last, evaluator);
                }
            }
        }
        assert!(!node.payoffs.is_empty(), "a player has no move");
        solve(&mut self.solver, &mut node);
        for _ in 0..ROUNDS {
            let mut is_new = false;
            for player in Player::BOTH {
                if result.is_err() {
                    return (node, result);
                }
                let other = player.other();
                let mix: Vec<(&G::Move, f64)> = node.moves[other]
                    .iter()
                    .zip(node.strategies[other].iter().copied())
                    .filter(|&(_, part)| part > 0.0)
                    .collect();
                let Some(mv) = evaluator.best_response(state, player, turns, &mix) else { continue };
                if !node.moves[player].contains(&mv) {
                    result = self.add(state, &mut node, player, mv, is_last, evaluator);
                    is_new = true;
                }
            }
            if !is_new {
                break;
            }
            solve(&mut self.solver, &mut node);
        }
        (node, result)
    }

    /// Adds a move and the estimates of its pairs. Adds nothing if the search is stopped.
    fn add(
        &mut self,
        state: &G,
        node: &mut Node<G::Move>,
        player: Player,
        mv: G::Move,
        is_last: bool,
        evaluator: &mut impl MatrixEvaluator<G>,
    ) -> Result<(), Stopped> {
        let others = &node.moves[player.other()];
        let mut found = Vec::with_capacity(others.len());
        for other in others {
            let is_first = node.payoffs.is_empty();
            if let (Err(stopped), false) = (self.meter.count(), is_first) {
                return Err(stopped);
            }
            let mut child = state.clone();
            child.play(if player == Player::Zero { [&mv, other] } else { [other, &mv] });
            let is_closed = is_last || child.is_over();
            found.push((evaluator.value(&child), if is_closed { CLOSED } else { LEAF }));
        }
        node.open += found.iter().filter(|(_, child)| *child == LEAF).count() as u32;
        // A row goes to the end; a column is the last of every row.
        let columns = node.moves[1].len();
        for (at, (payoff, child)) in found.into_iter().enumerate() {
            let pair = match player {
                Player::Zero => node.payoffs.len(),
                Player::One => at * (columns + 1) + columns,
            };
            node.payoffs.insert(pair, payoff);
            node.children.insert(pair, child);
            node.steps.insert(pair, 0);
        }
        node.moves[player].push(mv);
        Ok(())
    }

    /// Returns the result of the root for one player.
    fn choice(&self, player: Player) -> Analysis<G::Move> {
        let root = &self.nodes[0];
        let columns = root.moves[1].len();
        let other = &root.strategies[player.other()];
        let mut moves: Vec<(f64, MoveAnalysis<G::Move>)> = (0..root.moves[player].len())
            .map(|at| {
                let pair = |against: usize| match player {
                    Player::Zero => at * columns + against,
                    Player::One => against * columns + at,
                };
                let value: f64 =
                    other.iter().enumerate().map(|(by, part)| part * root.payoffs[pair(by)]).sum();
                let analysis = MoveAnalysis {
                    mv: root.moves[player][at].clone(),
                    value: [value * f64::from(player.sign()); 2],
                    is_proven: root.open == 0,
                    effort: (0..other.len()).map(|by| u64::from(root.steps[pair(by)])).sum(),
                };
                (root.strategies[player][at], analysis)
            })
            .collect();
        moves.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.value[0].total_cmp(&a.1.value[0])));
        let (strategy, moves): (Vec<f64>, Vec<_>) = moves.into_iter().unzip();
        let strategy = strategy.into_iter().take_while(|&part| part > 0.0).collect();
        Analysis { strategy, ..Analysis::of(moves) }
    }
}

impl<M> Default for Node<M> {
    fn default() -> Self {
        Node {
            moves: [Vec::new(), Vec::new()],
            payoffs: Vec::new(),
            children: Vec::new(),
            steps: Vec::new(),
            strategies: [Vec::new(), Vec::new()],
            guarantee: Guarantee { low: 0.0, high: 0.0 },
            open: 0,
        }
    }
}

fn solve<M>(solver: &mut Solver, node: &mut Node<M>) {
    let [rows, columns] = [node.moves[0].len(), node.moves[1].len()];
    node.guarantee = solver.solve(Matrix::new(rows, columns, &node.payoffs));
    for (strategy, found) in node.strategies.iter_mut().zip([solver.row(), solver.column()]) {
        strategy.clear();
        strategy.extend_from_slice(found);
    }
}
