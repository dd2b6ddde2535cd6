//! Outlines of pieces.

use contender_game::board::{PieceShape, Side};

/// Returns the attributes of an SVG path that draws a piece in a square with this centre and side length. In the middle
/// of the piece there is space for its sign.
pub fn piece(shape: PieceShape, side: Option<Side>, [x, y]: [f64; 2], unit: f64) -> String {
    // For a square with sides of 10 around the origin, and for a piece that points to the top.
    let outline = match shape {
        PieceShape::Ring => {
            "M0-4.6A4.6 4.6 0 1 1 0 4.6A4.6 4.6 0 1 1 0-4.6ZM0-3.9A3.9 3.9 0 1 0 0 3.9A3.9 3.9 0 1 0 0-3.9Z\
             M0-3.3A3.3 3.3 0 1 1 0 3.3A3.3 3.3 0 1 1 0-3.3Z"
        }
        PieceShape::Disc => "M0-3.1A3.1 3.1 0 1 1 0 3.1A3.1 3.1 0 1 1 0-3.1Z",
        PieceShape::Spike => "M0-5L2.4-1.8A3.1 3.1 0 1 1-2.4-1.8Z",
        PieceShape::Cup => {
            "M-4.2-4.7A5.4 5.4 0 0 0 4.2-4.7A4.7 4.7 0 0 1 3 1.6A3.1 3.1 0 0 1-3 1.6A4.7 4.7 0 0 1-4.2-4.7Z"
        }
        PieceShape::Tube => "M-1.7-4.8H1.7V-2.3L3.3-1.4V3.1H-3.3V-1.4L-1.7-2.3Z",
    };
    let angle = match side.unwrap_or(Side::Top) {
        Side::Top => 0,
        Side::Right => 90,
        Side::Bottom => 180,
        Side::Left => 270,
    };
    let scale = unit / 10.0;
    format!("transform=\"translate({x:.1} {y:.1}) rotate({angle}) scale({scale:.2})\" d=\"{outline}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{heat_map, svg};
    use contender_game::{
        board::{Ink, Picture, Sign, Square},
        rules::Player,
    };

    /// A piece has its letter, also in a heat map, and no separate arrow.
    #[test]
    fn pieces_are_shapes_with_a_direction() {
        let sign = Sign::block(Ink::Seat(Player::One), "t");
        let square =
            |shape| Square { shape, arrow: Some(Side::Left), ..Square::new(String::new(), sign.clone()) };
        let picture = |shape| Picture::new(["A"], ["a"], |_, _| square(shape));
        let spike = picture(Some(PieceShape::Spike));
        let text = svg(&spike, "");
        assert!(
            text.contains("seat-1 fill piece") && text.contains("rotate(270)") && text.contains(">T<"),
            "{text}"
        );
        let map = heat_map(&spike, &[Some(3.0)], 0, 0.0, &[], &[], "");
        assert!(map.contains(">T<") && !map.contains(">3<"), "{map}");
        let paths = |picture: &Picture| svg(picture, "").matches("<path").count();
        assert_eq!([paths(&spike), paths(&picture(None))], [1, 1]);
    }
}
