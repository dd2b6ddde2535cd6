//! Progress of long commands, on standard error: a line that changes in a terminal, and otherwise plain lines.

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Interval between updates of a progress line.
const TICK: Duration = Duration::from_millis(200);
/// Width of the progress bar in characters.
const WIDTH: u64 = 24;

/// Minimum interval between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Creates a progress display for games, which is hidden if `is_quiet` is set. It shows a bar and the remaining time if
/// the total number of games is known, and otherwise the elapsed time.
pub fn progress_bar(is_quiet: bool) -> ProgressDisplay {
    progress_of(is_quiet, "games", None)
}

/// Creates a progress display that counts in `unit`. `limit` is the maximum duration of the work, if there is one.
pub fn progress_of(is_quiet: bool, unit: &'static str, limit: Option<Duration>) -> ProgressDisplay {
    if is_quiet {
        return ProgressDisplay { bar: ProgressBar::hidden(), unit, limit, lines: None };
    }
    let line = move |state: &ProgressState, out: &mut dyn Write| {
        let course = ProgressLine {
            done: state.pos(),
            all: state.len(),
            unit,
            per_second: state.per_sec(),
            elapsed: state.elapsed(),
            limit,
        };
        let _ = out.write_str(&course.bar());
    };
    let style = ProgressStyle::with_template("{line}  {msg}")
        .expect("the template is well formed")
        .with_key("line", line);
    let bar = ProgressBar::no_length().with_style(style);
    let lines = bar.is_hidden().then(|| Mutex::new(Duration::ZERO));
    bar.enable_steady_tick(TICK);
    ProgressDisplay { bar, unit, limit, lines }
}

/// The progress of a command that counts games or other units. A terminal shows one line, which changes. If standard
/// error is not a terminal, the display prints a plain line at a change, at most one per [`LINE_INTERVAL`].
pub struct ProgressDisplay {
    bar: ProgressBar,
    unit: &'static str,
    limit: Option<Duration>,
    /// The time of the last plain line since the start, or `None` if no plain lines are printed.
    lines: Option<Mutex<Duration>>,
}

impl ProgressDisplay {
    /// Sets the total number of units.
    pub fn set_length(&self, all: u64) {
        self.bar.set_length(all);
    }

    /// Sets the text after the numbers. Only its first line belongs to a plain line.
    pub fn set_message(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Sets the number of completed units. Set the length and the message first: a plain line shows them.
    pub fn set_position(&self, done: u64) {
        self.bar.set_position(done);
        self.print_line();
    }

    /// Counts a completed unit, like [`set_position`](Self::set_position).
    pub fn inc(&self) {
        self.bar.inc(1);
        self.print_line();
    }

    /// Calls a function that prints lines.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Removes the line from the terminal.
    pub fn finish_and_clear(&self) {
        self.bar.finish_and_clear();
    }

    fn print_line(&self) {
        let Some(lines) = &self.lines else { return };
        let elapsed = self.bar.elapsed();
        if is_due(&mut lines.lock().unwrap_or_else(PoisonError::into_inner), elapsed) {
            let line = ProgressLine {
                done: self.bar.position(),
                all: self.bar.length(),
                unit: self.unit,
                per_second: self.bar.per_sec(),
                elapsed,
                limit: self.limit,
            };
            say!("{}", line.plain(&self.bar.message()));
        }
    }
}

/// Returns whether a plain line is due this long after the start, and if so, remembers this time in `last`.
fn is_due(last: &mut Duration, elapsed: Duration) -> bool {
    let is_due = elapsed >= *last + LINE_INTERVAL;
    if is_due {
        *last = elapsed;
    }
    is_due
}

/// Creates a progress line for a training or tuning run. [`show_course`] updates the line.
pub fn course_bar(is_quiet: bool) -> ProgressBar {
    if is_quiet {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{bar:24} {percent}%  {msg}").expect("the template is well formed");
    ProgressBar::new(1_000).with_style(style)
}

/// The numbers behind a progress line.
struct ProgressLine {
    done: u64,
    all: Option<u64>,
    unit: &'static str,
    per_second: f64,
    elapsed: Duration,
    limit: Option<Duration>,
}

impl ProgressLine {
    /// Returns the line with a bar, if the total is known.
    fn bar(&self) -> String {
        match self.all {
            Some(all) if all > 0 => {
                let full = (WIDTH * self.done.min(all) / all) as usize;
                format!("{}{} {}", "█".repeat(full), "░".repeat(WIDTH as usize - full), self.numbers())
            }
            _ => self.numbers(),
        }
    }

    /// Returns the line without a bar, followed by the first line of a message.
    fn plain(&self, message: &str) -> String {
        let message = message.lines().next().unwrap_or_default();
        format!("{}  {message}", self.numbers()).trim_end().to_string()
    }

    fn numbers(&self) -> String {
        let ProgressLine { done, all, unit, .. } = *self;
        let count = match all {
            Some(all) if all > 0 => format!("{done}/{all}"),
            _ => done.to_string(),
        };
        let rate = if done > 0 { rate(self.per_second) } else { String::new() };
        let time = match self.left() {
            Some(left) => format!("{} left", humantime::format_duration(whole_seconds(left))),
            None => humantime::format_duration(whole_seconds(self.elapsed)).to_string(),
        };
        let parts = [format!("{count} {unit}"), rate, time];
        parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join("  ")
    }

    /// Estimates the remaining time until the work is complete or the time limit is reached, whichever comes first.
    /// Returns `None` if neither is known.
    fn left(&self) -> Option<Duration> {
        let all = self.all.filter(|_| self.done > 0 && self.per_second > 0.0);
        let of_all = all.and_then(|all| {
            Duration::try_from_secs_f64(all.saturating_sub(self.done) as f64 / self.per_second).ok()
        });
        let of_time = self.limit.map(|limit| limit.saturating_sub(self.elapsed));
        of_all.into_iter().chain(of_time).min()
    }
}

/// Formats a rate per second, minute or hour, using the first of these units in which the rate is at least 1.
pub fn rate(per_second: f64) -> String {
    match per_second {
        rate if rate >= 1.0 => format!("{rate:.1}/s"),
        rate if rate >= 1.0 / 60.0 => format!("{:.1}/min", rate * 60.0),
        rate if rate > 0.0 => format!("{:.1}/h", rate * 3600.0),
        _ => String::new(),
    }
}

/// Truncates a duration to whole seconds.
pub fn whole_seconds(time: Duration) -> Duration {
    Duration::from_secs(time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(done: u64, all: Option<u64>, per_second: f64, elapsed: u64, limit: Option<u64>) -> String {
        let [elapsed, limit] = [Some(elapsed), limit].map(|time| time.map(Duration::from_secs));
        ProgressLine { done, all, unit: "games", per_second, elapsed: elapsed.unwrap(), limit }.bar()
    }

    /// A log file gets lines that tools can search: no bar, and a league's table stays out.
    #[test]
    fn without_a_terminal_lines_are_plain_and_rare() {
        let limit = None;
        let elapsed = Duration::from_secs(6);
        let line = ProgressLine { done: 100, all: Some(200), unit: "games", per_second: 2.0, elapsed, limit };
        assert_eq!(line.plain("W9 D1 L0\na  1\nb  0"), "100/200 games  2.0/s  50s left  W9 D1 L0");
        assert_eq!(line.plain(""), "100/200 games  2.0/s  50s left");
        let mut last = Duration::ZERO;
        let due: Vec<u64> = (0..45)
            .filter(|&second| second % 3 == 0 && is_due(&mut last, Duration::from_secs(second)))
            .collect();
        assert_eq!(due, [12, 24, 36]);
    }

    #[test]
    fn the_line_tells_what_is_known() {
        // A match with a number of games.
        let bar = "████████████░░░░░░░░░░░░";
        assert_eq!(line(100, Some(200), 17.5592, 6, None), format!("{bar} 100/200 games  17.6/s  5s left"));
        let empty = "░".repeat(24);
        assert_eq!(line(0, Some(200), 0.0, 0, None), format!("{empty} 0/200 games  0s"));
        // Commands that run until Ctrl-C, for a time, and for a time or a number of games.
        assert_eq!(line(523, None, 0.5, 1046, None), "523 games  30.0/min  17m 26s");
        assert_eq!(line(523, None, 0.5, 1046, Some(1800)), "523 games  30.0/min  12m 34s left");
        let bar = "██████░░░░░░░░░░░░░░░░░░";
        assert_eq!(line(1, Some(4), 1e-3, 1000, Some(1800)), format!("{bar} 1/4 games  3.6/h  13m 20s left"));
        // Nothing is known yet.
        assert_eq!(line(0, None, f64::NAN, 3, None), "0 games  3s");
        assert_eq!(line(0, Some(0), f64::NAN, 3, None), "0 games  3s");
    }
}
