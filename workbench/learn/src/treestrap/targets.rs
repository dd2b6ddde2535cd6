//! The selection of positions to learn from, and their targets.

use super::Node;
use crate::RecipeError;
use serde::{Deserialize, Serialize};

/// The positions of a game that are used for learning, and their targets.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Targets {
    /// All nodes that the searches expanded, with the values of these searches: TreeStrap (Veness et al. 2009).
    #[default]
    Nodes,
    /// Only the positions of the game, with the values of their searches: RootStrap (Veness et al. 2009).
    Root,
    /// Only the positions of the game, with TD(lambda) targets. The target is a weighted mean of the values of all
    /// later searches and the final score; each weight is this factor times the previous one. With 0, the target is the
    /// next value; with 1, it is the final score.
    Return(f64),
}

impl Targets {
    /// Checks the targets.
    ///
    /// # Errors
    /// Returns an error if the factor is not between 0 and 1.
    pub fn check(self) -> Result<(), RecipeError> {
        match self {
            Targets::Return(factor) if !(0.0..=1.0).contains(&factor) => {
                Err(RecipeError::value("targets", "a factor from 0 to 1"))
            }
            _ => Ok(()),
        }
    }

    /// Converts the positions of a game to nodes to learn from. The positions must be in the order of play, with the
    /// values of their searches. `score` is the result of the game in the same unit.
    pub fn teach(self, positions: &mut [Node], score: f32) {
        let Targets::Return(factor) = self else { return };
        let mut target = score;
        for node in positions.iter_mut().rev() {
            let value = node.low;
            (node.low, node.high) = (target, target);
            target += (1.0 - factor as f32) * (value - target);
        }
    }
}

/// Returns the index of the weights for a stage in a [`Learner`](super::Learner). `all` is the number of stages; each
/// player's stages are divided into `parts` groups that share weights. The players alternate, so indices that differ by
/// two belong to neighbouring stages of the same player.
#[must_use]
pub fn place(stage: usize, all: usize, parts: usize) -> usize {
    2 * (stage / 2 * parts / all.div_ceil(2)) + stage % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    use super::super::Inputs;

    const TURNS: usize = 97;

    fn node(value: f32) -> Node {
        Node { turn: 0, inputs: Inputs(vec![(0, value)]), base: 0.0, low: value, high: value }
    }

    #[test]
    fn returns_are_what_their_definition_says() {
        let values = [4.0, 7.0, -2.0, 5.0];
        let score = 9.0;
        for factor in [0.0, 0.3, 0.8, 1.0] {
            let mut nodes = values.map(node);
            Targets::Return(factor).teach(&mut nodes, score);
            for (at, node) in nodes.iter().enumerate() {
                // The sum over all later values, written out.
                let later: Vec<f32> = values[at + 1..].iter().copied().chain([score]).collect();
                let last = later.len() - 1;
                let share = |step: usize| if step == last { 1.0 } else { 1.0 - factor };
                let weight = |step: usize| (factor.powi(step as i32) * share(step)) as f32;
                let expected: f32 = later.iter().enumerate().map(|(step, value)| weight(step) * value).sum();
                assert!((node.low - expected).abs() < 1e-5 && node.low == node.high);
                assert_eq!(node.inputs, Inputs(vec![(0, values[at])]));
            }
        }
        let mut nodes = values.map(node);
        Targets::Root.teach(&mut nodes, score);
        assert_eq!(nodes, values.map(node));
    }

    #[test]
    fn stages_part_the_turns_of_each_player() {
        assert!((0..TURNS).all(|turn| place(turn, TURNS, 49) == turn && place(turn, TURNS, 1) == turn % 2));
        assert_eq!(place(0, 1, 1), 0, "most games have one stage");
        for stages in 1..=49 {
            let places: Vec<usize> = (0..TURNS).map(|turn| place(turn, TURNS, stages)).collect();
            for player in [0, 1] {
                let of_player: Vec<usize> = places.iter().copied().skip(player).step_by(2).collect();
                assert!(of_player.windows(2).all(|two| two[1] == two[0] || two[1] == two[0] + 2));
                // Order has one decision less than Chaos, and may not reach the last stage.
                let last = of_player[of_player.len() - 1] / 2;
                assert!(of_player[0] == player && last < stages && last + 1 + player >= stages);
            }
        }
    }
}
