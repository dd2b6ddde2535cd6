//! Weights of a linear evaluation over the turns of a game, as lines.

use contender_entropy::evaluation::{NAMES, TURNS, Weights};
use contender_plot::Curve;
use std::path::Path;

/// The titles of the axes of pictures with such lines.
pub const TITLES: [&str; 2] = ["turn", "points for one unit"];

/// A number of each turn as two lines, since the sides move in turn: Chaos's turns and Order's, without the first
/// `skipped` turns of each. `more` is added to the sides' names.
#[must_use]
pub fn by_side(more: &str, skipped: usize, of: impl Fn(usize) -> f64) -> [Curve; 2] {
    [("Chaos", 0), ("Order", 1)].map(|(side, first)| Curve {
        name: format!("{side}{more}"),
        points: (first..TURNS).step_by(2).skip(skipped).map(|turn| [turn as f64, of(turn)]).collect(),
    })
}

/// The weights that a training has written: the name of each input with its lines. Nothing where it writes no weights
/// of inputs, as trainings of networks do, or none yet.
#[must_use]
pub fn saved(folder: &Path, more: &str) -> Vec<(&'static str, [Curve; 2])> {
    let text = contender_input::read_text(&folder.join(crate::treestrap::FILE)).unwrap_or_default();
    let Ok(weights) = text.parse::<Weights>() else { return Vec::new() };
    let of = |at: usize| by_side(more, 0, |turn| f64::from(weights.turns[turn].inputs[at]));
    NAMES.into_iter().enumerate().map(|(at, name)| (name, of(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_is_on_the_line_of_its_side() {
        let folder = tempfile::tempdir().unwrap();
        assert!(saved(folder.path(), "").is_empty());
        let mut weights = Weights::ZERO;
        for (turn, of_turn) in weights.turns.iter_mut().enumerate() {
            of_turn.inputs = std::array::from_fn(|at| at as f32 + turn as f32 / 128.0);
        }
        std::fs::write(folder.path().join(crate::treestrap::FILE), weights.to_string()).unwrap();
        let lines = saved(folder.path(), ", mine");
        assert_eq!(lines.len(), NAMES.len());
        for (at, (name, sides)) in lines.iter().enumerate() {
            assert_eq!((*name, sides[0].name.as_str()), (NAMES[at], "Chaos, mine"));
            let mut points: Vec<[f64; 2]> = sides.iter().flat_map(|side| side.points.clone()).collect();
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            let wanted: Vec<[f64; 2]> =
                (0..TURNS).map(|turn| [turn as f64, at as f64 + turn as f64 / 128.0]).collect();
            assert_eq!(points, wanted);
        }
        assert_eq!(by_side("", 10, |_| 0.0).map(|side| side.points[0][0]), [20.0, 21.0]);
        std::fs::write(folder.path().join(crate::treestrap::FILE), "turn bias nonsense").unwrap();
        assert!(saved(folder.path(), "").is_empty());
    }
}
