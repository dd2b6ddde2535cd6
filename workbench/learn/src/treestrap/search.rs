//! The search whose visited nodes teach: alpha-beta with Star1 and Star2 at chance nodes, and everything it found out.
//!
//! Sources: TreeStrap is by Veness, Silver, Uther and Blair, "Bootstrapping from game tree search", 2009; Star1 and Star2 by Ballard,
//! "The *-minimax search procedure for trees containing chance nodes", 1983.
//!
//! A call with the window `low..high` answers fail-soft: an answer up to `low` is an upper bound of the value, one from `high` on a
//! lower bound, one between is the value. Values are from player 0's view.

use super::{Position, Weights};
use contender_game::{Player, Turn};

/// A node that a search has looked below, with what it knows of the node's value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Node<const N: usize> {
    /// Which weights evaluate it.
    pub turn: usize,
    /// Decisions searched below it.
    pub depth: u32,
    /// Its inputs.
    pub inputs: [f32; N],
    /// What the inputs add to; see [`Position::base`].
    pub base: f32,
    /// The value is not below this.
    pub low: f32,
    /// The value is not above this.
    pub high: f32,
}

impl<const N: usize> Node<N> {
    /// How far an evaluation is from what the search found: 0 within the bounds.
    #[must_use]
    pub fn error(&self, value: f32) -> f32 {
        value - value.clamp(self.low, self.high)
    }
}

/// A search with these weights. It keeps its working space, and the nodes it visited until they are taken.
pub struct Search<'a, S: Position<N>, const N: usize> {
    weights: &'a Weights<N>,
    /// The nodes of the searches since the last [`clear`](Search::clear), if they are recorded.
    pub nodes: Vec<Node<N>>,
    /// States evaluated.
    pub evaluations: u64,
    is_recording: bool,
    /// The moves of all nodes on the current line, as one stack.
    moves: Vec<S::Move>,
    outcomes: Vec<(S::Outcome, u32)>,
    /// What is known of the outcomes of all chance nodes on the current line.
    known: Vec<Known>,
    children: Vec<Child<S, N>>,
    /// The latest best reply to the outcome of each rank, by depth.
    replies: Vec<[Option<S::Move>; RANKS]>,
}

/// Outcomes of a chance node whose best replies are remembered.
const RANKS: usize = 16;

#[derive(Clone, Copy)]
struct Known {
    probability: f32,
    low: f32,
    high: f32,
}

/// A child that was evaluated to order it among its siblings.
#[derive(Clone)]
struct Child<S: Position<N>, const N: usize> {
    state: S,
    mv: S::Move,
    inputs: [f32; N],
    value: f32,
}

/// What is found at a decision.
#[derive(Clone, Copy, Debug)]
pub struct Best<M> {
    /// The best move.
    pub mv: M,
    /// Its value, or a bound of it.
    pub value: f32,
}

impl<'a, S: Position<N>, const N: usize> Search<'a, S, N> {
    /// A search that has seen nothing. It records nodes if `is_recording`.
    #[must_use]
    pub fn new(weights: &'a Weights<N>, is_recording: bool) -> Search<'a, S, N> {
        Search {
            weights,
            nodes: Vec::new(),
            evaluations: 0,
            is_recording,
            moves: Vec::new(),
            outcomes: Vec::new(),
            known: Vec::new(),
            children: Vec::new(),
            replies: Vec::new(),
        }
    }

    /// The exact value of a state before luck is drawn, `depth` decisions deep, at least 1.
    pub fn value(&mut self, state: &S, depth: u32) -> f32 {
        self.grow(depth);
        let inputs = state.inputs();
        self.node(state, &inputs, depth, f32::NEG_INFINITY, f32::INFINITY)
    }

    /// The best move of the player to act and its exact value, `depth` decisions deep, at least 1.
    ///
    /// # Panics
    /// If it is no player's turn.
    pub fn best(&mut self, state: &S, depth: u32) -> Best<S::Move> {
        self.grow(depth);
        self.decision(state, depth, 0, f32::NEG_INFINITY, f32::INFINITY)
    }

    /// Records a node whose value was found by calls of [`best`](Search::best).
    pub fn record(&mut self, state: &S, inputs: [f32; N], depth: u32, [low, high]: [f32; 2]) {
        if self.is_recording {
            let (turn, base) = (state.turn_index(), state.base());
            self.nodes.push(Node { turn, depth, inputs, base, low, high });
        }
    }

    fn grow(&mut self, depth: u32) {
        assert!(depth > 0, "a search looks at least one decision ahead");
        if self.replies.len() <= depth as usize {
            self.replies.resize(depth as usize + 1, [None; RANKS]);
        }
    }

    /// The value of a state before luck is drawn, with `depth` decisions to go, at least 1.
    fn node(&mut self, state: &S, inputs: &[f32; N], depth: u32, low: f32, high: f32) -> f32 {
        let value = match state.turn() {
            Turn::Over => return state.value() as f32,
            Turn::Chance => self.chance(state, depth, low, high),
            Turn::Player(_) => self.decision(state, depth, 0, low, high).value,
        };
        let at_least = if value > low { value } else { f32::NEG_INFINITY };
        let at_most = if value < high { value } else { f32::INFINITY };
        self.record(state, *inputs, depth, [at_least, at_most]);
        value
    }

    fn leaf(&mut self, state: &S) -> f32 {
        if state.turn() == Turn::Over {
            return state.value() as f32;
        }
        self.evaluations += 1;
        self.weights.value(state, &state.inputs())
    }

    /// A chance node: one probe of each outcome for a bound (Star2), then the outcomes one by one with the windows that the
    /// bounds of the others leave (Star1).
    fn chance(&mut self, state: &S, depth: u32, low: f32, high: f32) -> f32 {
        let (first, first_known) = (self.outcomes.len(), self.known.len());
        state.outcomes(&mut self.outcomes);
        let count = self.outcomes.len() - first;
        let total: u32 = self.outcomes[first..].iter().map(|&(_, weight)| weight).sum();
        for at in first..first + count {
            let probability = self.outcomes[at].1 as f32 / total as f32;
            self.known.push(Known { probability, low: f32::NEG_INFINITY, high: f32::INFINITY });
        }
        let value = self.outcomes_until_known(state, depth, [low, high], first, first_known, count);
        self.outcomes.truncate(first);
        self.known.truncate(first_known);
        value
    }

    fn outcomes_until_known(
        &mut self,
        state: &S,
        depth: u32,
        [low, high]: [f32; 2],
        first: usize,
        first_known: usize,
        count: usize,
    ) -> f32 {
        let resolved = |search: &Self, rank: usize| {
            let mut child = state.clone();
            child.resolve(search.outcomes[first + rank].0);
            child
        };
        // A probe pays only where an upper bound can end the search: an open window asks for the value itself.
        if low > f32::NEG_INFINITY {
            for rank in 0..count {
                let child = resolved(self, rank);
                if child.turn() != Turn::Player(Player::One) {
                    continue;
                }
                let room = low - self.others(first_known, rank, |known| known.high);
                let probability = self.known[first_known + rank].probability;
                self.known[first_known + rank].high = self.probe(&child, depth, rank, room / probability);
                let most = self.sum(first_known, |known| known.high);
                if most <= low {
                    return most;
                }
            }
        }
        for rank in 0..count {
            let child = resolved(self, rank);
            let Known { probability, low: least, high: most } = self.known[first_known + rank];
            let highs = self.others(first_known, rank, |known| known.high);
            let lows = self.others(first_known, rank, |known| known.low);
            let window = [(low - highs) / probability, (high - lows) / probability];
            let answer = self.decision(&child, depth, rank, window[0], window[1]).value;
            if answer <= window[0] {
                self.known[first_known + rank].high = answer.min(most);
                return self.sum(first_known, |known| known.high).min(low);
            }
            if answer >= window[1] {
                self.known[first_known + rank].low = answer.max(least);
                return self.sum(first_known, |known| known.low).max(high);
            }
            let known = &mut self.known[first_known + rank];
            (known.low, known.high) = (answer, answer);
        }
        self.sum(first_known, |known| known.low)
    }

    /// The mean of a bound over all outcomes.
    fn sum(&self, first: usize, bound: impl Fn(&Known) -> f32) -> f32 {
        self.known[first..].iter().map(|known| known.probability * bound(known)).sum()
    }

    /// What all outcomes but one add to that mean.
    fn others(&self, first: usize, rank: usize, bound: impl Fn(&Known) -> f32 + Copy) -> f32 {
        let part = |known: &[Known]| known.iter().map(|known| known.probability * bound(known)).sum::<f32>();
        let (before, from) = self.known[first..].split_at(rank);
        part(before) + part(&from[1..])
    }

    /// An upper bound of the value of a state of player 1: the value of one reply.
    fn probe(&mut self, state: &S, depth: u32, rank: usize, low: f32) -> f32 {
        let start = self.moves.len();
        state.moves(&mut self.moves);
        let remembered = self.replies[depth as usize][rank.min(RANKS - 1)];
        let moves = &self.moves[start..];
        let mv = match remembered.filter(|reply| moves.contains(reply)) {
            Some(reply) => reply,
            None => *moves.iter().max_by_key(|&&mv| state.promise(mv)).expect("a player to act has a move"),
        };
        self.moves.truncate(start);
        let mut child = state.clone();
        child.play(mv);
        if depth == 1 {
            return self.leaf(&child);
        }
        let inputs = child.inputs();
        self.node(&child, &inputs, depth - 1, low, f32::INFINITY)
    }

    /// A player's turn; `rank` is that of the outcome of chance that led here, 0 if none did.
    fn decision(&mut self, state: &S, depth: u32, rank: usize, low: f32, high: f32) -> Best<S::Move> {
        let Turn::Player(player) = state.turn() else { panic!("it is no player's turn") };
        let start = self.moves.len();
        state.moves(&mut self.moves);
        let slot = (depth as usize, rank.min(RANKS - 1));
        let best = if depth == 1 {
            let remembered = self.replies[slot.0][slot.1];
            self.moves[start..]
                .sort_by_key(|&mv| (Some(mv) != remembered, std::cmp::Reverse(state.promise(mv))));
            let mut running = Running::new(player, low, high);
            for at in start..self.moves.len() {
                let mv = self.moves[at];
                let mut child = state.clone();
                child.play(mv);
                let value = self.leaf(&child);
                if running.take(mv, value) {
                    break;
                }
            }
            running.best
        } else {
            self.deep_decision(state, depth, start, Running::new(player, low, high))
        };
        self.moves.truncate(start);
        let best = best.expect("a player to act has a move");
        self.replies[slot.0][slot.1] = Some(best.mv);
        best
    }

    /// A decision whose children are searched, in the order of their evaluations.
    fn deep_decision(
        &mut self,
        state: &S,
        depth: u32,
        start: usize,
        mut running: Running<S::Move>,
    ) -> Option<Best<S::Move>> {
        let first_child = self.children.len();
        for at in start..self.moves.len() {
            let mv = self.moves[at];
            let mut child = state.clone();
            child.play(mv);
            let inputs = child.inputs();
            self.evaluations += 1;
            let value = match child.turn() {
                Turn::Over => child.value() as f32,
                _ => self.weights.value(&child, &inputs),
            };
            self.children.push(Child { state: child, mv, inputs, value });
        }
        let sign = running.sign;
        self.children[first_child..].sort_by(|a, b| (sign * b.value).total_cmp(&(sign * a.value)));
        for at in first_child..self.children.len() {
            let Child { state: child, mv, inputs, .. } = self.children[at].clone();
            let value = self.node(&child, &inputs, depth - 1, running.low, running.high);
            if running.take(mv, value) {
                break;
            }
        }
        self.children.truncate(first_child);
        running.best
    }
}

/// The best move so far and the window that is left.
struct Running<M> {
    /// 1 for player 0, who maximises, -1 for player 1.
    sign: f32,
    low: f32,
    high: f32,
    best: Option<Best<M>>,
}

impl<M> Running<M> {
    fn new(player: Player, low: f32, high: f32) -> Running<M> {
        Running { sign: player.sign() as f32, low, high, best: None }
    }

    /// Takes a move's value; whether no other move can matter.
    fn take(&mut self, mv: M, value: f32) -> bool {
        if self.best.as_ref().is_none_or(|best| self.sign * value > self.sign * best.value) {
            self.best = Some(Best { mv, value });
            if self.sign > 0.0 {
                self.low = self.low.max(value);
            } else {
                self.high = self.high.min(value);
            }
        }
        self.low >= self.high
    }
}
