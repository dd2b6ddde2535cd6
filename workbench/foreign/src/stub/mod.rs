//! CodinGame's stub language, which describes the input and output of a challenge's bots in `config/stub.txt`.
//!
//! | command | meaning |
//! |---|---|
//! | `read NAME:TYPE ...` | one line of values; types are `int`, `long`, `float`, `bool`, `word(LENGTH)`, and `string(LENGTH)`, which may contain spaces |
//! | `write TEXT`, `write join("TEXT", NAME, ...)` | one line of output; following lines of text, up to an empty line, are further lines of output |
//! | `loop COUNT COMMAND` | the command, repeated COUNT times; a count is a number or a name that was read |
//! | `loopline COUNT NAME:TYPE ...` | one line with the values, repeated COUNT times |
//! | `gameloop` | everything after this is repeated every turn |
//!
//! Blocks `STATEMENT`, `INPUT` and `OUTPUT`, each after an empty line, are comments. [`Stub::program`] generates a
//! program that reads all input and answers with the texts of `write`, like the starter code in CodinGame's editor.

mod cpp;
mod parse;
mod program;
mod python;
mod rust;

pub use parse::StubError;

use std::collections::BTreeMap;

/// A description of a bot's input and output.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stub {
    /// The statement of the challenge, line by line.
    pub statement: Vec<String>,
    /// The commands before the first turn.
    pub start: Vec<Step>,
    /// The commands in every turn; empty if there is no `gameloop`.
    pub turn: Vec<Step>,
    /// The descriptions of the variables, by name.
    pub inputs: BTreeMap<String, String>,
    /// The possible answers, line by line.
    pub output: Vec<String>,
}

/// A command of the stub language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Reads one line of values.
    Read(Vec<Variable>),
    /// Reads one line that contains values for a group of variables several times.
    ReadLine(Count, Vec<Variable>),
    /// Writes a line.
    Write(Vec<LinePart>),
    /// Repeats a command a number of times.
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

/// A variable that is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name of the variable, usually in `camelCase`.
    pub name: String,
    /// The type of the variable.
    pub kind: ValueType,
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueType {
    /// A 32-bit integer, or a `bool` (0 or 1).
    Int,
    /// A 64-bit integer.
    Long,
    /// A floating-point number.
    Float,
    /// Text without spaces.
    Word,
    /// The remaining text of the line.
    Text,
}

/// A part of a line of output. Parts are separated by spaces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinePart {
    /// A fixed text.
    Text(String),
    /// The value of a variable.
    Variable(String),
}

/// A language in which [`Stub::program`] can generate programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StubLanguage {
    /// Python 3.
    Python,
    /// C++17.
    Cpp,
    /// Rust 2021, in one file.
    Rust,
}

impl Stub {
    /// Parses a stub.
    ///
    /// # Errors
    /// Returns an error with the first invalid line and the reason.
    pub fn parse(text: &str) -> Result<Stub, StubError> {
        parse::parse(text)
    }

    /// Generates a program that reads the input and writes the output that the stub describes. The program exits when
    /// its input ends.
    #[must_use]
    pub fn program(&self, language: StubLanguage) -> String {
        match language {
            StubLanguage::Python => program::write(self, &mut python::Python),
            StubLanguage::Cpp => program::write(self, &mut cpp::Cpp::default()),
            StubLanguage::Rust => program::write(self, &mut rust::Rust),
        }
    }
}

#[cfg(test)]
mod tests;
