//! Colour only where people look.

use std::io::IsTerminal;

/// The text as it is for a terminal that takes colours, without them for anything else. Honours `NO_COLOR`.
pub fn coloured(text: String) -> String {
    let wanted =
        std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if wanted { text } else { contender_game::ansi::plain(&text) }
}
