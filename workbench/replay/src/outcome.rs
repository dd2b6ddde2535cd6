//! What came of a check.

/// What checking a file found. A malformed record or a difference does not end the check.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How many games (or positions) were compared and found equal.
    pub equal: u64,
    /// What was compared, for people: `97 running scores a game`.
    pub compared: String,
    /// Things worth saying that are no differences.
    pub notes: Vec<String>,
    /// What is malformed, illegal or different, each with its place `file:line[:column]`; the first thousand.
    pub problems: Vec<String>,
    /// How many problems there are besides.
    pub more_problems: u64,
}

/// So many problems are kept in words.
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
