//! Formats texts of pages and parts of addresses: numbers, times, sizes and words of commands.

use contender_referee::PERSON;
use maud::{Markup, html};
use std::time::{Duration, SystemTime};

/// Formats a share of a win. An estimate is neither certain nor impossible.
pub fn percent(share: f64) -> String {
    match share {
        _ if share < 0.005 => "<1%".to_string(),
        _ if share > 0.995 => ">99%".to_string(),
        _ => format!("{:.0}%", 100.0 * share),
    }
}

/// Formats an estimate with two digits, because its error allows no more. Small numbers have two decimal places.
pub fn estimate(value: f64) -> String {
    decimal(value, digits(value))
}

/// Returns the number of decimal places of an estimate.
pub fn digits(value: f64) -> usize {
    match value.abs() {
        large if large >= 9.95 => 0,
        medium if medium >= 0.995 => 1,
        _ => 2,
    }
}

/// Formats names and values as the query of an address.
pub fn query(pairs: &[(&str, &str)]) -> String {
    let encoded = |text: &str| -> String {
        let letter = |byte: u8| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        };
        text.bytes().map(letter).collect()
    };
    pairs.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect::<Vec<_>>().join("&")
}

/// Formats a file size.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..10_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

/// Formats how long ago a time was.
pub fn ago(time: SystemTime) -> String {
    since(time.elapsed().unwrap_or(Duration::ZERO))
}

/// Formats the time since an event.
pub fn since(time: Duration) -> String {
    let seconds = time.as_secs();
    let rounded = |unit: u64| (seconds + unit / 2) / unit;
    match seconds {
        0..60 => "just now".to_string(),
        60..5400 => format!("{} min ago", seconds / 60),
        5400..129_600 => count(rounded(3600), "hour ago", "hours ago"),
        _ => count(rounded(86_400), "day ago", "days ago"),
    }
}

/// Quotes a word of a command for the shell, if necessary.
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:=,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Formats a number with commas between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let grouped: Vec<&str> =
        (0..digits.len()).rev().step_by(3).map(|end| &digits[end.saturating_sub(2)..=end]).collect();
    grouped.into_iter().rev().collect::<Vec<_>>().join(",")
}

/// Formats a number with this many decimal places and a minus sign. Zero has no sign.
pub fn decimal(value: f64, digits: usize) -> String {
    contender_plot::decimal(value, digits)
}

/// Formats a number with all its decimal places and a minus sign.
pub fn plain(value: f64) -> String {
    value.to_string().replace('-', "−")
}

/// Formats a number of games per second. Below one game per second, it is the number of games per minute.
pub fn games_rate(per_second: f64) -> String {
    match per_second {
        rate if rate < 1.0 => format!("{:.1} games/min", 60.0 * rate),
        rate => format!("{rate:.1} games/s"),
    }
}

/// Returns a message in which the words between backticks are code.
pub fn coded(text: &str) -> Markup {
    // An odd number of backticks means that some of them are part of the text.
    let is_paired = text.matches('`').count().is_multiple_of(2);
    html! {
        @if is_paired {
            @for (at, part) in text.split('`').enumerate() { @if at % 2 == 1 { code { (part) } } @else { (part) } }
        } @else { (text) }
    }
}

/// Returns the last lines of a text, at most this many.
pub fn last_lines(text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(most)..].join("\n")
}

/// Formats a number with a noun in the singular or the plural.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Formats a number with its sign. A number that rounds to 0 has no sign.
pub fn signed(value: f64, digits: usize) -> String {
    let text = decimal(value, digits);
    let is_above = value > 0.0 && text.contains(|digit: char| ('1'..='9').contains(&digit));
    if is_above { format!("+{text}") } else { text }
}

/// Formats all of a number of games: `the only game`, `both games` or `all 7 games`.
pub fn all_games(number: u64) -> String {
    match number {
        1 => "the only game".to_string(),
        2 => "both games".to_string(),
        _ => format!("all {} games", grouped(number)),
    }
}

/// Returns the question that a review answers.
pub fn why_lost(player: &str) -> String {
    if player == PERSON { "Why do you lose?".to_string() } else { format!("Why does {player} lose?") }
}

/// Returns a text whose first letter is a capital.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Formats numbers of games won, drawn and lost.
pub fn results(numbers: [usize; 3]) -> String {
    let [won, drawn, lost] = numbers.map(|number| grouped(number as u64));
    format!("{won}\u{a0}W – {drawn}\u{a0}D – {lost}\u{a0}L")
}

/// Formats a short duration with two digits that matter.
pub fn short_time(time: Duration) -> String {
    match time.as_secs_f64() * 1000.0 {
        ms if ms < 0.005 => "<0.01 ms".to_string(),
        ms if ms < 1.0 => format!("{ms:.2} ms"),
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}

/// Formats the time of a slow answer so that it differs from a limit that it exceeded by little.
pub fn slow_time(time: Duration) -> String {
    match time.as_secs_f64() * 1000.0 {
        ms if (10.0..1000.0).contains(&ms) => format!("{ms:.1} ms"),
        ms if ms >= 1000.0 => format!("{:.2} s", ms / 1000.0),
        ms if ms >= 1.0 => format!("{ms:.2} ms"),
        _ => short_time(time),
    }
}

/// Formats a time limit, without decimal places that are zero.
pub fn round_time(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1000.0;
    if milliseconds < 1000.0 { format!("{milliseconds} ms") } else { format!("{} s", milliseconds / 1000.0) }
}

/// Formats an upper bound of a duration, which is rounded up.
pub fn time_at_most(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil() as u64;
    time_left(Duration::from_secs(match seconds {
        0..90 => seconds,
        90..5400 => 60 * seconds.div_ceil(60),
        _ => 360 * seconds.div_ceil(360),
    }))
}

/// Formats a duration in a suitable unit.
pub fn time_left(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..90 => format!("{seconds} s"),
        seconds @ 90..5400 => format!("{} min", seconds / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_written_as_usual() {
        assert_eq!(["a-b.c", "a b", "it's", ""].map(quoted), ["a-b.c", "'a b'", "'it'\\''s'", "''"]);
        assert_eq!([PERSON, "uct"].map(why_lost), ["Why do you lose?", "Why does uct lose?"]);
        let games = |number| count(number, "game", "games");
        assert_eq!(
            [0, 1, 999, 1000, 1_234_567].map(games),
            ["0 games", "1 game", "999 games", "1,000 games", "1,234,567 games"]
        );
        assert_eq!([1, 2, 1234].map(all_games), ["the only game", "both games", "all 1,234 games"]);
        assert_eq!(
            [-0.04, 0.04, -0.05, 1274.7].map(|value| signed(value, 1)),
            ["0.0", "0.0", "−0.1", "+1274.7"]
        );
        assert_eq!(
            [-0.04, 0.04, -0.06, -12.0].map(|value| decimal(value, 1)),
            ["0.0", "0.0", "−0.1", "−12.0"]
        );
        assert_eq!(decimal(-0.4, 0), "0");
        let times =
            [0.001, 0.04, 1.26, 31.4, 1234.0].map(|ms| short_time(Duration::from_secs_f64(ms / 1000.0)));
        assert_eq!(times, ["<0.01 ms", "0.04 ms", "1.3 ms", "31 ms", "1.2 s"]);
        let times =
            [0.94, 1.071, 20.4, 100.3, 1004.0].map(|ms| slow_time(Duration::from_secs_f64(ms / 1000.0)));
        assert_eq!(times, ["0.94 ms", "1.07 ms", "20.4 ms", "100.3 ms", "1.00 s"]);
        let ago =
            [59, 3600, 115 * 60, 35 * 3600, 36 * 3600].map(|seconds| since(Duration::from_secs(seconds)));
        assert_eq!(ago, ["just now", "60 min ago", "2 hours ago", "35 hours ago", "2 days ago"]);
        let texts = ["no `<x>`; try `y`", "a ` b"].map(|text| coded(text).into_string());
        assert_eq!(texts, ["no <code>&lt;x&gt;</code>; try <code>y</code>", "a ` b"]);
        let bounds =
            [59.2, 89.5, 222.0, 5399.0, 5401.0].map(|seconds| time_at_most(Duration::from_secs_f64(seconds)));
        assert_eq!(bounds, ["60 s", "2 min", "4 min", "1.5 h", "1.6 h"]);
        assert_eq!(["a\nb\nc\n", "a", ""].map(|text| last_lines(text, 2)), ["b\nc", "a", ""]);
    }
}
