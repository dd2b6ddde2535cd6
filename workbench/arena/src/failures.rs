//! Games in which bots failed. Reports keep the first game with each kind of failure, which is usually enough to find
//! the cause.

use crate::plan::Slot;
use contender_play::Record;
use serde::Serialize;

/// A game in which a bot failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// The name of the failure, as in the game's record.
    pub name: String,
    /// The number of the game in the match, starting at 1. In odd-numbered games, A has seat 0.
    pub game: u64,
    /// The seed of the game.
    #[serde(with = "contender_play::seed")]
    #[cfg_attr(feature = "schema", schemars(with = "contender_play::seed::Form"))]
    pub seed: u64,
    /// The bot's seat.
    pub seat: usize,
    /// A phrase that describes the failure and follows the bot's name.
    pub words: String,
    /// The last line that the bot wrote to standard error, or an empty string.
    pub stderr: String,
    /// The command that plays the game again, if an external referee played it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
}

impl Failure {
    /// Returns the failure of the bot in this seat, or `None` if the bot did not fail.
    pub(crate) fn of(record: &Record, slot: Slot, seat: usize) -> Option<Failure> {
        Failure::of_game(record, slot.index() + 1, seat)
    }

    /// Returns the failure of the bot in this seat, in the game with this number.
    pub(crate) fn of_game(record: &Record, game: u64, seat: usize) -> Option<Failure> {
        let report = &record.seats[seat];
        report.ending.is_failure().then(|| Failure {
            name: report.ending.name().to_string(),
            game,
            seed: record.seed,
            seat,
            words: [&report.ending.to_string()]
                .into_iter()
                .chain(&report.notes)
                .cloned()
                .collect::<Vec<_>>()
                .join("; "),
            stderr: last_line(&report.stderr),
            repeat: record.repeat.clone(),
        })
    }
}

/// Returns the last non-empty line, truncated and with control characters removed. If the text ends with a Python
/// traceback, the line starts with the location from the last traceback entry.
fn last_line(text: &str) -> String {
    const MAX_LENGTH: usize = 200;
    let lines = || text.lines().map(str::trim);
    let last = lines().rfind(|line| !line.is_empty()).unwrap_or_default();
    let place = lines().rfind(|line| line.starts_with("File \"") && line.contains("\", line "));
    let place = place.filter(|place| *place != last).map_or(String::new(), |place| format!("{place}: "));
    (place + last).chars().filter(|letter| !letter.is_control()).take(MAX_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_say_where() {
        assert_eq!(last_line("a\n b\x1b[1m \n\n"), "b[1m");
        let traceback = "Traceback (most recent call last):\n  File \"bot.py\", line 7, in <module>\n    move()\n  \
                         File \"bot.py\", line 3, in move\n    1 / 0\n    ~~^~~\nZeroDivisionError: division by zero\n";
        assert_eq!(
            last_line(traceback),
            "File \"bot.py\", line 3, in move: ZeroDivisionError: division by zero"
        );
    }
}
