//! Colours, which are printed to terminals only.

use std::io::IsTerminal;

/// Returns whether standard output is a terminal with colours. Honours `NO_COLOR`.
pub fn is_coloured() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Returns the text with its colours if standard output is a terminal with colours. Otherwise returns it without
/// colours.
pub fn coloured(text: String) -> String {
    if is_coloured() { text } else { contender_game::board::ansi::plain(&text) }
}
