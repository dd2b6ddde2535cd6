//! Tests of the drawing of boards.

use super::*;

#[test]
fn names_and_notes_are_text() {
    let mut picture =
        Picture::new(["<b>"], ["&"], |_, _| Square::new("\"><script>".into(), Sign::plain("<")));
    picture.notes = vec![vec![Sign::plain("<script>alert(1)</script>\u{1b}")]];
    for text in [svg(&picture, "</title><script>"), svg_file(&picture, "'\"")] {
        assert!(!text.contains("<script") && !text.contains('\u{1b}') && !text.contains("<b>"), "{text}");
    }
    assert!(svg_file(&picture, "").contains("<style>") && !svg(&picture, "").contains("<style>"));
}

/// On a wide board, every second label is left out, because labels must not touch.
#[test]
fn labels_of_wide_boards_stay_apart() {
    let draw = |columns: usize| {
        let picture = Picture::new(0..3, 0..columns, |_, _| Square::new(String::new(), Sign::dot()));
        svg(&picture, "")
    };
    let count = |columns: usize| draw(columns).matches("label extra").count();
    assert_eq!([9, 16, 24].map(count), [0, 0, 12]);
    // The labels that stay are at every second column, whose distance is larger than their width.
    let shown: Vec<f64> = draw(24)
        .lines()
        .filter(|line| line.contains("\"dim label\""))
        .filter_map(|line| line.split("x=\"").nth(1)?.split('"').next()?.parse().ok())
        .skip(3)
        .collect();
    assert!(shown.windows(2).all(|two| two[1] - two[0] > 60.0), "{shown:?}");
}

/// A small board has no labels and no marks. Letters are left out if the board has many columns.
#[test]
fn small_boards_show_only_the_pieces() {
    let picture = |columns: usize| {
        let mut picture = Picture::new(0..3, 0..columns, |row, column| {
            let sign = if row == column { Sign::chip(Ink::Piece(0), 'x') } else { Sign::dot() };
            Square { is_marked: true, ..Square::new(String::new(), sign) }
        });
        picture.label_all_sides();
        picture
    };
    let (few, many) = (svg_small(&picture(7), ""), svg_small(&picture(24), ""));
    for text in [&few, &many] {
        assert!(!text.contains("dim label") && !text.contains("mark") && !text.contains('·'), "{text}");
        assert_eq!(text.matches("piece-0 fill").count(), 3);
    }
    assert_eq!([few, many].map(|text| text.matches(">x<").count()), [3, 0]);
}

/// A page reserves the place of a board by its ratio.
#[test]
fn the_ratio_is_that_of_the_drawn_board() {
    for (rows, columns) in [(7, 7), (16, 20), (8, 16)] {
        let mut picture = Picture::new(0..rows, 0..columns, |_, _| Square::default());
        picture.below = vec![Sign::plain("5"); rows % 2 * columns];
        let text = svg(&picture, "");
        let side = |name: &str| -> f64 {
            let (_, rest) = text.split_once(&format!(" {name}=\"")).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        assert!((ratio(&picture) - side("width") / side("height")).abs() < 1e-9, "{text}");
    }
}

/// Labels that both sides of a board would have are drawn once.
#[test]
fn labels_are_not_repeated() {
    let mut picture = Picture::new(0..3, 0..5, |_, _| Square::default());
    let alone = svg(&picture, "");
    picture.label_all_sides();
    assert_eq!(svg(&picture, ""), alone);
    picture.right = vec![Sign::plain("17"); 3];
    assert_eq!(svg(&picture, "").matches(">17<").count(), 3);
}

/// A block whose squares all belong to one player has one large sign, and three in a row have a line.
#[test]
fn won_blocks_have_a_large_sign() {
    let won = |row: usize, column: usize, blocks: usize| {
        let is_won = row < 3 && column / 3 < blocks || (3..5).contains(&row);
        let sign = Sign::block(Ink::Seat(Player::One), if row == column { "X" } else { "" });
        if is_won { sign } else { Sign::dot() }
    };
    let draw = |blocks: usize| {
        let mut picture =
            Picture::new(0..9, 0..9, |row, column| Square::new(String::new(), won(row, column, blocks)));
        picture.block = 3;
        picture.notes = vec![vec![Sign::block(Ink::Seat(Player::One), " O 2 ")]];
        svg(&picture, "")
    };
    let count = |text: &str| ["owner", "casing won", "faint"].map(|part| text.matches(part).count());
    assert_eq!(count(&draw(2)), [2, 0, 2 * 3 - 3]);
    assert_eq!(count(&draw(3)), [3, 1, 3]);
}

#[test]
fn any_picture_can_be_drawn() {
    assert!(svg(&Picture::default(), "").starts_with("<svg"));
    let mut picture = Picture::new(0..2, 0..2, |row, column| Square {
        arrow: Some(Side::ALL[row + column]),
        paths: vec![Path { from: Side::Top, to: Side::Left, ink: Ink::Piece(9) }],
        is_marked: true,
        ..Square::new(format!("{row}{column}"), Sign::block(Ink::Seat(Player::One), 'x'))
    });
    let line = |from, to| Line { from, to, ink: Ink::Plain, is_arrow: true };
    picture.lines = vec![line(0, 3), line(1, 1), line(9, 99)];
    (picture.block, picture.has_walls) = (1, true);
    let text = svg(&picture, "a caption");
    assert_eq!(text.matches("data-name").count(), 4);
    assert!(text.contains("aria-label=\"a caption\"") && text.contains("piece-1 stroke"));
    assert_eq!(text.matches("\"casing\" stroke-width=\"7\"").count(), 2, "lines across blocks: {text}");
    assert!(!text.contains("NaN"));
}
