//! Colours for boards in a terminal.

/// Ends every colour.
pub const RESET: &str = "\x1b[0m";

/// Six to eight background colours that are easy to tell apart, black text on them; index 0 is the first piece colour.
const BACKGROUNDS: [u8; 8] = [203, 215, 227, 119, 87, 111, 177, 250];

/// Text on the `index`-th piece colour (taken modulo 8).
#[must_use]
pub fn piece(index: usize, text: &str) -> String {
    format!("\x1b[38;5;16;48;5;{}m{text}{RESET}", BACKGROUNDS[index % BACKGROUNDS.len()])
}

/// Text in the colour of a seat: blue for player 0, red for player 1.
#[must_use]
pub fn seat(player: crate::Player, text: &str) -> String {
    format!("\x1b[1;38;5;{}m{text}{RESET}", [39, 203][player])
}

/// Pale text, for coordinates and empty cells.
#[must_use]
pub fn dim(text: &str) -> String {
    format!("\x1b[38;5;242m{text}{RESET}")
}

/// Removes the colours again, for output that is not a terminal.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        result.push_str(before);
        rest = after.split_once('m').map_or("", |(_, tail)| tail);
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_undoes_colours() {
        let text = format!("a{}b{}c", piece(3, "x"), dim("y"));
        assert_eq!(plain(&text), "axbyc");
        assert_eq!(plain("no colour"), "no colour");
    }
}
