//! Generation of programs from a [`Stub`]. [`Target`] contains the differences between the languages.

use super::{Count, LinePart, Step, Stub, Variable};
use std::collections::BTreeSet;

/// Lines of text with indentation.
#[derive(Default)]
pub(super) struct Text {
    text: String,
    depth: usize,
}

impl Text {
    pub fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text += &"    ".repeat(self.depth);
        }
        self.text += line;
        self.text.push('\n');
    }

    pub fn indent(&mut self) {
        self.depth += 1;
    }

    pub fn outdent(&mut self) {
        self.depth -= 1;
    }
}

/// The building blocks of a program in one language.
pub(super) trait Target {
    /// The start of a comment.
    const COMMENT: &'static str;
    /// The start of a block.
    const OPEN: &'static str;
    /// The line that ends a block, if the language has such a line.
    const CLOSE: Option<&'static str>;
    /// Words that cannot be variable names: keywords of the language, and names that the programs use.
    const RESERVED: &'static [&'static str];

    /// Converts a name to the style of the language, without checking for reserved words.
    fn style(name: &str) -> String;

    /// Writes the code before the first command. If the commands are in a block, opens the block.
    fn open(&mut self, text: &mut Text);

    /// Writes the code after the last command.
    fn close(&mut self, text: &mut Text);

    /// Writes the code that reads a line of values.
    fn read(&mut self, variables: &[Variable], text: &mut Text);

    /// Writes the code that reads a line for [`next`](Target::next).
    fn take_line(&mut self, text: &mut Text);

    /// Writes the code that takes the next values from the line that was read last.
    fn next(&mut self, variables: &[Variable], text: &mut Text);

    /// Writes the code that prints a line.
    fn write(&mut self, parts: &[LinePart], text: &mut Text);

    /// Returns the head of an infinite loop.
    fn forever(&self) -> &'static str;

    /// Returns the head of a loop with `count` repetitions.
    fn times(&self, count: &str) -> String;

    /// Starts a block, which is also a scope in languages with block scopes.
    fn enter(&mut self) {}

    /// Ends the innermost block.
    fn leave(&mut self) {}

    /// Returns the name of a variable in the program.
    fn name(name: &str) -> String {
        let name = Self::style(name);
        if Self::RESERVED.contains(&name.as_str()) { name + "_" } else { name }
    }
}

pub(super) fn write<T: Target>(stub: &Stub, target: &mut T) -> String {
    let mut text = Text::default();
    for line in &stub.statement {
        comment::<T>(line, &mut text);
    }
    target.open(&mut text);
    let mut writer = Writer { stub, target, text, has_output: false };
    writer.steps(&stub.start);
    if !stub.turn.is_empty() {
        let head = writer.target.forever();
        writer.block(head, |writer| writer.steps(&stub.turn));
    }
    let Writer { target, mut text, .. } = writer;
    target.close(&mut text);
    text.text
}

fn comment<T: Target>(line: &str, text: &mut Text) {
    // A backslash at the end would extend a C++ comment to the next line.
    let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
    text.line(format!("{} {}", T::COMMENT, line.trim_end_matches(['\\', ' '])).trim_end());
}

struct Writer<'a, T> {
    stub: &'a Stub,
    target: &'a mut T,
    text: Text,
    /// Whether the comment with the possible answers has been written.
    has_output: bool,
}

impl<T: Target> Writer<'_, T> {
    fn steps(&mut self, steps: &[Step]) {
        steps.iter().for_each(|step| self.step(step));
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Read(variables) => {
                self.meanings(variables);
                self.target.read(variables, &mut self.text);
            }
            Step::ReadLine(count, variables) => {
                self.meanings(variables);
                self.target.take_line(&mut self.text);
                let head = self.times(count);
                self.block(&head, |writer| writer.target.next(variables, &mut writer.text));
            }
            Step::Write(parts) => {
                if !std::mem::replace(&mut self.has_output, true) {
                    self.stub.output.iter().for_each(|line| comment::<T>(line, &mut self.text));
                }
                self.target.write(parts, &mut self.text);
            }
            Step::Loop(count, step) => {
                let head = self.times(count);
                self.block(&head, |writer| writer.step(step));
            }
        }
    }

    fn times(&self, count: &Count) -> String {
        self.target.times(&match count {
            Count::Number(number) => number.to_string(),
            Count::Variable(name) => T::name(name),
        })
    }

    fn block(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.text.line(&format!("{head}{}", T::OPEN));
        self.text.indent();
        self.target.enter();
        inside(self);
        self.target.leave();
        self.text.outdent();
        T::CLOSE.into_iter().for_each(|close| self.text.line(close));
    }

    fn meanings(&mut self, variables: &[Variable]) {
        let mut said = BTreeSet::new();
        for variable in variables {
            if let Some(meaning) =
                self.stub.inputs.get(&variable.name).filter(|_| said.insert(&variable.name))
            {
                comment::<T>(&format!("{}: {meaning}", T::name(&variable.name)), &mut self.text);
            }
        }
    }
}

/// Converts `camelCase` to `snake_case`.
pub(super) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut was_lower = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && was_lower {
            snake.push('_');
        }
        was_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// Formats a text as a string literal in double quotes. The format is the same in all three languages.
pub(super) fn literal(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        if letter == '"' || letter == '\\' {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted + "\""
}
