//! Why something cannot be packed.

use proc_macro2::Span;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Why something cannot be packed, in words for the user.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// Something in a source file that cannot become part of the one file.
    #[error("{}:{line}:{column}: {reason}", file.display())]
    At {
        /// The file.
        file: PathBuf,
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// The reason and the remedy.
        reason: String,
    },
    /// Something that has no place in a source file.
    #[error("{0}")]
    General(String),
    /// Several of these: everything known, so that users do not meet them one by one.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Several(Vec<PackError>),
    /// The user wanted it to stop.
    #[error("interrupted")]
    Interrupted,
}

impl PackError {
    /// Returns an error at a place of a file.
    pub(crate) fn at(file: &Path, span: Span, reason: impl Into<String>) -> PackError {
        let start = span.start();
        PackError::At {
            file: file.to_path_buf(),
            line: start.line,
            column: start.column + 1,
            reason: reason.into(),
        }
    }

    /// Returns all of these together, if there are any.
    pub(crate) fn all(mut problems: Vec<PackError>) -> Result<(), PackError> {
        let mut known = HashSet::new();
        problems.retain(|problem| known.insert(problem.to_string()));
        match problems.len() {
            0 => Ok(()),
            1 => Err(problems.remove(0)),
            _ => Err(PackError::Several(problems)),
        }
    }

    pub(crate) fn general(reason: impl Into<String>) -> PackError {
        PackError::General(reason.into())
    }
}
