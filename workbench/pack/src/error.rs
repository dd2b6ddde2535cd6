//! Errors of packing.

use proc_macro2::Span;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The reason why something cannot be packed, as a message for the user.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PackError {
    /// A part of a source file that cannot be packed.
    #[error("{}:{line}:{column}: {reason}", file.display())]
    At {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The reason, and how to solve the problem.
        reason: String,
    },
    /// A problem that has no place in a source file.
    #[error("{0}")]
    General(String),
    /// Several errors, so that users see all known errors at once.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Several(Vec<PackError>),
    /// Packing was interrupted by the user.
    #[error("interrupted")]
    Interrupted,
}

impl PackError {
    /// Creates an error at a place in a file.
    pub(crate) fn at(file: &Path, span: Span, reason: impl Into<String>) -> PackError {
        let start = span.start();
        PackError::At {
            file: file.to_path_buf(),
            line: start.line,
            column: start.column + 1,
            reason: reason.into(),
        }
    }

    /// Returns these errors as a single error, if there are any.
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

/// Something that cannot be part of one file.
#[derive(Debug)]
pub(crate) struct Obstacle {
    /// The reason, with its place.
    pub problem: PackError,
    /// The sign that the program reaches the obstacle.
    pub sign: Sign,
}

/// The sign that a program reaches something that cannot be packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    /// The obstacle always prevents packing.
    Certain,
    /// A derive with this name is left in the file.
    Derive(String),
    /// The compiler does not find an attribute with this name.
    Attribute(String),
    /// The compiler does not find a crate with this name.
    Crate(String),
    /// A call of the compiler's macro of this name is left in the file.
    Call(String),
}

impl Obstacle {
    pub fn certain(problem: PackError) -> Obstacle {
        Obstacle { problem, sign: Sign::Certain }
    }
}
