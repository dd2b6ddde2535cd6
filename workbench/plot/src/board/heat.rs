//! Boards with a number and a shade in each square.

use super::{Drawing, MoveOnBoard, PHONE, READABLE};
use crate::decimal;
use contender_game::board::{Ink, Look, Picture};

/// Size of a rank on a phone in pixels.
const RANK: f64 = 12.0;

/// Returns the board for a page, with numbers in the squares. A square that has a number is shaded: the greater the
/// number, the stronger the shade. A square without a piece shows the number instead of its sign. A piece keeps its
/// sign. `ranks` contains squares with the ranks of their moves, which are drawn as small discs. The strongest shade
/// differs from the weakest one by at least `span`, so numbers that are nearly equal have nearly equal shades. The
/// `moves` are drawn as [`svg_with_moves`](super::svg_with_moves) draws them.
#[must_use]
pub fn heat_map(
    picture: &Picture,
    numbers: &[Option<f64>],
    digits: usize,
    span: f64,
    ranks: &[(usize, usize)],
    moves: &[MoveOnBoard],
    caption: &str,
) -> String {
    let mut hot = picture.clone();
    let ends = scale(numbers, span);
    let shades: Vec<Option<f64>> = numbers
        .iter()
        .map(|number| {
            let (number, [least, most]) = (number.filter(|number| number.is_finite())?, ends?);
            // Most numbers are close to the greatest, so their shades are further apart than those of small ones.
            Some(if most > least { ((number - least) / (most - least)).powi(2) } else { 0.75 })
        })
        .collect();
    let mut ranked = vec![String::new(); ranks.len()];
    for (at, ((square, number), shade)) in hot.squares.iter_mut().zip(numbers).zip(&shades).enumerate() {
        let (Some(number), Some(_)) = (number, shade) else { continue };
        square.is_marked = false;
        if square.sign.look == Look::Letter {
            let mut text = number_text(*number, digits);
            // The number of a ranked square leaves room for the disc.
            if let Some(rank) = ranks.iter().position(|(ranked, _)| *ranked == at) {
                ranked[rank] = std::mem::take(&mut text);
            }
            (square.sign.text, square.sign.ink) = (text, Ink::Plain);
        }
    }
    let mut drawing = Drawing::of(&hot, &shades);
    drawing.shown_moves(moves);
    for (&(at, rank), number) in ranks.iter().zip(&ranked).filter(|((at, _), _)| *at < picture.squares.len())
    {
        drawing.rank(at, rank, number);
    }
    drawing.svg(caption, "")
}

impl Drawing<'_> {
    /// Draws a rank in the upper right corner of a square, and the square's number below. On a wide board, the disc
    /// fills the square.
    fn rank(&mut self, at: usize, rank: usize, number: &str) {
        let radius = (0.2 * self.unit).max(RANK / 1.5 * self.width / PHONE).min(0.46 * self.unit);
        let away = self.unit / 2.0 - radius - 1.0;
        let [x, y] = self.middle(at);
        self.add(format_args!(
            "<circle class=\"rank\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\"/>",
            x + away,
            y - away
        ));
        self.text("on-seat", [x + away, y - away], 1.5 * radius, &rank.to_string());
        let size = (0.4 * self.unit).min(1.38 * self.unit / number.chars().count().max(1) as f64);
        if !number.is_empty() && 2.0 * radius + size <= self.unit {
            let extra = if size * PHONE / self.width >= READABLE { "" } else { " extra" };
            self.text(format_args!("plain{extra}"), [x, y + 0.24 * self.unit], size, number);
        }
    }
}

/// Returns the numbers with the weakest and the strongest shade. The first one is less by at least `span`.
#[must_use]
pub fn scale(numbers: &[Option<f64>], span: f64) -> Option<[f64; 2]> {
    let [least, most] = ends(numbers)?;
    Some([if most > least { least.min(most - span) } else { least }, most])
}

/// Returns the least and the greatest number of a heat map.
#[must_use]
pub fn ends(numbers: &[Option<f64>]) -> Option<[f64; 2]> {
    let known = || numbers.iter().flatten().copied().filter(|number| number.is_finite());
    Some([known().reduce(f64::min)?, known().reduce(f64::max)?])
}

/// Returns a number of decimal places that suits the numbers of a heat map.
#[must_use]
pub fn digits(numbers: &[Option<f64>]) -> usize {
    let Some([least, most]) = ends(numbers) else { return 0 };
    let mut known = numbers.iter().flatten().filter(|number| number.is_finite());
    match most - least {
        span if known.all(|number| number.fract() == 0.0) || span >= 20.0 => 0,
        span if span >= 2.0 => 1,
        _ => 2,
    }
}

/// Formats a number of a heat map. Zero has no decimal places.
fn number_text(number: f64, digits: usize) -> String {
    let text = decimal(number, digits);
    if text.chars().all(|letter| matches!(letter, '.' | '0')) { "0".to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::svg;
    use contender_game::board::{Sign, Square};

    #[test]
    fn a_heat_map_shades_from_the_least_to_the_greatest() {
        let picture = Picture::new(["A"], 0..5, |_, at| {
            let sign = if at == 4 { Sign::chip(Ink::Piece(0), 'x') } else { Sign::dot() };
            Square { is_marked: true, ..Square::new(at.to_string(), sign) }
        });
        let numbers = [Some(-0.25), Some(0.75), None, Some(f64::NAN), Some(0.001)];
        let text = heat_map(&picture, &numbers, 2, 0.0, &[], &[], "");
        for part in
            [">−0.25<", ">0.75<", ">x<", "\"heat\"", "opacity=\"0.06\"", "opacity=\"0.92\"", "\"rim\""]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(
            (text.matches(">·<").count(), ends(&numbers), digits(&numbers)),
            (2, Some([-0.25, 0.75]), 2)
        );
        assert!(heat_map(&picture, &[Some(12.0); 9], 0, 0.0, &[], &[], "").contains(">12<"));
        assert!(heat_map(&picture, &[], 0, 0.0, &[], &[], "") == svg(&picture, ""));
        assert_eq!(
            [10.5, -0.04, 0.96, -0.5].map(|number| number_text(number, 1)),
            ["10.5", "0", "1.0", "−0.5"]
        );
    }

    /// The shades of two numbers differ as much as the numbers, and the greatest number has the strongest shade.
    #[test]
    fn nearly_equal_numbers_have_nearly_equal_shades() {
        let picture = Picture::new(["A"], 0..2, |_, at| Square::new(at.to_string(), Sign::dot()));
        let text = |other: f64| heat_map(&picture, &[Some(33.0), Some(other)], 0, 5.0, &[], &[], "");
        assert!(text(33.4).contains("opacity=\"0.79\"") && text(33.4).contains("opacity=\"0.92\""));
        assert!(text(38.0).contains("opacity=\"0.06\"") && text(60.0).contains("opacity=\"0.06\""));
        assert_eq!(scale(&[Some(33.0), Some(34.0)], 5.0), Some([29.0, 34.0]));
        assert_eq!(scale(&[Some(33.0), None], 5.0), Some([33.0; 2]));
    }

    #[test]
    fn ranks_are_discs_in_their_squares() {
        let picture = Picture::new(["A"], 0..3, |_, at| Square::new(at.to_string(), Sign::dot()));
        let numbers = [Some(1.0), Some(7.0)];
        let text = heat_map(&picture, &numbers, 0, 0.0, &[(1, 2), (2, 3), (9, 4)], &[], "");
        assert_eq!(text.matches(">7<").count(), 1, "the number is below its disc: {text}");
        assert_eq!(text.matches("class=\"rank\"").count(), 2, "{text}");
        assert!(
            text.contains("on-seat\"")
                && text.contains(">2<")
                && text.contains(">3<")
                && !text.contains(">4<")
        );
        // On a wide board, a rank fills its square.
        let wide = Picture::new(["A"], 0..20, |_, at| Square::new(at.to_string(), Sign::dot()));
        let text = heat_map(&wide, &numbers, 0, 0.0, &[(1, 2)], &[], "");
        assert!(text.contains("r=\"15.6\""), "{text}");
    }

    #[test]
    fn numbers_that_would_be_too_small_are_left_out() {
        let wide =
            Picture::new((0..16).map(|_| "A"), 0..20, |_, at| Square::new(at.to_string(), Sign::dot()));
        let text = |number, digits| heat_map(&wide, &[Some(number), Some(0.0)], digits, 0.0, &[], &[], "");
        // A long number is too small even on a large screen; a short one is only too small on a phone.
        assert!(!text(-123.5, 0).contains(">−124<") && text(-123.5, 0).contains("\"heat\""));
        assert!(text(0.31, 1).contains("plain extra\"") && text(0.31, 1).contains(">0.3<"));
        assert!(text(42.0, 0).contains("plain\"") && text(42.0, 0).contains(">42<"));
        // A piece keeps its sign.
        let pieces = Picture::new(["A"], 0..20, |_, at| {
            Square::new(at.to_string(), Sign::chip(Ink::Piece(0), if at == 0 { "x" } else { "" }))
        });
        let text = heat_map(&pieces, &[Some(0.25), Some(0.5)], 2, 0.0, &[], &[], "");
        assert!(text.contains(">x<") && !text.contains(">0.25<") && text.contains("\"rim\""), "{text}");
        let small = Picture::new(["A"], ["a"], |_, at| Square::new(at.to_string(), Sign::dot()));
        let text = heat_map(&small, &[Some(0.25)], 2, 0.0, &[], &[], "");
        assert!(text.contains(">0.25<") && !text.contains("extra"), "{text}");
    }
}
