//! Moves drawn with their pieces on the board before them.

use super::Drawing;
use contender_game::board::{Ink, Line, Picture, Square};
use contender_game::rules::Player;

/// The kind of a frame around the squares of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame {
    /// A dashed frame and pale pieces: the move that was played.
    Played,
    /// A solid frame and pale pieces: a better move.
    Better,
    /// A dotted frame in the colour of a player, and pale pieces: the move of this player in the same turn.
    Joint(Player),
}

impl Frame {
    /// Returns the classes of the frame, and its distance from the edge of a square.
    fn look(self) -> (&'static str, f64) {
        match self {
            Frame::Played => ("played", 5.0),
            Frame::Better => ("better", 1.0),
            Frame::Joint(Player::Zero) => ("joint seat-0", 2.0),
            Frame::Joint(Player::One) => ("joint seat-1", 2.0),
        }
    }
}

/// A move that is drawn on the board before it.
#[derive(Clone, Debug)]
pub struct MoveOnBoard {
    /// The squares that the move names, by their indices.
    pub squares: Vec<usize>,
    /// Squares of the move that have no frame and pale pieces, because another shown move is the same there.
    pub unframed: Vec<usize>,
    /// The board after the move; `None` if it is unknown. Then only the frames are drawn.
    pub after: Option<Picture>,
    /// The frame around the squares.
    pub frame: Frame,
    /// Whether two named squares are the start and the end of a piece's way, which is drawn as an arrow.
    pub has_arrow: bool,
}

/// Returns the board for a page, with some moves on it: the squares that a move changes look as after the move, and
/// have a frame around them. A later move covers an earlier one.
#[must_use]
pub fn svg_with_moves(picture: &Picture, caption: &str, moves: &[MoveOnBoard]) -> String {
    let mut drawing = Drawing::of(picture, &[]);
    drawing.shown_moves(moves);
    drawing.svg(caption, "")
}

impl MoveOnBoard {
    /// Returns the squares of the move: those that it names, and those that the picture after it marks. A move that
    /// changes nothing on the board, such as a pass, has none.
    fn all_squares(&self, before: &Picture) -> Vec<usize> {
        if self.after.as_ref().is_some_and(|after| is_same(before, after)) {
            return Vec::new();
        }
        let marked = self.after.iter().flat_map(|after| {
            let squares = after.squares.iter().enumerate();
            squares.filter(|(_, square)| square.is_marked).map(|(at, _)| at)
        });
        let mut squares: Vec<usize> = self.squares.iter().copied().chain(marked).collect();
        squares.retain(|at| *at < before.squares.len());
        squares.sort_unstable();
        squares.dedup();
        squares
    }
}

/// Returns whether a later picture has the same content, apart from the marks of the latest move.
fn is_same(one: &Picture, other: &Picture) -> bool {
    let unmarked = |square: &Square| Square { is_marked: false, ..square.clone() };
    let has_line = |line: &Line| one.lines.contains(line);
    other.lines.iter().all(has_line)
        && one.squares.iter().map(unmarked).eq(other.squares.iter().map(unmarked))
}

impl Drawing<'_> {
    /// Draws some moves. The frames are above all pieces, so both are visible if both moves have the same squares.
    pub(super) fn shown_moves(&mut self, moves: &[MoveOnBoard]) {
        moves.iter().for_each(|shown| self.pieces(shown));
        for shown in moves {
            let (class, gap) = shown.frame.look();
            let mut framed = shown.all_squares(self.picture);
            framed.retain(|at| !shown.unframed.contains(at));
            self.outline(class, gap, &framed);
        }
    }

    /// Draws the pieces of a move, and its arrow.
    fn pieces(&mut self, shown: &MoveOnBoard) {
        let squares = shown.all_squares(self.picture);
        let class = if shown.frame == Frame::Better { "better" } else { "played" };
        if let Some(after) = &shown.after {
            let known = &self.picture.squares;
            // A move also shows the parts of its piece that look as before.
            let changed = |at: usize| {
                let square = after.squares.get(at)?;
                (square.is_marked || Some(square) != known.get(at)).then_some((at, square))
            };
            let changed: Vec<(usize, &Square)> = squares.iter().filter_map(|&at| changed(at)).collect();
            // The old content must not show through pale pieces.
            for &(at, _) in &changed {
                let (middle, unit) = (self.middle(at), self.unit);
                self.rect("bare", middle.map(|place| place - unit / 2.0), [unit; 2], 0.0);
            }
            // Pieces that the moves have in common are as pale as those of the played move.
            for (class, is_common) in [("played", true), (class, false)] {
                let is_here = |at: &usize| shown.unframed.contains(at) == is_common;
                if is_common && !changed.iter().any(|(at, _)| is_here(at)) {
                    continue;
                }
                self.add(format_args!("<g class=\"pieces-{class}\">"));
                let here = || changed.iter().filter(|(at, _)| is_here(at));
                let unmarked = |square: &Square| Square { is_marked: false, ..square.clone() };
                for &(at, square) in here() {
                    self.ground(at, &unmarked(square));
                }
                // The pieces at both ends of a line cover it.
                let known = self.picture;
                let is_fresh = |line: &&Line| !known.lines.contains(line) && is_here(&line.to);
                for line in after.lines.iter().filter(is_fresh) {
                    self.line(line);
                }
                for &(at, square) in here() {
                    self.content(at, &unmarked(square), false, false);
                }
                self.add("</g>");
                for line in after.lines.iter().filter(is_fresh) {
                    let square = known.squares.get(line.from).filter(|square| square.shape.is_some());
                    if let Some(square) = square.filter(|_| changed.iter().all(|(at, _)| *at != line.from)) {
                        self.content(line.from, &unmarked(square), false, false);
                    }
                }
            }
        }
        if let [from, to] = shown.squares[..]
            && shown.has_arrow
            && from != to
            && [from, to].iter().all(|at| squares.contains(at))
        {
            self.line(&Line { from, to, ink: Ink::Plain, is_arrow: true });
        }
    }

    /// Draws a frame around some squares. Squares that touch have a common frame.
    fn outline(&mut self, class: &str, gap: f64, squares: &[usize]) {
        let columns = self.picture.columns.len().max(1);
        let place = |at: usize| [at % columns, at / columns].map(|place| place as i64);
        let has = |[column, row]: [i64; 2]| squares.iter().any(|&at| place(at) == [column, row]);
        let mut path = String::new();
        for &at in squares {
            let [x, y] = place(at);
            for side in [[0, -1], [1, 0], [0, 1], [-1, 0]] {
                if has([x + side[0], y + side[1]]) {
                    continue;
                }
                let middle = self.middle(at);
                let half = self.unit / 2.0;
                let along = [side[1].abs(), side[0].abs()];
                // An end at a neighbour touches the frame of that neighbour.
                let end = |sign: i64| {
                    let next = has([x + sign * along[0], y + sign * along[1]]);
                    let length = if next { half } else { half - gap };
                    [0, 1].map(|axis| {
                        middle[axis] + side[axis] as f64 * (half - gap) + (sign * along[axis]) as f64 * length
                    })
                };
                let [[x1, y1], [x2, y2]] = [end(-1), end(1)];
                path += &format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
            }
        }
        if !path.is_empty() {
            self.add(format_args!("<path class=\"{class}\" d=\"{path}\"/>"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::svg;
    use contender_game::board::{Path, PieceShape, Side, Sign};

    fn board(pieces: &[usize]) -> Picture {
        Picture::new(0..3, 0..3, |row, column| {
            let at = 3 * row + column;
            let is_marked = pieces.contains(&at);
            let sign = if is_marked { Sign::chip(Ink::Piece(at), at) } else { Sign::dot() };
            Square { is_marked, ..Square::new(at.to_string(), sign) }
        })
    }

    fn shown(squares: &[usize], after: Option<Picture>, frame: Frame) -> MoveOnBoard {
        MoveOnBoard { squares: squares.to_vec(), unframed: Vec::new(), after, frame, has_arrow: true }
    }

    /// The pieces of a move are drawn on the board before it, with one frame around all of them.
    #[test]
    fn a_move_is_drawn_with_its_pieces() {
        let text = svg_with_moves(&board(&[]), "", &[shown(&[0], Some(board(&[0, 1, 8])), Frame::Better)]);
        assert_eq!(text.matches("<circle").count(), 3, "{text}");
        let outline = text.lines().find(|line| line.contains("class=\"better\"")).unwrap();
        // Two squares side by side have six edges, and a single one has four.
        assert_eq!(outline.matches('M').count(), 10, "{outline}");
        assert!(text.find("pieces-better").unwrap() < text.find("<circle").unwrap());
        // A square that another move has too is drawn without a frame.
        let partly = MoveOnBoard { unframed: vec![8], ..shown(&[0], Some(board(&[0, 1, 8])), Frame::Better) };
        let text = svg_with_moves(&board(&[]), "", &[partly]);
        let outline = text.lines().find(|line| line.contains("class=\"better\"")).unwrap();
        assert_eq!((outline.matches('M').count(), text.matches("<circle").count()), (6, 3), "{text}");
        // The piece in this square is pale.
        let (_, pale) = text.split_once("<g class=\"pieces-played\">").unwrap();
        assert_eq!(pale.split_once("</g>").unwrap().0.matches("<circle").count(), 1, "{text}");
        // A piece is complete, also if a part of it looks as before.
        let pieces = |text: &str| {
            let (_, group) = text.split_once("<g class=\"pieces-played\">").unwrap();
            group.split_once("</g>").unwrap().0.matches("<circle").count()
        };
        let text = svg_with_moves(&board(&[4]), "", &[shown(&[4], Some(board(&[4, 5])), Frame::Played)]);
        assert_eq!((pieces(&text), text.matches("bare").count()), (2, 2), "{text}");
        // A move that changes nothing, such as a pass, has no frame, even if it names a square.
        let mut passed = board(&[4, 5]);
        passed.squares[4].is_marked = false;
        let text = svg_with_moves(&board(&[4, 5]), "", &[shown(&[5, 5], Some(passed), Frame::Played)]);
        assert!(!text.contains("class=\"played\""), "{text}");
        // A square that the move names and does not change keeps its content.
        let mut same = board(&[4]);
        same.squares[4].is_marked = false;
        let text = svg_with_moves(&same, "", &[shown(&[4], Some(same.clone()), Frame::Played)]);
        assert_eq!((pieces(&text), text.matches("bare").count()), (0, 0), "{text}");
    }

    /// The line from a piece to a new one covers none of them.
    #[test]
    fn pieces_cover_their_line() {
        let board = |count: usize| {
            let mut picture = Picture::new(0..1, 0..2, |_, at| {
                let sign = Sign::block(Ink::Seat(Player::Zero), ["R", "O"][at]);
                let shape = Some(PieceShape::Disc);
                if at < count {
                    Square { shape, ..Square::new(at.to_string(), sign) }
                } else {
                    Square::default()
                }
            });
            let line = Line { from: 0, to: 1, ink: Ink::Seat(Player::Zero), is_arrow: false };
            picture.lines = vec![line; count - 1];
            picture
        };
        let text = svg_with_moves(&board(1), "", &[shown(&[1], Some(board(2)), Frame::Played)]);
        let line = text.find("stroke line").unwrap();
        assert!(text.rfind(">R<").unwrap() > line && text.find(">O<").unwrap() > line, "{text}");
        assert_eq!([">R<", ">O<"].map(|sign| text.matches(sign).count()), [2, 1]);
    }

    /// A pale tile covers what was in its square, and looks like the tiles on the board.
    #[test]
    fn a_suggested_tile_is_a_tile() {
        let path = Path { from: Side::Top, to: Side::Left, ink: Ink::Plain };
        let tile = |is_marked| Square { paths: vec![path], is_marked, ..Square::default() };
        let board = |number: usize| {
            Picture::new(
                0..1,
                0..2,
                |_, at| if at < number { tile(at + 1 == number) } else { Square::default() },
            )
        };
        let text = svg_with_moves(&board(1), "", &[shown(&[1], Some(board(2)), Frame::Played)]);
        let (known, group) = text.split_once("<g class=\"pieces-played\">").unwrap();
        assert!(known.contains("\"laid new\"") && known.contains("\"bare\""), "{text}");
        assert!(group.contains("\"laid\"") && !group.contains("bare"), "{text}");
    }

    #[test]
    fn a_move_without_a_board_after_it_has_frames_only() {
        let moves = [shown(&[0, 99], None, Frame::Played), shown(&[3], None, Frame::Better)];
        let text = svg_with_moves(&board(&[]), "", &moves);
        let of = |class: &str| text.matches(&format!("class=\"{class}\"")).count();
        assert_eq!([of("played"), of("better"), of("pieces-better"), of("bare")], [1, 1, 0, 0]);
        assert_eq!(svg_with_moves(&board(&[]), "", &[]), svg(&board(&[]), ""));
    }

    #[test]
    fn a_move_from_one_square_to_another_has_an_arrow() {
        let lines = |squares: &[usize]| {
            svg_with_moves(&board(&[]), "", &[shown(squares, None, Frame::Better)])
                .matches("stroke line")
                .count()
        };
        assert_eq!([lines(&[0, 2]), lines(&[0]), lines(&[0, 0]), lines(&[0, 1, 2])], [1, 0, 0, 0]);
        // Two pieces of one move are no way of a piece.
        let two = MoveOnBoard { has_arrow: false, ..shown(&[0, 2], None, Frame::Better) };
        assert!(!svg_with_moves(&board(&[]), "", &[two]).contains("stroke line"));
    }

    /// The pieces of a later move do not cover the frame of an earlier one.
    #[test]
    fn all_frames_of_one_square_are_visible() {
        let frames = [Frame::Joint(Player::One), Frame::Played, Frame::Better];
        let moves = frames.map(|frame| shown(&[0], Some(board(&[0])), frame));
        let text = svg_with_moves(&board(&[]), "", &moves);
        let joint = text.find("<path class=\"joint seat-1\"").unwrap();
        assert!(text.rfind("</g>").unwrap() < joint, "{text}");
        assert_eq!(text.matches("<g class=\"pieces-played\">").count(), 2, "{text}");
        let played = text.find("<path class=\"played\"").unwrap();
        assert!(text.rfind("</g>").unwrap() < played && text.contains("<path class=\"better\""), "{text}");
    }
}
