//! Labels of rows and columns.

use super::{Drawing, MARGIN, NOTE, letter};
use contender_game::board::{Picture, Sign};

impl Drawing<'_> {
    /// Draws the labels of rows and columns, and the texts at the other ends.
    pub fn labels(&mut self) {
        let picture = self.picture;
        let [left, top] = self.corner;
        let columns = picture.columns.len();
        let margin = (self.corner[0], MARGIN[0]);
        let before = |edge: f64, margin: f64| edge - margin / 2.0 - 2.0;
        let [right, bottom] =
            [left + self.unit * columns as f64, top + self.unit * picture.rows.len() as f64];
        let after = |edge: f64, margin: f64| edge + margin / 2.0 + 1.0;
        for (row, label) in picture.rows.iter().enumerate() {
            let y = self.middle(row * columns)[1];
            self.text("dim label", [before(left, margin.0), y], NOTE.1 * self.scale, label);
            if let Some(sign) = right_texts(picture).get(row) {
                self.text(
                    format_args!("{} label", letter(sign)),
                    [after(right, margin.0), y],
                    NOTE.1 * self.scale,
                    &sign.text,
                );
            }
        }
        let every = spacing(&picture.columns, self.scale, self.unit);
        for (column, label) in picture.columns.iter().enumerate() {
            let x = self.middle(column)[0];
            let class = if column.is_multiple_of(every) { "dim label" } else { "dim label extra" };
            self.text(class, [x, before(top, margin.1)], NOTE.1 * self.scale, label);
            if let Some(sign) = lower_texts(picture).get(column) {
                let hidden = if column.is_multiple_of(every) { "label" } else { "label extra" };
                self.text(
                    format_args!("{} {hidden}", letter(sign)),
                    [x, after(bottom, margin.1)],
                    NOTE.1 * self.scale,
                    &sign.text,
                );
            }
        }
    }
}

/// Returns the texts at the right end of the rows; empty if they only repeat the labels at the left.
pub fn right_texts(picture: &Picture) -> &[Sign] {
    new_texts(&picture.right, &picture.rows)
}

/// Returns the texts below the columns; empty if they only repeat the labels above them.
pub fn lower_texts(picture: &Picture) -> &[Sign] {
    new_texts(&picture.below, &picture.columns)
}

fn new_texts<'a>(signs: &'a [Sign], labels: &[String]) -> &'a [Sign] {
    if signs.iter().map(|sign| &sign.text).eq(labels) { &[] } else { signs }
}

/// Returns the width of a label with some space around it.
pub fn label_width(letters: usize, scale: f64) -> f64 {
    (0.62 * letters as f64 + 0.15) * NOTE.1 * scale
}

/// Returns the distance between two labelled columns at which no label touches the next one on a telephone. Pages with
/// more room show the other labels too.
fn spacing(labels: &[String], scale: f64, unit: f64) -> usize {
    let letters = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    [1, 2, 5].into_iter().find(|&every| unit * every as f64 >= label_width(letters, scale)).unwrap_or(10)
}
