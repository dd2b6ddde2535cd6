//! What a bot found out about a position, as data for people and tools.

use std::time::Duration;

/// What a bot thinks of a position, and what it took to find out. Values are from the view of the player to act, in `unit`.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis<M> {
    /// The moves that were looked at, the best first; the first is the one that the bot plays.
    pub moves: Vec<MoveAnalysis<M>>,
    /// What both players are expected to play, the best move first (the principal variation). It ends where chance acts.
    pub line: Vec<M>,
    /// What values are measured in, for example `points`.
    pub unit: &'static str,
    /// How many decisions the search looked ahead; 0 if it is not that kind of a search.
    pub depth: u32,
    /// What the search did: a name and a number each, the size of the search first (`nodes` or `iterations`).
    pub counts: Vec<(&'static str, u64)>,
    /// What the evaluation sees in the position: a name and a value each, in the evaluation's own units.
    pub inputs: Vec<(&'static str, f64)>,
    /// The time it took.
    pub elapsed: Duration,
}

/// What was found out about one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveAnalysis<M> {
    /// The move.
    pub mv: M,
    /// The least and the greatest that the move can be worth, equal if its value is known or estimated by one number; infinite where
    /// nothing is known.
    pub value: [f64; 2],
    /// Whether the value holds for perfect play to the end of the game.
    pub is_proven: bool,
    /// Nodes or visits spent on it.
    pub effort: u64,
}

impl<M> Analysis<M> {
    /// The analysis of a bot that tells nothing but its move.
    #[must_use]
    pub fn of_move(mv: M) -> Analysis<M> {
        let value = [f64::NEG_INFINITY, f64::INFINITY];
        Analysis {
            moves: vec![MoveAnalysis { mv, value, is_proven: false, effort: 0 }],
            line: Vec::new(),
            unit: "",
            depth: 0,
            counts: Vec::new(),
            inputs: Vec::new(),
            elapsed: Duration::ZERO,
        }
    }

    /// The same with moves put another way, as text for example: one by one the moves that were looked at, as a whole the line.
    #[must_use]
    pub fn map<N>(self, mut mv: impl FnMut(M) -> N, line: impl FnOnce(Vec<M>) -> Vec<N>) -> Analysis<N> {
        let mut map = |of: MoveAnalysis<M>| MoveAnalysis {
            mv: mv(of.mv),
            value: of.value,
            is_proven: of.is_proven,
            effort: of.effort,
        };
        Analysis {
            moves: self.moves.into_iter().map(&mut map).collect(),
            line: line(self.line),
            unit: self.unit,
            depth: self.depth,
            counts: self.counts,
            inputs: self.inputs,
            elapsed: self.elapsed,
        }
    }
}
