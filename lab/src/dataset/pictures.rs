//! Charts of weights, residuals and R-squared, as SVG.

use super::fit::FittedModel;
use contender_entropy::evaluation::{NAMES, TURNS, Weights};
use contender_plot::{Curve, cloud, curves};

/// The turn whose individual residuals are shown.
const MIDDLE: usize = 51;

/// Returns all charts with their file names: R-squared over turns, the residuals of each model at turn 51 and their
/// means over turns. For each input there is a chart of its weights over turns, learned and from least squares, for
/// both sides.
#[must_use]
pub fn all(weights: &Weights, models: &[FittedModel]) -> Vec<(String, String)> {
    let mut pictures = vec![("r-squared.svg".to_string(), r_squared(models)), biases(models)];
    for model in models.iter().filter(|model| !model.name.starts_with(' ')) {
        let residuals: Vec<[f64; 2]> = model.predictions[MIDDLE]
            .iter()
            .map(|&[prediction, value]| [prediction, value - prediction])
            .collect();
        let title = format!("{}: residuals at turn {MIDDLE}", model.name);
        let name = format!("residuals-{}.svg", model.name.replace(' ', "-"));
        pictures.push((name, cloud(&title, ["predicted points", "value less prediction"], &residuals)));
    }
    let least_squares = models.iter().find(|model| model.name == "least squares");
    for (at, name) in NAMES.into_iter().enumerate() {
        let mut lines = by_side("", 0, |turn| f64::from(weights.turns[turn].inputs[at])).to_vec();
        if let Some(model) = least_squares {
            // The first coefficient belongs to the points. The first turns are skipped, because the opening has hardly
            // any variety to fit.
            lines.extend(by_side(", least squares", 10, |turn| model.fits[turn].coefficients[at + 1]));
        }
        let picture = curves(&format!("Weight of {name}"), ["turn", "points for one unit"], &lines);
        pictures.push((format!("weight-{name}.svg"), picture));
    }
    pictures
}

fn r_squared(models: &[FittedModel]) -> String {
    let shown = models.iter().filter(|model| !model.name.starts_with(' ') || model.name.contains("all"));
    let lines: Vec<Curve> = shown
        .map(|model| {
            let explained = model.turns.iter().enumerate();
            let points = explained.filter_map(|(turn, it)| Some([turn as f64, it.r_squared()?.max(0.0)]));
            Curve { name: model.name.trim().to_string(), points: points.collect() }
        })
        .collect();
    curves("R-squared of the value, on games held out", ["turn", "share of the variance explained"], &lines)
}

fn biases(models: &[FittedModel]) -> (String, String) {
    let lines: Vec<Curve> = models
        .iter()
        .filter(|model| !model.name.starts_with(' '))
        .map(|model| {
            let mean = |rows: &Vec<[f64; 2]>| {
                rows.iter().map(|&[prediction, value]| value - prediction).sum::<f64>()
                    / rows.len().max(1) as f64
            };
            let points = model.predictions.iter().enumerate().map(|(turn, rows)| [turn as f64, mean(rows)]);
            Curve { name: model.name.clone(), points: points.collect() }
        })
        .collect();
    let text = curves("Mean residual", ["turn", "value less prediction, points"], &lines);
    ("residuals-over-turns.svg".to_string(), text)
}

/// Returns a number per turn as two lines, one for Chaos's turns and one for Order's, because the sides alternate. The
/// first `skipped` turns of each side are left out. `more` is appended to the sides' names.
fn by_side(more: &str, skipped: usize, of: impl Fn(usize) -> f64) -> [Curve; 2] {
    [("Chaos", 0), ("Order", 1)].map(|(side, first)| Curve {
        name: format!("{side}{more}"),
        points: (first..TURNS).step_by(2).skip(skipped).map(|turn| [turn as f64, of(turn)]).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_on_the_line_of_its_side() {
        let [chaos, order] = by_side(", mine", 10, |turn| turn as f64 / 2.0);
        assert_eq!((chaos.name.as_str(), order.name.as_str()), ("Chaos, mine", "Order, mine"));
        assert_eq!((chaos.points[0], order.points[0]), ([20.0, 10.0], [21.0, 10.5]));
        assert_eq!(chaos.points.len() + order.points.len(), TURNS - 20);
    }
}
