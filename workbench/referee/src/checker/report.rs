//! The results of checks, as data and as text.

use serde::Serialize;

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// The check found no problem.
    Pass,
    /// The check found a possible problem, but does not fail.
    Warn,
    /// The check found an error.
    Fail,
    /// The check was skipped, because the bot has not answered.
    Skip,
}

/// A line of the report: the result of one check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Check {
    /// The name of the check.
    pub name: String,
    /// The result of the check.
    pub status: CheckStatus,
    /// Details of the result.
    pub detail: String,
    /// Advice; empty if there is nothing to do.
    pub remedy: String,
}

impl Check {
    /// Creates a line of the report. A check that passed gets no remedy.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        status: CheckStatus,
        detail: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Check {
        let remedy = if status == CheckStatus::Pass { String::new() } else { remedy.into() };
        Check { name: name.into(), status, detail: detail.into(), remedy }
    }

    /// Creates the line of a check that was skipped because the bot has not answered.
    #[must_use]
    pub fn skip(name: impl Into<String>) -> Check {
        Check::new(name, CheckStatus::Skip, "the bot gave no answer", "")
    }
}

/// The results of all checks of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckReport {
    /// The contest's name.
    pub game: String,
    /// The bot's command as the user wrote it.
    pub command: String,
    /// Whether all checks passed, apart from warnings.
    pub passed: bool,
    /// The checks, in the order of the report.
    pub checks: Vec<Check>,
}

impl CheckReport {
    /// Formats the report as lines of text, each ending in a newline.
    #[must_use]
    pub fn text(&self) -> String {
        let width = self.checks.iter().map(|check| check.name.chars().count()).max().unwrap_or_default();
        let mut text = String::new();
        for check in &self.checks {
            let word = match check.status {
                CheckStatus::Pass => "PASS",
                CheckStatus::Warn => "WARN",
                CheckStatus::Fail => "FAIL",
                CheckStatus::Skip => "SKIP",
            };
            let mut details = check.detail.lines();
            let line = format!("{word}  {:width$}  {}", check.name, details.next().unwrap_or_default());
            text += line.trim_end();
            text.push('\n');
            let more = details
                .map(str::to_string)
                .chain((!check.remedy.is_empty()).then(|| format!("-> {}", check.remedy)));
            for more in more {
                text += &format!("      {:width$}  {more}\n", "");
            }
        }
        let count = |status| self.checks.iter().filter(|check| check.status == status).count();
        let (failed, warned) = (count(CheckStatus::Fail), count(CheckStatus::Warn));
        text + &match (failed, warned) {
            (0, 0) => "all checks passed\n".to_string(),
            (0, warned) => format!("passed with {}\n", number(warned as u32, "warning")),
            (failed, _) => format!("{failed} failed\n"),
        }
    }
}

/// Formats a number with its noun, such as `1 game` or `2 games`.
pub(super) fn number(number: u32, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
