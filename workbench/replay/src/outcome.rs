//! The result of a check.

/// The result of checking a file. The check continues after a malformed record or a difference.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Number of games (or positions) without a difference.
    pub equal: u64,
    /// A description of the values that were compared: `97 recorded scores`.
    pub compared: String,
    /// Notes about the check that are not differences.
    pub notes: Vec<String>,
    /// Malformed records, illegal moves and differences, each with its place `file:line[:column]`. Only the first
    /// `MAX_PROBLEMS` are kept.
    pub problems: Vec<String>,
    /// Number of problems that were not kept.
    pub more_problems: u64,
}

/// Maximum number of problems that are kept as text.
pub const MAX_PROBLEMS: usize = 1000;

impl Outcome {
    /// Adds a problem.
    pub(crate) fn add_problem(&mut self, problem: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        } else {
            self.more_problems += 1;
        }
    }
}
