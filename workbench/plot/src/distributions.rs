//! Charts of the distributions of scores.

use crate::axis::{Axis, extremes, plain};
use crate::canvas::{Anchor, BLUE, INK, ORANGE, TITLE, faint, name, nothing, picture, width};
use contender_stats::percentile;

/// The scores of one bot, or of any other group.
#[derive(Clone, PartialEq, Debug)]
pub struct Scores {
    /// The group's name.
    pub name: String,
    /// The scores, in any order.
    pub values: Vec<f64>,
}

const BINS: usize = 60;
const PLOT: i32 = 560;

/// Returns the finite values in ascending order.
fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Returns the share of the values in each bin of width `bin`. The first bin starts at `low`.
fn shares(values: &[f64], low: f64, bin: f64, bins: usize) -> Vec<f64> {
    let mut shares = vec![0.0; bins];
    for value in values {
        shares[(((value - low) / bin) as usize).min(bins - 1)] += 1.0 / values.len() as f64;
    }
    shares
}

/// Draws a histogram for each group. The histograms are one below the other and share the horizontal axis. A mark and a
/// number show the median. Heights are shares of the group's scores, on the same scale for all groups.
#[must_use]
pub fn distributions(title: &str, unit: &str, groups: &[Scores]) -> String {
    let groups: Vec<(&str, Vec<f64>)> = groups
        .iter()
        .map(|group| (group.name.as_str(), sorted(&group.values)))
        .filter(|(_, values)| !values.is_empty())
        .collect();
    let left = 20 + width(groups.iter().map(|(name, _)| *name));
    let right = left + PLOT;
    let all = || groups.iter().flat_map(|(_, values)| values.iter().copied());
    let (Some(axis), Some([low, high])) = (Axis::around(all(), left, right), extremes(all())) else {
        return nothing(title);
    };
    let row = if groups.len() <= 12 { 64 } else { 30 };
    // If all scores are integers, the width of a bin is an integer too. Otherwise some bins would contain more values
    // than others because of rounding.
    let mut bin = ((high - low) / BINS as f64).max(f64::MIN_POSITIVE);
    if all().all(|value| value.fract() == 0.0) {
        bin = bin.ceil().max(1.0);
    }
    let bins = (((high - low) / bin).floor() as usize).min(BINS) + 1;
    let shares: Vec<Vec<f64>> = groups.iter().map(|(_, values)| shares(values, low, bin, bins)).collect();
    let greatest = shares.iter().flatten().copied().fold(0.0, f64::max);
    let bottom = TITLE + row * groups.len() as i32 + 4;
    picture([right + 84, bottom + 54], title, |canvas| {
        axis.draw_below(canvas, TITLE - 4, bottom, unit);
        for (at, ((group, values), shares)) in groups.iter().zip(&shares).enumerate() {
            let base = TITLE + row * (at as i32 + 1);
            canvas.line(&[[left, base], [right, base]], &faint(INK, 0.45), 1);
            let mut outline = vec![[axis.place(low - bin / 2.0), base]];
            for (place, share) in shares.iter().enumerate() {
                let height = base - (share / greatest * f64::from(row - 8)).round() as i32;
                let start = low + (place as f64 - 0.5) * bin;
                outline.extend([[axis.place(start), height], [axis.place(start + bin), height]]);
            }
            outline.push([axis.place(low + (bins as f64 - 0.5) * bin), base]);
            canvas.area(&outline, &faint(BLUE, 0.45));
            canvas.line(&outline, &BLUE, 1);
            canvas.text(&name(group), [left - 10, base - row / 3], Anchor::Right);
            let median = percentile(values, 0.5).unwrap_or_default();
            let x = axis.place(median);
            canvas.line(&[[x, base - row + 10], [x, base]], &ORANGE, 2);
            canvas.coloured(
                &plain(median, bin.min((high - low) / 60.0)),
                [right + 72, base - row / 3],
                Anchor::Right,
                &ORANGE,
            );
        }
        canvas.coloured("median", [right + 72, TITLE - 8], Anchor::Right, &ORANGE);
    })
}
