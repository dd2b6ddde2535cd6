//! The notes of a picture: text of the page next to the board or below it, or text of a separate file.

use super::{Drawing, MARGIN, NOTE, class, escaped, letter};
use contender_game::board::{Ink, Look, Picture, Sign};
use std::fmt::Write;

/// Returns a board for a page together with the picture's notes. The notes are text of the page, so they keep its size
/// and wrap at any width.
#[must_use]
pub fn with_notes(picture: &Picture, board: &str) -> String {
    let mut text = format!("<div class=\"drawn\">{board}<div class=\"notes\">");
    for note in picture.notes.iter().filter(|note| !note.is_empty()) {
        let _ = write!(text, "<p>{}</p>", signs(note));
    }
    text + "</div></div>"
}

/// Returns signs as text of a page. A sign with a background stays on one line with a text directly after it.
#[must_use]
pub fn signs(note: &[Sign]) -> String {
    let mut text = String::new();
    let mut is_open = false;
    for (at, sign) in note.iter().enumerate() {
        let is_followed = note.get(at + 1).is_some_and(|next| {
            next.look == Look::Letter && next.text.starts_with(|letter: char| !letter.is_whitespace())
        });
        let is_closing = is_open;
        is_open = sign.look != Look::Letter && is_followed;
        text += if is_open { "<span class=\"together\">" } else { "" };
        let (ink, words) = (class(sign.ink), escaped(&shown(sign)));
        let _ = match sign.look {
            Look::Letter => write!(text, "<span class=\"{}\">{words}</span>", letter(sign)),
            look => {
                let shape = if look == Look::Chip { "round" } else { "box" };
                write!(text, "<span class=\"{ink} {shape}\"><b class=\"{}\">{words}</b></span>", letter(sign))
            }
        };
        text += if is_closing { "</span>" } else { "" };
    }
    text
}

/// Returns the text of a sign. A single letter on a background is the sign of a piece, and looks as on the board.
fn shown(sign: &Sign) -> String {
    let is_piece = sign.look == Look::Block && sign.text.trim().chars().count() == 1;
    if is_piece { capital(sign) } else { sign.text.clone() }
}

/// Wraps a note into lines of at most `letters` letters, breaking at spaces if possible.
pub fn broken(note: &[Sign], letters: usize) -> Vec<Vec<Sign>> {
    let mut lines = vec![Vec::new()];
    let mut length = 0;
    for sign in note {
        // A sign with a background is not split.
        let words: Vec<&str> = match sign.look {
            Look::Letter => sign.text.split_inclusive(' ').collect(),
            _ => vec![&sign.text],
        };
        for word in words {
            let count = word.chars().count();
            if length > 0 && length + word.trim_end().chars().count() > letters {
                lines.push(Vec::new());
                length = 0;
            }
            length += count;
            let line = lines.last_mut().expect("there is a line");
            match line.last_mut() {
                Some(Sign { text, ink, look: Look::Letter })
                    if sign.look == Look::Letter && *ink == sign.ink =>
                {
                    text.push_str(word);
                }
                _ => line.push(Sign { text: word.to_string(), ..sign.clone() }),
            }
        }
    }
    lines
}

/// Returns the text of a sign, in capitals if it has the colour of a player. Terminal output without colours tells the
/// players apart by the size of their letters.
pub fn capital(sign: &Sign) -> String {
    if matches!(sign.ink, Ink::Seat(_)) { sign.text.to_uppercase() } else { sign.text.clone() }
}

impl Drawing<'_> {
    /// Draws a line of text in which all letters have the same width, so that the backgrounds fit the text.
    pub fn note(&mut self, note: &[Sign], y: f64) {
        let mut x = MARGIN[1];
        let (scale, half) = (self.scale, 9.0 * self.scale);
        for sign in note {
            let width = NOTE.0 * scale * sign.text.chars().count() as f64;
            if sign.look != Look::Letter {
                let round = if sign.look == Look::Chip { half } else { 3.0 };
                self.rect(
                    format!("note {} fill", class(sign.ink)),
                    [x, y - half],
                    [width, 2.0 * half],
                    round,
                );
            }
            let text = escaped(&shown(sign));
            if !text.trim().is_empty() {
                let (class, size) = (letter(sign), NOTE.1 * scale);
                self.add(format_args!(
                    "<text class=\"note {class}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" textLength=\"{width:.1}\" \
                     xml:space=\"preserve\">{text}</text>"
                ));
            }
            x += width;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{svg, svg_file};
    use contender_game::board::Square;

    #[test]
    fn notes_are_text_of_the_page() {
        let mut picture = Picture::new(0..1, 0..1, |_, _| Square::new(String::new(), Sign::dot()));
        picture.notes = vec![vec![Sign::chip(Ink::Piece(2), " <3> "), Sign::plain("of &")], Vec::new()];
        let text = with_notes(&picture, &svg(&picture, ""));
        assert!(!svg(&picture, "").contains("of &amp;") && svg_file(&picture, "").contains("of &amp;"));
        let (_, notes) = text.split_once("<div class=\"notes\">").unwrap();
        assert_eq!(
            notes,
            "<p><span class=\"together\"><span class=\"piece-2 round\"><b class=\"on\"> &lt;3&gt; </b></span>\
             <span class=\"plain\">of &amp;</span></span></p></div></div>"
        );
    }

    #[test]
    fn long_notes_are_broken_at_spaces() {
        let text = |line: &Vec<Sign>| line.iter().map(|sign| sign.text.as_str()).collect::<String>();
        let note = [
            Sign::plain("one two "),
            Sign::chip(Ink::Piece(0), " 3 "),
            Sign::plain(" four"),
            Sign::plain(" five"),
        ];
        let lines: Vec<String> = broken(&note, 11).iter().map(text).collect();
        assert_eq!(lines, ["one two  3  ", "four five"]);
        assert_eq!(broken(&[Sign::plain("incompressible")], 5).len(), 1);
        assert_eq!(broken(&[], 5), [vec![]]);
    }
}
