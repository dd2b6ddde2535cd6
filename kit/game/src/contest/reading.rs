//! Helpers for protocol parsers, which parse lines of numbers and describe invalid text.

use std::str::FromStr;

/// Parses a line that consists of exactly `N` numbers separated by white space.
///
/// # Errors
/// Returns an error if the line has a different format.
///
/// ```
/// use contender_game::contest::numbers;
///
/// let [row, column] = numbers("3 -1")?;
/// assert_eq!((row, column), (3, -1));
/// assert_eq!(numbers::<i32, 2>("3"), Err("`3` is not 2 numbers".to_string()));
/// # Ok::<(), String>(())
/// ```
pub fn numbers<T: FromStr, const N: usize>(line: &str) -> Result<[T; N], String> {
    let read: Option<Vec<T>> = line.split_whitespace().take(N + 1).map(|word| word.parse().ok()).collect();
    read.and_then(|read| read.try_into().ok())
        .ok_or_else(|| format!("`{}` is not {N} numbers", excerpt(line)))
}

/// Returns the error message for a text that does not have the expected format, for example `"Bx" is not a cell from Aa
/// to Gg`.
///
/// ```
/// use contender_game::contest::is_not;
///
/// assert_eq!(is_not("Bx\n", "a cell from Aa to Gg"), "\"Bx\\n\" is not a cell from Aa to Gg");
/// ```
#[must_use]
pub fn is_not(text: &str, wanted: &str) -> String {
    format!("\"{}\" is not {wanted}", excerpt(text))
}

/// Shortens and escapes untrusted text for a message. Keeps at most 40 characters, and appends `...` if the text is
/// longer. Unprintable characters and quotation marks are escaped as in Rust strings. The caller puts the result in
/// quotation marks.
///
/// ```
/// use contender_game::contest::excerpt;
///
/// assert_eq!(excerpt("a\tb"), "a\\tb");
/// assert_eq!(excerpt(&"x".repeat(1000)).len(), 40 + "...".len());
/// ```
#[must_use]
pub fn excerpt(text: &str) -> String {
    const MAX_LENGTH: usize = 40;
    let mut shown: String = text.chars().take(MAX_LENGTH).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_LENGTH).is_some() {
        shown += "...";
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_whole_and_long_ones_are_cut() {
        for text in ["", "4 4", &"ä".repeat(40)] {
            assert_eq!(excerpt(text), text);
        }
        assert_eq!(excerpt("\u{1b}[0m\t\""), "\\u{1b}[0m\\t\\\"");
        assert_eq!(excerpt(&"ä".repeat(41)), format!("{}...", "ä".repeat(40)));
        assert_eq!(excerpt(&"\n".repeat(1_000)), format!("{}...", "\\n".repeat(40)));
    }

    #[test]
    fn numbers_are_read_all_or_none() {
        assert_eq!(numbers::<i32, 2>(" 4\t-1 "), Ok([4, -1]));
        for wrong in ["", "4", "4 4 4", "4 x", "4,4", "99999999999 1"] {
            assert_eq!(numbers::<i32, 2>(wrong), Err(format!("`{wrong}` is not 2 numbers")));
        }
        assert_eq!(is_not("\n", "a cell"), "\"\\n\" is not a cell");
    }
}
