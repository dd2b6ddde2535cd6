//! The board at the end of the latest game in a log that grows.

use contender_plot::board;
use contender_replay::Source;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Maximum number of bytes at the end of a log in which the latest game is looked for.
const MAX_BYTES: u64 = 1 << 20;

/// Returns a small board with the end of the latest complete game in a log. `None` if the game has no moves, or if
/// Contender does not know its rules.
pub fn board(log: &Path) -> Option<String> {
    let mut file = File::open(log).ok()?;
    let from = file.metadata().ok()?.len().saturating_sub(MAX_BYTES);
    file.seek(SeekFrom::Start(from)).ok()?;
    let mut end = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut end).ok()?;
    let line = last_line(&end)?.to_vec();
    let mut game = contender_replay::games(Source::from_bytes("", line), None, 0).ok()?.next()?.ok()?;
    game.go_to(usize::MAX).ok()?;
    let caption = format!("The end of the latest game of {}", game.contest.name());
    (!game.moves.is_empty()).then(|| board::svg_small(&game.judge().picture(None), &caption))
}

/// Returns the last line that is complete.
fn last_line(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().rposition(|byte| *byte == b'\n')?;
    let start = text[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    Some(&text[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_complete_line_is_a_game() {
        let last = |text: &'static str| last_line(text.as_bytes());
        assert_eq!(last("one\ntwo\nthr"), Some(&b"two"[..]));
        assert_eq!([last("one\n"), last("on"), last("")], [Some(&b"one"[..]), None, None]);
    }
}
