//! Errors that occur during packing.

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
        /// The line number, starting at 1.
        line: usize,
        /// The column number, starting at 1.
        column: usize,
        /// The reason, and advice on how to solve the problem.
        reason: String,
    },
    /// A problem without a location in a source file.
    #[error("{0}")]
    General(String),
    /// Several errors, which are reported together.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Several(Vec<PackError>),
    /// The user interrupted the packing.
    #[error("interrupted")]
    Interrupted,
}

impl PackError {
    /// Creates an error with a location in a file.
    pub(crate) fn at(file: &Path, span: Span, reason: impl Into<String>) -> PackError {
        let start = span.start();
        PackError::At {
            file: file.to_path_buf(),
            line: start.line,
            column: start.column + 1,
            reason: reason.into(),
        }
    }

    /// Combines these errors into one error, if there are any.
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

/// Code that cannot become part of one file.
#[derive(Debug)]
pub(crate) struct Obstacle {
    /// The reason, with its location.
    pub problem: PackError,
    /// The sign by which to recognise that the program reaches the code.
    pub sign: Sign,
}

/// A sign by which to recognise that a program reaches code that cannot be packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    /// The obstacle always prevents packing.
    Certain,
    /// A derive with this name remains in the file.
    Derive(String),
    /// The compiler does not find an attribute with this name.
    Attribute(String),
    /// The compiler does not find a crate with this name.
    Crate(String),
    /// A call of the compiler macro with this name remains in the file.
    Call(String),
    /// One of these crates' modules declares functions of another language. The root has an empty name.
    Native(Vec<String>),
}

impl Obstacle {
    pub fn certain(problem: PackError) -> Obstacle {
        Obstacle { problem, sign: Sign::Certain }
    }
}
