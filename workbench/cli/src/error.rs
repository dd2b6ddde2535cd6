//! Errors in the form in which the command prints them.

use std::fmt;

/// An error for incorrect use of the command, with a message for the user. The exit code is 2.
#[derive(Debug)]
pub struct UsageError(pub String);

impl UsageError {
    /// Converts a library's error to a usage error.
    pub fn new(error: impl fmt::Display) -> UsageError {
        UsageError(error.to_string())
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

impl From<anyhow::Error> for UsageError {
    fn from(error: anyhow::Error) -> UsageError {
        UsageError(text(&error))
    }
}

/// Formats an error: first the failure, then its causes, and then each `hint:` on a separate line.
pub fn text(error: &anyhow::Error) -> String {
    let (mut words, mut hints) = (Vec::new(), Vec::new());
    for cause in error.chain() {
        let cause = cause.to_string();
        let mut parts = cause.split("\nhint: ").map(str::to_string);
        words.extend(parts.next());
        hints.extend(parts);
    }
    hints.iter().fold(words.join(": "), |text, hint| text + "\nhint: " + hint)
}

/// Returns whether the error means that the output pipe was closed, for example by `head`. A closed pipe is not a
/// failure.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn hints_come_last() {
        let cause = std::io::Error::other("No such file\nhint: look elsewhere");
        let error = Err::<(), _>(cause).context("cannot read a\nhint: make a").unwrap_err();
        assert_eq!(text(&error), "cannot read a: No such file\nhint: make a\nhint: look elsewhere");
    }
}
