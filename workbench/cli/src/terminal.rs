//! Colours, which are printed only to terminals.

use std::io::IsTerminal;

/// Returns whether standard output is a terminal that should show colours. Respects `NO_COLOR`.
pub fn is_coloured() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Returns the text unchanged if standard output should show colours, and otherwise without colours.
pub fn coloured(text: String) -> String {
    if is_coloured() { text } else { contender_game::board::ansi::plain(&text) }
}
