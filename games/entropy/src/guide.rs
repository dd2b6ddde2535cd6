//! What a generic search must know of the game, by the score alone.

use crate::{Cell, Move, State};
use contender_game::{mix, Game, Turn};
use contender_search::{Bounds, Evaluate, Guide, ProbCut};

/// The score in thousandths of a point, counted up to a cap.
///
/// The cap bounds all values from above, which is what chance nodes prune by; from below the score as it stands does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreGuide {
    /// The score, in points, above which all states are worth the same.
    pub cap: i32,
    /// How a chance node's value with so many decisions left is predicted, if it is.
    pub prediction: Option<(u32, ProbCut)>,
}

impl ScoreGuide {
    /// The guide for a search of `state`: capped 20 points above its score.
    #[must_use]
    pub fn of(state: &State) -> ScoreGuide {
        ScoreGuide { cap: state.score() + 20, prediction: None }
    }
}

impl Evaluate<State> for ScoreGuide {
    fn evaluate(&mut self, state: &State) -> i32 {
        1000 * state.score().min(self.cap)
    }

    fn finished(&mut self, state: &State) -> i32 {
        self.evaluate(state)
    }

    /// No placement takes points away and Order may pass.
    fn bounds(&self, state: &State, _: u32) -> Bounds {
        Bounds::new(1000 * state.score().min(self.cap), 1000 * self.cap)
    }
}

fn number(cell: Cell) -> usize {
    7 * cell.row() + cell.column()
}

impl Guide<State> for ScoreGuide {
    fn key(&self, state: &State) -> Option<u64> {
        let turn = match state.turn() {
            Turn::Player(player) => 1 + player as u64,
            Turn::Chance | Turn::Over => 0,
        };
        let start = mix(&[turn, u64::from(state.drawn().unwrap_or(0))]);
        let words =
            state.rows().chunks(3).map(|rows| rows.iter().fold(0, |word, &row| word << 21 | u64::from(row)));
        Some(words.fold(start, |key, word| mix(&[key, word])))
    }

    fn slots(&self) -> usize {
        49 * 49
    }

    fn slot(&self, _: &State, mv: Move) -> usize {
        match mv {
            Move::Place(cell) => number(cell),
            Move::Slide { from, to } => number(from) * 49 + number(to),
            Move::Pass => 0,
        }
    }

    fn score(&mut self, state: &State, mv: Move) -> i32 {
        let gain = 1000 * (state.score_after(mv) - state.score());
        if state.drawn().is_some() {
            -gain
        } else {
            gain
        }
    }

    fn prob_cut(&self, _: &State, depth: u32) -> Option<ProbCut> {
        self.prediction.filter(|&(at, _)| at == depth).map(|(_, model)| model)
    }
}
