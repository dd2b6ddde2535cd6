//! Quotations in errors.

/// As much of a stranger's text as fits in a message: at most 40 of its characters, what cannot be printed and quotation marks
/// escaped as in Rust, and `...` if there are more. The message puts its own marks around it.
#[must_use]
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
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
}
