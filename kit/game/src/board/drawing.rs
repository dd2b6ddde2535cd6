//! Pictures as lines of text for a terminal.

use crate::{
    board::{ansi, Ink, Look, Path, Picture, Side, Sign, Square},
    rules::Player,
};

impl Picture {
    /// Returns the picture as lines of text with terminal colours (see [`ansi::plain`]).
    #[must_use]
    pub fn to_text(&self) -> String {
        let margin = self.rows.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let (width, height) = if self.has_walls { (5, 3) } else { (3, 1) };
        let wall =
            |player| if self.has_walls { ansi::letter(Ink::Seat(player), "█") } else { String::new() };
        let walls = [wall(Player::Zero), wall(Player::One)];
        let indent = " ".repeat(margin + 1 + usize::from(self.has_walls));
        let mut text = String::new();
        let labels = self.across(self.columns.iter().map(|label| format!("{label:^width$}")), " ");
        text += &format!("{indent}{}\n", ansi::dim(labels.trim_end()));
        for (row, label) in self.rows.iter().enumerate() {
            if self.block > 0 && row > 0 && row % self.block == 0 {
                let rule = self.across(self.columns.iter().map(|_| "─".repeat(width)), "┼");
                text += &format!("{indent}{}\n", ansi::dim(&rule));
            }
            for line in 0..height {
                let label = if line == height / 2 { label.as_str() } else { "" };
                text += &ansi::dim(&format!("{label:>margin$} "));
                text += &walls[0];
                let squares = self.squares.iter().skip(row * self.columns.len()).take(self.columns.len());
                let drawn = squares.map(|square| match self.has_walls {
                    true => square.large(line),
                    false => square.small(),
                });
                text += &self.across(drawn, &ansi::dim("│"));
                text += &walls[1];
                if let (true, Some(sign)) = (line == height / 2, self.right.get(row)) {
                    text += &format!(" {}", sign.to_text());
                }
                text.push('\n');
            }
        }
        if !self.below.is_empty() {
            let signs = self.below.iter().map(|sign| sign.with(format!("{:^width$}", sign.text)).to_text());
            text += &format!("{indent}{}\n", self.across(signs, " "));
        }
        for note in &self.notes {
            text.extend(note.iter().map(Sign::to_text));
            text.push('\n');
        }
        text
    }

    /// Joins the cells of one row and inserts `between` after each block.
    fn across(&self, parts: impl Iterator<Item = String>, between: &str) -> String {
        let mut text = String::new();
        for (column, part) in parts.enumerate() {
            if self.block > 0 && column > 0 && column % self.block == 0 {
                text += between;
            }
            text += &part;
        }
        text
    }
}

impl Square {
    /// Returns the three characters that represent the square in small pictures.
    fn small(&self) -> String {
        let text = if self.sign.text.is_empty() { " " } else { &self.sign.text };
        if text.chars().count() > 1 {
            // A number of up to three digits takes the place of the marks.
            return self.sign.with(format!("{text:^3.3}")).to_text();
        }
        let open = if self.is_marked { '[' } else { ' ' };
        let close = match self.arrow {
            Some(side) => ['↑', '→', '↓', '←'][side as usize],
            None if self.is_marked => ']',
            None => ' ',
        };
        self.sign.with(format!("{open}{text}{close}")).to_text()
    }

    /// Returns one of the three lines that represent the square and its paths in large pictures. Each line has five
    /// characters.
    fn large(&self, line: usize) -> String {
        let mut signs = [(' ', Ink::Plain); 5];
        if let (1, Some(sign)) = (line, self.sign.text.chars().next()) {
            signs[2] = (sign, self.sign.ink);
        }
        for path in &self.paths {
            for (place, sign) in signs.iter_mut().zip(path.strokes()[line].chars()) {
                if sign != ' ' {
                    *place = (sign, path.ink);
                }
            }
        }
        let drawn = signs.map(|(sign, ink)| match self.is_marked {
            true => ansi::on_mark(ink, sign),
            false if sign == ' ' => " ".to_string(),
            false => ansi::letter(ink, &sign.to_string()),
        });
        drawn.concat()
    }
}

impl Path {
    /// Returns the characters that draw the paths, in an area five characters wide and three lines high.
    fn strokes(&self) -> [&'static str; 3] {
        let is_at = |side| self.from == side || self.to == side;
        match Side::ALL.map(is_at) {
            [true, _, true, _] => ["  │  ", "  │  ", "  │  "],
            [_, true, _, true] => ["     ", "── ──", "     "],
            [true, true, ..] => ["  ╰╮ ", "   ╰─", "     "],
            [_, true, true, _] => ["     ", "   ╭─", "  ╭╯ "],
            [_, _, true, true] => ["     ", "─╮   ", " ╰╮  "],
            _ => [" ╭╯  ", "─╯   ", "     "],
        }
    }
}

impl Sign {
    /// Returns a sign with the same colours and a different text.
    fn with(&self, text: String) -> Sign {
        Sign { text, ..self.clone() }
    }

    fn to_text(&self) -> String {
        match self.look {
            Look::Letter => ansi::letter(self.ink, &self.text),
            Look::Chip | Look::Block => ansi::ground(self.ink, &self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_as_text() {
        let mut picture = Picture::new(["A", "B"], ["a", "b"], |row, column| match (row, column) {
            (0, 0) => Square { is_marked: true, ..Square::new("Aa".into(), Sign::chip(Ink::Piece(2), 3)) },
            (1, 1) => {
                let sign = Sign::block(Ink::Seat(Player::One), 't');
                Square { arrow: Some(Side::Left), ..Square::new("Bb".into(), sign) }
            }
            _ => Square::default(),
        });
        picture.block = 1;
        picture.right = vec![Sign::plain(7), Sign::dot()];
        picture.below = vec![Sign::plain(10), Sign::dot()];
        picture.notes = vec![vec![Sign::plain("to move: "), Sign::letter(Ink::Seat(Player::Zero), "Blue")]];
        let text = picture.to_text();
        let expected = "   a   b\nA [3]│    7\n  ───┼───\nB    │ t← ·\n  10   · \nto move: Blue\n";
        assert_eq!(ansi::plain(&text), expected);
        assert!(text.contains("\x1b["));
    }

    #[test]
    fn numbers_take_the_place_of_signs() {
        let signs =
            [Sign::chip(Ink::Piece(1), 'x'), Sign::dot(), Sign::chip(Ink::Piece(2), 'y'), Sign::dot()];
        let picture = Picture::new(["A"], 0..4, |_, at| Square::new(String::new(), signs[at].clone()));
        let numbered = picture.with_numbers(&[Some(12.0), Some(0.25), None, None]);
        assert_eq!(ansi::plain(&numbered.to_text()), "   0  1  2  3\nA 12 .25    · \n");
        assert_eq!(numbered.squares[0].sign.look, Look::Chip);
    }

    #[test]
    fn paths_meet_at_the_sides() {
        let paths = |from, to| vec![Path { from, to, ink: Ink::Plain }];
        let lines = [(Side::Left, Side::Right), (Side::Left, Side::Bottom), (Side::Top, Side::Left)];
        let mut picture = Picture::new([""], 0..3, |_, at| Square {
            paths: paths(lines[at].0, lines[at].1),
            ..Square::default()
        });
        picture.has_walls = true;
        let text = ansi::plain(&picture.to_text());
        assert_eq!(
            text.lines().skip(1).collect::<Vec<_>>(),
            [" █           ╭╯  █", " █── ───╮   ─╯   █", " █      ╰╮       █"]
        );
    }
}
