//! Game boards as SVG, drawn from a judge's picture ([`contender_game::board::Picture`]).
//!
//! A list of games shows small boards ([`svg_small`]), without labels and without letters that would be too small.
//!
//! Colours are CSS classes, and [`STYLE`] defines them for light and dark themes. A page loads the style sheet once and
//! embeds the output of [`svg`], and adds the notes as text with [`with_notes`]. A separate file contains its own style
//! sheet and the notes ([`svg_file`]).

mod blocks;
mod heat;
mod labels;
mod moves;
mod notes;
mod piece;
#[cfg(test)]
mod tests;

pub use heat::{digits, ends, heat_map, scale};
pub use moves::{Frame, MoveOnBoard, svg_with_moves};
pub use notes::{signs, with_notes};

use contender_game::{
    board::{Ink, Line, Look, Path, Picture, Side, Sign, Square},
    rules::Player,
};
use labels::{label_width, lower_texts, right_texts};
use notes::{broken, capital};
use piece::piece;
use std::fmt::{Display, Write};

/// The style sheet of a board.
pub const STYLE: &str = include_str!("board.css");

/// Width of a letter in a note, its height, and the distance between lines, for a picture of the minimum width. In
/// wider pictures, small letters grow in proportion. So even on a phone, on which a board is 360 pixels wide, every
/// letter has at least 12 pixels.
const NOTE: (f64, f64, f64) = (8.7, 15.5, 24.0);
/// Minimum width of a board, measured in letters of a note. Longer notes are wrapped.
const LETTERS: usize = 50;
/// Approximate width of a board. The allowed range for the size of a square takes precedence over this width.
const WIDTH: f64 = 460.0;
const SQUARE: [f64; 2] = [34.0, 56.0];
/// Minimum size in pixels of a number in a square. A smaller number is left out, and the square only has its shade.
const READABLE: f64 = 9.0;
/// Width of a small board in pixels.
const SMALL: f64 = 170.0;
/// Width of a board on a phone, and its maximum width and height on a screen of 1280x800 pixels.
const PHONE: f64 = 360.0;
const SCREEN: [f64; 2] = [770.0, 420.0];
/// Maximum number of columns whose squares are large enough for a finger on a phone. A wider board has the class
/// `many`.
const NARROW: usize = 12;
/// Width of the space for labels, and width of the margin around a board without labels.
const MARGIN: [f64; 2] = [30.0, 10.0];

/// Returns the board, without the notes, for a page that contains [`STYLE`]. `caption` describes the picture in words.
/// Every square has its name in the attribute `data-name`.
#[must_use]
pub fn svg(picture: &Picture, caption: &str) -> String {
    Drawing::of(picture, &[]).svg(caption, "")
}

/// Returns the width of a board that [`svg`] draws, divided by its height.
#[must_use]
pub fn ratio(picture: &Picture) -> f64 {
    let drawing = Drawing::plan(picture, false);
    drawing.width / (drawing.bottom() + MARGIN[1])
}

/// Returns a small board for a list of games on a page that contains [`STYLE`]. It has no labels, no mark of the latest
/// move, and no letters that would be too small.
#[must_use]
pub fn svg_small(picture: &Picture, caption: &str) -> String {
    Drawing::of_size(picture, &[], true).svg(caption, "")
}

/// Returns the picture as a separate file, with the notes.
#[must_use]
pub fn svg_file(picture: &Picture, caption: &str) -> String {
    Drawing::of(picture, &[]).svg(caption, STYLE)
}

/// Escapes a text for HTML and SVG, and replaces control characters.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => result += "&amp;",
            '<' => result += "&lt;",
            '>' => result += "&gt;",
            '"' => result += "&quot;",
            '\'' => result += "&#39;",
            _ if letter.is_control() => result.push('\u{fffd}'),
            _ => result.push(letter),
        }
    }
    result
}

struct Drawing<'a> {
    picture: &'a Picture,
    /// The side length of a square.
    unit: f64,
    /// The upper left corner of the board.
    corner: [f64; 2],
    /// The picture's width.
    width: f64,
    /// The ratio of the width to the minimum width; 0 for a small board, which has no minimum.
    scale: f64,
    is_small: bool,
    body: String,
}

impl<'a> Drawing<'a> {
    /// Computes the sizes of a picture's parts.
    fn plan(picture: &'a Picture, is_small: bool) -> Drawing<'a> {
        let unit = (WIDTH / picture.columns.len().max(1) as f64).clamp(SQUARE[0], SQUARE[1]).floor();
        if is_small {
            // The walls need room.
            let edge = if picture.has_walls { 8.0 } else { 2.0 };
            let width = unit * picture.columns.len() as f64 + 2.0 * edge;
            return Drawing {
                picture,
                unit,
                corner: [edge; 2],
                width,
                scale: 0.0,
                is_small,
                body: String::new(),
            };
        }
        let margin = |is_labelled: bool| MARGIN[usize::from(!is_labelled)];
        let columns = unit * picture.columns.len() as f64;
        let least = 2.0 * MARGIN[1] + NOTE.0 * LETTERS as f64;
        // Labels grow with the width, and so does their space.
        let label = |labels: &mut dyn Iterator<Item = usize>| match labels.max() {
            Some(letters) => MARGIN[0].max(label_width(letters, (columns + 2.0 * MARGIN[0]) / least)),
            None => MARGIN[1],
        };
        let left = label(&mut picture.rows.iter().map(|label| label.chars().count()));
        let end = label(&mut right_texts(picture).iter().map(|sign| sign.text.chars().count()));
        let corner = [left, margin(!picture.columns.is_empty())];
        let width = (left + columns + end).max(least);
        let scale = width / least;
        Drawing { picture, unit, corner, width, scale, is_small, body: String::new() }
    }

    /// Draws a picture with its labels. For each square that should be shaded, `shades` contains a value from 0 to 1.
    fn of(picture: &'a Picture, shades: &[Option<f64>]) -> Drawing<'a> {
        Drawing::of_size(picture, shades, false)
    }

    fn of_size(picture: &'a Picture, shades: &[Option<f64>], is_small: bool) -> Drawing<'a> {
        let mut drawing = Drawing::plan(picture, is_small);
        drawing.squares();
        if !is_small {
            drawing.labels();
        }
        // The order matters: a later part may cover an earlier one.
        for (at, square) in picture.squares.iter().enumerate() {
            drawing.ground(at, square);
        }
        for (at, shade) in shades.iter().enumerate().take(picture.squares.len()) {
            if let Some(shade) = shade {
                drawing.shade(at, *shade);
            }
        }
        for line in &picture.lines {
            drawing.line(line);
        }
        let owned = drawing.owned();
        for &(corner, ink) in &owned {
            drawing.owned_ground(corner, ink);
        }
        for (at, square) in picture.squares.iter().enumerate() {
            let block = |place: usize| place / picture.block.max(1);
            let columns = picture.columns.len().max(1);
            let corner = [block(at % columns), block(at / columns)];
            let is_shaded = shades.get(at).is_some_and(Option::is_some);
            drawing.content(at, square, owned.iter().any(|(owned, _)| *owned == corner), is_shaded);
        }
        for &(corner, ink) in &owned {
            drawing.owned_sign(corner, ink);
        }
        drawing.three_in_line(&owned);
        drawing
    }

    /// Returns the height of the rows.
    fn rows(&self) -> f64 {
        self.unit * self.picture.rows.len() as f64
    }

    /// Returns the height of the rows and the labels.
    fn bottom(&self) -> f64 {
        self.corner[1] + self.rows() + MARGIN[usize::from(lower_texts(self.picture).is_empty())]
    }

    fn svg(mut self, caption: &str, style: &str) -> String {
        let picture = self.picture;
        let (width, apart) = (self.width, NOTE.2 * self.scale);
        let has_notes = !style.is_empty();
        let mut height = self.bottom();
        let notes = picture.notes.iter().filter(|_| has_notes);
        for note in notes.flat_map(|note| broken(note, LETTERS)) {
            self.note(&note, height + apart / 2.0);
            height += apart;
        }
        height = if self.is_small { self.rows() + 2.0 * self.corner[1] } else { height + MARGIN[1] };
        let style = if style.is_empty() { String::new() } else { format!("<style>{style}</style>") };
        let caption = escaped(caption);
        let wide = if picture.columns.len() > NARROW { " many" } else { "" };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board{wide}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" aria-label=\"{caption}\"><title>{caption}</title>{style}\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            self.body
        )
    }

    fn add(&mut self, element: impl Display) {
        let _ = writeln!(self.body, "{element}");
    }

    /// Draws a text, centred at a point.
    fn text(&mut self, class: impl Display, [x, y]: [f64; 2], size: f64, text: &str) {
        if !text.trim().is_empty() {
            let text = escaped(text);
            self.add(format_args!(
                "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\">{text}</text>"
            ));
        }
    }

    fn rect(&mut self, class: impl Display, [x, y]: [f64; 2], [width, height]: [f64; 2], round: f64) {
        self.add(format_args!(
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{round:.0}\"/>"
        ));
    }

    /// Returns the centre of a square.
    fn middle(&self, at: usize) -> [f64; 2] {
        let columns = self.picture.columns.len().max(1);
        [at % columns, at / columns]
            .iter()
            .zip(self.corner)
            .map(|(&place, corner)| corner + self.unit * (place as f64 + 0.5))
            .collect::<Vec<f64>>()
            .try_into()
            .expect("two numbers")
    }

    fn squares(&mut self) {
        let (columns, rows) = (self.picture.columns.len(), self.picture.rows.len());
        let unit = self.unit;
        for (at, square) in self.picture.squares.iter().enumerate() {
            let [x, y] = self.middle(at).map(|place| place - unit / 2.0);
            let marked = if square.is_marked && !self.is_small { " marked" } else { "" };
            let name = escaped(&square.name);
            self.add(format_args!(
                "<rect class=\"square{marked}\" data-name=\"{name}\" x=\"{x}\" y=\"{y}\" width=\"{unit}\" height=\"{unit}\"/>"
            ));
        }
        let [left, top] = self.corner;
        let [right, bottom] = [left + unit * columns as f64, top + unit * rows as f64];
        let picture = self.picture;
        let block = picture.block.max(1);
        let mut rule = |[x1, y1]: [f64; 2], [x2, y2]: [f64; 2]| {
            self.add(format_args!("<line class=\"rule\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
        };
        if picture.block > 0 {
            for row in (block..rows).step_by(block) {
                let y = top + unit * row as f64;
                rule([left, y], [right, y]);
            }
            for column in (block..columns).step_by(block) {
                let x = left + unit * column as f64;
                rule([x, top], [x, bottom]);
            }
        }
        if picture.has_walls {
            self.rect("seat-0 fill", [left - 7.0, top], [6.0, bottom - top], 2.0);
            self.rect("seat-1 fill", [right + 1.0, top], [6.0, bottom - top], 2.0);
        }
    }

    /// Draws the background of a square's content.
    fn ground(&mut self, at: usize, square: &Square) {
        let [x, y] = self.middle(at);
        let sign = &square.sign;
        let class = if is_wall(sign) { "wall" } else { class(sign.ink) };
        if !square.paths.is_empty() {
            let (half, new) = (self.unit / 2.0 - 1.0, if square.is_marked { " new" } else { "" });
            self.rect(format!("laid{new}"), [x - half, y - half], [2.0 * half; 2], 4.0);
        }
        if square.shape.is_some() {
            // The squares of a player's pieces form an area in the player's colour.
            let half = self.unit / 2.0;
            return self.rect(format!("{class} fill held"), [x - half, y - half], [self.unit; 2], 0.0);
        }
        match sign.look {
            Look::Letter => {}
            Look::Chip => {
                let radius = 0.39 * self.unit;
                self.add(format_args!(
                    "<circle class=\"{class} fill\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
                ));
            }
            Look::Block => {
                let half = self.unit / 2.0 - 1.5;
                self.rect(format!("{class} fill"), [x - half, y - half], [2.0 * half; 2], 4.0);
            }
        }
    }

    /// Draws the shade of a square. On a square with a piece, the shade is a frame, so that the colour of the piece
    /// stays visible.
    fn shade(&mut self, at: usize, shade: f64) {
        let [x, y] = self.middle(at);
        let is_piece = self.picture.squares[at].sign.look != Look::Letter;
        let (half, kind) = if is_piece { (self.unit / 2.0 - 2.0, "rim") } else { (self.unit / 2.0, "heat") };
        let ([left, top, side], opacity) = ([x - half, y - half, 2.0 * half], 0.06 + 0.86 * shade);
        self.add(format_args!(
            "<rect class=\"{kind}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" opacity=\"{opacity:.2}\"/>"
        ));
    }

    /// Returns the size of a text in a square.
    fn size(&self, square: &Square, text: &str) -> f64 {
        let size = self.unit
            * match (square.sign.look, square.sign.ink) {
                _ if square.shape.is_some() => 0.3,
                (Look::Letter, ink) if ink != Ink::Dim => 0.66,
                // The squares of a wide board are small, so a digit fills its square.
                (Look::Block, _) if self.picture.columns.len() > NARROW => 0.84,
                _ => 0.46,
            };
        // Numbers must fit into their square.
        let letters = text.chars().count();
        let size = size.max(NOTE.1 * self.scale);
        match letters {
            0 | 1 => size,
            // On a wide board, two digits are large enough for a phone, if the square has room for them.
            2 => size.min(0.46 * self.unit).max(1.01 * READABLE * self.width / PHONE).min(0.66 * self.unit),
            _ => size.min(1.5 * self.unit / letters.max(3) as f64 * 0.92),
        }
    }

    /// Draws the content of a square over its background and the lines.
    fn content(&mut self, at: usize, square: &Square, is_covered: bool, is_shaded: bool) {
        for path in &square.paths {
            self.path(at, path);
        }
        let [x, y] = self.middle(at);
        let sign = &square.sign;
        if let Some(shape) = square.shape {
            let outline = piece(shape, square.arrow, [x, y], self.unit);
            self.add(format_args!("<path class=\"{} fill piece\" {outline}/>", class(sign.ink)));
        }
        let size = self.size(square, &sign.text);
        let rows = self.unit * self.picture.rows.len() as f64 + 2.0 * MARGIN[0];
        // A number is shown only if it is large enough.
        let is_readable = |scale: f64| !is_shaded || sign.look != Look::Letter || size * scale >= READABLE;
        let is_shown = match self.is_small {
            // The dots of empty squares would only be noise.
            true => sign.ink != Ink::Dim && size * SMALL / self.width >= READABLE,
            false => is_readable((SCREEN[0] / self.width).min(SCREEN[1] / rows)),
        };
        if !is_wall(sign) && is_shown {
            let extra = if is_readable(PHONE / self.width) { "" } else { " extra" };
            // A page may show a cross over the piece that a move removes.
            let halo = match (&sign.text[..], square.paths.is_empty()) {
                ("×", _) => " halo cross",
                (_, true) => "",
                (_, false) => " halo",
            };
            // The sign of a whole block covers those of its squares.
            let faint = if is_covered { " faint" } else { "" };
            // The colour and the outline of a piece show its owner, so its letter is a capital.
            let text = if square.shape.is_some() { capital(sign) } else { sign.text.clone() };
            self.text(format_args!("{}{halo}{faint}{extra}", letter(sign)), [x, y], size, &text);
        }
        if let (Some(side), None) = (square.arrow, square.shape) {
            self.arrow_at(at, side, sign);
        }
        if square.is_marked && !self.picture.has_walls && !self.is_small {
            let half = self.unit / 2.0 - 3.0;
            self.rect("mark", [x - half, y - half], [2.0 * half; 2], 4.0);
        }
    }

    /// Draws a light path with a dark outline, so that its colour is visible on any background.
    fn path(&mut self, at: usize, path: &Path) {
        let middle = self.middle(at);
        let [from, to] = [path.from, path.to].map(|side| {
            let direction = direction(side);
            [0, 1].map(|axis| middle[axis] + direction[axis] * self.unit / 2.0)
        });
        let curve = format!(
            "M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            from[0], from[1], middle[0], middle[1], to[0], to[1]
        );
        let width = 0.13 * self.unit;
        if !matches!(path.ink, Ink::Plain | Ink::Dim) {
            self.add(format_args!(
                "<path class=\"casing\" stroke-width=\"{:.1}\" d=\"{curve}\"/>",
                width + 2.5
            ));
        }
        let class = class(path.ink);
        self.add(format_args!("<path class=\"{class} stroke\" stroke-width=\"{width:.1}\" d=\"{curve}\"/>"));
    }

    fn line(&mut self, line: &Line) {
        let [from, to] = [line.from, line.to].map(|at| self.middle(at));
        let length = (to[0] - from[0]).hypot(to[1] - from[1]).max(1.0);
        let along = [0, 1].map(|axis| (to[axis] - from[axis]) / length);
        // The arrow's head ends before the content of the square.
        let back = if line.is_arrow { 0.44 * self.unit } else { 0.0 };
        let tip = [0, 1].map(|axis| to[axis] - along[axis] * back);
        let class = class(line.ink);
        let [[x1, y1], [x2, y2]] = [from, tip];
        // A line across solid squares of any colours has a dark edge.
        let is_solid = |at: usize| {
            let square = self.picture.squares.get(at);
            square.is_some_and(|square| square.sign.look == Look::Block && square.shape.is_none())
        };
        if is_solid(line.from) && is_solid(line.to) {
            self.add(format_args!(
                "<path class=\"casing\" stroke-width=\"7\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>"
            ));
        }
        self.add(format_args!(
            "<path class=\"{class} stroke line\" stroke-width=\"4\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>"
        ));
        if line.is_arrow {
            self.head(class, tip, along, 0.2 * self.unit);
        }
    }

    /// Draws a triangle at the edge of a square. The triangle points outwards.
    fn arrow_at(&mut self, at: usize, side: Side, sign: &Sign) {
        let middle = self.middle(at);
        let along = direction(side);
        let tip = [0, 1].map(|axis| middle[axis] + along[axis] * (self.unit / 2.0 - 3.0));
        self.head(&letter(sign), tip, along, 0.2 * self.unit);
    }

    fn head(&mut self, class: &str, tip: [f64; 2], along: [f64; 2], size: f64) {
        let across = [-along[1], along[0]];
        let corner =
            |sign: f64| [0, 1].map(|axis| tip[axis] - along[axis] * size + across[axis] * sign * size);
        let [[a, b], [c, d]] = [corner(0.8), corner(-0.8)];
        let [x, y] = tip;
        self.add(format_args!(
            "<path class=\"{class} fill\" d=\"M{x:.1} {y:.1}L{a:.1} {b:.1}L{c:.1} {d:.1}Z\"/>"
        ));
    }
}

fn is_wall(sign: &Sign) -> bool {
    sign.look == Look::Block && sign.ink == Ink::Dim
}

fn direction(side: Side) -> [f64; 2] {
    match side {
        Side::Top => [0.0, -1.0],
        Side::Right => [1.0, 0.0],
        Side::Bottom => [0.0, 1.0],
        Side::Left => [-1.0, 0.0],
    }
}

fn class(ink: Ink) -> &'static str {
    const PIECES: [&str; Ink::PIECES] =
        ["piece-0", "piece-1", "piece-2", "piece-3", "piece-4", "piece-5", "piece-6", "piece-7"];
    match ink {
        Ink::Plain => "plain",
        Ink::Dim => "dim",
        Ink::Loss => "loss",
        Ink::Seat(Player::Zero) => "seat-0",
        Ink::Seat(Player::One) => "seat-1",
        Ink::Piece(kind) => PIECES[kind % PIECES.len()],
    }
}

/// Returns the CSS classes of a sign's letters.
fn letter(sign: &Sign) -> String {
    match (sign.look, sign.ink) {
        (Look::Letter, Ink::Seat(_)) => format!("{} bold", class(sign.ink)),
        (Look::Letter, _) => class(sign.ink).to_string(),
        (_, Ink::Seat(_)) => "on-seat".to_string(),
        _ => "on".to_string(),
    }
}
