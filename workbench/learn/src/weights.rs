//! The weights of a linear evaluation by turn of the game, as curves.

use contender_plot::Curve;
use std::path::Path;

/// The axis titles of charts with these lines.
pub const TITLES: [&str; 2] = ["turn", "points for one unit"];

/// Returns the weights that a training run has written as a table. Each input has two curves, one for even and one for
/// odd turns, because the sides alternate. `more` is appended to the curves' names. Returns an empty list if there is
/// no such table, for example if the run trains a network.
///
/// The first line of the table contains `turn bias` and the names of all inputs. Each further line contains the number
/// of a turn, the bias and the weights.
#[must_use]
pub fn saved(folder: &Path, more: &str) -> Vec<(String, [Curve; 2])> {
    let text = contender_input::read_text(&folder.join(crate::treestrap::FILE)).unwrap_or_default();
    table(&text, more).unwrap_or_default()
}

fn table(text: &str, more: &str) -> Option<Vec<(String, [Curve; 2])>> {
    let mut lines = text.lines();
    let names = lines.next()?.strip_prefix("turn bias ")?.split_whitespace();
    let rows = lines.map(|line| line.split_whitespace().map(|word| word.parse().ok()).collect());
    let rows: Vec<Vec<f64>> = rows.collect::<Option<_>>()?;
    let of_input = |(at, name): (usize, &str)| {
        let side = |(side, first): (&str, usize)| {
            let points =
                rows.iter().skip(first).step_by(2).map(|row| Some([*row.first()?, *row.get(2 + at)?]));
            Some(Curve { name: format!("{side}{more}"), points: points.collect::<Option<_>>()? })
        };
        Some((name.to_string(), [side(("even turns", 0))?, side(("odd turns", 1))?]))
    };
    names.enumerate().map(of_input).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_is_on_the_line_of_its_side() {
        let folder = tempfile::tempdir().unwrap();
        assert!(saved(folder.path(), "").is_empty());
        let write = |text: &str| std::fs::write(folder.path().join(crate::treestrap::FILE), text).unwrap();
        write("turn bias holes ring\n0 9 0.5 1\n1 9 -2 2\n2 9 1.5 3\n");
        let line =
            |name: &str, points: &[[f64; 2]]| Curve { name: name.to_string(), points: points.to_vec() };
        let holes =
            [line("even turns, mine", &[[0.0, 0.5], [2.0, 1.5]]), line("odd turns, mine", &[[1.0, -2.0]])];
        let ring =
            [line("even turns, mine", &[[0.0, 1.0], [2.0, 3.0]]), line("odd turns, mine", &[[1.0, 2.0]])];
        assert_eq!(
            saved(folder.path(), ", mine"),
            [("holes".to_string(), holes), ("ring".to_string(), ring)]
        );
        for other in ["turn bias holes\n0 9\n", "turn bias holes\n0 9 x\n", "constant 1\n0 2\n"] {
            write(other);
            assert!(saved(folder.path(), "").is_empty(), "{other}");
        }
    }
}
