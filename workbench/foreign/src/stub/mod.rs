//! CodinGame's stub language: what a bot of a challenge reads and writes, in a challenge's `config/stub.txt`.
//!
//! | command | meaning |
//! |---|---|
//! | `read NAME:TYPE ...` | one line of values; types are `int`, `long`, `float`, `bool`, `word(LENGTH)`, and `string(LENGTH)`, which may have spaces |
//! | `write TEXT`, `write join("TEXT", NAME, ...)` | one line of output, and every further line of text up to an empty one |
//! | `loop COUNT COMMAND` | the command COUNT times; a count is a number or a name that was read |
//! | `loopline COUNT NAME:TYPE ...` | one line with the values, COUNT times |
//! | `gameloop` | all that follows is done every turn |
//!
//! Blocks `STATEMENT`, `INPUT` and `OUTPUT`, each after an empty line, are comments. [`Stub::program`] writes a program
//! that reads all of it and answers with the texts of `write`, as the editor of the site offers it.

mod cpp;
mod parse;
mod program;
mod python;
mod rust;

pub use parse::StubError;

use std::collections::BTreeMap;

/// The input and output of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stub {
    /// The challenge's statement, line by line.
    pub statement: Vec<String>,
    /// Once, before the first turn.
    pub start: Vec<Step>,
    /// Every turn; empty without a `gameloop`.
    pub turn: Vec<Step>,
    /// The meaning of each variable, by name.
    pub inputs: BTreeMap<String, String>,
    /// The possible answers, line by line.
    pub output: Vec<String>,
}

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// One line of values.
    Read(Vec<Variable>),
    /// One line of values, the group of variables repeated.
    ReadLine(Count, Vec<Variable>),
    /// A line of output.
    Write(Vec<Part>),
    /// A repeated command.
    Loop(Count, Box<Step>),
}

/// The number of repetitions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Count {
    /// A fixed number.
    Number(u32),
    /// The value of a variable.
    Variable(String),
}

/// A value that is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name, in `camelCase` as a rule.
    pub name: String,
    /// Its type.
    pub kind: Kind,
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A 32-bit integer; also `bool`, which is written as 0 or 1.
    Int,
    /// A 64-bit integer.
    Long,
    /// A number with decimals.
    Float,
    /// Text without spaces.
    Word,
    /// The rest of the line.
    Text,
}

/// A part of an output; the parts are separated by spaces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// This text.
    Text(String),
    /// The value of a variable.
    Variable(String),
}

/// A language in which [`Stub::program`] writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Python 3.
    Python,
    /// C++17.
    Cpp,
    /// Rust 2021, one file.
    Rust,
}

impl Stub {
    /// Reads a stub.
    ///
    /// # Errors
    /// The first line that is not a command, with the reason.
    pub fn parse(text: &str) -> Result<Stub, StubError> {
        parse::parse(text)
    }

    /// Returns a program that reads all that the stub reads, and writes what it writes. It leaves when its input ends.
    #[must_use]
    pub fn program(&self, language: Language) -> String {
        match language {
            Language::Python => program::write(self, &mut python::Python),
            Language::Cpp => program::write(self, &mut cpp::Cpp::default()),
            Language::Rust => program::write(self, &mut rust::Rust),
        }
    }
}

#[cfg(test)]
mod tests;
