//! The analysis of a position, which every search and every analysing bot returns.

use crate::rules::Rng;
use std::cmp::Reverse;
use std::time::Duration;

/// The value of each move in a position, and the number of nodes or visits that the search spent on the move. Values
/// are in `unit`, from the point of view of the player to act.
///
/// ```
/// use contender_game::contest::{Analysis, MoveAnalysis};
///
/// let of = |mv, value, effort| MoveAnalysis { mv, value: [value; 2], is_proven: false, effort };
/// let analysis = Analysis::ranked(vec![of('a', 12.0, 100), of('b', 15.0, 900)], Some(&'b'));
/// let analysis = analysis.measured("points", |value| value / 10.0);
/// assert_eq!((analysis.moves[0].mv, analysis.moves[0].value_text()), ('b', "1.500".to_string()));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis<M> {
    /// The analysed moves. If it is a player's turn, the first move is the move to play. The other moves are ranked
    /// from best to worst.
    pub moves: Vec<MoveAnalysis<M>>,
    /// The probability with which each of the first entries of `moves` should be played. Empty if the first entry
    /// should always be played.
    pub strategy: Vec<f64>,
    /// The principal variation: the expected play of both players, the best move first. The line ends before the first
    /// chance node.
    pub line: Vec<M>,
    /// The unit of the values, for example `points`. A search leaves this field empty. The bot then sets it with
    /// [`measured`](Analysis::measured).
    pub unit: &'static str,
    /// The depth in decisions of the deepest completed search; 0 if no search was completed, or if this kind of search
    /// has no depth.
    pub depth: u32,
    /// Named statistics of the search. The first one is the size of the search (`nodes` or `iterations`).
    pub counts: Vec<(&'static str, u64)>,
    /// Named inputs of the evaluation, in the evaluation's units.
    pub inputs: Vec<(&'static str, f64)>,
    /// Maps of the evaluation, each with its name. A map has an optional number for each square, in the order of the
    /// squares of the position's [`Picture`](crate::board::Picture).
    pub maps: Vec<(&'static str, Vec<Option<f64>>)>,
    /// Duration of the analysis.
    pub elapsed: Duration,
}

/// The analysis of one move.
///
/// The example of [`Analysis`] uses this type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveAnalysis<M> {
    /// The move.
    pub mv: M,
    /// Lower and upper bound of the move's value. The bounds are equal if the value is exact or a single estimate, and
    /// infinite if nothing is known.
    pub value: [f64; 2],
    /// Whether the value is proven for perfect play until the end of the game.
    pub is_proven: bool,
    /// Number of nodes or visits spent on the move.
    pub effort: u64,
}

impl<M> MoveAnalysis<M> {
    /// Returns the value, or its known bounds, as text.
    #[must_use]
    pub fn value_text(&self) -> String {
        let [low, high] = self.value;
        let value = match (low.is_finite(), high.is_finite()) {
            (true, true) if low == high => format!("{low:.3}"),
            (true, true) => format!("{low:.3} to {high:.3}"),
            (true, false) => format!("at least {low:.3}"),
            (false, true) => format!("at most {high:.3}"),
            (false, false) => "-".to_string(),
        };
        value + if self.is_proven { " proven" } else { "" }
    }
}

impl<M> Analysis<M> {
    /// Creates an analysis from these moves, which must already be in the order that [`moves`](Analysis::moves)
    /// requires. All other fields are empty.
    #[must_use]
    pub fn of(moves: Vec<MoveAnalysis<M>>) -> Analysis<M> {
        Analysis {
            moves,
            strategy: Vec::new(),
            line: Vec::new(),
            unit: "",
            depth: 0,
            counts: Vec::new(),
            inputs: Vec::new(),
            maps: Vec::new(),
            elapsed: Duration::ZERO,
        }
    }

    /// Creates an analysis from these moves. `best` comes first; the other moves follow by decreasing effort.
    #[must_use]
    pub fn ranked(mut moves: Vec<MoveAnalysis<M>>, best: Option<&M>) -> Analysis<M>
    where
        M: PartialEq,
    {
        moves.sort_by_key(|of| (Some(&of.mv) != best, Reverse(of.effort)));
        Analysis::of(moves)
    }

    /// Creates the analysis of a bot that reports only its move.
    #[must_use]
    pub fn of_move(mv: M) -> Analysis<M> {
        let value = [f64::NEG_INFINITY, f64::INFINITY];
        Analysis::of(vec![MoveAnalysis { mv, value, is_proven: false, effort: 0 }])
    }

    /// Returns whether the first move's value is proven.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.moves.first().map_or(false, |of| of.is_proven)
    }

    /// Returns the count with this name, or 0.
    #[must_use]
    pub fn count(&self, name: &str) -> u64 {
        self.counts.iter().find(|count| count.0 == name).map_or(0, |count| count.1)
    }

    /// Draws a move from the strategy, or returns the first move if there is no strategy. Returns `None` if there is no
    /// move.
    #[must_use]
    pub fn draw(&self, rng: &mut Rng) -> Option<&M> {
        let mut rest = rng.unit();
        let drawn = self.strategy.iter().position(|part| {
            rest -= part;
            rest < 0.0
        });
        self.moves.get(drawn.unwrap_or(0)).map(|of| &of.mv)
    }

    /// Converts the values to another unit. The closure `value` converts one value, and must preserve the order of
    /// values.
    #[must_use]
    pub fn measured(mut self, unit: &'static str, value: impl Fn(f64) -> f64) -> Analysis<M> {
        self.unit = unit;
        for of in &mut self.moves {
            of.value = of.value.map(&value);
        }
        self
    }

    /// Returns a one-line summary for reports: the bot, the seat, and the depth and size of the search.
    #[must_use]
    pub fn headline(&self, bot: &str, seat: &str) -> String {
        let mut text = format!("{bot} for {seat}");
        if let Some(&(unit, count)) = self.counts.first() {
            if self.depth > 0 {
                text += &format!(", depth {}", self.depth);
            }
            text += &format!(", {count} {unit} in {:.2} s", self.elapsed.as_secs_f64());
        }
        text
    }

    /// Converts the moves, for example to text. The closure `mv` converts one analysed move; `line` converts the whole
    /// principal variation.
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
            strategy: self.strategy,
            line: line(self.line),
            unit: self.unit,
            depth: self.depth,
            counts: self.counts,
            inputs: self.inputs,
            maps: self.maps,
            elapsed: self.elapsed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(strategy: Vec<f64>) -> Analysis<u8> {
        let of = |(mv, effort): (u8, u64)| MoveAnalysis {
            mv,
            value: [1.0, f64::INFINITY],
            is_proven: mv == 7,
            effort,
        };
        let moves = [(5, 2), (6, 9), (7, 1), (8, 9)].into_iter().map(of).collect();
        Analysis { strategy, ..Analysis::ranked(moves, Some(&7)) }
    }

    #[test]
    fn values_say_what_is_known() {
        let text = |value| MoveAnalysis { mv: (), value, is_proven: false, effort: 3 }.value_text();
        assert_eq!(text([1.5, 1.5]), "1.500");
        assert_eq!(text([1.0, f64::INFINITY]), "at least 1.000");
        assert_eq!(text([f64::NEG_INFINITY, 2.0]), "at most 2.000");
        assert_eq!(text([f64::NEG_INFINITY, f64::INFINITY]), "-");
    }

    #[test]
    fn the_move_to_play_comes_first_whatever_its_effort() {
        let found = found(Vec::new());
        assert_eq!(found.moves.iter().map(|of| of.mv).collect::<Vec<_>>(), [7, 6, 8, 5]);
        assert!(found.is_proven() && found.count("nodes") == 0);
        assert_eq!(found.draw(&mut Rng::new(1)), Some(&7));
        let found = found.measured("wins", |value| value / 2.0 + 3.0);
        assert!(found.unit == "wins" && found.moves.iter().all(|of| of.value == [3.5, f64::INFINITY]));
    }

    #[test]
    fn moves_are_drawn_with_their_probabilities() {
        let found = found(vec![0.5, 0.2, 0.3]);
        let mut rng = Rng::new(2);
        let mut counts = [0_i32; 9];
        for _ in 0..10_000 {
            counts[usize::from(*found.draw(&mut rng).unwrap())] += 1;
        }
        for (mv, share) in [(7, 5_000), (6, 2_000), (8, 3_000), (5, 0)] {
            assert!((counts[mv] - share).abs() < 200, "{counts:?}");
        }
        assert_eq!(Analysis::<u8>::of(Vec::new()).draw(&mut rng), None);
    }
}
