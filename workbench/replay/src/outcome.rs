//! The result of a check.

/// The results of checking a file. A malformed record or a difference does not end the check.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Number of games (or positions) that were compared and found equal.
    pub equal: u64,
    /// The compared values, for people: `97 running scores a game`.
    pub compared: String,
    /// Notes that are not differences.
    pub notes: Vec<String>,
    /// Malformed records, illegal moves and differences, each with its place `file:line[:column]`; the first thousand.
    pub problems: Vec<String>,
    /// Number of further problems.
    pub more_problems: u64,
}

/// Maximum number of problems that are kept in words.
pub const MAX_PROBLEMS: usize = 1000;

impl Outcome {
    /// Takes note of a problem.
    pub(crate) fn add_problem(&mut self, problem: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        } else {
            self.more_problems += 1;
        }
    }
}
