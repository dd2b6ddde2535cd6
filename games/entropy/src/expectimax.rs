//! Plain expectimax: every line of play to a fixed depth, chance weighted by its probabilities, no pruning. It knows no game.
//!
//! Michie's expectimax ("Game-playing and game-learning automata", 1966) is the obvious search for a game with chance, and the twin
//! that cleverer ones are compared with.

use crate::{Move, State};
use contender_game::{Bot, Chance, Clock, Player, Turn};
use std::time::{Duration, Instant};

/// How far a search may go. It deepens decision by decision and returns what the deepest completed depth found.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Decisions of players to look ahead, at least 1; outcomes of chance do not count.
    pub depth: u32,
    /// The most states to visit, over all depths.
    pub nodes: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found<M> {
    /// The best move; of equal ones the first in the order of [`Game::moves`](contender_game::Game::moves).
    pub mv: M,
    /// Its expected value, from player 0's view.
    pub value: f64,
    /// The depth that was completed; 0 if not even the first was, and then `mv` is the first legal move.
    pub depth: u32,
    /// States visited.
    pub nodes: u64,
}

/// Searches for the player to act in `state`; `None` if it is no player's turn.
///
/// The same state, depth and number of nodes give the same result on every machine if there is no deadline.
pub fn expectimax<G: Chance>(state: &G, limit: Limit) -> Option<Found<G::Move>> {
    let mut search = Search {
        limit,
        nodes: 0,
        is_cut: true,
        moves: Vec::with_capacity(256),
        outcomes: Vec::with_capacity(64),
    };
    state.moves(&mut search.moves);
    let mut found = Found { mv: *search.moves.first()?, value: f64::from(state.value()), depth: 0, nodes: 0 };
    search.moves.clear();
    while found.depth < limit.depth && search.is_cut {
        search.is_cut = false;
        let Some((value, best)) = search.decision(state, found.depth + 1) else { break };
        let Some(mv) = best else { break };
        found = Found { mv, value, depth: found.depth + 1, nodes: 0 };
    }
    Some(Found { nodes: search.nodes, ..found })
}

struct Search<G: Chance> {
    limit: Limit,
    nodes: u64,
    /// Whether the depth cut off a game that was not over: else a greater depth finds nothing new.
    is_cut: bool,
    /// The moves of all nodes on the current line, as one stack.
    moves: Vec<G::Move>,
    outcomes: Vec<(G::Outcome, u32)>,
}

impl<G: Chance> Search<G> {
    /// How often the clock is read: a node takes well under a microsecond in the games here.
    const NODES_PER_LOOK: u64 = 512;

    /// The expected value of `state` with `depth` decisions to go; `None` if the limit is reached.
    fn value(&mut self, state: &G, depth: u32) -> Option<f64> {
        if self.limit.nodes.map_or(false, |limit| self.nodes >= limit) {
            return None;
        }
        self.nodes += 1;
        if self.nodes % Self::NODES_PER_LOOK == 0
            && self.limit.deadline.map_or(false, |deadline| Instant::now() >= deadline)
        {
            return None;
        }
        match state.turn() {
            Turn::Over => Some(f64::from(state.value())),
            _ if depth == 0 => {
                self.is_cut = true;
                Some(f64::from(state.value()))
            }
            Turn::Chance => self.average(state, depth),
            Turn::Player(_) => self.decision(state, depth).map(|(value, _)| value),
        }
    }

    /// The value of the best move and the move.
    fn decision(&mut self, state: &G, depth: u32) -> Option<(f64, Option<G::Move>)> {
        let Turn::Player(player) = state.turn() else { return None };
        let sign = f64::from(player.sign());
        let mut best = (f64::NEG_INFINITY, None);
        let start = self.moves.len();
        state.moves(&mut self.moves);
        let end = self.moves.len();
        for at in start..end {
            let mv = self.moves[at];
            let mut child = state.clone();
            child.play(mv);
            let own_value = sign * self.value(&child, depth - 1)?;
            if own_value > best.0 {
                best = (own_value, Some(mv));
            }
        }
        self.moves.truncate(start);
        Some((sign * best.0, best.1))
    }

    fn average(&mut self, state: &G, depth: u32) -> Option<f64> {
        let (mut sum, mut weights) = (0.0, 0);
        let start = self.outcomes.len();
        state.outcomes(&mut self.outcomes);
        let end = self.outcomes.len();
        for at in start..end {
            let (outcome, weight) = self.outcomes[at];
            let mut child = state.clone();
            child.resolve(outcome);
            sum += f64::from(weight) * self.value(&child, depth)?;
            weights += weight;
        }
        self.outcomes.truncate(start);
        Some(sum / f64::from(weights))
    }
}

/// Plays the move that expectimax finds, with the score as its evaluation. Deterministic, unless time runs short.
#[derive(Clone, Debug)]
pub struct ExpectimaxBot {
    depth: u32,
}

impl ExpectimaxBot {
    /// The bot that looks this many decisions ahead, at least 1.
    #[must_use]
    pub fn new(depth: u32) -> ExpectimaxBot {
        ExpectimaxBot { depth: depth.max(1) }
    }

    /// When to stop thinking: an equal share of the game's time for each move that is left, with a second kept for delays.
    fn deadline(state: &State, clock: &Clock) -> Option<Instant> {
        const RESERVE: Duration = Duration::from_secs(1);
        let moves_left = 49_u32.saturating_sub(state.placed()).max(1);
        let share = clock.game_left().map(|left| left.saturating_sub(RESERVE) / moves_left);
        let turn = clock.turn_limit().map(|limit| limit * 4 / 5);
        let time = share.into_iter().chain(turn).min()?;
        clock.turn_start().checked_add(time)
    }
}

impl Bot<State, Move> for ExpectimaxBot {
    fn choose(&mut self, state: &State, _player: Player, clock: &Clock) -> Move {
        let nodes = clock.nodes();
        let deadline = if nodes.is_some() { None } else { ExpectimaxBot::deadline(state, clock) };
        let found = expectimax(state, Limit { depth: self.depth, nodes, deadline });
        found.expect("a player to act has a move").mv
    }
}
